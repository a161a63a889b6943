//! Launches: what every launch function of an engine is made of.
//!
//! A launch function stands for one kernel. It states the kernel's contract (the shape of the launch, the lengths its arguments
//! must have), checks it, and answers an error in release builds too.

use crate::error::{DeviceError, Result};
use crate::gpu::Gpu;
use cuda_std::{Kernel, Shape};
use warpseq_gpu::tuning::THREADS;

/// Threads of a grid are counted in 32 bits on the device.
pub const THREADS_MAX: u64 = 1 << 32;

/// Refuses a launch whose contract is not met.
///
/// # Errors
/// [`DeviceError::Contract`] unless `met`.
pub fn require(kernel: &'static str, met: bool, contract: &str) -> Result<()> {
    if met { Ok(()) } else { Err(DeviceError::Contract { kernel, message: contract.into() }) }
}

/// Launches enough blocks of `THREADS` for `threads` threads; nothing when there are none.
///
/// # Errors
/// What the device answers.
pub fn launch<G: Gpu, A: Copy>(
    gpu: &G,
    stream: &G::Stream,
    kernel: &Kernel<fn(A)>,
    threads: u64,
    args: A,
) -> Result<()> {
    require(kernel.name(), threads + u64::from(THREADS) <= THREADS_MAX, "at most 2^32 threads")?;
    if threads == 0 {
        return Ok(());
    }
    let shape = Shape { grid: threads.div_ceil(u64::from(THREADS)) as u32, block: THREADS, shared: 0 };
    // SAFETY: the calling launch function has checked its kernel's contract; the engine keeps the arrays.
    unsafe { gpu.launch(stream, kernel, shape, args) }
}
