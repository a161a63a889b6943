//! Batches in, results out, in order: one reader, any number of engines, one writer.
//!
//! ```text
//! reader thread --jobs--> engine threads --done--> calling thread, in the order of reading
//!       ^------------------------ tokens ------------------|
//! ```
//!
//! A batch exists only while it has a token, so memory is bounded by the number of tokens however unevenly the parts run:
//! a slow engine or a closed output stops the reader. There is no deadlock: the batch that the writer waits for is always
//! the oldest with a token, so it is being read, queued or searched, and none of these waits for the writer.
//!
//! The first error in the order of reading is the one returned, whatever the threads' timing; what comes after it is not
//! written.

pub mod batches;
pub mod pool;
pub mod room;

use crate::error::{Error, Result};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;

/// Turns a batch into a result. One thread calls it.
pub type Engine<'a, T, R> = Box<dyn FnMut(T) -> Result<R> + Send + 'a>;

/// What the threads tell the writer.
enum Done<R> {
    /// Batch number, and what became of it.
    Batch(u64, Result<R>),
    /// No engine could be started.
    NoEngine(Error),
}

struct Channels<T, R> {
    jobs: Receiver<(u64, T)>,
    done: Sender<Done<R>>,
}

/// Runs `read` until it answers `None`, the engines on what it reads, and `write` on their results.
///
/// `engines` is called on a thread of its own, so that a GPU's driver starts while the first batches are read. `in_flight`
/// is the most batches that exist at a time.
///
/// # Errors
/// The first error of `read`, an engine or `write` in the order of reading, or that of `engines`.
pub fn run<'a, T: Send, R: Send>(
    in_flight: usize,
    read: impl FnMut() -> Result<Option<T>> + Send,
    engines: impl FnOnce() -> Result<Vec<Engine<'a, T, R>>> + Send,
    write: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let (job, jobs) = bounded(in_flight);
    let (done, results) = unbounded();
    let (token, tokens) = bounded(in_flight);
    (0..in_flight).for_each(|_| token.send(()).expect("the receiver is alive"));
    let stopped = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader_done = done.clone();
        scope.spawn(|| read_all(read, tokens, job, reader_done));
        let stopped = &stopped;
        scope.spawn(move || start(scope, engines, Channels { jobs, done }, stopped));
        let outcome = write_in_order(results, token, write);
        stopped.store(true, Ordering::Relaxed);
        outcome
    })
}

fn read_all<T, R>(
    mut read: impl FnMut() -> Result<Option<T>>,
    tokens: Receiver<()>,
    job: Sender<(u64, T)>,
    done: Sender<Done<R>>,
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
    engines: impl FnOnce() -> Result<Vec<Engine<'a, T, R>>>,
    channels: Channels<T, R>,
    stopped: &'scope AtomicBool,
) {
    match engines() {
        Ok(engines) => {
            for mut engine in engines {
                let Channels { jobs, done } = Channels { jobs: channels.jobs.clone(), done: channels.done.clone() };
                scope.spawn(move || {
                    for (number, batch) in jobs {
                        if stopped.load(Ordering::Relaxed) || done.send(Done::Batch(number, engine(batch))).is_err() {
                            return;
                        }
                    }
                });
            }
        }
        Err(error) => {
            // The writer may be gone after an earlier error, which is then the one that counts.
            let _ = channels.done.send(Done::NoEngine(error));
        }
    }
}

fn write_in_order<R>(
    results: Receiver<Done<R>>,
    token: Sender<()>,
    mut write: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for done in results {
        match done {
            Done::Batch(number, result) => waiting.insert(number, result),
            Done::NoEngine(error) => return Err(error),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Reads 0..count; fails instead of reading `bad`.
    fn numbers(count: u64, bad: Option<u64>) -> impl FnMut() -> Result<Option<u64>> + Send {
        let mut next = 0;
        move || {
            let number = next;
            next += 1;
            if Some(number) == bad {
                return Err(Error::Mismatch(format!("read {number}")));
            }
            Ok((number < count).then_some(number))
        }
    }

    fn uneven(number: u64) -> Result<u64> {
        std::thread::sleep(Duration::from_micros(number * 7919 % 300));
        Ok(number)
    }

    fn engines(n: usize) -> Result<Vec<Engine<'static, u64, u64>>> {
        Ok((0..n).map(|_| Box::new(uneven) as Engine<u64, u64>).collect())
    }

    #[test]
    fn results_come_in_the_order_of_reading_for_any_number_of_engines_and_tokens() {
        for (engine_count, in_flight) in [(1, 1), (1, 4), (3, 1), (3, 2), (8, 5)] {
            let mut written = Vec::new();
            let write = |n| {
                written.push(n);
                Ok(())
            };
            run(in_flight, numbers(200, None), || engines(engine_count), write).unwrap();
            assert_eq!(written, (0..200).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_error_in_the_order_of_reading_is_returned_and_nothing_after_it_written() {
        for bad in [0, 1, 17] {
            let mut written = 0;
            let outcome = run(
                4,
                numbers(100, Some(bad)),
                || engines(3),
                |_| {
                    written += 1;
                    Ok(())
                },
            );
            assert!(matches!(outcome, Err(Error::Mismatch(m)) if m == format!("read {bad}")));
            assert_eq!(written, bad);
        }
    }

    #[test]
    fn a_failing_engine_writer_or_start_ends_the_run() {
        let fail = || Error::Mismatch("here".into());
        let broken = || Ok(vec![Box::new(move |n: u64| if n == 5 { Err(fail()) } else { Ok(n) }) as Engine<u64, u64>]);
        assert!(run(2, numbers(u64::MAX, None), broken, |_| Ok(())).is_err());
        assert!(run(2, numbers(u64::MAX, None), || engines(2), |n| if n == 9 { Err(fail()) } else { Ok(()) }).is_err());
        assert!(run(2, numbers(u64::MAX, None), || Err::<Vec<Engine<u64, u64>>, _>(fail()), |_| Ok(())).is_err());
    }

    #[test]
    fn no_more_batches_exist_than_there_are_tokens() {
        use std::sync::atomic::AtomicI64;
        let alive = AtomicI64::new(0);
        let mut reader = numbers(100, None);
        let read = || {
            let batch = reader()?;
            assert!(alive.fetch_add(1, Ordering::SeqCst) < 3);
            Ok(batch)
        };
        run(
            3,
            read,
            || engines(2),
            |_| {
                alive.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            },
        )
        .unwrap();
    }
}
