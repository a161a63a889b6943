//! What an engine needs of a GPU. Two implementations: a real device ([`crate::cuda::Cuda`]) and the lockstep emulator
//! ([`crate::emulated::Emulated`]), so that the host side of every engine runs under test on a machine with no GPU.
//!
//! Calls that take a stream are asynchronous: they return before the work is done, and an error of the work may come out of
//! a later call. Work on one stream runs in order.

use crate::error::Result;
use cuda_std::{Kernel, Shape};

/// A GPU, real or emulated. Usable from any thread.
///
/// # Safety
/// An implementation keeps these promises, whatever is called, on whichever threads:
///
/// - `allocate` answers the address of `bytes` of device memory, aligned to 256, that is in use for nothing else until it is
///   given to `release`.
/// - `allocate_pinned` answers a pointer to `bytes` of zeroed host memory, aligned to 16, valid for reads and writes, that is
///   in use for nothing else until it is given to `release_pinned`.
/// - `release` gives the memory to nobody else before all work has ended that any stream was given until then.
/// - `synchronize` returns, whatever it answers, only when no work given to the stream before touches host memory any more.
/// - `copy_in`, `copy_out` and `fill` touch no host and no device memory but what they are given.
/// - `launch` runs the kernel of that name, with that shape and these arguments, or nothing.
/// - A call that panics has queued nothing.
pub unsafe trait Gpu: Send + Sync + Sized + 'static {
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
    /// The processors of its NUMA node; none where that is not known.
    fn near(&self) -> &[usize] {
        &[]
    }
    /// Device memory that is free now, in bytes.
    fn free_memory(&self) -> Result<usize>;

    /// `bytes` > 0 of device memory, aligned to 256, contents undefined.
    fn allocate(&self, bytes: usize) -> Result<u64>;
    /// Gives back what `allocate` gave, after all work that was queued has ended.
    ///
    /// # Safety
    /// - `address` came from `allocate` of this device, and is given back for the first time.
    /// - Nothing that is queued after this call uses the memory.
    unsafe fn release(&self, address: u64);
    /// `bytes` > 0 of host memory that the device copies from and to at full speed, zeroed.
    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8>;
    /// Gives back what `allocate_pinned` gave.
    ///
    /// # Safety
    /// - `address` came from `allocate_pinned` of this device with as many `bytes`, and is given back for the first time.
    /// - No copy from or to the memory is under way, and nobody uses it after.
    unsafe fn release_pinned(&self, address: *mut u8, bytes: usize);

    /// Pins host memory that is there already, so that the device copies from and to it at full speed.
    ///
    /// # Safety
    /// - The `bytes` > 0 at `address` are allocated, and stay so until `unpin`.
    /// - No part of them is pinned.
    unsafe fn pin(&self, address: *mut u8, bytes: usize) -> Result<()>;
    /// Ends what `pin` began.
    ///
    /// # Safety
    /// - `address` was given to `pin` of this device, which did not fail, and not to `unpin` since.
    /// - No copy from or to the memory is under way.
    unsafe fn unpin(&self, address: *mut u8);

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
    /// - `from` is valid for reads of `bytes`, and nobody writes them, until the stream was waited for.
    /// - The device range lies inside memory of `allocate` that is not released before this call returns.
    /// - `stream` is of this device.
    unsafe fn copy_in(&self, stream: &Self::Stream, from: *const u8, to: u64, bytes: usize) -> Result<()>;
    /// Copies device to host.
    ///
    /// # Safety
    /// - `to` is valid for writes of `bytes`, and nobody else touches them, until the stream was waited for.
    /// - The device range lies inside memory of `allocate` that is not released before this call returns.
    /// - `stream` is of this device.
    unsafe fn copy_out(&self, stream: &Self::Stream, from: u64, to: *mut u8, bytes: usize) -> Result<()>;
    /// Sets every byte of a device range.
    ///
    /// # Safety
    /// - The device range lies inside memory of `allocate` that is not released before this call returns.
    /// - `stream` is of this device.
    unsafe fn fill(&self, stream: &Self::Stream, to: u64, byte: u8, bytes: usize) -> Result<()>;
    /// Launches a kernel. Engines call the launch functions of `host/<engine>/device/launch.rs`, which know each kernel's
    /// contract.
    ///
    /// # Safety
    /// - The device's kernel of that name takes one `A` by value.
    /// - The shape, the arguments, and the contents that the device's memory has when the kernel runs, meet the kernel's
    ///   contract.
    /// - The memory that the arguments name is not released before this call returns.
    /// - `stream` is of this device.
    unsafe fn launch<A: Copy>(
        &self,
        stream: &Self::Stream,
        kernel: &Kernel<fn(A)>,
        shape: Shape,
        args: A,
    ) -> Result<()>;
}
