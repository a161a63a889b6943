//! Replaces the crate of this name, which the build scripts of `cust` use to find a CUDA toolkit.
//!
//! warpseq needs no toolkit: it compiles its kernels with rustc and finds the driver at run time
//! (`host/cuda/driver.rs`). So there is nothing to search for and nothing to link, and nothing fails on a machine
//! without CUDA.

/// Would tell cargo where `libcuda` is. Here it does nothing.
pub fn include_cuda() {}
