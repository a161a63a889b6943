//! What is asked of all pairs, and how an alignment is told.

use super::alphabet::Alphabet;
use super::blocks::Blocks;
use super::traceback::Traceback;
use crate::{Alignment, Batch, Runs, Scoring, Want};
use warpseq_engine::executor::Parts;

/// What is asked of all pairs.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub batch: &'a Batch<'a>,
    pub scoring: &'a Scoring,
    pub alphabet: &'a Alphabet,
    pub want: Want,
    /// Cells that are done.
    pub parts: &'a Parts<'a>,
    /// What pairs are aligned in.
    pub blocks: &'a Blocks,
}

/// A pair's number in the batch, and its alignment.
pub type Aligned = (usize, Alignment);

impl Job<'_> {
    /// The lengths of pair `k`: rows, columns.
    pub fn lengths(&self, k: usize) -> [usize; 2] {
        let (rows, columns) = self.batch.lengths(k);
        [rows, columns]
    }

    /// The cells of pair `k`.
    pub fn cells(&self, k: usize) -> usize {
        self.lengths(k).iter().product()
    }

    /// What is told of an alignment: without its path, start and end are the end.
    pub fn told(&self, traceback: Traceback, score: i64, end: [usize; 2]) -> Alignment {
        match self.want {
            Want::Path => traceback.finish(self.scoring.mode, score, end),
            Want::Score => {
                let [row, column] = end.map(|at| at as u64);
                Alignment { score, query: row..row, target: column..column, path: Runs::NONE }
            }
        }
    }
}
