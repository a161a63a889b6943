//! The one shape of a run: batches are read ahead, computed by workers, and their results written in order.
//!
//! ```text
//! reader thread --batches--> workers: one per GPU, or the CPU --results--> calling thread, in the order of reading
//! ```
//!
//! GPUs are opened while the first batches are read. The results do not show which worker computed a
//! batch, or how the input was cut into batches: every executor gives the same output.

use crate::devices::{Gpus, workers};
use crate::error::Result;
use crate::executor::Engine;
use crate::options::RunOptions;
use crate::pipeline;
use crate::profile;
use crate::worker::{Clock, Worker};
use std::sync::Mutex;
use warpseq_io::progress::Progress;

/// What a run needs besides its engine.
pub struct Setup {
    /// What the run computes on, and what it may take.
    pub options: RunOptions,
    /// GPUs that are being opened.
    pub gpus: Option<Gpus>,
    /// The most batches that exist at a time.
    pub in_flight: usize,
    /// What the user sees of it.
    pub progress: Progress,
}

/// What computed in a run, and how long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Devices by name: `cpu`, or GPUs.
    pub devices: Vec<String>,
    /// Summed over the workers.
    pub clock: Clock,
}

/// Runs `read` until it returns `None`, `compute` on each batch with one of the workers, and `write` on the results in the order
/// of reading.
///
/// # Errors
/// The first error of `read`, `compute` or `write` in the order of reading; why no worker could be made.
pub fn run<'e, E: Engine, B: Send, R: Send>(
    engine: &'e E,
    setup: Setup,
    mut read: impl FnMut() -> Result<Option<B>> + Send,
    compute: impl Fn(&mut Worker<'e, E>, B) -> Result<R> + Send + Sync + 'e,
    mut write: impl FnMut(R) -> Result<()>,
) -> Result<Computed> {
    let Setup { options, gpus, in_flight, progress } = setup;
    let (names, compute) = (Mutex::new(Vec::new()), &compute);
    let read = || {
        let _range = profile::range("read");
        read()
    };
    let start = || {
        let (workers, devices): (Vec<_>, Vec<_>) = workers(engine, gpus, options)?.into_iter().unzip();
        *names.lock().expect("nobody panics with the lock") = devices;
        Ok(workers
            .into_iter()
            .map(|mut worker| -> pipeline::Worker<'_, B, (R, Clock)> {
                Box::new(move |batch| {
                    let result = compute(&mut worker, batch)?;
                    Ok((result, std::mem::take(&mut worker.clock)))
                })
            })
            .collect())
    };
    let mut clock = Clock::default();
    let write = |(result, took)| {
        let _range = profile::range("write");
        progress.update();
        clock += took;
        write(result)
    };
    pipeline::run(in_flight, read, start, write)?;
    let devices = names.into_inner().expect("nobody panics with the lock");
    Ok(Computed { devices, clock })
}
