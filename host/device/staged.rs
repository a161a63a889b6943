//! Device arrays with the pinned memory that their copies pass through.

use crate::array::DeviceArray;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::pinned::Pinned;
use crate::scope::Scope;
use crate::stream::Stream;
use cuda_std::Element;
use std::sync::Arc;

/// An array on the device and pinned memory for its copies. Both grow when more is asked for.
pub struct Staged<T: Element, G: Gpu> {
    device: DeviceArray<T, G>,
    pinned: Pinned<T, G>,
    /// Elements that the last copy from the device brings. Pinned memory may be longer.
    fetched: usize,
}

impl<T: Element, G: Gpu> Staged<T, G> {
    /// With no elements, and no memory taken.
    pub fn empty(gpu: &Arc<G>) -> Self {
        Self { device: DeviceArray::empty(gpu), pinned: Pinned::empty(gpu), fetched: 0 }
    }

    /// With so many elements on the device, their contents undefined, and in pinned memory.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(gpu: &Arc<G>, device: usize, pinned: usize) -> Result<Self> {
        Ok(Self { device: DeviceArray::new(gpu, device)?, pinned: Pinned::new(gpu, pinned)?, fetched: 0 })
    }

    /// The array on the device.
    pub fn device(&self) -> &DeviceArray<T, G> {
        &self.device
    }

    /// Makes the array on the device longer if it has fewer than `len` elements, its contents lost.
    ///
    /// # Errors
    /// What the device answers.
    pub fn grow_device(&mut self, len: usize) -> Result<()> {
        self.device.grow(len)
    }

    /// Makes both longer if they have fewer than `len` elements, their contents lost.
    ///
    /// # Errors
    /// What the device answers.
    pub fn grow(&mut self, len: usize) -> Result<()> {
        self.device.grow(len)?;
        self.pinned.grow(len)
    }

    /// Queues the copy of `from` to the start of the array on the device, through the pinned memory.
    ///
    /// # Errors
    /// What the device answers.
    pub fn send(&mut self, stream: &Stream<G>, from: &[T]) -> Result<()> {
        self.send_written(stream, from.len(), |to| to.copy_from_slice(from))
    }

    /// Queues the copy of `len` elements, which `write` writes to pinned memory, to the start of the array on the device.
    ///
    /// # Errors
    /// What the device answers.
    pub fn send_written(&mut self, stream: &Stream<G>, len: usize, write: impl FnOnce(&mut [T])) -> Result<()> {
        self.grow(len)?;
        write(&mut self.pinned.write()?[..len]);
        self.pinned.copy_to(stream, 0..len, &self.device, 0)
    }

    /// Queues the copy of the caller's memory to the start of the array on the device, part after part: straight from there
    /// when it `is_pinned`, else through the pinned memory here, which all cores fill.
    ///
    /// # Errors
    /// What the device answers.
    pub fn send_parts<'env>(
        &mut self,
        (scope, stream): (&Scope<'env, G>, &Stream<G>),
        parts: &[&'env [T]],
        is_pinned: bool,
    ) -> Result<()> {
        let len = parts.iter().map(|part| part.len()).sum();
        self.grow_device(len)?;
        if !is_pinned {
            self.pinned.grow(len)?;
            return self.pinned.copy_through(stream, parts.iter().copied(), &self.device);
        }
        let mut at = 0;
        for part in parts {
            scope.copy_in(stream, part, &self.device, at)?;
            at += part.len();
        }
        Ok(())
    }

    /// Queues the copy of the caller's memory to the start of another array, through the pinned memory here.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the parts do not fit the array.
    pub fn send_parts_to(&mut self, stream: &Stream<G>, parts: &[&[T]], array: &DeviceArray<T, G>) -> Result<()> {
        self.pinned.grow(parts.iter().map(|part| part.len()).sum())?;
        self.pinned.copy_through(stream, parts.iter().copied(), array)
    }

    /// Queues the copy of the first `len` elements to the pinned memory.
    ///
    /// # Errors
    /// What the device answers.
    pub fn fetch(&mut self, stream: &Stream<G>, len: usize) -> Result<()> {
        self.pinned.grow(len)?;
        self.fetched = len;
        self.pinned.copy_from(stream, 0..len, &self.device, 0)
    }

    /// What the last [`fetch`](Self::fetch) brought, once it is past.
    ///
    /// # Errors
    /// What the device answers when it is waited for.
    pub fn read(&self) -> Result<&[T]> {
        Ok(&self.pinned.read()?[..self.fetched])
    }
}
