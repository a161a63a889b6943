//! What an engine needs of a GPU. Two implementations: a real device ([`crate::cuda::Cuda`]) and the lockstep emulator
//! ([`crate::emulated::Emulated`]), so that the host side of every engine runs under test on a machine with no GPU.
//!
//! Calls that take a stream are asynchronous: they return before the work is done, and an error of the work may come out of
//! a later call. Work on one stream runs in order.

pub mod marks;
pub mod twin;

use crate::error::DeviceError;
use cuda_std::{Element, Global, GlobalMut, Kernel, Shape};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

type Result<T> = std::result::Result<T, DeviceError>;

/// A GPU, real or emulated. Usable from any thread.
pub trait Gpu: Send + Sync + Sized + 'static {
    /// A queue of work.
    type Stream: Send + Sync;
    /// A point in a stream's work.
    type Event: Send + Sync;

    /// How messages name it: `cuda:0 (NVIDIA H100 80GB HBM3)`.
    fn name(&self) -> &str;
    /// Multiprocessors.
    fn multiprocessors(&self) -> u32;
    /// The most dynamic shared memory a block may ask for, in bytes.
    fn shared_memory(&self) -> u32;
    /// Whether packed 16-bit arithmetic is one instruction here; otherwise 32 bits are faster.
    fn packs(&self) -> bool;
    /// Device memory that is free now, in bytes.
    fn free_memory(&self) -> Result<usize>;

    /// `bytes` > 0 of device memory, aligned to 256, contents undefined.
    fn allocate(&self, bytes: usize) -> Result<u64>;
    /// Gives back what `allocate` gave.
    fn release(&self, address: u64);
    /// `bytes` > 0 of host memory that the device copies from and to at full speed, zeroed.
    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8>;
    /// Gives back what `allocate_pinned` gave.
    fn release_pinned(&self, address: *mut u8, bytes: usize);

    /// Pins host memory that is there already, so that the device copies from and to it at full speed.
    ///
    /// # Safety
    /// The memory stays allocated until `unpin`.
    unsafe fn pin(&self, address: *mut u8, bytes: usize) -> Result<()>;
    /// Ends what `pin` began.
    fn unpin(&self, address: *mut u8);

    /// A new stream; streams run beside each other.
    fn stream(&self) -> Result<Self::Stream>;
    /// The point after all work given to `stream` so far.
    fn record(&self, stream: &Self::Stream) -> Result<Self::Event>;
    /// Makes later work of `stream` wait for `event`.
    fn wait(&self, stream: &Self::Stream, event: &Self::Event) -> Result<()>;
    /// Milliseconds between two recorded points, once both are past.
    fn milliseconds(&self, from: &Self::Event, to: &Self::Event) -> Result<f32>;
    /// Waits on the host for all work of `stream`.
    fn synchronize(&self, stream: &Self::Stream) -> Result<()>;

    /// Copies host to device.
    ///
    /// # Safety
    /// The host bytes stay as they are until the stream has passed the copy; the device range is allocated.
    unsafe fn copy_in(&self, stream: &Self::Stream, from: *const u8, to: u64, bytes: usize) -> Result<()>;
    /// Copies device to host.
    ///
    /// # Safety
    /// Nobody touches the host bytes until the stream has passed the copy; the device range is allocated.
    unsafe fn copy_out(&self, stream: &Self::Stream, from: u64, to: *mut u8, bytes: usize) -> Result<()>;
    /// Sets every byte of a device range.
    ///
    /// # Safety
    /// The device range is allocated.
    unsafe fn fill(&self, stream: &Self::Stream, to: u64, byte: u8, bytes: usize) -> Result<()>;
    /// Launches a kernel. Engines do not call this but the functions of `host/<engine>/device/launch.rs`, which check each kernel's
    /// contract.
    ///
    /// # Safety
    /// The shape and the arguments meet the kernel's contract, and all memory the arguments name stays allocated until the
    /// stream has passed the launch.
    unsafe fn launch<A: Copy>(
        &self,
        stream: &Self::Stream,
        kernel: &Kernel<fn(A)>,
        shape: Shape,
        args: A,
    ) -> Result<()>;
}

/// An array in device memory, given back on drop.
pub struct DeviceArray<T, G: Gpu> {
    gpu: Arc<G>,
    address: u64,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element, G: Gpu> DeviceArray<T, G> {
    /// `len` elements with undefined contents. An empty array still has an address.
    pub fn new(gpu: &Arc<G>, len: usize) -> Result<Self> {
        let address = gpu.allocate((len * size_of::<T>()).max(1))?;
        Ok(Self { gpu: gpu.clone(), address, len, element: PhantomData })
    }

    /// Elements in the array.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A read-only view for a kernel.
    pub fn view(&self) -> Global<'_, T> {
        // SAFETY: allocated in `new` with this length; launch functions keep arrays alive past their launches.
        unsafe { Global::from_raw(self.address, self.len as u64) }
    }

    /// A view for a kernel that writes.
    pub fn view_mut(&self) -> GlobalMut<'_, T> {
        // SAFETY: allocated in `new` with this length; launch functions keep arrays alive past their launches.
        unsafe { GlobalMut::from_raw(self.address, self.len as u64) }
    }

    /// A read-only view of the same bytes as wider elements, as many as fit. The array starts on a 256-byte border.
    pub fn view_as<W: Element>(&self) -> Global<'_, W> {
        // SAFETY: the bytes were allocated in `new`; every bit pattern of an Element is valid.
        unsafe { Global::from_raw(self.address, (self.len * size_of::<T>() / size_of::<W>()) as u64) }
    }

    /// A view of the first bytes as `len` wider elements, for a kernel that writes. The array starts on a 256-byte border.
    ///
    /// # Panics
    /// When they do not lie inside the array.
    pub fn view_mut_as<W: Element>(&self, len: usize) -> GlobalMut<'_, W> {
        assert!(len * size_of::<W>() <= self.len * size_of::<T>(), "a view past the end of a device array");
        // SAFETY: the bytes were allocated in `new`; every bit pattern of an Element is valid.
        unsafe { GlobalMut::from_raw(self.address, len as u64) }
    }

    /// A read-only view of the elements in `range`.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn slice(&self, range: Range<usize>) -> Global<'_, T> {
        assert!(range.start <= range.end && range.end <= self.len, "a view past the end of a device array");
        // SAFETY: the range was just checked; launch functions keep arrays alive past their launches.
        unsafe { Global::from_raw(self.address + (range.start * size_of::<T>()) as u64, range.len() as u64) }
    }

    /// A read-only view of the words in `range`, counted from the start of the array.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn words(&self, range: Range<usize>) -> Global<'_, u32> {
        assert!(
            range.start <= range.end && range.end * 4 <= self.len * size_of::<T>(),
            "a view past the end of a device array"
        );
        // SAFETY: the range was just checked; every bit pattern of an Element is valid.
        unsafe { Global::from_raw(self.address + range.start as u64 * 4, range.len() as u64) }
    }

    /// A view of the elements in `range` for a kernel that writes.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn slice_mut(&self, range: Range<usize>) -> GlobalMut<'_, T> {
        assert!(range.start <= range.end && range.end <= self.len, "a view past the end of a device array");
        // SAFETY: the range was just checked; launch functions keep arrays alive past their launches.
        unsafe { GlobalMut::from_raw(self.address + (range.start * size_of::<T>()) as u64, range.len() as u64) }
    }

    /// Copies `from` to the elements from `at` on.
    ///
    /// # Safety
    /// `from` stays as it is until the stream has passed the copy.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub unsafe fn copy_in(&self, stream: &G::Stream, at: usize, from: &[T]) -> Result<()> {
        assert!(at + from.len() <= self.len, "copy past the end of a device array");
        // SAFETY: the range was just checked; the caller keeps `from` alive.
        unsafe {
            self.gpu.copy_in(
                stream,
                from.as_ptr().cast(),
                self.address + (at * size_of::<T>()) as u64,
                size_of_val(from),
            )
        }
    }

    /// Copies bytes to the start of the array.
    ///
    /// # Safety
    /// `from` stays as it is until the stream has passed the copy.
    ///
    /// # Panics
    /// When the bytes do not lie inside the array.
    pub unsafe fn copy_bytes_in(&self, stream: &G::Stream, from: &[u8]) -> Result<()> {
        assert!(from.len() <= self.len * size_of::<T>(), "copy past the end of a device array");
        // SAFETY: the range was just checked; every bit pattern of an Element is valid; the caller keeps `from` alive.
        unsafe { self.gpu.copy_in(stream, from.as_ptr(), self.address, from.len()) }
    }

    /// Copies the elements of `range` to `to`.
    ///
    /// # Safety
    /// Nobody touches `to` until the stream has passed the copy.
    ///
    /// # Panics
    /// When the range does not lie inside the array or differs in length from `to`.
    pub unsafe fn copy_out(&self, stream: &G::Stream, range: Range<usize>, to: &mut [T]) -> Result<()> {
        assert!(range.end <= self.len && range.len() == to.len(), "copy past the end of a device array");
        // SAFETY: the range was just checked; the caller keeps `to` alive.
        unsafe {
            self.gpu.copy_out(
                stream,
                self.address + (range.start * size_of::<T>()) as u64,
                to.as_mut_ptr().cast(),
                size_of_val(to),
            )
        }
    }

    /// Sets every byte of the elements in `range`.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn fill(&self, stream: &G::Stream, range: Range<usize>, byte: u8) -> Result<()> {
        assert!(range.end <= self.len, "fill past the end of a device array");
        // SAFETY: the range was just checked.
        unsafe {
            self.gpu.fill(
                stream,
                self.address + (range.start * size_of::<T>()) as u64,
                byte,
                range.len() * size_of::<T>(),
            )
        }
    }
}

impl<T, G: Gpu> Drop for DeviceArray<T, G> {
    fn drop(&mut self) {
        self.gpu.release(self.address);
    }
}

/// Pinned host memory: the device copies from and to it at full speed. Given back on drop.
pub struct Pinned<T: Element, G: Gpu> {
    gpu: Arc<G>,
    start: *mut T,
    len: usize,
}

// SAFETY: owns its memory like a Vec does.
unsafe impl<T: Element + Send, G: Gpu> Send for Pinned<T, G> {}
// SAFETY: shared access is through `&[T]` only.
unsafe impl<T: Element + Sync, G: Gpu> Sync for Pinned<T, G> {}

impl<T: Element, G: Gpu> Pinned<T, G> {
    /// `len` zeroed elements.
    pub fn new(gpu: &Arc<G>, len: usize) -> Result<Self> {
        let start = gpu.allocate_pinned((len * size_of::<T>()).max(1))?.cast();
        Ok(Self { gpu: gpu.clone(), start, len })
    }
}

impl<T: Element, G: Gpu> std::ops::Deref for Pinned<T, G> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `new` allocated `len` zeroed elements; every bit pattern of an Element is valid.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T: Element, G: Gpu> std::ops::DerefMut for Pinned<T, G> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: `new` allocated `len` zeroed elements, and `&mut self` is the only access.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl<T: Element, G: Gpu> Drop for Pinned<T, G> {
    fn drop(&mut self) {
        self.gpu.release_pinned(self.start.cast(), (self.len * size_of::<T>()).max(1));
    }
}
