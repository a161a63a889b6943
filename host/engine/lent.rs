//! Executors at work in a run: how far they are is told, and those on GPUs do for helpers what these would take longer for.
//!
//! ```text
//! main worker    its batch -> its executor on a GPU <-+
//! helper         its batch -> the CPU                 |
//!                              | recalled: given up --+ by the first executor that is free
//! ```
//!
//! The CPU may need a second for a batch that takes a GPU a hundredth. A helper that has such a batch when the GPUs have nothing to
//! do any more gives up, and has one of them do it: so a run with helpers ends little later than one without.
//!
//! When a GPU is to come, helpers go on on threads of their own. What its workers ask of the threads of the run, and the reader,
//! would otherwise wait until a helper's batch is done: a thread takes what comes from outside only when it has nothing else to do. Before
//! that, twice as many threads would only be in each other's way.
//! There a job runs on one of these threads, which may be given another helper's job while it waits for parts of its own. So the
//! first job is done before others begin: what executors make once, on all threads, while others wait for it, is made then.
//! These threads [stand back](stand_back) for all others: a GPU does in a moment what it has been brought, and waits for the
//! threads that bring it.

use crate::error::Result;
use crate::executor::{AnyExecutor, Engine, Executor, Job, Output, Patient, Watch};
use crate::pipeline::{Recall, Underway};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use warpseq_io::idle::stand_back;

/// An executor that its worker and helpers use in turn.
type Shared<'e, E> = Arc<Mutex<AnyExecutor<'e, E>>>;

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic ends the run.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hears how far a job is until it is done, and then no longer counts it as underway.
struct Watching<'w> {
    underway: &'w Underway,
    recall: Option<&'w Recall>,
    heard: AtomicU64,
}

impl<'w> Watching<'w> {
    fn new(underway: &'w Underway, recall: Option<&'w Recall>) -> Self {
        Self { underway, recall, heard: AtomicU64::new(0) }
    }
}

impl Watch for Watching<'_> {
    fn is_wanted(&self) -> bool {
        self.recall.is_none_or(|recall| !recall.is_due())
    }

    fn hear(&self, done: usize, all: usize) {
        self.underway.begin();
        let part = Underway::part(done, all);
        let before = self.heard.fetch_max(part, Ordering::Relaxed);
        self.underway.add(part.saturating_sub(before));
    }
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.underway.take(*self.heard.get_mut());
        self.underway.end();
    }
}

/// `executor` of a worker, which tells how far it is.
pub fn told<'e, E: Engine + 'e>(executor: AnyExecutor<'e, E>, underway: Underway) -> AnyExecutor<'e, E> {
    Box::new(Told::<E> { executor, underway })
}

struct Told<'e, E: Engine> {
    executor: AnyExecutor<'e, E>,
    underway: Underway,
}

impl<E: Engine> Executor<E::Problem> for Told<'_, E> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        // Wanted whatever comes.
        self.executor.compute_watched(job, output, &Watching::new(&self.underway, None)).map(drop)
    }
}

/// The executors on GPUs that helpers may use, and the threads that these compute on.
pub struct Lent<'e, E: Engine> {
    all: Arc<Mutex<Vec<Shared<'e, E>>>>,
    /// The helpers' own threads. Until there are any, they use those of the run.
    threads: Arc<OnceLock<ThreadPool>>,
    first: Arc<First>,
}

impl<E: Engine> Clone for Lent<'_, E> {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), threads: self.threads.clone(), first: self.first.clone() }
    }
}

impl<'e, E: Engine + 'e> Lent<'e, E> {
    /// None so far.
    pub fn new() -> Self {
        Self { all: Arc::default(), threads: Arc::default(), first: Arc::default() }
    }

    /// Gives helpers threads of their own for all that they have not begun, as many as the run has, if that many more can be started.
    pub fn part(&self) {
        let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
        if let Ok(threads) = threads.start_handler(|_| stand_back()).build() {
            // They part once.
            _ = self.threads.set(threads);
        }
    }

    /// `executor`, as its worker and helpers may use it.
    pub fn lend(&self, executor: AnyExecutor<'e, E>) -> AnyExecutor<'e, E> {
        let shared = Arc::new(Mutex::new(executor));
        lock(&self.all).push(shared.clone());
        Box::new(OfWorker::<E>(shared))
    }

    /// `executor` of a helper, which tells how far it is and gives up when it is recalled.
    pub fn recalled(&self, executor: AnyExecutor<'e, E>, underway: Underway, recall: Recall) -> AnyExecutor<'e, E> {
        Box::new(OfHelper { executor, underway, recall, lent: self.clone() })
    }

    /// Does a job with one of the executors, with one that is free if there is any.
    fn compute(&self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        let all = lock(&self.all).clone();
        let free = all.iter().find_map(|executor| executor.try_lock().ok());
        free.unwrap_or_else(|| lock(all.first().expect("who recalls has lent one"))).compute(job, output)
    }
}

struct OfWorker<'e, E: Engine>(Shared<'e, E>);

impl<E: Engine> Executor<E::Problem> for OfWorker<'_, E> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job<'_, E>, output: &mut Output<E>, watch: &dyn Watch) -> Result<bool> {
        lock(&self.0).compute_watched(job, output, watch)
    }
}

struct OfHelper<'e, E: Engine> {
    executor: AnyExecutor<'e, E>,
    underway: Underway,
    recall: Recall,
    lent: Lent<'e, E>,
}

impl<'e, E: Engine + 'e> Executor<E::Problem> for OfHelper<'e, E> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        let Self { executor, underway, recall, lent } = self;
        let watching = &Watching::new(underway, Some(recall));
        let found = &mut *output;
        let mut compute = move || executor.compute_watched(job, found, watching);
        let done = match lent.threads.get() {
            Some(threads) => lent.first.before(|| recall.is_due(), || threads.install(compute))?,
            None => compute()?,
        };
        if done { Ok(()) } else { lent.compute(job, output) }
    }
}

/// Has one job done before others begin.
#[derive(Default)]
struct First {
    turn: Mutex<Turn>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Turn {
    #[default]
    Free,
    Taken,
    /// A job has been done: nobody waits any more.
    Over,
}

/// How often one that waits looks whether it still has to.
const LOOK: Duration = Duration::from_millis(2);

impl First {
    /// Does `job`, which says whether it came to its end, when a first one has been done or as that one. False, too, when it
    /// `is_unwanted` before that.
    fn before(&self, is_unwanted: impl Fn() -> bool, job: impl FnOnce() -> Result<bool>) -> Result<bool> {
        let mut turn = lock(&self.turn);
        while *turn == Turn::Taken {
            if is_unwanted() {
                return Ok(false);
            }
            turn = self.changed.wait_timeout(turn, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut taken = (*turn == Turn::Free).then(|| {
            *turn = Turn::Taken;
            Taken { first: self, next: Turn::Free }
        });
        drop(turn);
        let done = job()?;
        if let Some(taken) = taken.as_mut().filter(|_| done) {
            taken.next = Turn::Over;
        }
        Ok(done)
    }
}

/// While the first job is done, or is not, as an error or a panic ends it.
struct Taken<'f> {
    first: &'f First,
    next: Turn,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *lock(&self.first.turn) = self.next;
        self.first.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::{Difference, Part, Problem, Second};
    use crate::pipeline::{Crew, Role, Worker, run_joined};
    use rayon::prelude::*;
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

        fn compute_watched(&mut self, _: u64, _: &mut u64, watch: &dyn Watch) -> Result<bool> {
            while watch.is_wanted() {
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

        fn device<G: Gpu>(&self, _: Arc<G>, _: Part) -> Result<AnyExecutor<'_, Self>> {
            Ok(self.cpu())
        }

        fn name(&self, job: u64) -> String {
            job.to_string()
        }

        fn check(&self, _: &mut Second<'_, Self>, _: u64, _: &u64) -> Result<Option<Difference>> {
            Ok(None)
        }
    }

    /// Says that half of a job is done, and then a quarter, and looks what is heard of it.
    struct Half(Underway);

    impl Executor<Twice> for Half {
        fn compute(&mut self, _: u64, _: &mut u64) -> Result<()> {
            unreachable!("it is watched")
        }

        fn compute_watched(&mut self, _: u64, _: &mut u64, watch: &dyn Watch) -> Result<bool> {
            for done in [2, 1] {
                watch.hear(done, 4);
                assert!(watch.is_wanted() && self.0.batches() == 0.5);
            }
            Ok(true)
        }
    }

    #[test]
    fn what_is_done_of_a_job_counts_until_it_is_done() {
        let (underway, lent) = (Underway::default(), Lent::<Doubling>::new());
        lent.part();
        let half = || Box::new(Half(underway.clone()));
        for mut executor in [
            told::<Doubling>(half(), underway.clone()),
            told::<Doubling>(lent.lend(half()), underway.clone()),
            lent.recalled(half(), underway.clone(), Recall::default()),
        ] {
            executor.compute(1, &mut 0).unwrap();
            assert_eq!(underway.batches(), 0.0);
        }
    }

    /// Makes something on all threads, which the others of its kind wait for.
    struct Making(Arc<OnceLock<u64>>);

    impl Executor<Twice> for Making {
        fn compute(&mut self, job: u64, output: &mut u64) -> Result<()> {
            let part = |k: u64| {
                std::thread::sleep(Duration::from_micros(20));
                k % 2
            };
            let made = self.0.get_or_init(|| (0..500).into_par_iter().map(part).sum());
            *output = 2 * job + made - 250;
            Ok(())
        }
    }

    /// Regression: on the helpers' own threads, one that made it was given a job that waited for it.
    #[test]
    fn what_helpers_make_once_on_all_threads_is_made() {
        for round in 0..20 {
            let (made, lent, mut numbers) = (Arc::default(), Lent::<Doubling>::new(), 0..20);
            let part = |is_due: bool| {
                if is_due {
                    lent.part()
                }
            };
            part(round % 2 == 0);
            let gather = |crew: &dyn Crew<'_, u64, u64>| {
                let main = worker(lent.lend(Box::new(Fast(Arc::default()))));
                for _ in 0..6 {
                    let making = Box::new(Making(Arc::clone(&made)));
                    crew.join(Role::Helper, worker(lent.recalled(making, crew.underway(), crew.recall())));
                }
                // While some are at it, or wait for it.
                part(round % 2 == 1);
                std::thread::sleep(Duration::from_millis(5));
                crew.join(Role::Main, main);
                Ok(())
            };
            let mut found = Vec::new();
            let write = |output| {
                found.push(output);
                Ok(())
            };
            run_joined([8; 2], || Ok(numbers.next()), gather, write, |_| ()).unwrap();
            assert_eq!(found, (0..20).map(|number| 2 * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn batches_that_helpers_are_stuck_with_are_computed_by_who_is_free() {
        for helpers in [1, 3] {
            let (count, lent, mut numbers) = (Arc::<AtomicU64>::default(), Lent::<Doubling>::new(), 0..10);
            lent.part();
            let batches = || Ok(numbers.next());
            let gather = |crew: &dyn Crew<'_, u64, u64>| {
                for _ in 0..helpers {
                    crew.join(Role::Helper, worker(lent.recalled(Box::new(Endless), crew.underway(), crew.recall())));
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
            run_joined([4; 2], batches, gather, write, |_| ()).unwrap();
            assert_eq!(found, (0..10).map(|number| 2 * number).collect::<Vec<_>>());
            assert_eq!(count.load(Ordering::Relaxed), 10);
        }
    }
}
