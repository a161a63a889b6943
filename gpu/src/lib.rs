//! The kernels of warpseq, in Rust without `std`.
//!
//! # Four rings
//!
//! Each engine has a folder of four rings; each ring knows only those before it.
//!
//! | ring | where | what |
//! |---|---|---|
//! | `cell` | `src/<engine>/cell.rs` | pure functions on words; no GPU words at all |
//! | `tile` | `src/scan/tile.rs`, `table.rs`; `src/align/forward.rs`, `traceback.rs`; `src/sign/halves.rs`, `pieces.rs`, `neighbours.rs` | what one warp does, with its collectives |
//! | `kernel` | `src/<engine>/kernel.rs` | entry points: index, bounds, tile, write |
//! | launch | `host/cuda/launch.rs` | shapes and contracts, checked on the host |
//!
//! # Table of kernels
//!
//! | kernel | one launch does |
//! |---|---|
//! | `scan_pack` | letters to base planes and anchor digits |
//! | `scan_histogram` | counts how often each window of 8 occurs in a part of the samples |
//! | `scan_fold` | turns those counts into counts of compatible windows, two digits at a time |
//! | `scan_choose` | each pattern's rarest window: its anchor |
//! | `scan_count`, `scan_offsets`, `scan_fill` | the anchor table: for each window code, the patterns it may anchor |
//! | `scan_anchor` | finds matches through the anchor table |
//! | `scan_brute` | finds matches by trying every pattern at every position |
//! | `align_linear_score`, `align_affine_score` | best local scores of pairs and where they end, two pairs to a register (from sm_90) |
//! | `align_linear_score_wide`, `align_affine_score_wide` | the same with twice the columns a lane (from sm_90) |
//! | `align_linear_local`, `align_affine_local` | the same, with checkpoints for the way back (from sm_90) |
//! | `align_linear_ends`, `align_affine_ends` | the same for global, fit and overlap alignment (from sm_90) |
//! | `align_wide_local`, `align_wide_ends` | all of it in 32 bits, where 16 do not reach |
//! | `align_traceback` | the ends and paths of pairs, from the checkpoints |
//! | `sign_halves` | signatures of windows of 16 letters, 64 bits, words of 3 |
//! | `sign_pack` | letters of DNA to 2-bit codes |
//! | `sign_dense`, `sign_sparse` | signatures of any windows, or the counts of a long one's pieces |
//! | `sign_decide` | signatures of long windows, from the counts of their pieces |
//! | `sign_nearest` | the nearest signatures to each query |
//! | `sign_within` | all signatures near each query |
//! | `sign_least` | each query's least distance to each group of signatures |
//!
//! # Memory model
//!
//! A kernel touches memory through the views of `cuda_std` alone. Blocks of one launch share what they write only through
//! atomics (counts, lists, flags); what one launch writes the next one reads, on the same stream.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

#[cfg(test)]
extern crate std;

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
