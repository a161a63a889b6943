//! The primary context of one GPU, shared by everything that lives in it.
//!
//! Streams, events, the module and [`super::Cuda`] each hold an `Arc<Context>`, so the context outlives them all.
//!
//! Threads: a driver call works on the calling thread's current context. [`Context::enter`] makes this one current; it
//! remembers per thread which one was entered last, so that the usual case costs one comparison. It compares serial
//! numbers, not handles: the driver may give a new context the handle of a destroyed one.
//!
//! Faults: after a sticky error (an illegal address, say) every call into the context fails. [`Context::check`] keeps the
//! first such error. From then on nothing calls in: new work gets that error again, and drops only forget.

use super::driver::{self, calls, codes};
use crate::error::DeviceError;
use cust::sys::{CUcontext, CUdevice};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// Serial number of the context that this thread entered last; 0 for none.
    static ENTERED: Cell<u64> = const { Cell::new(0) };
}

/// A GPU's primary context and what went wrong in it.
pub struct Context {
    handle: CUcontext,
    /// Whose primary context it is.
    of: CUdevice,
    serial: u64,
    device: String,
    lost: OnceLock<DeviceError>,
}

// SAFETY: the driver's functions on contexts may be called from any thread.
unsafe impl Send for Context {}
// SAFETY: the driver's functions on contexts may be called from several threads at a time, and the handle never changes.
unsafe impl Sync for Context {}

impl Context {
    /// Retains the primary context of `of`, which messages call `name`, and makes it current.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] with what the driver says.
    pub fn retain(of: CUdevice, name: String) -> Result<Self, DeviceError> {
        static SERIAL: AtomicU64 = AtomicU64::new(1);
        driver::load()?;
        let mut handle = null_mut();
        // SAFETY: `of` comes from the driver, and the handle has a place.
        let code = unsafe { calls::cuDevicePrimaryCtxRetain(&mut handle, of) };
        if code != codes::SUCCESS {
            return Err(failure(&name, "retaining the GPU's context", None, code));
        }
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let context = Self { handle, of, serial, device: name, lost: OnceLock::new() };
        context.enter()?;
        Ok(context)
    }

    /// How messages name the GPU.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Makes the context current on the calling thread.
    ///
    /// # Errors
    /// The error with which the context was lost, if it was.
    pub fn enter(&self) -> Result<(), DeviceError> {
        if let Some(error) = self.lost.get() {
            return Err(error.clone());
        }
        if ENTERED.get() != self.serial {
            // SAFETY: the context is retained until `self` is dropped.
            let code = unsafe { calls::cuCtxSetCurrent(self.handle) };
            self.check("making the GPU's context current", code)?;
            ENTERED.set(self.serial);
        }
        Ok(())
    }

    /// Enters the context in order to give something back; false when the context is lost or gone.
    pub fn enter_to_release(&self) -> bool {
        self.enter().is_ok()
    }

    /// The driver's answer to a call that the message calls `action`.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] unless `code` is 0.
    pub fn check(&self, action: &'static str, code: u32) -> Result<(), DeviceError> {
        self.check_after(action, None, code)
    }

    /// As [`check`](Self::check), for a call on a stream whose last launched kernel was `kernel`.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] unless `code` is 0.
    pub fn check_after(
        &self,
        action: &'static str,
        kernel: Option<&'static str>,
        code: u32,
    ) -> Result<(), DeviceError> {
        if code == codes::SUCCESS { Ok(()) } else { Err(self.fail(action, kernel, code)) }
    }

    /// The error for a code other than 0. A sticky one loses the context; once lost, it is the first such error.
    pub fn fail(&self, action: &'static str, kernel: Option<&'static str>, code: u32) -> DeviceError {
        let error = failure(&self.device, action, kernel, code);
        if codes::is_sticky(code) { self.lost.get_or_init(|| error).clone() } else { error }
    }

    /// As [`check`](Self::check), for an allocation of `bytes`.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] when it did not fit, [`DeviceError::Driver`] for any other code.
    pub fn check_allocation(&self, action: &'static str, bytes: usize, code: u32) -> Result<(), DeviceError> {
        match code {
            codes::OUT_OF_MEMORY => Err(DeviceError::OutOfMemory { device: self.device.clone(), bytes }),
            code => self.check(action, code),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.lost.get().is_none() {
            // SAFETY: gives back what `retain` took, once, here. A refusal cannot be helped here.
            unsafe { calls::cuDevicePrimaryCtxRelease_v2(self.of) };
        }
    }
}

pub(super) fn failure(device: &str, action: &'static str, kernel: Option<&'static str>, code: u32) -> DeviceError {
    DeviceError::Driver { device: device.to_owned(), action, kernel, code, name: codes::name(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_the_device_the_action_the_code_and_the_kernel() {
        let text = failure("cuda:0 (H100)", "waiting for a stream", Some("scan_probe"), 700).to_string();
        assert_eq!(
            text,
            "cuda:0 (H100): waiting for a stream failed with CUDA_ERROR_ILLEGAL_ADDRESS (700), last kernel: scan_probe; \
             the CUDA context is unusable: run again, and if that fails too, run with --device cpu"
        );
    }
}
