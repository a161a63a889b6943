//! The CPU's search in Hamming space: exact, every query against every target, on all cores.
//!
//! # Who does what
//!
//! ```text
//! Cut       queries in blocks, and when these are too few for all cores, the targets in ranges
//! Tile      up to 16 KB of targets, so that they stay in L1, eight side by side: word w of targets 8g..8g + 8 is a vector
//! lanes     distances of a query to eight targets: xor, population count, add, word by word
//! Nearest   the best of a query so far, and the distance that a target must stay below
//! Least     a tile's distances, and the least of each group of targets
//! Sums      in the vectors of AVX-512 with VPOPCNTDQ, of AVX2, or in arrays
//! ```
//!
//! A block of queries meets a tile before the next tile is made, so the turning of words into vectors is shared by the
//! block. No number is summed across a vector: each lane has its own target. One target in thousands is near enough to be
//! looked at, so the loop asks only whether any of eight is. The population count of vectors is that of Muła, Kurz and Lemire
//! (2018), Computer Journal 61, p. 111.
//!
//! # Why it is right at the edges
//!
//! Targets come to a query in their order, and one that is as far as the worst of a full list stays out: of targets as far,
//! the first are kept. Lists of ranges are merged by distance and target, and the least of a group that is cut is the least
//! of its parts; so neither the cut nor the number of threads shows. The last lanes of a tile may hold no target: they are
//! computed, and dropped by their number.

mod cut;
mod lanes;
mod least;
mod nearest;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::{Compared, Comparing, Comparison, Distances};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_simd::InstructionSet;

/// The CPU engine. Uses rayon's current thread pool.
pub struct Cpu {
    set: InstructionSet,
}

impl Cpu {
    /// An engine for this machine.
    pub fn new() -> Self {
        Self { set: InstructionSet::detect() }
    }
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Executor<Comparing> for Cpu {
    fn compute(&mut self, job: Comparison, output: &mut Compared) -> Result<()> {
        let (queries, targets) = (job.queries(), job.targets());
        *output = Compared::default();
        match job.wanted() {
            Distances::Nearest(limits) => output.neighbours = nearest::nearest(self.set, queries, targets, limits),
            Distances::Least(groups) => output.least = least::least(self.set, queries, targets, groups),
        }
        Ok(())
    }
}

/// The words of signatures, for comparing only: in this machine's order of bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("chunks of 8")))
}

#[cfg(test)]
mod tests;
