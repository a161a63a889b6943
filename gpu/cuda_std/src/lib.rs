//! What a kernel may use of the GPU, under the names Rust-CUDA gave it.
//!
//! Kernels are ordinary `no_std` Rust. This crate gives them thread indices ([`thread`]), collectives ([`warp`]), device
//! memory ([`Global`], [`GlobalMut`]), shared memory ([`Shared`]) and the few instructions Rust has no words for
//! ([`bits`], [`packed`]). It is built twice:
//!
//! - for `nvptx64` every call is one instruction: an LLVM intrinsic or a line of PTX (`machine/nvptx.rs`);
//! - for the host every call goes to a lockstep [`emulator`] that runs the same kernel source under test and checks each
//!   access and each collective (`machine/host.rs`).
//!
//! Both machines have the same functions; the modules here are written once, over either.
//!
//! # Rules for kernels
//!
//! - Memory is reached through views only. A view knows its length; the index is checked in the emulator and in PTX built
//!   with debug assertions.
//! - Collectives are called by all 32 lanes of a warp. They are LLVM intrinsics and never inline assembly: LLVM knows that
//!   an intrinsic is convergent, and may copy assembly into both arms of a divergent branch.
//! - Slices are not compared with `==` in a kernel: that calls `memcmp`, which the device lacks.
#![no_std]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_unadjusted, asm_experimental_arch, link_llvm_intrinsics, stdarch_nvptx),
    allow(internal_features)
)]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

pub mod bits;
mod element;
#[cfg(not(target_arch = "nvptx64"))]
pub mod emulator;
mod global;
#[cfg(not(target_arch = "nvptx64"))]
mod kernel;
mod machine;
pub mod packed;
mod shared;
pub mod thread;
pub mod warp;

pub use cuda_std_macros::kernel;
pub use element::{Element, U32x2, U32x4};
pub use global::{Global, GlobalMut};
#[cfg(not(target_arch = "nvptx64"))]
pub use kernel::{Kernel, Shape};
pub use shared::{Shared, SharedMemory};
