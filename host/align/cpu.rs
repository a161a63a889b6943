//! cpu
mod alphabet;
mod block;
mod border;
mod checkpoints;
mod codes;
mod ends;
mod lookup;
mod machine;
mod packed;
mod question;
mod reach;
mod strip;
mod tiles;
mod vector;
mod walk;
mod window;

use super::{Alignment, Batch, Executor, Scoring, Want};
use crate::error::Result;
use alphabet::Alphabet;
use ends::on_the_border;
use machine::Machine;
use packed::Job;
use walk::Walk;

/// The CPU engine. Uses rayon's current thread pool.
pub struct Cpu {
    machine: Machine,
}

impl Cpu {
    /// An engine for this machine.
    pub fn new() -> Self {
        Self { machine: Machine::detect() }
    }
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Executor for Cpu {
    fn align(&mut self, batch: &Batch, scoring: &Scoring, want: Want) -> Result<Vec<Alignment>> {
        let alphabet = Alphabet::new(batch, scoring);
        let job = Job { batch, scoring, alphabet: &alphabet, want };
        let (some, empty): (Vec<usize>, Vec<usize>) = (0..batch.pairs.len()).partition(|&k| !job.lengths(k).contains(&0));
        let mut aligned = job.align_packed(self.machine, some);
        aligned.extend(empty.into_iter().map(|k| {
            let (score, end) = on_the_border(scoring, job.lengths(k));
            (k, job.told(Walk::from(end), score, end))
        }));
        aligned.sort_unstable_by_key(|&(k, _)| k);
        Ok(aligned.into_iter().map(|(_, alignment)| alignment).collect())
    }
}

#[cfg(test)]
mod tests;
