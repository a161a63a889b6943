//! Batches in, results out, in order: one reader, any number of workers, one writer.
//!
//! ```text
//! reader thread --queue--> worker threads, which join while the run goes on --done--> calling thread, in the order of reading
//!       ^------------------------------------ tokens ------------------------------------|
//! ```
//!
//! A batch exists only while it has a token, so memory is bounded by the number of tokens however unevenly the parts run:
//! a slow worker or a closed output stops the reader. There is no deadlock: the batch that the writer waits for is always
//! the oldest with a token, so it is being read, queued or computed, and none of these waits for the writer.
//!
//! A run is over when the last batch is written. It waits for nobody who has not joined until then.
//!
//! The first error in the order of reading is the one returned, whatever the threads' timing; what comes after it is not
//! written. A panic of any part ends the run at once and goes on in the caller: the batch that was lost with its thread would
//! otherwise be waited for without end. Whatever ends a run early, what is still in the queue and in the channels is dropped
//! until all threads have ended, because a batch may hold what the reader waits for ([`crate::room`]).

mod queue;
mod signals;

use crate::error::{Error, FileError, Result};
use crate::profile::{self, Phase};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use queue::Queue;
pub use queue::Reached;
pub use signals::{Recall, Underway};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// How often the caller is told how far the run is.
const TICK: Duration = Duration::from_millis(200);

/// Turns a batch into a result. One thread calls it.
pub type Worker<'a, T, R> = Box<dyn FnMut(T) -> Result<R> + Send + 'a>;

/// When a worker takes a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Whenever it is free.
    Main,
    /// Whenever it is free and there is no main worker; beside main workers, only while that ends the run earlier.
    Helper,
}

/// What the threads tell the writer.
enum Done<R> {
    /// Batch number, and what became of it.
    Batch(u64, Result<R>),
    /// How many batches there are.
    All(u64),
    /// A worker could not be made, or a thread not started.
    NoThread(Error),
    /// A thread panicked.
    Panic(Box<dyn Any + Send>),
}

/// Runs `read` until it returns `None`, the workers on what it reads, and `write` on their results.
///
/// `workers` is called on a thread of its own. `in_flight` is the most batches that exist at a time.
///
/// # Errors
/// The first error of `read`, a worker or `write` in the order of reading, or that of `workers`.
///
/// # Panics
/// When one of them does, with what it panicked with, once all threads have ended.
pub fn run<'a, T: Send, R: Send>(
    in_flight: usize,
    read: impl FnMut() -> Result<Option<T>> + Send,
    workers: impl FnOnce() -> Result<Vec<Worker<'a, T, R>>> + Send,
    write: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let gather = |crew: &dyn Crew<'a, T, R>| {
        workers()?.into_iter().for_each(|worker| crew.join(Role::Main, worker));
        Ok(())
    };
    run_joined([in_flight; 2], read, gather, write, |_| ())
}

/// As [`run`], with workers that join while the run goes on: `workers` has each of them join the [`Crew`] when it is there. A
/// run that is over does not wait for those that could still join, but for `workers` to return. `watch` is told a few times a second
/// which share of what has been read is computed. `in_flight` is the most batches that exist at a time in the beginning, and since
/// [`Crew::expect_more`].
///
/// # Errors
/// As [`run`]. An error of `workers` counts even if others have joined.
///
/// # Panics
/// As [`run`]; when nobody joins.
pub fn run_joined<'a, T: Send, R: Send>(
    [few, in_flight]: [usize; 2],
    read: impl FnMut() -> Result<Option<T>> + Send,
    workers: impl FnOnce(&dyn Crew<'a, T, R>) -> Result<()> + Send,
    write: impl FnMut(R) -> Result<()>,
    mut watch: impl FnMut(f64),
) -> Result<()> {
    let (done, results) = unbounded();
    let (token, tokens) = bounded(in_flight);
    (0..few).for_each(|_| token.send(()).expect("the receiver is alive"));
    let held = Mutex::new(Some((token.clone(), in_flight - few)));
    let (going, over) = bounded(0);
    let queue = &Queue::new();
    std::thread::scope(|scope| {
        spawn(scope, &done, move |done| read_all(read, &tokens, queue, done));
        let crew = Joining { scope, queue, done: done.clone(), over, held, joined: AtomicUsize::new(0) };
        spawn(scope, &done, move |done| gather(workers, &crew, done));
        drop(done);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| write_in_order(&results, token, write, || watch(queue.reached().share))));
        drop(going);
        queue.end();
        // Until all threads have ended, and with them their senders.
        results.iter().for_each(drop);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The workers of a run.
pub trait Crew<'a, T, R> {
    /// Adds a worker, which begins at once.
    fn join(&self, role: Role, worker: Worker<'a, T, R>);
    /// Has more batches read ahead, for workers that are to join.
    fn expect_more(&self);
    /// Disconnected when the run is over; there is never a message.
    fn over(&self) -> &Receiver<()>;
    /// Tells helpers when to give up what they are at.
    fn recall(&self) -> Recall;
    /// What hears how far workers are with their batches.
    fn underway(&self) -> Underway;
    /// How far the batches are that have been read.
    fn reached(&self) -> Reached;
    /// Waits until the main workers have been behind the reader, without a pause, for `long`, which is how long it takes to get
    /// one more. False: none is wanted any more.
    fn is_behind_for(&self, long: Duration) -> bool;
}

struct Joining<'scope, 'env, T, R> {
    scope: &'scope Scope<'scope, 'env>,
    queue: &'scope Queue<T>,
    done: Sender<Done<R>>,
    over: Receiver<()>,
    /// Tokens that are not given out yet.
    held: Mutex<Option<(Sender<()>, usize)>>,
    joined: AtomicUsize,
}

impl<'scope, 'a: 'scope, T: Send + 'scope, R: Send + 'scope> Crew<'a, T, R> for Joining<'scope, '_, T, R> {
    fn join(&self, role: Role, mut worker: Worker<'a, T, R>) {
        let queue = self.queue;
        self.joined.fetch_add(1, Ordering::Relaxed);
        queue.join(role);
        spawn(self.scope, &self.done, move |done| {
            while let Some((number, batch, begun)) = queue.take(role) {
                let result = {
                    let _computed = profile::enter(Phase::Compute);
                    worker(batch)
                };
                queue.done(role, begun);
                if done.send(Done::Batch(number, result)).is_err() {
                    return;
                }
            }
        });
    }

    fn expect_more(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((token, count)) = held {
            // The reader is gone when it has read everything.
            (0..count).for_each(|_| _ = token.send(()));
        }
    }

    fn over(&self) -> &Receiver<()> {
        &self.over
    }

    fn recall(&self) -> Recall {
        self.queue.recall()
    }

    fn underway(&self) -> Underway {
        self.queue.underway()
    }

    fn reached(&self) -> Reached {
        self.queue.reached()
    }

    fn is_behind_for(&self, long: Duration) -> bool {
        self.queue.is_behind_for(long)
    }
}

fn gather<'scope, 'a: 'scope, T: Send + 'scope, R: Send + 'scope>(
    workers: impl FnOnce(&dyn Crew<'a, T, R>) -> Result<()>,
    crew: &Joining<'scope, '_, T, R>,
    done: &Sender<Done<R>>,
) {
    match workers(crew) {
        Ok(()) => assert!(crew.joined.load(Ordering::Relaxed) > 0, "a run needs a worker"),
        Err(error) => {
            // The writer may be gone after an earlier error, which is then the one that counts.
            let _ = done.send(Done::NoThread(error));
        }
    }
}

/// Does `work` on a thread of its own. The writer is told when there cannot be one more, and when the work panics. What a panic
/// left half done is not used again: the run ends.
fn spawn<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    done: &Sender<Done<R>>,
    work: impl FnOnce(&Sender<Done<R>>) + Send + 'scope,
) {
    let of_thread = done.clone();
    let work = move || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&of_thread))) {
            // The writer may be gone after an earlier error, which is then the one that counts.
            let _ = of_thread.send(Done::Panic(panic));
        }
    };
    if let Err(source) = Builder::new().spawn_scoped(scope, work) {
        // As above.
        let _ = done.send(Done::NoThread(FileError::File { path: "a thread".into(), action: "start", source }.into()));
    }
}

fn read_all<T, R>(
    mut read: impl FnMut() -> Result<Option<T>>,
    tokens: &Receiver<()>,
    queue: &Queue<T>,
    done: &Sender<Done<R>>,
) {
    for number in 0.. {
        if tokens.recv().is_err() {
            return;
        }
        // The writer may be gone after an earlier error, which is then the one that counts.
        let told = match read() {
            Ok(Some(batch)) => match queue.add(number, batch) {
                true => continue,
                false => return,
            },
            Ok(None) => done.send(Done::All(number)),
            Err(error) => done.send(Done::Batch(number, Err(error))),
        };
        drop(told);
        return queue.complete();
    }
}

fn write_in_order<R>(
    results: &Receiver<Done<R>>,
    token: Sender<()>,
    mut write: impl FnMut(R) -> Result<()>,
    mut tick: impl FnMut(),
) -> Result<()> {
    let (mut waiting, mut next, mut all) = (BTreeMap::new(), 0, None);
    let mut receive = || {
        let _waited = profile::enter(Phase::Wait);
        loop {
            tick();
            match results.recv_timeout(TICK) {
                Err(RecvTimeoutError::Timeout) => {}
                received => return received,
            }
        }
    };
    while let Ok(done) = receive() {
        match done {
            Done::Batch(number, result) => drop(waiting.insert(number, result)),
            Done::All(count) => all = Some(count),
            Done::NoThread(error) => return Err(error),
            Done::Panic(panic) => resume_unwind(panic),
        }
        while let Some(result) = waiting.remove(&next) {
            let result = result?;
            {
                let _written = profile::enter(Phase::Write);
                write(result)?;
            }
            next += 1;
            // The reader is gone when it has read everything.
            let _ = token.send(());
        }
        if all == Some(next) {
            return Ok(());
        }
    }
    Err(Error::Mismatch("a run ended before its input did; this is a bug in warpseq".into()))
}

#[cfg(test)]
mod tests;
