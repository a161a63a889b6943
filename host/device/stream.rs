//! Streams: queues of work, and guards that wait for it.
//!
//! A stream counts what it was given. A guard remembers the count at which it was made, and the stream remembers up to which
//! count it was waited for: a guard whose work is past already costs one load of an atomic number.
//!
//! ```text
//! queued     1     2     3     4            work that was given, counted after the device has taken it
//!            copy  launch      copy
//! guard            |<- waits until `passed` is 2, if it is not
//! passed     - - - - - - - - - 4            what `queued` was before the stream was waited for
//! ```

use crate::error::Result;
use crate::gpu::Gpu;
use cuda_std::{Kernel, Shape};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A queue of work of one GPU. Clones are the same queue.
pub struct Stream<G: Gpu> {
    queue: Arc<Queue<G>>,
}

struct Queue<G: Gpu> {
    stream: G::Stream,
    gpu: Arc<G>,
    queued: AtomicU64,
    passed: AtomicU64,
}

impl<G: Gpu> Clone for Stream<G> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone() }
    }
}

impl<G: Gpu> PartialEq for Stream<G> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.queue, &other.queue)
    }
}

impl<G: Gpu> Stream<G> {
    /// A new stream; streams run beside each other.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(gpu: &Arc<G>) -> Result<Self> {
        let (stream, gpu) = (gpu.stream()?, gpu.clone());
        Ok(Self { queue: Arc::new(Queue { stream, gpu, queued: AtomicU64::new(0), passed: AtomicU64::new(0) }) })
    }

    /// The GPU whose stream this is.
    pub fn gpu(&self) -> &Arc<G> {
        &self.queue.gpu
    }

    /// Waits for all work that was queued.
    ///
    /// # Errors
    /// What the device answers, which may be an error of that work. It is past nevertheless.
    pub fn synchronize(&self) -> Result<()> {
        let queued = self.queue.queued.load(Ordering::Acquire);
        let answer = self.queue.gpu.synchronize(&self.queue.stream);
        self.queue.passed.fetch_max(queued, Ordering::AcqRel);
        answer
    }

    /// Waits for all work that was queued, the last of which was answered by `queued`.
    ///
    /// # Errors
    /// That of `queued`; those of [`Stream::synchronize`].
    pub(crate) fn finish(&self, queued: Result<()>) -> Result<()> {
        let waited = self.synchronize();
        queued.and(waited)
    }

    /// Everything queued so far, as a guard.
    pub fn in_flight(&self) -> InFlight<G> {
        InFlight { stream: self.clone(), queued: self.queue.queued.load(Ordering::Acquire) }
    }

    /// The point after all work queued so far.
    ///
    /// # Errors
    /// What the device answers.
    pub fn record(&self) -> Result<G::Event> {
        self.queue.gpu.record(&self.queue.stream)
    }

    /// Makes work that is queued later wait for `event`.
    ///
    /// # Errors
    /// What the device answers.
    pub fn wait_for(&self, event: &G::Event) -> Result<()> {
        self.queue.gpu.wait(&self.queue.stream, event)
    }

    /// Queues a launch; see [`Gpu::launch`]. The arrays may be dropped as soon as it is queued, since they wait.
    ///
    /// # Safety
    /// - The device's kernel of that name takes one `A` by value.
    /// - The shape, the arguments, and the contents that the device's memory has when the kernel runs, meet the kernel's
    ///   contract.
    ///
    /// # Errors
    /// What the device answers.
    pub unsafe fn launch<A: Copy>(&self, kernel: &Kernel<fn(A)>, shape: Shape, args: A) -> Result<()> {
        // SAFETY: the stream is of this GPU; the caller answers for kernel and contract; views in `args` borrow their arrays.
        self.count(unsafe { self.queue.gpu.launch(&self.queue.stream, kernel, shape, args) })
    }

    /// Queues a copy to the device.
    ///
    /// # Safety
    /// As [`Gpu::copy_in`], but for the stream.
    pub(crate) unsafe fn copy_in(&self, from: *const u8, to: u64, bytes: usize) -> Result<()> {
        // SAFETY: the stream is of this GPU; the other obligations are those of this function.
        self.count(unsafe { self.queue.gpu.copy_in(&self.queue.stream, from, to, bytes) })
    }

    /// Queues a copy to the host.
    ///
    /// # Safety
    /// As [`Gpu::copy_out`], but for the stream.
    pub(crate) unsafe fn copy_out(&self, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the stream is of this GPU; the other obligations are those of this function.
        self.count(unsafe { self.queue.gpu.copy_out(&self.queue.stream, from, to, bytes) })
    }

    /// Queues the setting of bytes on the device.
    ///
    /// # Safety
    /// As [`Gpu::fill`], but for the stream.
    pub(crate) unsafe fn fill(&self, to: u64, byte: u8, bytes: usize) -> Result<()> {
        // SAFETY: the stream is of this GPU; the other obligations are those of this function.
        self.count(unsafe { self.queue.gpu.fill(&self.queue.stream, to, byte, bytes) })
    }

    /// Counts work after the device has taken it, so that whoever reads the count and then waits, waits for it too. What
    /// failed is counted: some of it may have begun.
    fn count(&self, answer: Result<()>) -> Result<()> {
        self.queue.queued.fetch_add(1, Ordering::AcqRel);
        answer
    }
}

/// Work in flight: what a stream was given up to some point. Dropping it waits, in a panic too.
pub struct InFlight<G: Gpu> {
    stream: Stream<G>,
    queued: u64,
}

impl<G: Gpu> InFlight<G> {
    /// Waits, unless the stream was waited for since.
    ///
    /// # Errors
    /// What the device answers, which may be an error of the work. It is past nevertheless.
    pub fn wait(&self) -> Result<()> {
        let passed = self.stream.queue.passed.load(Ordering::Acquire);
        if passed < self.queued { self.stream.synchronize() } else { Ok(()) }
    }

    /// Whether it is work of `stream`.
    pub(crate) fn is_of(&self, stream: &Stream<G>) -> bool {
        self.stream == *stream
    }

    /// Takes in what the stream was given since.
    pub(crate) fn extend(&mut self) {
        self.queued = self.stream.queue.queued.load(Ordering::Acquire);
    }
}

impl<G: Gpu> Drop for InFlight<G> {
    fn drop(&mut self) {
        // Whoever wants the answer has called `wait`. An error that loses the device comes out of its next call.
        drop(self.wait());
    }
}
