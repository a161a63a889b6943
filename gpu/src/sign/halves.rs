//! Windows of 16 residues, 64 bits, 3-mers: a warp signs 31 windows at a time.
//!
//! Windows overlap by half: window j of a sequence is half j and the first k-mers of half j + 1.
//!
//! ```text
//! residues  0 . . . . . . . 8 . . . . . . . 16 . . . . . . . 24
//! half      |-- 0 --------- |-- 1 --------- |-- 2 ----------
//! window 0  [0                         13]          first residues of its k-mers
//! window 1                  [8                         21]
//! ```
//!
//! ```text
//! lane l     half h + l: 10 residues -> 8 k-mers -> 8 table entries -> counts of all 8, and of the first 6
//! lane l + 1 ... its first 6, by shuffle -> window h + l
//! ```
//!
//! Each half is read once, which makes 8 lookups per window instead of 14. Lane 31 only helps lane 30. A sequence of W
//! windows has W + 1 halves. Halves are numbered through all sequences, so a window's number is its half's less its
//! sequence's.
//!
//! # One threshold for all windows
//!
//! A k-mer that is missing (past the end of the sequence, or with a residue that no k-mer contains) takes the last
//! entry of the table: ones in one word and none in the other, which for every element counts as a 0 does. So every
//! window has 14 k-mers, and a bit is set if there are more than 14 ones among its 28 words. With 1 added the count is
//! at most 29, so the bit is the fifth one of the count.
//!
//! Table entries have their bits in the order of a signature's bytes, so results are stored as they are.

use super::cell::{add2, add3, majority};
use crate::abi::HalvesArgs;
use crate::sequences;
use crate::tuning::{HALF, HALVES_STEP, UNKNOWN_CODE};
use cuda_std::{Shared, SharedMemory, U32x2, U32x4, bits, thread, warp};

/// The tables in a block's shared memory: the vectors, and the code of each byte.
#[derive(Clone, Copy)]
struct Tables {
    vectors: Shared<U32x4>,
    codes: Shared<u32>,
}

impl Tables {
    /// Copies both from device memory, with all threads of the block.
    #[inline(always)]
    fn load(args: &HalvesArgs, mut shared: SharedMemory) -> Self {
        let entries = args.table.len() as u32;
        let tables = Self { vectors: shared.array(entries), codes: shared.array(256) };
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

/// Counts over the first 6 k-mers of a half, at most 12 ones: planes of weight 1, 2, 4 and 8.
#[derive(Clone, Copy)]
struct Head([u64; 4]);

/// Counts over all 8 k-mers of a half, at most 16 ones.
#[derive(Clone, Copy)]
struct Full([u64; 5]);

/// The counts of a half, from the vectors of its k-mers.
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

/// The fifth bit of a window's counts plus 1.
#[inline(always)]
fn decide(full: Full, head: Head) -> u64 {
    let (Full([a, b, c, d, e]), Head([i, j, k, l])) = (full, head);
    let carry = a | i;
    let carry = majority(b, j, carry);
    let carry = majority(c, k, carry);
    e | majority(d, l, carry)
}

/// The position of a lane's half.
struct Place {
    /// The number of its sequence.
    sequence: u32,
    /// Its first residue.
    residue: u32,
    /// How many residues from there on its k-mers may have: 0 to 10.
    length: u32,
    /// Whether a window starts here.
    is_window: bool,
}

/// What one lane does.
struct Lane<'a> {
    args: &'a HalvesArgs<'a>,
    tables: Tables,
    /// The number of all k-mers, which stands for none.
    none: u32,
}

impl Lane<'_> {
    /// The position of half `half`, for a warp whose first half `base` is in sequence `sequence`.
    #[inline(always)]
    fn place(&self, sequence: u32, base: u32, half: u32) -> Place {
        let (firsts, lane) = (&self.args.firsts, warp::lane_id());
        let sequences = firsts.len() as u32 - 1;
        // Each lane checks one of the next sequences. No more than 32 of them can begin in 32 halves.
        let next = firsts.read((sequence + 1 + lane).min(sequences)) - base;
        let begins = warp::reduce_or(if next < warp::LANES { 1 << next } else { 0 });
        let sequence =
            (sequence + (begins & (2u32.wrapping_shl(lane).wrapping_sub(1))).count_ones()).min(sequences - 1);
        let (first, end) = (firsts.read(sequence), firsts.read(sequence + 1));
        let start = self.args.starts.read(sequence);
        let residue = start + HALF * (half.min(end - 1) - first);
        let length = if half < end { self.args.starts.read(sequence + 1).saturating_sub(residue) } else { 0 };
        Place { sequence, residue, length: length.min(HALF + 2), is_window: half + 1 < end }
    }

    /// The residues of a half, four per word. Bytes past its length are 255.
    #[inline(always)]
    fn residues(&self, place: &Place) -> [u32; 3] {
        let (word, by) = (place.residue / 4, place.residue % 4 * 8);
        let mut words = [0; 4];
        unroll!(at in 0 1 2 3; { words[at] = self.args.residues.read(word + at as u32) });
        let mut residues = [0; 3];
        unroll!(at in 0 1 2; {
            let left = place.length.saturating_sub(4 * at as u32);
            let past = if left < 4 { u32::MAX << (8 * left) } else { 0 };
            residues[at] = bits::funnel_shift_right(words[at], words[at + 1], by) | past;
        });
        residues
    }

    /// The vectors of a half's k-mers; the least number among all 8, the least among the first 6, and the greatest
    /// residue code.
    #[inline(always)]
    fn vectors(&self, residues: [u32; 3]) -> ([[u64; 2]; 8], [u32; 3]) {
        let mut codes = [0; 10];
        let mut greatest = 0;
        unroll!(at in 0 1 2 3 4 5 6 7 8 9; {
            codes[at] = self.tables.codes.read(residues[at / 4] >> (8 * (at as u32 % 4)) & 0xFF);
            greatest = codes[at].max(greatest);
        });
        let size = self.args.alphabet_size;
        let (mut vectors, mut least, mut least_of_head) = ([[0; 2]; 8], u32::MAX, u32::MAX);
        unroll!(at in 0 1 2 3 4 5 6 7; {
            let kmer = (codes[at] * size + codes[at + 1]) * size + codes[at + 2];
            let U32x4([a, b, c, d]) = self.tables.vectors.read(kmer.min(self.none));
            vectors[at] = [u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c)];
            least = kmer.min(least);
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

/// Signs the windows of a warp's range of halves.
#[inline(always)]
pub fn sign(args: &HalvesArgs, shared: SharedMemory) {
    let tables = Tables::load(args, shared);
    let worker = Lane { args, tables, none: args.table.len() as u32 - 1 };
    let halves = args.firsts.read(args.firsts.len() as u32 - 1);
    let mut base = thread::index_1d() / warp::LANES * args.span;
    let end = (base + args.span).min(halves);
    if base >= end {
        return;
    }
    let mut sequence = sequences::holding(&args.firsts, base);
    while base < end {
        let half = base + warp::lane_id();
        let place = worker.place(sequence, base, half);
        let (vectors, [least, least_of_head, greatest]) = worker.vectors(worker.residues(&place));
        let (head, full) = count(&vectors);
        let Head([a, b, c, d]) = head;
        let head = Head([next_lane(a), next_lane(b), next_lane(c), next_lane(d)]);
        let least = least.min(warp::shuffle_down(least_of_head, 1, warp::LANES));
        if place.is_window && half < end && warp::lane_id() < HALVES_STEP {
            let (window, sum) = (half - place.sequence, decide(full, head));
            args.signatures.write(window, U32x2([sum as u32, (sum >> 32) as u32]));
            args.present.write(window, u8::from(least < worker.none));
        }
        if greatest >= UNKNOWN_CODE {
            args.odd.or(0, 1);
        }
        sequence = warp::shuffle(place.sequence, HALVES_STEP, warp::LANES);
        base += HALVES_STEP;
    }
}
