//! The one shape of an engine: jobs in, outputs out.
//!
//! A [`Problem`] says what goes in (`Job`) and what comes out (`Output`). An [`Executor`] solves it: the naive reference, the CPU
//! engine, a GPU or the emulator, all with the same output. An [`Engine`] makes the executors of a run and says how their outputs
//! are compared. Everything else is written once, for all engines: who computes ([`crate::devices`]), what happens when
//! a device fails ([`crate::fallback`]), `--verify` and the clocks ([`crate::worker`]), reading ahead and writing in order
//! ([`crate::run`]).

use crate::error::Result;
use crate::options::Verify;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use warpseq_device::gpu::Gpu;

/// What executors of an engine solve.
pub trait Problem: 'static {
    /// A batch, and what to do with it.
    type Job<'j>: Copy + Send;
    /// What comes of a job.
    type Output: Default + Send;
}

/// Solves a problem.
pub trait Executor<P: Problem>: Send {
    /// Solves `job`. `output` is overwritten, and its memory used again.
    ///
    /// # Errors
    /// Those of a device; a job too large for the executor.
    fn compute(&mut self, job: P::Job<'_>, output: &mut P::Output) -> Result<()>;

    /// The same while somebody watches: may give up soon after the job is not wanted any more. False: it has, and there is no
    /// output.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    fn compute_watched(&mut self, job: P::Job<'_>, output: &mut P::Output, _watch: &dyn Watch) -> Result<bool> {
        self.compute(job, output).map(|()| true)
    }
}

impl<P: Problem, E: Executor<P> + ?Sized> Executor<P> for &mut E {
    fn compute(&mut self, job: P::Job<'_>, output: &mut P::Output) -> Result<()> {
        (**self).compute(job, output)
    }

    fn compute_watched(&mut self, job: P::Job<'_>, output: &mut P::Output, watch: &dyn Watch) -> Result<bool> {
        (**self).compute_watched(job, output, watch)
    }
}

/// Who waits for a job. Any thread may ask it and tell it.
pub trait Watch: Sync {
    /// Whether the job is still wanted.
    fn is_wanted(&self) -> bool {
        true
    }

    /// Hears that `done` of `all` equal parts of the job are done; 0 when the first begin, with all made that they need. Not all need
    /// be told of, or in order.
    fn hear(&self, _done: usize, _all: usize) {}
}

/// Wants every job, and does not ask how far it is.
pub struct Patient;

impl Watch for Patient {}

/// Asks somebody who watches until a job is not wanted: from then on it is not.
pub struct Asked<'w> {
    watch: &'w dyn Watch,
    tells: bool,
    is_over: AtomicBool,
}

impl<'w> Asked<'w> {
    /// Asks, and tells how far the job is.
    pub fn new(watch: &'w dyn Watch) -> Self {
        Self { watch, tells: true, is_over: AtomicBool::new(false) }
    }

    /// Asks alone: for a job within a job.
    pub fn quiet(watch: &'w dyn Watch) -> Self {
        Self { tells: false, ..Self::new(watch) }
    }
}

impl Watch for Asked<'_> {
    fn is_wanted(&self) -> bool {
        if self.is_over.load(Ordering::Relaxed) {
            return false;
        }
        let is_wanted = self.watch.is_wanted();
        if !is_wanted {
            self.is_over.store(true, Ordering::Relaxed);
        }
        is_wanted
    }

    fn hear(&self, done: usize, all: usize) {
        if self.tells {
            self.watch.hear(done, all);
        }
    }
}

/// Counts the parts of a job that are done, for who watches.
pub struct Parts<'w> {
    watch: &'w dyn Watch,
    done: AtomicUsize,
    all: usize,
}

impl<'w> Parts<'w> {
    /// None of `all` is done, and the first begin.
    pub fn new(watch: &'w dyn Watch, all: usize) -> Self {
        watch.hear(0, all);
        Self { watch, done: AtomicUsize::new(0), all }
    }

    /// Whether the job is still wanted.
    pub fn is_wanted(&self) -> bool {
        self.watch.is_wanted()
    }

    /// So many more are done.
    pub fn add(&self, parts: usize) {
        let done = self.done.fetch_add(parts, Ordering::Relaxed) + parts;
        self.watch.hear(done.min(self.all), self.all);
    }
}

/// The job of an engine.
pub type Job<'j, E> = <<E as Engine>::Problem as Problem>::Job<'j>;
/// The output of an engine.
pub type Output<E> = <<E as Engine>::Problem as Problem>::Output;
/// An executor of an engine, whichever it is.
pub type AnyExecutor<'e, E> = Box<dyn Executor<<E as Engine>::Problem> + 'e>;

/// What one of scan, align and sign brings to a run.
pub trait Engine: Sync {
    /// What it solves.
    type Problem: Problem;
    /// What it does, as in "searching on the CPU".
    const DOING: &'static str;

    /// The CPU engine.
    fn cpu(&self) -> AnyExecutor<'_, Self>;
    /// So many CPU engines, for as many threads that call them at a time. They may share what does not change.
    fn cpus(&self, count: usize) -> Vec<AnyExecutor<'_, Self>> {
        (0..count).map(|_| self.cpu()).collect()
    }
    /// The naive reference.
    fn reference(&self) -> AnyExecutor<'_, Self>;
    /// The engine on `gpu`, of whose memory it may take `part`.
    ///
    /// # Errors
    /// Those of the device.
    fn device<G: Gpu>(&self, gpu: Arc<G>, part: Part) -> Result<AnyExecutor<'_, Self>>;

    /// How much later than computing allows a GPU ends a whole run, besides opening it.
    fn late_on_a_gpu(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether the CPU takes less time than a GPU, as what has been computed so far tells, or nobody knows and that will soon tell: a GPU is
    /// not asked for then, under `auto`.
    fn prefers_cpu(&self) -> bool {
        false
    }

    /// Executors on a GPU: while one waits for it, others bring it work, or write down what it found.
    const ON_A_GPU: usize = 2;

    /// How much of a device with `free` bytes the engine takes: a quarter is left for what travels beside the working memory.
    fn share(&self, free: usize) -> Share {
        Share { first: free / 4 * 3, least: 16 << 20 }
    }

    /// The job as messages name it: "the batch of sequences a to z".
    fn name(&self, job: Job<'_, Self>) -> String;

    /// Solves `job` again with `second`, and returns where `found` first differs, if it does.
    ///
    /// # Errors
    /// Those of the second executor.
    fn check(
        &self,
        second: &mut Second<'_, Self>,
        job: Job<'_, Self>,
        found: &Output<Self>,
    ) -> Result<Option<Difference>>;
}

/// What each of several executors on a GPU may take of its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Bytes.
    pub bytes: usize,
    /// How many executors there are, which may have something in common.
    pub executors: usize,
}

impl Part {
    /// For one executor alone.
    pub const fn alone(bytes: usize) -> Self {
        Self { bytes, executors: 1 }
    }
}

/// Device memory that an engine takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// To begin with.
    pub first: usize,
    /// Below this a launch is not worth it.
    pub least: usize,
}

/// Where two executors disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As the user knows it: "sequence a, window 8-24".
    pub place: String,
    /// What the engine found there.
    pub found: String,
    /// What the second executor found.
    pub expected: String,
}

/// The first place at which two lists differ, and what each has there.
pub fn first_difference<'a, T: PartialEq>(
    found: &'a [T],
    expected: &'a [T],
) -> Option<(usize, Option<&'a T>, Option<&'a T>)> {
    let place = (0..found.len().max(expected.len())).find(|&k| found.get(k) != expected.get(k))?;
    Some((place, found.get(place), expected.get(place)))
}

/// The executor that computes a second time.
pub struct Second<'e, E: Engine + ?Sized> {
    /// Which one it is.
    pub verify: Verify,
    executor: AnyExecutor<'e, E>,
    /// Its last output.
    output: Output<E>,
}

impl<'e, E: Engine> Second<'e, E> {
    /// The second executor of `engine`.
    pub fn new(engine: &'e E, verify: Verify) -> Self {
        let executor = match verify {
            Verify::Reference => engine.reference(),
            Verify::Cpu => engine.cpu(),
        };
        Self { verify, executor, output: Output::<E>::default() }
    }

    /// Its output for `job`.
    ///
    /// # Errors
    /// Those of the executor.
    pub fn compute(&mut self, job: Job<'_, E>) -> Result<&Output<E>> {
        self.executor.compute(job, &mut self.output)?;
        Ok(&self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_a_changed_a_missing_or_an_added_item() {
        assert_eq!(first_difference(&[1, 2], &[1, 2]), None);
        assert_eq!(first_difference(&[1, 1], &[1, 2]), Some((1, Some(&1), Some(&2))));
        assert_eq!(first_difference(&[1], &[1, 2]), Some((1, None, Some(&2))));
        assert_eq!(first_difference(&[1, 2], &[]), Some((0, Some(&1), None)));
    }
}
