//! Some targets of a database as a list of their own: an aligner looks at everything that it is given.

use super::Database;
use warpseq_seq::Sequences;

/// Targets, each once, in the order of the database.
pub struct Gathered {
    numbers: Vec<u32>,
    targets: Sequences,
}

impl Gathered {
    /// The targets of these numbers, which may repeat.
    pub fn new(database: &Database, numbers: impl Iterator<Item = u32>) -> Self {
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        let targets = numbers.iter().map(|&number| database.targets().get(number as usize)).collect();
        Self { numbers, targets }
    }

    /// The targets.
    pub fn targets(&self) -> &Sequences {
        &self.targets
    }

    /// The number here of a target of the database.
    pub fn number(&self, target: u32) -> u32 {
        self.numbers.binary_search(&target).expect("it was gathered") as u32
    }
}
