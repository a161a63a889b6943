//! The entry points of `align`. The host's launch functions state the contract of each launch.
//!
//! Two pairs per register pay off where packed arithmetic is in hardware, so the module for GPUs before sm_90 has no
//! such kernel.

use super::cell::{Packed, Scores, Wide};
use super::forward::{self, Kind};
use super::{keep, search, traceback};
use crate::abi::{ForwardArgs, KeepArgs, SearchArgs, TracebackArgs};
use crate::tuning::{COLUMNS, PROTEIN_GAP, TRACEBACK_LANES, WIDE_COLUMNS};
use core::marker::PhantomData;
use cuda_std::{SharedMemory, kernel, thread};

/// A forward pass of scores `S`.
struct Pass<S, const AFFINE: bool, const LOCAL: bool, const SAVED: bool>(PhantomData<S>);

impl<S: Scores, const AFFINE: bool, const LOCAL: bool, const SAVED: bool> Kind for Pass<S, AFFINE, LOCAL, SAVED> {
    type Scores = S;
    const AFFINE: bool = AFFINE;
    const LOCAL: bool = LOCAL;
    const SAVED: bool = SAVED;
}

/// Columns per lane.
const R: usize = COLUMNS as usize;
const WIDE: usize = WIDE_COLUMNS as usize;

/// The group of this thread.
#[inline(always)]
fn group(args: &ForwardArgs) -> u32 {
    thread::index_1d() >> args.rules.width.trailing_zeros()
}

/// Best local scores and their cells, linear gaps.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_linear_score(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, false, true, false>, R>(&args, group(&args), shared);
}

/// The same with twice as many columns per lane. There are fewer steps, so less is spent on what a step costs besides
/// its cells.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_linear_score_wide(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, false, true, false>, WIDE>(&args, group(&args), shared);
}

/// Best local scores and their cells, affine gaps.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_affine_score(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, true, true, false>, R>(&args, group(&args), shared);
}

/// The same with twice as many columns per lane.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_affine_score_wide(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, true, true, false>, WIDE>(&args, group(&args), shared);
}

/// Local, linear gaps, with checkpoints.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_linear_local(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, false, true, true>, R>(&args, group(&args), shared);
}

/// Local, affine gaps, with checkpoints.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_affine_local(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, true, true, true>, R>(&args, group(&args), shared);
}

/// Global, fit or overlap, linear gaps, with checkpoints.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_linear_ends(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, false, false, true>, R>(&args, group(&args), shared);
}

/// Global, fit or overlap, affine gaps, with checkpoints.
#[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
#[kernel]
pub fn align_affine_ends(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Packed, true, false, true>, R>(&args, group(&args), shared);
}

/// Local, in 32 bits, with checkpoints.
#[kernel]
pub fn align_wide_local(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Wide, true, true, true>, R>(&args, group(&args), shared);
}

/// Global, fit or overlap, in 32 bits, with checkpoints.
#[kernel]
pub fn align_wide_ends(args: ForwardArgs, shared: SharedMemory) {
    forward::align::<Pass<Wide, true, false, true>, R>(&args, group(&args), shared);
}

/// Ends and paths: a pair per group of lanes.
#[kernel]
pub fn align_traceback(args: TracebackArgs, shared: SharedMemory) {
    traceback::trace(&args, thread::index_1d() / TRACEBACK_LANES, shared);
}

/// A search with scores `S`.
struct Search<S, const AFFINE: bool>(PhantomData<S>);

impl<S: Scores, const AFFINE: bool> search::Kind for Search<S, AFFINE> {
    type Scores = S;
    const AFFINE: bool = AFFINE;
    const GAP: Option<[i32; 2]> = None;
}

/// A search with the gap costs of proteins.
struct Proteins;

impl search::Kind for Proteins {
    type Scores = Packed;
    const AFFINE: bool = true;
    const GAP: Option<[i32; 2]> = Some(PROTEIN_GAP);
}

/// Searches with two targets per group: a kernel for each number of residues per lane. The last number is that of the threads of
/// a multiprocessor that are to have registers.
macro_rules! searches {
    ($($kind:ty: $($name:ident $residues:literal $threads:literal)*;)*) => { $($(
        /// Scores of queries with targets, two per group.
        #[cfg(any(not(target_arch = "nvptx64"), packed_arithmetic))]
        #[kernel]
        pub fn $name(args: SearchArgs, shared: SharedMemory) {
            thread::at_most::<$threads>();
            search::search::<$kind, $residues>(&args, shared);
        }
    )*)* };
}
searches! {
    Proteins:
    align_search_protein_8 8 768
    align_search_protein_10 10 768
    align_search_protein_12 12 768
    align_search_protein_14 14 640
    align_search_protein_16 16 640
    align_search_protein_18 18 512
    align_search_protein_20 20 512
    align_search_protein_22 22 512
    align_search_protein_24 24 512
    align_search_protein_26 26 512
    align_search_protein_28 28 512
    align_search_protein_32 32 512;
    Search<Packed, true>:
    align_search_affine_8 8 768
    align_search_affine_12 12 768
    align_search_affine_16 16 640
    align_search_affine_20 20 512
    align_search_affine_24 24 512
    align_search_affine_28 28 512
    align_search_affine_30 30 512;
    Search<Packed, false>:
    align_search_linear_8 8 768
    align_search_linear_12 12 768
    align_search_linear_16 16 768
    align_search_linear_20 20 768
    align_search_linear_24 24 768
    align_search_linear_28 28 640
    align_search_linear_32 32 640;
}

/// Scores of queries with targets, one per group, in 32 bits.
#[kernel]
pub fn align_search_wide(args: SearchArgs, shared: SharedMemory) {
    thread::at_most::<512>();
    search::search::<Search<Wide, true>, R>(&args, shared);
}

/// The score of the last target that each query keeps.
#[kernel]
pub fn align_limit(args: KeepArgs, shared: SharedMemory) {
    keep::limit(&args, thread::block_idx_x(), shared);
}

/// The targets that each query keeps.
#[kernel]
pub fn align_keep(args: KeepArgs, shared: SharedMemory) {
    keep::keep(&args, thread::block_idx_x(), shared);
}
