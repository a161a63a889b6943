//! Order, errors, panics and bounds of the pipeline.

mod stress;

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
