//! What a run has seen, and what of it the user should know: each once.

use super::Summary;
use super::batch::Aligned;
use crate::pairing::Works;
use warpseq_io::console::Console;

/// Sums over all pieces of work.
#[derive(Default)]
pub struct Seen {
    pub summary: Summary,
}

impl Seen {
    pub fn add(&mut self, aligned: &Aligned) {
        self.summary.pairs += aligned.pairs;
        self.summary.cells = self.summary.cells.saturating_add(aligned.cells);
    }

    /// Tells the user.
    pub fn warn(&self, works: &Works, console: Console) {
        let (queries, targets) = (works.queries(), works.targets());
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
    }
}
