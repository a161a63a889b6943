//! Scores of a whole database on the CPU: a target to a lane, and none of the pairs an object.
//!
//! # Who does what
//!
//! ```text
//! Tiles      as many targets of like lengths as there are lanes, by queries of some 2,000 residues: what a thread takes at a time
//! Block      a tile: eight columns at a time, for each code that queries have its scores with them; then all rows
//! sweep      the recurrence: one query over eight columns of all lanes
//! Chosen     the best targets of a query so far
//! Pairs      what fits no lanes, pair by pair: the aligner
//! ```
//!
//! All lanes meet the same query residue, so the scores of eight columns are looked up once for each code and then serve
//! every row that has it (Rognes 2011, "profile"). A lane keeps its highest score and nothing else.
//!
//! # Why the scores are right
//!
//! The least number of a lane stands for 0, so arithmetic that saturates is the maximum with 0 of a local alignment; gaps that
//! fall below 0 are as good as those at 0, since neither raises a score. A score beyond the largest number stops at it: such a
//! lane is told apart, and its target scored again, first in 16 bits, then by the aligner. Below it nothing was ever cut off.
//! Columns past the end of a target score the least that there is, so nothing there exceeds the cell it came from.
//!
//! # Memory
//!
//! Less than 32 MB for each thread (the rows of the longest query), some pairs at a time that need wider lanes, and what is kept:
//! about twice `top` targets of each query, or without `top` those that pass.

mod block;
mod chosen;
mod pairs;
mod passes;
mod sweep;
mod table;
mod tiles;

use super::{Rank, Ranking, Scored};
use crate::Pair;
use crate::cpu::Cpu as Aligner;
use chosen::Chosen;
use pairs::Pairs;
use passes::Passes;
use std::sync::Mutex;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Parts, Watch};
use warpseq_simd::InstructionSet;

/// Ranks on the CPU. Uses rayon's current thread pool.
pub struct Cpu {
    set: InstructionSet,
    aligner: Aligner,
    limits: Limits,
}

/// Where lanes end. Only speed depends on it.
#[derive(Clone, Copy)]
struct Limits {
    /// The longest sequence that goes to a lane.
    length: usize,
    /// The most pairs of a pass, but for those of one block of targets.
    pairs: usize,
    /// Pairs that the aligner gets at a time.
    few: usize,
}

/// The rows of both strands of the longest query take 16 MB.
const LIMITS: Limits = Limits { length: 1 << 16, pairs: 1 << 22, few: 1 << 16 };

impl Cpu {
    /// One for this machine.
    pub fn new() -> Self {
        Self::with_instructions(InstructionSet::detect())
    }

    /// One that uses no wider vectors than these.
    pub fn with_instructions(set: InstructionSet) -> Self {
        Self { set, aligner: Aligner::with_instructions(set), limits: LIMITS }
    }
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Rank for Cpu {
    fn rank(&mut self, ranking: &Ranking, watch: &dyn Watch) -> Result<Vec<Vec<Scored>>> {
        let of_query = |&least: &i64| Mutex::new(Chosen::new(ranking.top, least));
        let chosen: Vec<Mutex<Chosen>> = ranking.least.iter().map(of_query).collect();
        let mut pairs = Pairs::new(ranking, &chosen, (&mut self.aligner, self.limits.few), watch);
        let passes = Passes::new(ranking, &chosen, self.limits);
        let (inside, outside) = passes.queries();
        let blocks = passes.blocks(self.set);
        for &target in ranking.database.order() {
            outside.iter().try_for_each(|&query| pairs.add(Pair { query, target }))?;
        }
        for &target in &blocks.alone {
            inside.iter().try_for_each(|&query| pairs.add(Pair { query, target }))?;
        }
        let parts = Parts::new(watch, blocks.full.len() * inside.len());
        for blocks in blocks.full.chunks((self.limits.pairs / blocks.lanes / inside.len().max(1)).max(1)) {
            passes.run(self.set, inside, blocks, &parts).into_iter().try_for_each(|pair| pairs.add(pair))?;
        }
        pairs.finish()?;
        Ok(chosen.into_iter().map(|chosen| chosen::unlocked(chosen).finish()).collect())
    }
}

#[cfg(test)]
mod tests;
