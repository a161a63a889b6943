//! Launches: what every launch function of an engine is made of.
//!
//! A launch function stands for one kernel. It states the kernel's contract (the shape of the launch, the lengths its arguments
//! must have), checks it, and answers an error in release builds too. Where the contract says something of what is in device
//! memory, which the host cannot see, the function is unsafe.

use crate::error::{DeviceError, Result};
use crate::gpu::Gpu;
use crate::stream::Stream;
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

/// Queues a launch of enough blocks of `THREADS` for `threads` threads; nothing when there are none.
///
/// # Safety
/// As [`Stream::launch`].
///
/// # Errors
/// [`DeviceError::Contract`] for more than 2^32 threads; what the device answers.
pub unsafe fn launch<G: Gpu, A: Copy>(stream: &Stream<G>, kernel: &Kernel<fn(A)>, threads: u64, args: A) -> Result<()> {
    require(kernel.name(), threads <= THREADS_MAX - u64::from(THREADS), "at most 2^32 threads")?;
    if threads == 0 {
        return Ok(());
    }
    let shape = Shape { grid: threads.div_ceil(u64::from(THREADS)) as u32, block: THREADS, shared: 0 };
    // SAFETY: the obligations are those of this function.
    unsafe { stream.launch(kernel, shape, args) }
}
