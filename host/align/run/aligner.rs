//! An executor at work: timed, on one strand or both, and compared with a second executor where that is asked for.

use super::verify::Second;
use crate::pairing::Work;
use crate::{Alignment, Batch, Executor, Pair, Scoring, Sequences, Want};
use std::ops::AddAssign;
use std::time::{Duration, Instant};
use warpseq_engine::error::Result;

/// What aligning took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The time of the executor.
    pub call: Duration,
    /// The time of the second one.
    pub verified: Duration,
    /// Cells that the executor computed: query length times target length, summed.
    pub cells: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.call += other.call;
        self.verified += other.verified;
        self.cells = self.cells.saturating_add(other.cells);
    }
}

/// Queries in the directions in which they are aligned; not both are `None`.
#[derive(Clone, Copy)]
pub struct Strands<'a> {
    /// As read.
    pub forward: Option<&'a Sequences>,
    /// Their reverse complements.
    pub reverse: Option<&'a Sequences>,
}

/// An alignment, and whether it is one of the query's reverse complement.
pub type Stranded = (Alignment, bool);

/// What is asked of an executor.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub scoring: &'a Scoring,
    pub want: Want,
}

/// See the module.
pub struct Aligner<'a> {
    pub executor: Box<dyn Executor + 'a>,
    pub second: Option<Second>,
    /// Since it was last taken.
    pub effort: Effort,
}

impl Aligner<'_> {
    /// The better alignment of each of `pairs`, which are some of the work's; forward where both are as good.
    ///
    /// # Errors
    /// Those of the executors; [`warpseq_engine::error::Error::Mismatch`] with the first pair that they align differently.
    pub fn align(&mut self, work: &Work, strands: Strands, pairs: &[Pair], asked: Asked) -> Result<Vec<Stranded>> {
        let mut one_way = |queries: &Sequences, reverse| -> Result<Vec<Stranded>> {
            let batch = Batch::new(queries, work.targets.sequences(), pairs);
            let alignments = self.timed(&batch, asked)?;
            if let Some(second) = &mut self.second {
                self.effort.verified += second.compare(work, &batch, asked, &alignments)?;
            }
            Ok(alignments.into_iter().map(|alignment| (alignment, reverse)).collect())
        };
        let forward = strands.forward.map(|queries| one_way(queries, false)).transpose()?;
        let reverse = strands.reverse.map(|queries| one_way(queries, true)).transpose()?;
        Ok(match (forward, reverse) {
            (Some(forward), Some(reverse)) => forward.into_iter().zip(reverse).map(better).collect(),
            (one, other) => one.or(other).expect("one of the strands is wanted"),
        })
    }

    fn timed(&mut self, batch: &Batch, asked: Asked) -> Result<Vec<Alignment>> {
        let start = Instant::now();
        let alignments = self.executor.align(batch, asked.scoring, asked.want)?;
        self.effort.call += start.elapsed();
        let cells = |(query, target)| query as u64 * target as u64;
        let cells = (0..batch.pairs().len()).fold(0_u64, |all, k| all.saturating_add(cells(batch.lengths(k))));
        self.effort.cells = self.effort.cells.saturating_add(cells);
        assert_eq!(alignments.len(), batch.pairs().len(), "an executor answers each pair");
        Ok(alignments)
    }
}

fn better((forward, reverse): (Stranded, Stranded)) -> Stranded {
    if reverse.0.score > forward.0.score { reverse } else { forward }
}
