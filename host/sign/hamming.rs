//! The CPU's search in Hamming space: exact, every query against every target, on all cores.
//!
//! # Who does what
//!
//! ```text
//! Cut       cuts queries into blocks, and, if these are too few for all cores, targets into ranges
//! Tile      up to 16 KB of targets, so that they stay in L1, eight side by side: word w of targets 8g..8g + 8 is a vector
//! lanes     distances of a query to eight targets: xor, population count, add, word by word
//! Nearest   the best of a query so far, and the distance that a target must stay below
//! Least     a tile's distances, and the least of each group of targets
//! Sums      in the vectors of AVX-512 with VPOPCNTDQ, of AVX2, or in arrays
//! ```
//!
//! A tile is compared with a whole block of queries before the next tile is made, so the cost of laying it out is shared. No
//! number is summed across a vector: each lane has its own target. About one target in thousands is near enough, so the loop
//! only asks whether any of eight is. The population count of vectors is that of Muła, Kurz and Lemire (2018), Computer
//! Journal 61, p. 111.
//!
//! # Why it is right at the edges
//!
//! A query sees the targets in order, and a target that is no nearer than the worst of a full list is not kept. So of
//! targets at the same distance, the first are kept. The lists of ranges are merged by distance and target, and the least
//! distance to a group that is cut is the least to its parts. So the result depends neither on the cut nor on the number of
//! threads. The last lanes of a tile may hold no target: they are computed, and dropped by their number.

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
        Self::with_instructions(InstructionSet::detect())
    }

    /// An engine that uses no wider vectors than these.
    pub fn with_instructions(set: InstructionSet) -> Self {
        Self { set }
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

/// The 64-bit words of signatures, in the byte order of the machine, which is enough to compare them.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("chunks of 8")))
}

#[cfg(test)]
mod tests;
