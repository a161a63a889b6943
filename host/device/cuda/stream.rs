//! Streams, and points in them.
//!
//! An error of asynchronous work comes out of a later call on the stream. So a stream remembers the last kernel that was
//! launched on it, and messages name it.

use super::context::Context;
use super::driver::calls;
use crate::error::DeviceError;
use cust::sys::{CUevent, CUstream};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

type Result<T> = std::result::Result<T, DeviceError>;

/// A queue of work of one GPU.
pub struct Stream {
    handle: CUstream,
    last_kernel: Mutex<Option<&'static str>>,
    context: Arc<Context>,
}

// SAFETY: the driver's functions on streams may be called from any thread.
unsafe impl Send for Stream {}
// SAFETY: the driver's functions on streams may be called from several threads at a time; the handle never changes, and the last
// kernel is behind a lock.
unsafe impl Sync for Stream {}

impl Stream {
    pub(super) fn new(context: &Arc<Context>) -> Result<Self> {
        context.enter()?;
        let mut handle = null_mut();
        // SAFETY: the handle has a place; flags 0 and priority 0 are those of an ordinary stream.
        let code = unsafe { calls::cuStreamCreateWithPriority(&mut handle, 0, 0) };
        context.check("creating a stream", code)?;
        Ok(Self { handle, last_kernel: Mutex::new(None), context: context.clone() })
    }

    /// The driver's handle, good as long as `self`.
    pub(super) fn handle(&self) -> CUstream {
        self.handle
    }

    /// Notes that `kernel` is about to be launched.
    pub(super) fn note_launch(&self, kernel: &'static str) {
        *self.last_kernel.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel);
    }

    /// The driver's answer to a call on this stream.
    pub(super) fn check(&self, action: &'static str, code: u32) -> Result<()> {
        let kernel = *self.last_kernel.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.check_after(action, kernel, code)
    }

    pub(super) fn synchronize(&self) -> Result<()> {
        self.context.enter()?;
        // SAFETY: the handle is live.
        self.check("waiting for a stream", unsafe { calls::cuStreamSynchronize(self.handle()) })
    }

    pub(super) fn wait(&self, event: &Event) -> Result<()> {
        self.context.enter()?;
        // SAFETY: both handles are live; the driver keeps what it needs of the event.
        let code = unsafe { calls::cuStreamWaitEvent(self.handle(), event.handle, 0) };
        self.check("making a stream wait for an event", code)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.context.enter_to_release() {
            // SAFETY: destroyed once, here; the driver finishes the queued work by itself. A refusal cannot be helped here.
            unsafe { calls::cuStreamDestroy_v2(self.handle) };
        }
    }
}

/// A point in a stream's work.
pub struct Event {
    handle: CUevent,
    context: Arc<Context>,
}

// SAFETY: the driver's functions on events may be called from any thread.
unsafe impl Send for Event {}
// SAFETY: the driver's functions on events may be called from several threads at a time, and nothing here changes an event after
// it was recorded.
unsafe impl Sync for Event {}

impl Event {
    pub(super) fn record(context: &Arc<Context>, stream: &Stream) -> Result<Self> {
        context.enter()?;
        let mut handle = null_mut();
        // SAFETY: the handle has a place; flags 0: it takes times, and waiting for it spins.
        context.check("creating an event", unsafe { calls::cuEventCreate(&mut handle, 0) })?;
        let event = Self { handle, context: context.clone() };
        // SAFETY: both handles are live; the driver refuses those of two contexts.
        stream.check("recording an event", unsafe { calls::cuEventRecord(handle, stream.handle()) })?;
        Ok(event)
    }

    /// Milliseconds from `self` to `to`, after waiting for both.
    pub(super) fn milliseconds_to(&self, to: &Event) -> Result<f32> {
        self.context.enter()?;
        for event in [self, to] {
            // SAFETY: the handle is live and was recorded.
            let code = unsafe { calls::cuEventSynchronize(event.handle) };
            self.context.check("waiting for an event", code)?;
        }
        let mut milliseconds = 0.0;
        // SAFETY: both handles are live and were recorded; the answer has a place.
        let code = unsafe { calls::cuEventElapsedTime(&mut milliseconds, self.handle, to.handle) };
        self.context.check("taking the time between two events", code)?;
        Ok(milliseconds)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.enter_to_release() {
            // SAFETY: destroyed once, here; streams that wait for it keep what they need. A refusal cannot be helped here.
            unsafe { calls::cuEventDestroy_v2(self.handle) };
        }
    }
}
