//! A GPU being opened while the program does something else: starting the driver and compiling the kernels takes up to a
//! second, in which the host can read its inputs.

use super::{Cuda, Ptx};
use crate::error::DeviceError;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// A GPU being opened on a thread of its own.
pub struct Opening {
    thread: Result<JoinHandle<Result<Cuda, DeviceError>>, DeviceError>,
}

impl Opening {
    /// Starts opening GPU `ordinal`.
    pub fn start(ordinal: u32, ptx: &'static [Ptx]) -> Self {
        let thread = Builder::new().name(format!("open cuda:{ordinal}")).spawn(move || Cuda::open(ordinal, ptx));
        let thread = thread.map_err(|error| {
            DeviceError::Unavailable(format!(
                "cannot start a thread to open cuda:{ordinal}: {error}; raise the limit on threads (`ulimit -u`)"
            ))
        });
        Self { thread }
    }

    /// Waits for the GPU.
    ///
    /// # Errors
    /// As [`Cuda::open`].
    pub fn finish(self) -> Result<Arc<Cuda>, DeviceError> {
        match self.thread?.join() {
            Ok(opened) => opened.map(Arc::new),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
