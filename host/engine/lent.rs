//! Executors on GPUs that do for helpers what these would take longer for.
//!
//! ```text
//! main worker    its batch -> its executor on a GPU <-+
//! helper         its batch -> the CPU                 |
//!                              | recalled: given up --+ by the first executor that is free
//! ```
//!
//! The CPU may need a second for a batch that takes a GPU a hundredth. A helper that has such a batch when the GPUs have nothing to
//! do any more gives up, and has one of them do it: so a run with helpers ends little later than one without.

use crate::error::Result;
use crate::executor::{AnyExecutor, Engine, Executor, Job, Output};
use crate::pipeline::Recall;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An executor that its worker and helpers use in turn.
type Shared<'e, E> = Arc<Mutex<AnyExecutor<'e, E>>>;

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic ends the run.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The executors on GPUs that helpers may use.
pub struct Lent<'e, E: Engine>(Arc<Mutex<Vec<Shared<'e, E>>>>);

impl<E: Engine> Clone for Lent<'_, E> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<E: Engine> Default for Lent<'_, E> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<'e, E: Engine + 'e> Lent<'e, E> {
    /// `executor`, as its worker and helpers may use it.
    pub fn lend(&self, executor: AnyExecutor<'e, E>) -> AnyExecutor<'e, E> {
        let shared = Arc::new(Mutex::new(executor));
        lock(&self.0).push(shared.clone());
        Box::new(OfWorker::<E>(shared))
    }

    /// `executor` of a helper, which gives up when it is recalled.
    pub fn recalled(&self, executor: AnyExecutor<'e, E>, recall: Recall) -> AnyExecutor<'e, E> {
        Box::new(OfHelper { executor, recall, lent: self.clone() })
    }

    /// Does a job with one of the executors, with one that is free if there is any.
    fn compute(&self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        let all = lock(&self.0).clone();
        let free = all.iter().find_map(|executor| executor.try_lock().ok());
        free.unwrap_or_else(|| lock(all.first().expect("who recalls has lent one"))).compute(job, output)
    }
}

struct OfWorker<'e, E: Engine>(Shared<'e, E>);

impl<E: Engine> Executor<E::Problem> for OfWorker<'_, E> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        lock(&self.0).compute(job, output)
    }
}

struct OfHelper<'e, E: Engine> {
    executor: AnyExecutor<'e, E>,
    recall: Recall,
    lent: Lent<'e, E>,
}

impl<'e, E: Engine + 'e> Executor<E::Problem> for OfHelper<'e, E> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        let Self { executor, recall, lent } = self;
        match executor.compute_while(job, output, &|| !recall.is_due())? {
            true => Ok(()),
            false => lent.compute(job, output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::{Difference, Problem, Second};
    use crate::pipeline::{Crew, Role, Worker, run_joined};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;
    use warpseq_device::gpu::Gpu;

    /// Doubles a number.
    struct Twice;

    impl Problem for Twice {
        type Job<'j> = u64;
        type Output = u64;
    }

    /// At once, and counts.
    struct Fast(Arc<AtomicU64>);

    impl Executor<Twice> for Fast {
        fn compute(&mut self, job: u64, output: &mut u64) -> Result<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            *output = 2 * job;
            Ok(())
        }
    }

    /// Never, unless it is recalled.
    struct Endless;

    impl Executor<Twice> for Endless {
        fn compute(&mut self, _: u64, _: &mut u64) -> Result<()> {
            unreachable!("it is asked whether it is wanted")
        }

        fn compute_while(&mut self, _: u64, _: &mut u64, wanted: &(dyn Fn() -> bool + Sync)) -> Result<bool> {
            while wanted() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(false)
        }
    }

    fn worker<'a>(mut executor: AnyExecutor<'a, Doubling>) -> Worker<'a, u64, u64> {
        Box::new(move |batch| {
            let mut output = 0;
            executor.compute(batch, &mut output).map(|()| output)
        })
    }

    struct Doubling;

    impl Engine for Doubling {
        type Problem = Twice;
        const DOING: &'static str = "doubling";

        fn cpu(&self) -> AnyExecutor<'_, Self> {
            Box::new(Endless)
        }

        fn reference(&self) -> AnyExecutor<'_, Self> {
            self.cpu()
        }

        fn device<G: Gpu>(&self, _: Arc<G>, _: usize) -> Result<AnyExecutor<'_, Self>> {
            Ok(self.cpu())
        }

        fn name(&self, job: u64) -> String {
            job.to_string()
        }

        fn check(&self, _: &mut Second<'_, Self>, _: u64, _: &u64) -> Result<Option<Difference>> {
            Ok(None)
        }
    }

    #[test]
    fn batches_that_helpers_are_stuck_with_are_computed_by_who_is_free() {
        for helpers in [1, 3] {
            let (count, lent, mut numbers) = (Arc::<AtomicU64>::default(), Lent::<Doubling>::default(), 0..10);
            let batches = || Ok(numbers.next());
            let gather = |crew: &dyn Crew<'_, u64, u64>| {
                for _ in 0..helpers {
                    crew.join(Role::Helper, worker(lent.recalled(Box::new(Endless), crew.recall())));
                }
                // By then each of them has taken one.
                std::thread::sleep(Duration::from_millis(50));
                crew.join(Role::Main, worker(lent.lend(Box::new(Fast(count.clone())))));
                Ok(())
            };
            let mut found = Vec::new();
            let write = |output| {
                found.push(output);
                Ok(())
            };
            run_joined(4, batches, gather, write).unwrap();
            assert_eq!(found, (0..10).map(|number| 2 * number).collect::<Vec<_>>());
            assert_eq!(count.load(Ordering::Relaxed), 10);
        }
    }
}
