//! Stands in for the crate of this name, which the build scripts of `cust` use to find a CUDA toolkit.
//!
//! warpseq needs no toolkit: it compiles its kernels with rustc and finds the driver at run time (`host/cuda/driver.rs`).
//! So there is nothing to search, nothing to link, and nothing that can fail on a machine without CUDA.

/// Would tell cargo where `libcuda` is; here there is nothing to tell.
pub fn include_cuda() {}
