//! The naive reference of `align`: the recurrence written down with whole matrices. Tests and `--verify` compare the engines
//! with it.
//!
//! # Definition
//!
//! H, E and F of [`super`] are three matrices of (m + 1) x (n + 1) cells of 64 bits ([`matrices`]); the alignment is read off
//! them backwards from the end cell (`trace`). H of a local alignment, match 1, mismatch -1, gap 2, the path starred:
//!
//! ```text
//!       .    A    C    A    G    G    T       the end is the 3: nothing is higher
//!  .    0    0*   0    0    0    0    0       3 = 2 + 1, 2 = 1 + 1, 1 = 0 + 1: diagonal three times, CAG over CAG
//!  C    0    0    1*   0    0    0    0       the start is the 0
//!  A    0    1    0    2*   0    0    0
//!  G    0    0    0    0    3*   1    0
//!  T    0    0    0    0    1    2    2
//! ```
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engines: no bands, no packed lanes, no early end, no rule for linear costs, and every value is
//! kept and looked at again by the traceback. The border is its own row and column, so no cell asks for a neighbour that is
//! not there. Scores are below 2^31 and there are fewer than 2^26 columns in a path, so 64 bits cannot overflow.
//! [`rescore()`] goes the other way, from a path to its score, and knows nothing of the recurrence.

pub mod matrices;
mod rescore;
pub mod statistics;
mod trace;

pub use rescore::rescore;

use super::{Aligning, Alignment, Batch, Job, Scoring, Want};
use matrices::Matrices;
use trace::Trace;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::Executor;

/// The most cells a matrix may have: three of them take 800 MB then.
pub const MOST_CELLS: usize = 1 << 25;

/// The naive executor.
pub struct Reference;

impl Executor<Aligning> for Reference {
    /// # Errors
    /// A pair whose matrices have more than [`MOST_CELLS`] cells.
    fn compute(&mut self, Job { batch, scoring, want, .. }: Job, output: &mut Vec<Alignment>) -> Result<()> {
        let aligned = (0..batch.pairs().len()).map(|pair| align_pair(&batch, pair, scoring, want));
        *output = aligned.collect::<Result<_>>()?;
        Ok(())
    }
}

fn align_pair(batch: &Batch, pair: usize, scoring: &Scoring, want: Want) -> Result<Alignment> {
    let (query, target) = batch.residues(pair);
    if (query.len() + 1).saturating_mul(target.len() + 1) > MOST_CELLS {
        return Err(too_large(pair, query.len(), target.len()));
    }
    let matrices = Matrices::new(query, target, scoring);
    let end = matrices.end(scoring.mode);
    let (start, path) = match want {
        Want::Score => (end, Vec::new()),
        Want::Path => Trace { matrices: &matrices, query, target, scoring }.back(end),
    };
    Ok(Alignment {
        score: matrices.h[end],
        query: start.0 as u64..end.0 as u64,
        target: start.1 as u64..end.1 as u64,
        path: path.into(),
    })
}

fn too_large(pair: usize, query: usize, target: usize) -> Error {
    let number = pair + 1;
    Error::Usage(format!(
        "pair {number} of the batch has {query} x {target} symbols: the naive reference keeps whole matrices and takes at \
         most {MOST_CELLS} cells; verify with the CPU engine instead (--verify cpu)"
    ))
}

#[cfg(test)]
mod tests;
