//! Windows of 16 letters, 64 bits, words of 3: a warp signs 31 windows at a time.
//!
//! Windows overlap by half, so window j of a sequence is half j and the first words of half j + 1:
//!
//! ```text
//! letters   0 . . . . . . . 8 . . . . . . . 16 . . . . . . . 24
//! half      |-- 0 --------- |-- 1 --------- |-- 2 ----------
//! window 0  [0                         13]          first letters of its words
//! window 1                  [8                         21]
//! ```
//!
//! ```text
//! lane l     half h + l: 10 letters -> 8 words -> 8 table entries -> counts of all 8, and of the first 6
//! lane l + 1 ... its first 6, by shuffle -> window h + l
//! ```
//!
//! Each half is looked at once: 8 lookups for a window and not 14. Lane 31 only helps lane 30. A sequence of W windows has
//! W + 1 halves, so halves are numbered through all sequences, and window number = half number - sequence number.
//!
//! # The threshold stays put
//!
//! A word that is missing (past the sequence's end, or with a letter that words do not hold) takes the table's last entry:
//! all ones and none, one for each element, as an element of value 0 gives. So every window has 14 words, and a bit is set
//! where the ones are more than 14. With 1 added the count is at most 29, and that is its fifth bit.
//!
//! The planes of table entries are in the order of a signature's bytes, so that results are stored as they are.

use super::cell::{add2, add3, majority};
use super::records;
use crate::abi::HalvesArgs;
use crate::tuning::{HALF, HALVES_STEP, UNKNOWN_CODE};
use cuda_std::{Shared, U32x2, U32x4, bits, thread, warp};

/// The shared part of a block: the table, and the code of each byte.
#[derive(Clone, Copy)]
struct Tables {
    vectors: Shared<U32x4>,
    codes: Shared<u32>,
}

impl Tables {
    /// Copies both from device memory; all threads of the block.
    #[inline(always)]
    fn load(args: &HalvesArgs) -> Self {
        let entries = args.table.len() as u32;
        let tables = Self { vectors: Shared::at(0, entries), codes: Shared::at(entries * 16, 256) };
        let mut at = thread::thread_idx_x();
        while at < entries {
            tables.vectors.write(at, args.table.read(at));
            at += thread::block_dim_x();
        }
        let mut at = thread::thread_idx_x();
        while at < 256 {
            tables.codes.write(at, args.codes.read(at));
            at += thread::block_dim_x();
        }
        thread::sync_threads();
        tables
    }
}

/// Counts of the first 6 words of a half, of at most 12 ones: planes of weight 1, 2, 4 and 8.
#[derive(Clone, Copy)]
struct Head([u64; 4]);

/// Counts of all 8 words of a half, of at most 16 ones.
#[derive(Clone, Copy)]
struct Full([u64; 5]);

/// The counts of a half from its words' vectors.
#[inline(always)]
fn count(vectors: &[[u64; 2]; 8]) -> (Head, Full) {
    let [[a, b], [c, d], [e, f], [g, h], [i, j], [k, l], [m, n], [o, p]] = *vectors;
    let (ones, t0) = add3(a, b, c);
    let (ones, t1) = add3(ones, d, e);
    let (ones, t2) = add3(ones, f, g);
    let (ones, t3) = add3(ones, h, i);
    let (ones, t4) = add3(ones, j, k);
    let (ones, t5) = add2(ones, l);
    let (twos, f0) = add3(t0, t1, t2);
    let (twos, f1) = add3(twos, t3, t4);
    let (twos, f2) = add2(twos, t5);
    let (fours, eights) = add3(f0, f1, f2);
    let head = Head([ones, twos, fours, eights]);
    let (ones, t0) = add3(ones, m, n);
    let (ones, t1) = add3(ones, o, p);
    let (twos, f0) = add3(twos, t0, t1);
    let (fours, e0) = add2(fours, f0);
    let (eights, sixteens) = add2(eights, e0);
    (head, Full([ones, twos, fours, eights, sixteens]))
}

/// The fifth bit of the counts of a window, plus 1.
#[inline(always)]
fn decide(full: Full, head: Head) -> u64 {
    let (Full([a, b, c, d, e]), Head([i, j, k, l])) = (full, head);
    let carry = a | i;
    let carry = majority(b, j, carry);
    let carry = majority(c, k, carry);
    e | majority(d, l, carry)
}

/// Where a lane's half lies.
struct Place {
    /// The sequence's number.
    record: u32,
    /// The half's first letter.
    letter: u32,
    /// Letters from there on that its words may have: 0 to 10.
    length: u32,
    /// Whether a window starts here.
    is_window: bool,
}

/// What one lane does.
struct Lane<'a> {
    args: &'a HalvesArgs<'a>,
    tables: Tables,
    /// The code that means no letter: the number of words.
    none: u32,
}

impl Lane<'_> {
    /// The place of half `half` of a warp whose first half `base` lies in sequence `record`.
    #[inline(always)]
    fn place(&self, record: u32, base: u32, half: u32) -> Place {
        let (firsts, lane) = (&self.args.firsts, warp::lane_id());
        let records = firsts.len() as u32 - 1;
        // Each lane looks at one of the next sequences: 32 halves can begin no more of them.
        let next = firsts.read((record + 1 + lane).min(records)) - base;
        let begins = warp::reduce_or(if next < warp::LANES { 1 << next } else { 0 });
        let record = (record + (begins & (2u32.wrapping_shl(lane).wrapping_sub(1))).count_ones()).min(records - 1);
        let (first, end) = (firsts.read(record), firsts.read(record + 1));
        let start = self.args.starts.read(record);
        let letter = start + HALF * (half.min(end - 1) - first);
        let length = if half < end { self.args.starts.read(record + 1).saturating_sub(letter) } else { 0 };
        Place { record, letter, length: length.min(HALF + 2), is_window: half + 1 < end }
    }

    /// Four letters at a time, bytes past the length set to 255.
    #[inline(always)]
    fn letters(&self, place: &Place) -> [u32; 3] {
        let (word, by) = (place.letter / 4, place.letter % 4 * 8);
        let mut words = [0; 4];
        each!(at in 0 1 2 3; { words[at] = self.args.letters.read(word + at as u32) });
        let mut letters = [0; 3];
        each!(at in 0 1 2; {
            let left = place.length.saturating_sub(4 * at as u32);
            let past = if left < 4 { u32::MAX << (8 * left) } else { 0 };
            letters[at] = bits::funnel_shift_right(words[at], words[at + 1], by) | past;
        });
        letters
    }

    /// The vectors of a half's words; the least and the greatest of their codes, and the greatest letter's.
    #[inline(always)]
    fn vectors(&self, letters: [u32; 3]) -> ([[u64; 2]; 8], [u32; 3]) {
        let mut codes = [0; 10];
        let mut greatest = 0;
        each!(at in 0 1 2 3 4 5 6 7 8 9; {
            codes[at] = self.tables.codes.read(letters[at / 4] >> (8 * (at as u32 % 4)) & 0xFF);
            greatest = codes[at].max(greatest);
        });
        let letters = self.args.letters_known;
        let (mut vectors, mut least, mut least_of_head) = ([[0; 2]; 8], u32::MAX, u32::MAX);
        each!(at in 0 1 2 3 4 5 6 7; {
            let word = (codes[at] * letters + codes[at + 1]) * letters + codes[at + 2];
            let U32x4([a, b, c, d]) = self.tables.vectors.read(word.min(self.none));
            vectors[at] = [u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c)];
            least = word.min(least);
            if at == 5 {
                least_of_head = least;
            }
        });
        (vectors, [least, least_of_head, greatest])
    }
}

/// The value of the next lane.
#[inline(always)]
fn next_lane(value: u64) -> u64 {
    let half = |word: u32| u64::from(warp::shuffle_down(word, 1, warp::LANES));
    half((value >> 32) as u32) << 32 | half(value as u32)
}

/// Signs the windows of a warp's stretch of halves.
#[inline(always)]
pub fn sign(args: &HalvesArgs) {
    let tables = Tables::load(args);
    let worker = Lane { args, tables, none: args.table.len() as u32 - 1 };
    let halves = args.firsts.read(args.firsts.len() as u32 - 1);
    let mut base = thread::index_1d() / warp::LANES * args.span;
    let end = (base + args.span).min(halves);
    if base >= end {
        return;
    }
    let mut record = records::holding(&args.firsts, base);
    while base < end {
        let half = base + warp::lane_id();
        let place = worker.place(record, base, half);
        let (vectors, [least, least_of_head, greatest]) = worker.vectors(worker.letters(&place));
        let (head, full) = count(&vectors);
        let Head([a, b, c, d]) = head;
        let head = Head([next_lane(a), next_lane(b), next_lane(c), next_lane(d)]);
        let least = least.min(warp::shuffle_down(least_of_head, 1, warp::LANES));
        if place.is_window && half < end && warp::lane_id() < HALVES_STEP {
            let (window, sum) = (half - place.record, decide(full, head));
            args.signatures.write(window, U32x2([sum as u32, (sum >> 32) as u32]));
            args.present.write(window, u8::from(least < worker.none));
        }
        if greatest >= UNKNOWN_CODE {
            args.odd.or(0, 1);
        }
        record = warp::shuffle(place.record, HALVES_STEP, warp::LANES);
        base += HALVES_STEP;
    }
}
