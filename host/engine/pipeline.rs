//! Batches in, results out, in order: one reader, any number of workers, one writer.
//!
//! ```text
//! reader thread --jobs--> worker threads --done--> calling thread, in the order of reading
//!       ^------------------------ tokens ------------------|
//! ```
//!
//! A batch exists only while it has a token, so memory is bounded by the number of tokens however unevenly the parts run:
//! a slow worker or a closed output stops the reader. There is no deadlock: the batch that the writer waits for is always
//! the oldest with a token, so it is being read, queued or computed, and none of these waits for the writer.
//!
//! The first error in the order of reading is the one returned, whatever the threads' timing; what comes after it is not
//! written. A panic of any part ends the run at once and goes on in the caller: the batch that was lost with its thread would
//! otherwise be waited for without end, since the others keep the channels open. Whatever ends a run early, what is still in
//! the channels is dropped until the reader has ended, because a batch may hold what the reader waits for ([`crate::room`]).

use crate::error::{Error, FileError, Result};
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope};

/// Turns a batch into a result. One thread calls it.
pub type Worker<'a, T, R> = Box<dyn FnMut(T) -> Result<R> + Send + 'a>;

/// What the threads tell the writer.
enum Done<R> {
    /// Batch number, and what became of it.
    Batch(u64, Result<R>),
    /// A worker could not be made, or a thread not started.
    NoThread(Error),
    /// A thread panicked.
    Panic(Box<dyn Any + Send>),
}

struct Channels<T, R> {
    jobs: Receiver<(u64, T)>,
    done: Sender<Done<R>>,
}

/// Runs `read` until it returns `None`, the workers on what it reads, and `write` on their results.
///
/// `workers` is called on a thread of its own, so that a GPU's driver starts while the first batches are read. `in_flight`
/// is the most batches that exist at a time.
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
    let (job, jobs) = bounded(in_flight);
    let (done, results) = unbounded();
    let (token, tokens) = bounded(in_flight);
    (0..in_flight).for_each(|_| token.send(()).expect("the receiver is alive"));
    let (stopped, left) = (AtomicBool::new(false), jobs.clone());
    std::thread::scope(|scope| {
        let stopped = &stopped;
        let channels = Channels { jobs, done: done.clone() };
        spawn(scope, &done, move |done| read_all(read, tokens, job, done));
        spawn(scope, &done, move |_| start(scope, workers, channels, stopped));
        drop(done);
        let outcome = catch_unwind(AssertUnwindSafe(|| write_in_order(&results, token, write)));
        stopped.store(true, Ordering::Relaxed);
        discard(&left, &results);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    })
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
    tokens: Receiver<()>,
    job: Sender<(u64, T)>,
    done: &Sender<Done<R>>,
) {
    for number in 0.. {
        if tokens.recv().is_err() {
            return;
        }
        match read() {
            Ok(Some(batch)) => {
                if job.send((number, batch)).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                // The writer may be gone after an earlier error, which is then the one that counts.
                let _ = done.send(Done::Batch(number, Err(error)));
                return;
            }
        }
    }
}

fn start<'scope, 'a: 'scope, T: Send + 'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    workers: impl FnOnce() -> Result<Vec<Worker<'a, T, R>>>,
    channels: Channels<T, R>,
    stopped: &'scope AtomicBool,
) {
    match workers() {
        Ok(workers) => {
            for mut worker in workers {
                let (jobs, done) = (channels.jobs.clone(), channels.done.clone());
                let compute = move |done: &Sender<Done<R>>| {
                    for (number, batch) in jobs {
                        if stopped.load(Ordering::Relaxed) || done.send(Done::Batch(number, worker(batch))).is_err() {
                            return;
                        }
                    }
                };
                spawn(scope, &done, compute);
            }
        }
        Err(error) => {
            // The writer may be gone after an earlier error, which is then the one that counts.
            let _ = channels.done.send(Done::NoThread(error));
        }
    }
}

fn write_in_order<R>(
    results: &Receiver<Done<R>>,
    token: Sender<()>,
    mut write: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for done in results {
        match done {
            Done::Batch(number, result) => waiting.insert(number, result),
            Done::NoThread(error) => return Err(error),
            Done::Panic(panic) => resume_unwind(panic),
        };
        while let Some(result) = waiting.remove(&next) {
            write(result?)?;
            next += 1;
            // The reader is gone when it has read everything.
            let _ = token.send(());
        }
    }
    Ok(())
}

/// Drops batches and results until the reader has ended. The token that the writer held is gone, so it does end.
fn discard<T, R>(jobs: &Receiver<(u64, T)>, results: &Receiver<Done<R>>) {
    loop {
        select! {
            recv(jobs) -> job => if job.is_err() { return },
            recv(results) -> done => if done.is_err() { return },
        }
    }
}

#[cfg(test)]
mod tests;
