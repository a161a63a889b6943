//! Existing host memory, pinned during a measurement.

use crate::error::Result;
use crate::gpu::Gpu;
use std::sync::Arc;

/// Host memory pinned in place until dropped.
pub struct PinnedInPlace<G: Gpu> {
    gpu: Arc<G>,
    address: *mut u8,
}

impl<G: Gpu> PinnedInPlace<G> {
    /// Pins `bytes`. Does nothing if they are empty.
    ///
    /// # Safety
    /// - The memory stays allocated, and is not moved, until this is dropped, which it is.
    /// - Nothing else pins any of it.
    /// - When this is dropped no copy from or to the memory is under way.
    ///
    /// # Errors
    /// Those of the driver.
    pub unsafe fn new(gpu: &Arc<G>, bytes: &[u8]) -> Result<Self> {
        let address = if bytes.is_empty() { std::ptr::null_mut() } else { bytes.as_ptr().cast_mut() };
        if !address.is_null() {
            // SAFETY: there are bytes, which the caller keeps until `drop` calls `unpin`, and nothing else pins them.
            unsafe { gpu.pin(address, bytes.len())? };
        }
        Ok(Self { gpu: gpu.clone(), address })
    }
}

impl<G: Gpu> Drop for PinnedInPlace<G> {
    fn drop(&mut self) {
        if !self.address.is_null() {
            // SAFETY: `new` has pinned the memory, this is the only `unpin`, and the caller of `new` has no copy under way.
            unsafe { self.gpu.unpin(self.address) };
        }
    }
}
