//! Times of several runs: the shortest, the median, and the longest.

use serde::Serialize;
use std::time::{Duration, Instant};

/// Milliseconds of a number of runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub min_ms: f64,
    pub median_ms: f64,
    pub max_ms: f64,
    pub runs: usize,
}

impl Spread {
    /// The spread of at least one run. The median of an even number of runs is the mean of the two in the middle.
    ///
    /// # Panics
    /// If there is no run.
    pub fn of(mut milliseconds: Vec<f64>) -> Self {
        assert!(!milliseconds.is_empty(), "a spread of no runs");
        milliseconds.sort_by(f64::total_cmp);
        let runs = milliseconds.len();
        let median_ms = (milliseconds[(runs - 1) / 2] + milliseconds[runs / 2]) / 2.0;
        Self { min_ms: milliseconds[0], median_ms, max_ms: milliseconds[runs - 1], runs }
    }
}

/// How often to measure.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// The largest number of runs. At least one is made.
    pub runs: usize,
    /// No run starts after this time, so that a slow engine is not measured for minutes.
    pub at_most: Duration,
}

impl Repeat {
    /// Calls `run`, which returns its milliseconds, as often as asked.
    ///
    /// # Errors
    /// The first error of `run`.
    pub fn measure<E>(self, mut run: impl FnMut() -> Result<f64, E>) -> Result<Spread, E> {
        self.measure_in_turn(1, |_| run()).map(|spreads| spreads[0])
    }

    /// Calls `run` for each of so many in turn, so that what changes meanwhile changes for all of them. The time is that of each alone.
    ///
    /// # Errors
    /// The first error of `run`.
    pub fn measure_in_turn<E>(
        self,
        count: usize,
        mut run: impl FnMut(usize) -> Result<f64, E>,
    ) -> Result<Vec<Spread>, E> {
        let mut taken = vec![(Vec::new(), Duration::ZERO); count];
        for round in 0..self.runs.max(1) {
            for (k, (milliseconds, spent)) in taken.iter_mut().enumerate() {
                if round == 0 || *spent < self.at_most {
                    let began = Instant::now();
                    milliseconds.push(run(k)?);
                    *spent += began.elapsed();
                }
            }
        }
        Ok(taken.into_iter().map(|(milliseconds, _)| Spread::of(milliseconds)).collect())
    }
}

/// Milliseconds since `began`.
pub fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        let spread = Spread::of(vec![9.0, 1.0, 2.0]);
        assert_eq!(spread, Spread { min_ms: 1.0, median_ms: 2.0, max_ms: 9.0, runs: 3 });
        assert_eq!(Spread::of(vec![4.0, 1.0, 2.0, 9.0]).median_ms, 3.0);
        assert_eq!(Spread::of(vec![4.0]).median_ms, 4.0);
    }

    #[test]
    fn runs_are_bounded_in_number_and_time() {
        let runs = |runs, at_most| {
            let ok = || Ok::<_, ()>(1.0);
            Repeat { runs, at_most }.measure(ok).unwrap().runs
        };
        assert_eq!(runs(9, Duration::from_secs(60)), 9);
        assert_eq!(runs(9, Duration::ZERO), 1);
        assert_eq!(runs(0, Duration::ZERO), 1);
    }

    #[test]
    fn those_in_turn_are_measured_by_themselves() {
        let (mut order, repeat) = (Vec::new(), Repeat { runs: 3, at_most: Duration::from_millis(5) });
        let run = |k: usize| {
            order.push(k);
            if k == 1 {
                std::thread::sleep(Duration::from_millis(6));
            }
            Ok::<_, ()>(k as f64)
        };
        let spreads = repeat.measure_in_turn(2, run).unwrap();
        assert_eq!(order, [0, 1, 0, 0]);
        assert_eq!(spreads.iter().map(|spread| (spread.max_ms, spread.runs)).collect::<Vec<_>>(), [(0.0, 3), (1.0, 1)]);
    }
}
