//! The device API of the kernels, under the names of Rust-CUDA.
//!
//! Kernels are ordinary `no_std` Rust. This crate gives them thread indices ([`thread`]), collectives ([`warp`]),
//! device memory ([`Global`], [`GlobalMut`]), shared memory ([`SharedMemory`], [`Shared`]), and the instructions that
//! Rust has no operator for ([`bits`], [`packed`]). It is built twice:
//!
//! - for `nvptx64`, where every call is one instruction: an LLVM intrinsic or a line of PTX (`machine/nvptx.rs`);
//! - for the host, where every call goes to a lockstep [`emulator`] (`machine/host.rs`). It runs the same kernel source
//!   in tests and checks every memory access and every collective.
//!
//! Both machines provide the same functions, and the modules here are written once on top of either.
//!
//! # Rules for kernels
//!
//! - Kernels reach memory only through views. A view knows its length. The emulator checks every index, and so does PTX
//!   built with debug assertions.
//! - All 32 lanes of a warp call every collective. Collectives are LLVM intrinsics, never inline assembly: LLVM knows
//!   that an intrinsic is convergent, but may copy assembly into both arms of a divergent branch.
//! - Kernels do not compare slices with `==`: that calls `memcmp`, which does not exist on the device.
//!
//! # Safety of kernels
//!
//! Kernel code is safe Rust, but release PTX checks nothing. So what makes it sound is the launch, which is `unsafe`.
//! Whoever launches a kernel on a device promises, for these arguments and this shape:
//!
//! - every view is of live device memory;
//! - no index leaves its view or array, and the arrays in shared memory fit into the bytes of the launch;
//! - threads access the same bytes only if they all read, or are all atomic, or are ordered by a barrier;
//! - nothing writes what the launch reads through a [`Global`];
//! - all lanes of a warp reach each of its collectives, and all threads of a block each of its barriers.
//!
//! The host's launch functions state this for each kernel as a contract on lengths and shapes. The emulator checks all
//! of it in every test.
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
