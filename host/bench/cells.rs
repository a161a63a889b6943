//! Cells of alignments, and how they compare with the CPU's.

use serde::Serialize;

/// How much was aligned in the median time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cells {
    /// Query length times target length, summed over the pairs.
    pub cells: u64,
    /// Billions of cells a second.
    pub gcups: f64,
    /// By how much that is more than the CPU engine's rate, call against call.
    pub speed_up: Option<f64>,
    /// Alignments that were compared with the CPU engine's, and are the same.
    pub identical: Option<usize>,
}

impl Cells {
    /// Cells computed in `ms` milliseconds, not compared with anything.
    pub fn in_time(cells: u64, ms: f64) -> Self {
        Self { cells, gcups: cells as f64 / ms / 1e6, speed_up: None, identical: None }
    }
}
