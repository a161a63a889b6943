//! Pinned host memory: pages that stay where they are, which the GPU copies from and to at full speed.
//!
//! It is allocated portable (pinned for every GPU of the machine), so that one ring of buffers can feed several.

use super::context::Context;
use super::driver::{calls, codes};
use crate::error::DeviceError;
use std::ptr::null_mut;

/// `bytes` > 0 of pinned memory, zeroed.
pub(super) fn allocate(context: &Context, bytes: usize) -> Result<*mut u8, DeviceError> {
    context.enter()?;
    let mut start = null_mut();
    // SAFETY: the address has a place, and the context is current.
    let code = unsafe { calls::cuMemHostAlloc(&mut start, bytes, calls::MEMHOSTALLOC_PORTABLE) };
    if code == codes::OUT_OF_MEMORY {
        let device = format!("host memory pinned for {}", context.device());
        return Err(DeviceError::OutOfMemory { device, bytes });
    }
    context.check("allocating pinned host memory", code)?;
    let start: *mut u8 = start.cast();
    // SAFETY: the driver just gave these bytes to us alone.
    unsafe { start.write_bytes(0, bytes) };
    Ok(start)
}

/// Gives back what [`allocate`] gave; leaves it to the end of the process where the context is lost.
///
/// # Safety
/// `start` came from [`allocate`] in this context, is given back for the first time, and nobody uses it after.
pub(super) unsafe fn release(context: &Context, start: *mut u8) {
    if context.enter_to_release() {
        // SAFETY: the context is current; the rest is the obligation of this function. A refusal cannot be helped here.
        unsafe { calls::cuMemFreeHost(start.cast()) };
    }
}

/// Pins `bytes` > 0 of memory that is there already.
///
/// # Safety
/// The memory is allocated until [`unregister`], and no part of it is pinned.
pub(super) unsafe fn register(context: &Context, address: *mut u8, bytes: usize) -> Result<(), DeviceError> {
    context.enter()?;
    // SAFETY: the context is current; the rest is the obligation of this function.
    let code = unsafe { calls::cuMemHostRegister_v2(address.cast(), bytes, calls::MEMHOSTALLOC_PORTABLE) };
    context.check("pinning host memory", code)
}

/// Ends what [`register`] began.
///
/// # Safety
/// [`register`] has pinned the memory at `address`, no copy uses it, and it is given back for the first time since.
pub(super) unsafe fn unregister(context: &Context, address: *mut u8) {
    if context.enter_to_release() {
        // SAFETY: the context is current; the rest is the obligation of this function. A refusal cannot be helped here.
        unsafe { calls::cuMemHostUnregister(address.cast()) };
    }
}
