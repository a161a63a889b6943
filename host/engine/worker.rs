//! An executor at work in a run: timed and, under `--verify`, compared with a second one.

use crate::error::{Error, Result};
use crate::executor::{AnyExecutor, Difference, Engine, Executor, Job, Output, Second};
use crate::options::{RunOptions, Verify};
use std::ops::AddAssign;
use std::time::{Duration, Instant};
use warpseq_device::near;

/// How long executors have computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The executor: the *call* clock.
    pub call: Duration,
    /// The second one.
    pub verified: Duration,
}

impl AddAssign for Clock {
    fn add_assign(&mut self, other: Self) {
        self.call += other.call;
        self.verified += other.verified;
    }
}

impl Clock {
    /// With `--verify`, tells the user that the results were identical, and how long both executors took.
    pub fn tell_verified(self, RunOptions { verify, console, .. }: RunOptions) {
        let Some(verify) = verify else { return };
        let [ours, other] = [self.call, self.verified].map(|took| took.as_secs_f64());
        console.result(format_args!("verify: {ours:.3} s, {} {other:.3} s: identical", verify.name()));
    }
}

/// An executor, its clock, and the executor that verifies it.
pub struct Worker<'e, E: Engine> {
    engine: &'e E,
    executor: AnyExecutor<'e, E>,
    second: Option<Second<'e, E>>,
    /// Processors that its thread is to run on; any, if there are none.
    near: Vec<usize>,
    /// Since it was last taken.
    pub clock: Clock,
}

impl<'e, E: Engine> Worker<'e, E> {
    /// `executor`, one of `engine`'s, at work.
    pub fn new(engine: &'e E, executor: AnyExecutor<'e, E>, verify: Option<Verify>) -> Self {
        let second = verify.map(|verify| Second::new(engine, verify));
        Self { engine, executor, second, near: Vec::new(), clock: Clock::default() }
    }

    /// One that runs near a GPU, on these processors, once it has [settled](Self::settle).
    pub fn near(self, processors: &[usize]) -> Self {
        Self { near: processors.to_vec(), ..self }
    }

    /// Has the calling thread, from which it is used from now on, run where this worker is to.
    pub fn settle(&mut self) {
        near::run_on(&std::mem::take(&mut self.near));
    }

    /// Whether everything is computed a second time.
    pub fn verifies(&self) -> bool {
        self.second.is_some()
    }

    /// Does `work` with the executor and adds the time to the clock. Nothing is verified.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn timed<T>(&mut self, work: impl FnOnce(&mut (dyn Executor<E::Problem> + 'e)) -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let outcome = work(&mut *self.executor);
        self.clock.call += start.elapsed();
        outcome
    }

    /// Compares `found`, the output for `job`, with the second executor's, if there is one.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the first difference; those of the second executor.
    pub fn verify(&mut self, job: Job<'_, E>, found: &Output<E>) -> Result<()> {
        let Some(second) = &mut self.second else { return Ok(()) };
        let start = Instant::now();
        let difference = self.engine.check(second, job, found)?;
        self.clock.verified += start.elapsed();
        match difference {
            None => Ok(()),
            Some(Difference { place, found, expected }) => Err(Error::Mismatch(format!(
                "--verify found a difference in {place}: found {found}, expected {expected} by the {}",
                second.verify.name()
            ))),
        }
    }
}

impl<E: Engine> Executor<E::Problem> for Worker<'_, E> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        self.timed(|executor| executor.compute(job, output))?;
        self.verify(job, output)
    }
}

/// A value that may be left to the end of the process instead of being dropped.
pub struct Kept<T> {
    /// `None` only while it is dropped.
    value: Option<T>,
    to_the_end: bool,
}

impl<T> Kept<T> {
    /// Keeps `value`; `to_the_end`: it is never dropped.
    pub fn new(value: T, to_the_end: bool) -> Self {
        Self { value: Some(value), to_the_end }
    }

    /// The value.
    pub fn get(&mut self) -> &mut T {
        self.value.as_mut().expect("it is there until it is dropped")
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        let value = self.value.take();
        if self.to_the_end {
            std::mem::forget(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn what_is_kept_to_the_end_is_not_dropped() {
        let shared = Arc::new(());
        for (to_the_end, left) in [(false, 1), (true, 2)] {
            drop(Kept::new(shared.clone(), to_the_end));
            assert_eq!(Arc::strong_count(&shared), left);
        }
    }
}
