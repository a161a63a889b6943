//! What a run has seen, and what of it the user should know: each once.

use super::job::Answer;
use super::{Run, Summary};
use crate::pairing::Works;
use std::time::Duration;

/// Sums over all pieces of work.
#[derive(Default)]
pub struct Seen {
    pub summary: Summary,
    verified: Duration,
}

impl Seen {
    pub fn add(&mut self, answer: &Answer) {
        self.summary.pairs += answer.pairs;
        self.summary.cells = self.summary.cells.saturating_add(answer.effort.cells);
        self.summary.call_seconds += answer.effort.call.as_secs_f64();
        self.verified += answer.effort.verified;
    }

    /// Tells the user, and the outcome of `--verify`.
    pub fn warn(&self, run: &Run, works: &Works) {
        let (queries, targets, console) = (works.queries(), works.targets(), run.console);
        if queries.is_empty() {
            console.warn(format_args!("{}: there are no queries in it", queries.path().display()));
        }
        if works.names_in_another_order() {
            console.warn(format_args!(
                "{} has the same names in another order than {}: records are paired by their order, not by name",
                targets.path().display(),
                queries.path().display()
            ));
        }
        let as_x = queries.scored_as_x() + targets.scored_as_x();
        if as_x > 0 {
            console.warn(format_args!("{as_x} times J, O or U among the letters, which the matrix lacks: scored as X"));
        }
        if let Some(verify) = run.request.verify {
            let (ours, other) = (self.summary.call_seconds, self.verified.as_secs_f64());
            console.result(format_args!("verify: {ours:.3} s, {} {other:.3} s: identical", verify.name()));
        }
    }
}
