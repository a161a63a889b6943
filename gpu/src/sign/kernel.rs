//! The entry points of `sign`. The host's launch functions state the contract of each launch.

use super::neighbours::{self, Least, Nearest, Within};
use super::pieces::{self, Dense, Sparse};
use super::{cell, halves};
use crate::abi::{CompareArgs, DecideArgs, HalvesArgs, MergeArgs, PiecesArgs, SignPackArgs};
use cuda_std::{SharedMemory, U32x2, U32x4, kernel, thread};

/// Signs windows of 16 residues, 64 bits, 3-mers: a range of halves per warp.
#[kernel]
pub fn sign_halves(args: HalvesArgs, shared: SharedMemory) {
    halves::sign(&args, shared);
}

/// Turns bases into codes: 32 per thread.
#[kernel]
pub fn sign_pack(args: SignPackArgs) {
    let at = thread::index_1d();
    if u64::from(at) >= args.known.len() {
        return;
    }
    let (U32x4([a, b, c, d]), U32x4([e, f, g, h])) = (args.bases.read(2 * at), args.bases.read(2 * at + 1));
    let pack = |words: [u32; 4]| {
        words
            .map(cell::pack4)
            .into_iter()
            .fold((0, 0), |(codes, known), (more, bits)| (codes << 8 | more, known >> 4 | bits << 12))
    };
    let (first, second) = (pack([a, b, c, d]), pack([e, f, g, h]));
    args.packed.write(at, U32x2([first.0, second.0]));
    args.known.write(at, first.1 | second.1 << 16);
}

/// Signs any windows with dense vectors: a run of pieces per group of lanes.
#[kernel]
pub fn sign_dense(args: PiecesArgs, shared: SharedMemory) {
    pieces::sign::<Dense>(&args, shared);
}

/// Signs any windows with sparse vectors from a table: a run of pieces per group of lanes.
#[kernel]
pub fn sign_sparse(args: PiecesArgs, shared: SharedMemory) {
    pieces::sign::<Sparse>(&args, shared);
}

/// Decides windows of several pieces: 64 bits per thread.
#[kernel]
pub fn sign_decide(args: DecideArgs) {
    let at = thread::index_1d();
    if u64::from(at) < args.seen.len() * u64::from(args.vectors) {
        pieces::decide(&args, at);
    }
}

/// Finds the nearest targets: a query per thread.
#[kernel]
pub fn sign_nearest(args: CompareArgs, shared: SharedMemory) {
    neighbours::compare::<Nearest>(&args, shared);
}

/// Merges the nearest of segments: a query and a few segments per thread.
#[kernel]
pub fn sign_merge(args: MergeArgs) {
    neighbours::merge(&args, thread::index_1d());
}

/// Finds all targets within a distance: a query per thread.
#[kernel]
pub fn sign_within(args: CompareArgs, shared: SharedMemory) {
    neighbours::compare::<Within>(&args, shared);
}

/// Finds the least distance to each group: a query per thread.
#[kernel]
pub fn sign_least(args: CompareArgs, shared: SharedMemory) {
    neighbours::compare::<Least>(&args, shared);
}
