//! Windows of any length, vectors of any width: a group of lanes counts the words of a piece, each lane for 64 elements.
//!
//! ```text
//! window of words   |-------- piece 0 --------|-------- piece 1 --------|-- piece 2 --|     at most PIECE words each
//! group             lane 0: elements 0..64 of every word's vector; lane 1: 64..128; ...
//!
//! 16 words          staged by the lanes, one each, in shared memory: a key, or a place in the table, and whether it is a word
//!                   read back by all lanes: vector -> adders -> 8 planes in registers -> 16 planes in shared memory
//! end of a piece    the window's only one: decided. One of several: 64 counts are added to the window's in device memory,
//!                   and `sign_decide` decides.
//! ```
//!
//! A word that is none (a letter that words do not hold, or past the end of the piece) is masked to zeros and not counted. All
//! lanes of a warp take as many turns as the longest of its pieces needs, so that they meet at every collective; a group with
//! fewer words counts zeros.

mod counter;
mod source;

use super::records;
use crate::abi::{DecideArgs, PiecesArgs};
use crate::tuning::{PIECE, PIECE_PLANES, STAGE};
use counter::{Counts, Planes};
use cuda_std::{Shared, U32x2, U32x4, thread, warp};
pub use source::{Dense, Source, Sparse};

/// Bytes of shared memory of a warp with groups of `width` lanes: planes, then the staged words of each group. A group's words
/// are one more than it needs apart, so that groups read different banks.
pub const fn shared_bytes(width: u32) -> u32 {
    PLANES_BYTES + (32 >> width.trailing_zeros()) * (STAGE + 1) * 16
}

const PLANES_BYTES: u32 = PIECE_PLANES * 32 * 8;

/// No slot: the window has one piece.
pub const NO_SLOT: u32 = u32::MAX;

/// Words in device memory that a group counts together.
struct Piece {
    /// Its window's number.
    window: u32,
    /// The window's sums, or [`NO_SLOT`].
    slot: u32,
    /// The first word's first letter.
    letter: u32,
    words: u32,
}

impl Piece {
    /// Piece `number`, which lies in sequence `record`.
    #[inline(always)]
    fn new(args: &PiecesArgs, record: u32, number: u32) -> Self {
        let rules = &args.rules;
        let (start, end) = (args.starts.read(record), args.starts.read(record + 1));
        let piece = number - args.firsts.read(record);
        let (index, part) = (piece >> rules.parts, piece & ((1 << rules.parts) - 1));
        let first = start + index * rules.step;
        let letters = (end - first).min(rules.window);
        let words = (letters + 1).saturating_sub(rules.k);
        let begin = part * PIECE;
        let slot = args.slots.read(record);
        Self {
            window: args.windows.read(record) + index,
            slot: if slot == NO_SLOT { NO_SLOT } else { slot + index },
            letter: first + begin,
            words: words.saturating_sub(begin).min(PIECE),
        }
    }
}

/// A group of lanes at work.
struct Group<'a, S> {
    args: &'a PiecesArgs<'a>,
    source: S,
    staged: Shared<U32x4>,
    planes: Planes,
    /// This lane in its group.
    lane: u32,
    /// Which 64 elements of a vector this lane counts.
    word: u32,
}

/// Signs a run of pieces for each group of lanes.
#[inline(always)]
pub fn sign<'a, S: Source<'a>>(args: &'a PiecesArgs<'a>) {
    let rules = &args.rules;
    let bits = rules.width.trailing_zeros();
    let (lane, in_warp) = (warp::lane_id() & (rules.width - 1), warp::lane_id() >> bits);
    let shared = warp::warp_id() * shared_bytes(rules.width);
    let staged = Shared::at(shared + PLANES_BYTES + in_warp * (STAGE + 1) * 16, STAGE);
    let pieces = args.firsts.read(args.firsts.len() as u32 - 1);
    let items = pieces << rules.blocks;
    let first = (thread::index_1d() >> bits) * args.run;
    let mut record = if first < items { records::holding(&args.firsts, first >> rules.blocks) } else { 0 };
    for turn in 0..args.run {
        let item = first + turn;
        let word = ((item & ((1 << rules.blocks) - 1)) << 5) + lane;
        let number = item >> rules.blocks;
        let mut piece = Piece { window: 0, slot: NO_SLOT, letter: 0, words: 0 };
        if item < items {
            while args.firsts.read(record + 1) <= number {
                record += 1;
            }
            piece = Piece::new(args, record, number);
        }
        let source = S::new(args, word);
        let group = Group { args, source, staged, planes: Planes::at(shared), lane, word };
        group.sign(piece, item < items && word < rules.vectors);
    }
}

impl<'a, S: Source<'a>> Group<'a, S> {
    /// Counts a piece, and finishes it where the lane `has_part` in it; all lanes of the warp together.
    #[inline(always)]
    fn sign(&self, piece: Piece, has_part: bool) {
        let Piece { letter, words, .. } = piece;
        let turns = (!warp::reduce_min(!words)).div_ceil(STAGE);
        let long = turns > S::TURNS;
        let (mut counts, mut seen) = (Counts::default(), 0);
        if long {
            self.planes.clear();
        }
        for turn in 0..turns {
            if long && turn % S::TURNS == 0 {
                self.planes.add(core::mem::take(&mut counts));
            }
            self.stage(letter, turn * STAGE, words);
            warp::sync();
            seen += S::count(&self.source, &self.staged, &mut counts);
            warp::sync();
        }
        if long {
            self.planes.add(counts);
        }
        if has_part {
            self.finish(&piece, long, counts, seen);
        }
    }

    /// Stages the words from `first` on: the lanes of the group take turns.
    #[inline(always)]
    fn stage(&self, letter: u32, first: u32, words: u32) {
        let mut at = self.lane;
        while at < STAGE {
            let is_word = first + at < words;
            self.staged.write(at, if is_word { S::stage(self.args, letter + first + at) } else { U32x4::default() });
            at += self.args.rules.width;
        }
    }

    /// Writes the signature's 64 bits, or adds to the window's sums.
    #[inline(always)]
    fn finish(&self, piece: &Piece, long: bool, counts: Counts, seen: u32) {
        let (args, least) = (self.args, seen >> (2 - S::INPUTS));
        if piece.slot == NO_SLOT {
            let bits = if long { self.planes.above(least) } else { counts.above(least) };
            let [low, high] = super::cell::bytes_of(bits);
            args.signatures.write(piece.window * args.rules.vectors + self.word, U32x2([low, high]));
            if self.word == 0 {
                args.present.write(piece.window, u8::from(seen > 0));
            }
            return;
        }
        if !long {
            self.planes.clear();
            self.planes.add(counts);
        }
        let sums = (piece.slot * args.rules.vectors + self.word) * 64;
        for bit in 0..64 {
            args.sums.add(sums + bit, u64::from(self.planes.count(bit)));
        }
        if self.word == 0 {
            args.seen.add(piece.slot, u64::from(seen));
        }
    }
}

/// Decides 64 bits of a window whose pieces were added.
#[inline(always)]
pub fn decide(args: &DecideArgs, at: u32) {
    let vectors = args.vectors.max(1);
    let (slot, word) = (at / vectors, at % vectors);
    let seen = args.seen.read(slot);
    let (least, mut bits) = (seen * u64::from(args.inputs) / 2, 0);
    for bit in 0..64 {
        bits |= u64::from(args.sums.read(at * 64 + bit) > least) << bit;
    }
    let window = args.slot_windows.read(slot);
    args.signatures.write(window * vectors + word, U32x2(super::cell::bytes_of(bits)));
    if word == 0 {
        args.present.write(window, u8::from(seen > 0));
    }
}
