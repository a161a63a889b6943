//! The kernels of warpseq, in Rust without `std`.
//!
//! # Four layers
//!
//! Each engine has a folder of four layers. A layer knows only those before it.
//!
//! | layer | where | what |
//! |---|---|---|
//! | `cell` | `src/<engine>/cell.rs` | pure functions on words; nothing of the GPU |
//! | `tile` | `src/scan/search.rs`, `seek.rs`, `windows.rs`, `hard.rs`, `parted.rs`, `brute.rs`; `src/align/forward.rs`, `traceback.rs`, `search.rs`, `keep.rs`; `src/sign/halves.rs`, `pieces.rs`, `neighbours.rs` | what one warp does, with its collectives |
//! | `kernel` | `src/<engine>/kernel.rs` | entry points: index, bounds, tile, write |
//! | launch | `host/cuda/launch.rs` | shapes and contracts, checked on the host |
//!
//! # Table of kernels
//!
//! | kernel | one launch does |
//! |---|---|
//! | `scan_pack` | turns bases into base planes and digits |
//! | `scan_seek` | finds matches by the tiles of their spans |
//! | `scan_mark` | chooses marks near positions where too few tiles can be looked up |
//! | `scan_window` | finds matches by windows at marks |
//! | `scan_hard` | finds matches where too few tiles can be looked up |
//! | `scan_parted` | finds matches of patterns in parts where that is so of too many |
//! | `scan_brute` | finds matches by trying every pattern at every position |
//! | `align_linear_score`, `align_affine_score` | best local scores of pairs and where they end, two pairs per register (from sm_90) |
//! | `align_linear_score_wide`, `align_affine_score_wide` | the same with twice as many columns per lane (from sm_90) |
//! | `align_linear_local`, `align_affine_local` | the same with checkpoints for the traceback (from sm_90) |
//! | `align_linear_ends`, `align_affine_ends` | the same for global, fit and overlap alignment (from sm_90) |
//! | `align_wide_local`, `align_wide_ends` | both in 32 bits, for pairs whose scores do not fit in 16 |
//! | `align_traceback` | the ends and the paths of pairs, from the checkpoints |
//! | `align_search_affine_8`, `align_search_affine_12`, `align_search_affine_16`, `align_search_affine_20`, `align_search_affine_24`, `align_search_affine_28`, `align_search_affine_30` | best local scores of queries with all targets of a database, affine gaps, two targets per register, so many residues of the query per lane (from sm_90) |
//! | `align_search_protein_8`, `align_search_protein_10`, `align_search_protein_12`, `align_search_protein_14`, `align_search_protein_16`, `align_search_protein_18`, `align_search_protein_20`, `align_search_protein_22`, `align_search_protein_24`, `align_search_protein_26`, `align_search_protein_28`, `align_search_protein_32` | the same with the gap costs that proteins have by default (from sm_90) |
//! | `align_search_linear_8`, `align_search_linear_12`, `align_search_linear_16`, `align_search_linear_20`, `align_search_linear_24`, `align_search_linear_28`, `align_search_linear_32` | the same with linear gaps (from sm_90) |
//! | `align_search_wide` | both in 32 bits, one target per register |
//! | `align_limit`, `align_keep` | which targets each query keeps: the score of the last one, and all of them |
//! | `sign_halves` | signatures of windows of 16 residues, 64 bits, 3-mers |
//! | `sign_pack` | turns bases of DNA into 2-bit codes |
//! | `sign_dense`, `sign_sparse` | signatures of any windows, or the counts of each piece of a long one |
//! | `sign_decide` | signatures of long windows, from the counts of their pieces |
//! | `sign_nearest` | the nearest signatures to each query |
//! | `sign_merge` | the nearest of all segments, from those of each |
//! | `sign_within` | all signatures within a distance of each query |
//! | `sign_least` | the least distance of each query to each group of signatures |
//!
//! # Memory model
//!
//! Kernels access memory only through the views of `cuda_std`. Within a launch, blocks write to the same memory only by
//! atomic operations: counts, lists and flags. A launch may read what an earlier launch on the same stream wrote.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

#[cfg(test)]
extern crate std;

mod sequences;
#[macro_use]
mod unroll;

pub mod abi;
pub mod align;
#[cfg(test)]
mod bench;
pub mod scan;
pub mod sign;
pub mod tuning;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    cuda_std::thread::trap()
}
