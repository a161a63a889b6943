//! Arrays that are on the device and in pinned memory, which copies pass through.

use super::{DeviceArray, Gpu, Pinned};
use crate::error::DeviceError;
use cuda_std::Element;
use std::sync::Arc;

type Result<T> = std::result::Result<T, DeviceError>;

/// An array on the device and, for what is copied, its pinned twin. Both grow when more is asked for.
pub struct Twin<T: Element, G: Gpu> {
    pub device: DeviceArray<T, G>,
    pub pinned: Pinned<T, G>,
}

impl<T: Element, G: Gpu> Twin<T, G> {
    /// With no elements.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(gpu: &Arc<G>) -> Result<Self> {
        Ok(Self { device: DeviceArray::new(gpu, 0)?, pinned: Pinned::new(gpu, 0)? })
    }

    /// Makes both longer, their contents lost.
    ///
    /// # Errors
    /// What the device answers.
    pub fn grow(&mut self, gpu: &Arc<G>, len: usize) -> Result<()> {
        grow(&mut self.device, gpu, len)?;
        if self.pinned.len() < len {
            self.pinned = Pinned::new(gpu, len)?;
        }
        Ok(())
    }

    /// Queues the copy of `from` to the device, through the pinned twin, which is free once the stream has passed.
    ///
    /// # Errors
    /// What the device answers.
    pub fn send(&mut self, gpu: &Arc<G>, stream: &G::Stream, from: &[T]) -> Result<()> {
        self.grow(gpu, from.len())?;
        self.pinned[..from.len()].copy_from_slice(from);
        // SAFETY: the pinned twin is touched again only after the stream was waited for.
        unsafe { self.device.copy_in(stream, 0, &self.pinned[..from.len()]) }
    }

    /// Queues the copy of the first `len` elements to the pinned twin, which is whole once the stream has passed.
    ///
    /// # Errors
    /// What the device answers.
    pub fn fetch(&mut self, stream: &G::Stream, len: usize) -> Result<()> {
        // SAFETY: the pinned twin is read only after the stream was waited for.
        unsafe { self.device.copy_out(stream, 0..len, &mut self.pinned[..len]) }
    }
}

/// Makes an array longer, its contents lost.
///
/// # Errors
/// What the device answers.
pub fn grow<T: Element, G: Gpu>(array: &mut DeviceArray<T, G>, gpu: &Arc<G>, len: usize) -> Result<()> {
    if array.len() < len {
        // What was there goes first, so that both need not fit.
        *array = DeviceArray::new(gpu, 0)?;
        *array = DeviceArray::new(gpu, len)?;
    }
    Ok(())
}
