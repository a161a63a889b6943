//! The CPU engine: many pairs side by side in the lanes of vectors (Rognes 2011), on all cores.
//!
//! # Who does what
//!
//! ```text
//! Alphabet    the residues that occur, as classes to compare or as codes to look up; padding
//! packed      pairs of like lengths, a pair to a lane, narrow lanes first    \  a Block: a rectangle in each lane,
//! tiled       long pairs, a tile to a lane, anti-diagonal by anti-diagonal   /  with the borders it begins at
//! strip       the recurrence: four rows of up to 64 columns in every lane
//! Ends        score and end of each lane
//! Table       the directions of all cells of short pairs; Traceback follows them
//! Patches     the 64 x 64 cells where each lane's path is, once more and with directions; Traceback follows them
//! ```
//!
//! # Two passes
//!
//! The forward pass finds score and end. It stores no directions, only every 64th row and column (Grice, Hughey and Speck
//! 1997). From the end, each lane's path goes from patch to patch; only those are computed again. Nothing is kept of lanes
//! whose cells do not matter, and a local alignment pays for the cells near its path only.
//!
//! Pairs so short that the directions of all their cells stay in the second cache take one pass: it stores these, too (`table`).
//!
//! # Why it is right at the edges
//!
//! Pairs in the lanes of a group differ in length. Rows and columns past a pair's end are padding, which flows right and down
//! only, and is never the maximum (`alphabet`). Lanes are as wide as the bounds on scores ask (`reach`); lanes of 8 and
//! 16 bits may be tried with less, and then tell when they were too narrow. The tie rules are those of one comparison each:
//! ends are offered in the order of cells and replaced by higher scores only (`ends`), directions are chosen diagonal, up,
//! left, with stop before or behind them (`strip`). Which pairs share a group, and which thread takes it, decides nothing
//! but speed.
//!
//! # Memory
//!
//! Less than 64 MB for each thread, of which 2 MB stay between jobs, what is kept of long pairs (256 MB, up to 1 GB when a single path needs it), and the
//! alignments.

mod alphabet;
mod block;
mod blocks;
mod border;
mod checkpoints;
mod codes;
mod ends;
mod grid;
mod job;
mod lookup;
mod packed;
mod patches;
mod question;
mod reach;
mod strip;
mod table;
mod tiled;
mod traceback;
pub(crate) mod vector;
mod window;
pub(crate) mod worth;

use super::{Aligning, Alignment};
use alphabet::Alphabet;
use blocks::Blocks;
use ends::on_the_border;
use job::Job;
use traceback::Traceback;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Asked, Executor, Parts, Patient, Watch};
use warpseq_simd::InstructionSet;

/// The CPU engine. Uses rayon's current thread pool.
pub struct Cpu {
    set: InstructionSet,
    limits: Limits,
    blocks: Blocks,
}

/// Which pairs are cut into tiles.
#[derive(Clone, Copy)]
struct Limits {
    /// Pairs of more cells, whatever else there is.
    cells: u64,
    /// Pairs with a longer sequence, likewise.
    length: usize,
    /// Pairs of more cells, when there are too few of them to fill the lanes of all threads.
    few: u64,
}

/// What a group keeps is then below 32 MB for each thread.
const LIMITS: Limits = Limits { cells: 1 << 22, length: 1 << 15, few: 1 << 20 };
/// Pairs that fill the lanes of a thread.
const FULL: usize = 64;

impl Cpu {
    /// An engine for this machine.
    pub fn new() -> Self {
        Self::with_instructions(InstructionSet::detect())
    }

    /// An engine that uses no wider vectors than these.
    pub fn with_instructions(set: InstructionSet) -> Self {
        Self { set, limits: LIMITS, blocks: Blocks::default() }
    }
}

impl Limits {
    /// The pairs that are cut into tiles, and the others.
    fn divide(self, job: &Job, pairs: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let cells = |k: usize| job.cells(k) as u64;
        let long = |&k: &usize| cells(k) > self.cells || job.lengths(k).iter().any(|&length| length > self.length);
        let (mut tiled, packed): (Vec<_>, Vec<_>) = pairs.into_iter().partition(long);
        let (medium, mut short): (Vec<_>, Vec<_>) = packed.into_iter().partition(|&k| cells(k) > self.few);
        if medium.len() < FULL * rayon::current_num_threads() { &mut tiled } else { &mut short }.extend(medium);
        (tiled, short)
    }
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Executor<Aligning> for Cpu {
    fn compute(&mut self, job: super::Job, output: &mut Vec<Alignment>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: super::Job, output: &mut Vec<Alignment>, watch: &dyn Watch) -> Result<bool> {
        let super::Job { batch, scoring, want, .. } = job;
        let alphabet = Alphabet::new(&batch, scoring);
        let cells = (0..batch.pairs().len()).map(|k| batch.lengths(k)).map(|(rows, columns)| rows * columns);
        let watch = Asked::new(watch);
        let parts = Parts::new(&watch, cells.sum());
        let job = Job { batch: &batch, scoring, alphabet: &alphabet, want, parts: &parts, blocks: &self.blocks };
        let (some, empty): (Vec<usize>, Vec<usize>) =
            (0..batch.pairs().len()).partition(|&k| !job.lengths(k).contains(&0));
        let (long, short) = self.limits.divide(&job, some);
        let mut aligned = job.align_packed(self.set, short);
        aligned.extend(job.align_tiled(self.set, long)?);
        aligned.extend(empty.into_iter().map(|k| {
            let (score, end) = on_the_border(scoring, job.lengths(k));
            (k, job.told(Traceback::from(end), score, end))
        }));
        self.blocks.end_job();
        output.clear();
        if !watch.is_wanted() {
            return Ok(false);
        }
        aligned.sort_unstable_by_key(|&(k, _)| k);
        output.extend(aligned.into_iter().map(|(_, alignment)| alignment));
        Ok(true)
    }
}

#[cfg(test)]
pub(crate) mod tests;
