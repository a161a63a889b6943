//! A call from Python: computed on a thread of its own, while the calling one looks for signals and tells the progress. What takes
//! less than it takes to look twice is computed by the calling thread: to start another one takes longer than to align some pairs.
//!
//! ```text
//! calling thread   starts -> waits without the GIL | every 50 ms: signals, progress(done, total) | -> result
//! its worker                 parts of the work, and between them (on the CPU within them, too) asks whether to go on
//! ```

use crate::error::exception;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use warpseq::error::{Error, FileError, Result};
use warpseq::executor::Watch;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// What the two threads of a call tell each other.
#[derive(Default)]
pub struct Call {
    is_over: AtomicBool,
    /// How much is done, of how much.
    progress: Mutex<Option<(u64, Option<u64>)>>,
}

impl Watch for Call {
    /// Whether the caller still waits for the result.
    fn is_wanted(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }
}

impl Call {
    /// To be asked between parts of the work.
    ///
    /// # Errors
    /// [`FileError::Interrupted`] when the caller waits no more.
    pub fn go_on(&self) -> Result<()> {
        if self.is_wanted() { Ok(()) } else { Err(interrupted()) }
    }

    /// Tells how much is done, of how much if that is known.
    pub fn tell(&self, done: u64, total: Option<u64>) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some((done, total));
    }

    fn news(&self) -> Option<(u64, Option<u64>)> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Does `work` on a thread of its own. `progress` is called with what is done and the total by the calling thread.
    ///
    /// # Errors
    /// Those of `work`; what a signal handler or `progress` raises.
    pub fn run<T: Send>(
        py: Python,
        progress: Option<&Bound<PyAny>>,
        work: impl FnOnce(&Self) -> Result<T> + Send,
    ) -> PyResult<T> {
        let (call, (done, mut is_done)) = (&Self::default(), channel());
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().name("warpseq".into()).spawn_scoped(scope, move || {
                let result = work(call);
                // The caller waits for it or for the end of this thread.
                let _ = done.send(());
                result
            })?;
            let looked = call.look(py, progress, &mut is_done);
            call.is_over.store(true, Ordering::Relaxed);
            let result = py.detach(|| worker.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            looked?;
            call.tell_python(progress)?;
            result.map_err(|error| exception(py, &error))
        })
    }

    /// Does `work` that takes less than 50 ms on the calling thread. Python looks for signals after it.
    ///
    /// # Errors
    /// Those of `work`; what `progress` raises.
    pub fn run_here<T: Send>(
        py: Python,
        progress: Option<&Bound<PyAny>>,
        work: impl FnOnce(&Self) -> Result<T> + Send,
    ) -> PyResult<T> {
        let call = &Self::default();
        let result = py.detach(|| work(call));
        call.tell_python(progress)?;
        result.map_err(|error| exception(py, &error))
    }

    /// Waits for the end of the work.
    fn look(&self, py: Python, progress: Option<&Bound<PyAny>>, is_done: &mut Receiver<()>) -> PyResult<()> {
        let mut wait = || {
            let is_done = &mut *is_done;
            py.detach(move || is_done.recv_timeout(LOOK))
        };
        while wait() == Err(RecvTimeoutError::Timeout) {
            py.check_signals()?;
            self.tell_python(progress)?;
        }
        Ok(())
    }

    fn tell_python(&self, progress: Option<&Bound<PyAny>>) -> PyResult<()> {
        match progress.zip(self.news()) {
            Some((progress, news)) => progress.call1(news).map(drop),
            None => Ok(()),
        }
    }
}

/// What becomes of work that nobody waits for.
pub fn interrupted() -> Error {
    FileError::Interrupted.into()
}
