//! Windows of any length, vectors of any width: a group of lanes counts the k-mers of a piece, and each lane 64
//! elements.
//!
//! ```text
//! k-mers of a window  |-------- piece 0 --------|-------- piece 1 --------|-- piece 2 --|     at most PIECE k-mers each
//! group               lane 0: elements 0..64 of every k-mer's vector; lane 1: 64..128; ...
//!
//! 16 k-mers           staged in shared memory, one per lane: a key, or a place in the table, and whether it is a k-mer
//!                     read back by all lanes: vector -> adders -> 8 planes in registers -> 14 planes in shared memory
//! end of a piece      if it is its window's only one, the lanes decide; if it is one of several, they add 64 counts
//!                     each to the window's sums in device memory, and `sign_decide` decides
//! ```
//!
//! What is no k-mer (it contains a residue that no k-mer may, or is past the end of the piece) is masked to zeros and
//! not counted. All lanes of a warp take as many turns as its longest piece needs, so that they meet at every
//! collective. A group with fewer k-mers counts zeros.

mod counter;
mod source;

use crate::abi::{DecideArgs, PiecesArgs};
use crate::sequences;
use crate::tuning::{PIECE, PIECE_PLANES, STAGE};
use counter::{Counts, Planes};
use cuda_std::{Shared, SharedMemory, U32x2, U32x4, thread, warp};
pub use source::{Dense, Source, Sparse};

/// Bytes of shared memory of a warp with groups of `width` lanes: planes, then the staged k-mers of each group. The
/// parts of groups are one k-mer longer than needed, so that groups read different banks.
pub const fn shared_bytes(width: u32) -> u32 {
    PLANES_BYTES + (32 >> width.trailing_zeros()) * (STAGE + 1) * 16
}

const PLANES_BYTES: u32 = PIECE_PLANES * 32 * 8;

/// Stands for no slot: the window has one piece.
pub const NO_SLOT: u32 = u32::MAX;

/// K-mers that a group counts together.
struct Piece {
    /// The number of its window.
    window: u32,
    /// The slot of the window's sums, or [`NO_SLOT`].
    slot: u32,
    /// The first residue of its first k-mer.
    residue: u32,
    kmers: u32,
}

impl Piece {
    /// Piece `number`, which is in sequence `sequence`.
    #[inline(always)]
    fn new(args: &PiecesArgs, sequence: u32, number: u32) -> Self {
        let rules = &args.rules;
        let (start, end) = (args.starts.read(sequence), args.starts.read(sequence + 1));
        let piece = number - args.firsts.read(sequence);
        let (index, part) = (piece >> rules.parts, piece & ((1 << rules.parts) - 1));
        let first = start + index * rules.step;
        let residues = (end - first).min(rules.window);
        let kmers = (residues + 1).saturating_sub(rules.k);
        let begin = part * PIECE;
        let slot = args.slots.read(sequence);
        Self {
            window: args.windows.read(sequence) + index,
            slot: if slot == NO_SLOT { NO_SLOT } else { slot + index },
            residue: first + begin,
            kmers: kmers.saturating_sub(begin).min(PIECE),
        }
    }
}

/// One group of lanes.
struct Group<'a, S> {
    args: &'a PiecesArgs<'a>,
    source: S,
    staged: Shared<U32x4>,
    planes: Planes,
    /// The number of this lane in its group.
    lane: u32,
    /// The word of a vector, 64 elements, that this lane counts.
    word: u32,
}

/// Signs a run of pieces for each group of lanes.
#[inline(always)]
pub fn sign<'a, S: Source<'a>>(args: &'a PiecesArgs<'a>, shared: SharedMemory) {
    let rules = &args.rules;
    let bits = rules.width.trailing_zeros();
    let (lane, in_warp) = (warp::lane_id() & (rules.width - 1), warp::lane_id() >> bits);
    let mut own = shared.part(warp::warp_id(), shared_bytes(rules.width));
    let planes = Planes::new(&mut own);
    let staged = own.part(in_warp, (STAGE + 1) * 16).array(STAGE);
    let pieces = args.firsts.read(args.firsts.len() as u32 - 1);
    let items = pieces << rules.blocks;
    let first = (thread::index_1d() >> bits) * args.run;
    let mut sequence = if first < items { sequences::holding(&args.firsts, first >> rules.blocks) } else { 0 };
    for turn in 0..args.run {
        let item = first + turn;
        let word = ((item & ((1 << rules.blocks) - 1)) << 5) + lane;
        let number = item >> rules.blocks;
        let mut piece = Piece { window: 0, slot: NO_SLOT, residue: 0, kmers: 0 };
        if item < items {
            while args.firsts.read(sequence + 1) <= number {
                sequence += 1;
            }
            piece = Piece::new(args, sequence, number);
        }
        let source = S::new(args, word);
        let group = Group { args, source, staged, planes, lane, word };
        group.sign(piece, item < items && word < rules.vectors);
    }
}

impl<'a, S: Source<'a>> Group<'a, S> {
    /// Counts a piece, and finishes it if this lane `has_part` in it. All lanes of the warp call this.
    #[inline(always)]
    fn sign(&self, piece: Piece, has_part: bool) {
        let Piece { residue, kmers, .. } = piece;
        let turns = (!warp::reduce_min(!kmers)).div_ceil(STAGE);
        let long = turns > S::TURNS;
        let (mut counts, mut seen) = (Counts::default(), 0);
        if long {
            self.planes.clear();
        }
        for turn in 0..turns {
            if long && turn % S::TURNS == 0 {
                self.planes.add(core::mem::take(&mut counts));
            }
            self.stage(residue, turn * STAGE, kmers);
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

    /// Stages the k-mers from `first` on. The lanes of the group take turns.
    #[inline(always)]
    fn stage(&self, residue: u32, first: u32, kmers: u32) {
        let mut at = self.lane;
        while at < STAGE {
            let is_kmer = first + at < kmers;
            self.staged.write(at, if is_kmer { S::stage(self.args, residue + first + at) } else { U32x4::default() });
            at += self.args.rules.width;
        }
    }

    /// Writes 64 bits of the signature, or adds to the window's sums.
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

/// Decides 64 bits of a window from the sums over its pieces.
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
