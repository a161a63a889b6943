//! A GPU being opened while the program does something else: starting the driver and loading the kernels takes fractions of a
//! second, and seconds where the driver has to compile them; the host can read its inputs meanwhile.

use super::{Cuda, Ptx};
use crate::error::DeviceError;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// A GPU being opened on a thread of its own.
pub struct Opening {
    thread: Result<JoinHandle<Result<Cuda, DeviceError>>, DeviceError>,
}

impl Opening {
    /// Starts opening GPU `ordinal`, with the modules of `kernels`, as [`Cuda::open`] does.
    pub fn start(ordinal: u32, ptx: &'static [Ptx], kernels: &'static str) -> Self {
        let open = move || Cuda::open(ordinal, ptx, kernels);
        let thread = Builder::new().name(format!("open cuda:{ordinal}")).spawn(open);
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
