//! Order, errors, panics and bounds of the pipeline.

mod stress {
    //! The pipeline under random numbers of engines and tokens, random roles, delays and times of joining, and faults at random
    //! places: every run ends, in time, with what the order of reading says.

    use super::super::{Role, Worker, run_joined};
    use crate::error::{Error, Result};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::mpsc;
    use std::time::Duration;

    /// Runs; a fifth of them without a fault.
    const RUNS: u64 = 400;
    /// A run takes milliseconds.
    const HANGS: Duration = Duration::from_secs(60);

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Part {
        Reader,
        Worker,
        Writer,
        Start,
    }

    #[derive(Clone, Copy, Debug)]
    struct Fault {
        part: Part,
        /// The batch at which it happens.
        batch: u64,
        panics: bool,
    }

    /// What a run is given.
    #[derive(Clone, Debug)]
    struct Case {
        engines: usize,
        in_flight: usize,
        batches: u64,
        fault: Option<Fault>,
        /// Of the delays.
        seed: u64,
    }

    impl Case {
        fn draw(seed: u64) -> Self {
            let mut dice = ChaCha8Rng::seed_from_u64(seed);
            let batches = dice.random_range(0..40);
            let part = [Part::Reader, Part::Worker, Part::Writer, Part::Start][dice.random_range(0..4)];
            let fault = Fault { part, batch: dice.random_range(0..batches.max(1)), panics: dice.random_bool(0.5) };
            let fault = (batches > 0 && dice.random_bool(0.8)).then_some(fault);
            Self { engines: dice.random_range(1..9), in_flight: dice.random_range(1..7), batches, fault, seed }
        }

        /// Waits a little, and fails where the case says so.
        fn meet(&self, part: Part, batch: u64) -> Result<()> {
            let mut dice = ChaCha8Rng::seed_from_u64(self.seed ^ (batch << 8) ^ ((part as u64) << 40));
            if dice.random_bool(0.3) {
                std::thread::sleep(Duration::from_micros(dice.random_range(0..200)));
            }
            match self.fault {
                Some(fault) if fault.part == part && (fault.batch == batch || part == Part::Start) => {
                    let message = format!("{fault:?}");
                    // Unwinds as a panic does, and prints nothing.
                    if fault.panics { resume_unwind(Box::new(message)) } else { Err(Error::Mismatch(message)) }
                }
                _ => Ok(()),
            }
        }

        /// Runs it: what was written, and how it ended. `Err`: with a panic.
        fn run(&self) -> (Vec<u64>, std::thread::Result<Result<()>>) {
            let (mut next, mut written) = (0, Vec::new());
            let read = || {
                let number = next;
                next += 1;
                if number == self.batches {
                    return Ok(None);
                }
                self.meet(Part::Reader, number).map(|()| Some(number))
            };
            let engine = || Box::new(|number| self.meet(Part::Worker, number).map(|()| number)) as Worker<u64, u64>;
            let write = |number| {
                self.meet(Part::Writer, number)?;
                written.push(number);
                Ok(())
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                run_joined(
                    [1 + self.in_flight / 3, self.in_flight],
                    read,
                    |crew| {
                        let mut dice = ChaCha8Rng::seed_from_u64(self.seed ^ 1 << 50);
                        self.meet(Part::Start, 0)?;
                        for _ in 0..self.engines {
                            crew.join(if dice.random_bool(0.3) { Role::Helper } else { Role::Main }, engine());
                            std::thread::sleep(Duration::from_micros(dice.random_range(0..300)));
                        }
                        if dice.random_bool(0.5) {
                            crew.expect_more();
                        }
                        if dice.random_bool(0.3) {
                            crew.is_behind_for(Duration::from_micros(dice.random_range(0..1000)));
                        }
                        if dice.random_bool(0.3) {
                            assert!(crew.over().recv().is_err());
                        }
                        Ok(())
                    },
                    write,
                    |share| assert!((0.0..=1.0).contains(&share)),
                )
            }));
            (written, outcome)
        }

        fn check(&self) {
            let (written, outcome) = self.run();
            assert!(written.iter().copied().eq(0..written.len() as u64), "{self:?}: {written:?}");
            let Some(fault) = self.fault else {
                assert!(matches!(outcome, Ok(Ok(()))), "{self:?}");
                return assert_eq!(written.len() as u64, self.batches, "{self:?}");
            };
            let before = if fault.part == Part::Start { 0 } else { fault.batch };
            let message = match outcome {
                Err(panic) if fault.panics => *panic.downcast::<String>().expect("the panic that was raised"),
                Ok(Err(Error::Mismatch(message))) if !fault.panics => message,
                other => panic!("{self:?} ended with {other:?}"),
            };
            assert_eq!(message, format!("{fault:?}"), "{self:?}");
            // A panic is heard at once, so batches before it may be missing.
            assert!(written.len() as u64 <= before && (fault.panics || written.len() as u64 == before), "{self:?}");
        }
    }

    #[test]
    fn every_run_ends_in_time_with_what_the_order_of_reading_says() {
        let (ended, ends) = mpsc::channel();
        let runs = std::thread::spawn(move || {
            for seed in 0..RUNS {
                let case = Case::draw(seed);
                ended.send(case.clone()).expect("the test waits");
                case.check();
            }
        });
        let mut last = None;
        loop {
            match ends.recv_timeout(HANGS) {
                Ok(case) => last = Some(case),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("this run hangs: {last:?}"),
            }
        }
        runs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

use super::*;
use std::sync::atomic::AtomicU64;
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

fn engines(n: usize) -> Result<Vec<Worker<'static, u64, u64>>> {
    Ok((0..n).map(|_| Box::new(uneven) as Worker<u64, u64>).collect())
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
    let broken = || Ok(vec![Box::new(move |n: u64| if n == 5 { Err(fail()) } else { Ok(n) }) as Worker<u64, u64>]);
    assert!(run(2, numbers(u64::MAX, None), broken, |_| Ok(())).is_err());
    assert!(run(2, numbers(u64::MAX, None), || engines(2), |n| if n == 9 { Err(fail()) } else { Ok(()) }).is_err());
    assert!(run(2, numbers(u64::MAX, None), || Err::<Vec<Worker<u64, u64>>, _>(fail()), |_| Ok(())).is_err());
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

/// A worker that takes so long, and counts.
fn counting<'c>(count: &'c AtomicU64, took: Duration) -> Worker<'c, u64, u64> {
    Box::new(move |number| {
        std::thread::sleep(took);
        count.fetch_add(1, Ordering::Relaxed);
        Ok(number)
    })
}

/// Runs so many batches with the workers that are gathered.
fn compute<'a>(in_flight: usize, batches: u64, gather: impl FnOnce(&dyn Crew<'a, u64, u64>) -> Result<()> + Send) {
    let mut next = 0;
    let write = |number| {
        assert_eq!(number, next);
        next += 1;
        Ok(())
    };
    run_joined([in_flight; 2], numbers(batches, None), gather, write, |_| ()).unwrap();
    assert_eq!(next, batches);
}

#[test]
fn a_run_that_is_over_waits_for_nobody_who_has_not_joined() {
    for batches in [0, 1, 50] {
        let count = AtomicU64::new(0);
        compute(2, batches, |crew| {
            crew.join(Role::Helper, counting(&count, Duration::ZERO));
            // What would have joined is not there before the run is over.
            assert!(crew.over().recv().is_err() && !crew.is_behind_for(Duration::ZERO));
            Ok(())
        });
        assert_eq!(count.into_inner(), batches);
    }
}

#[test]
fn a_helper_works_until_main_workers_are_there_and_rests_when_they_are_much_faster() {
    for in_flight in [1, 2, 8] {
        let [helper, main] = [0, 0].map(AtomicU64::new);
        compute(in_flight, 300, |crew| {
            crew.join(Role::Helper, counting(&helper, Duration::from_millis(20)));
            std::thread::sleep(Duration::from_millis(100));
            crew.join(Role::Main, counting(&main, Duration::from_micros(100)));
            Ok(())
        });
        let (helper, main) = (helper.into_inner(), main.into_inner());
        assert!(helper >= 1 && main > 200 && helper + main == 300, "{in_flight}: {helper} and {main}");
    }
}

#[test]
fn a_helper_much_faster_than_the_others_does_its_share() {
    let [helper, main] = [0, 0].map(AtomicU64::new);
    compute(8, 200, |crew| {
        crew.join(Role::Helper, counting(&helper, Duration::from_millis(2)));
        crew.join(Role::Main, counting(&main, Duration::from_millis(12)));
        Ok(())
    });
    let (helper, main) = (helper.into_inner(), main.into_inner());
    assert!(helper > 20 && main > 10, "{helper} and {main}");
}

#[test]
fn more_is_read_ahead_when_more_workers_are_expected() {
    let read = AtomicU64::new(0);
    let mut written = 0;
    let mut all = numbers(20, None);
    let reading = || {
        read.fetch_add(1, Ordering::Relaxed);
        all()
    };
    let gather = |crew: &dyn Crew<u64, u64>| {
        for few in [2, 7] {
            while read.load(Ordering::Relaxed) < few {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(20));
            assert_eq!(read.load(Ordering::Relaxed), few);
            crew.expect_more();
        }
        crew.join(Role::Main, Box::new(Ok));
        Ok(())
    };
    let write = |_| {
        written += 1;
        Ok(())
    };
    run_joined([2, 7], reading, gather, write, |_| ()).unwrap();
    assert_eq!(written, 20);
}

#[test]
fn an_error_of_those_who_gather_ends_the_run_and_so_does_a_run_without_workers() {
    let count = AtomicU64::new(0);
    let outcome = run_joined(
        [2; 2],
        numbers(u64::MAX, None),
        |crew| {
            crew.join(Role::Main, counting(&count, Duration::ZERO));
            Err(Error::Mismatch("here".into()))
        },
        |_| Ok(()),
        |_| (),
    );
    assert!(matches!(outcome, Err(Error::Mismatch(_))));
    let nobody = |_: &dyn Crew<u64, u64>| Ok(());
    let outcome = catch_unwind(AssertUnwindSafe(|| run_joined([2; 2], numbers(3, None), nobody, |_| Ok(()), |_| ())));
    assert_eq!(outcome.unwrap_err().downcast_ref::<&str>(), Some(&"a run needs a worker"));
}
