//! What is asked of every batch: which signatures, under which options, and whether the integrity hashes are wanted.
//!
//! An executor that leaves the CPU idle (a GPU) is waited for while the CPU hashes all samples; one that uses the CPU itself
//! is followed by the hashes of those samples that have rows.

use super::report::{self, Row};
use super::{Batch, Executor, Hit, Options, Pattern, Signature};
use crate::error::Result;
use crate::profile;
use rayon::prelude::*;

/// See the module.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub options: &'a Options,
    pub signatures: &'a [Signature],
    /// Those of `signatures` under `options`.
    pub patterns: &'a [Pattern],
    /// Whether integrity hashes are wanted.
    pub hashed: bool,
}

/// All matches of a batch, and the hash of each sample if it was free.
pub struct Found {
    pub hits: Vec<Hit>,
    hashes: Option<Vec<Option<u8>>>,
}

impl Question<'_> {
    /// Has `executor` find all matches.
    ///
    /// # Errors
    /// Those of the executor.
    pub fn find(&self, executor: &mut dyn Executor, batch: &Batch) -> Result<Found> {
        let _range = profile::range("find");
        if !(self.hashed && executor.leaves_cpu_idle()) {
            return Ok(Found { hits: executor.find(batch)?, hashes: None });
        }
        // Finding takes one of the pool's threads, so that the thread that feeds the GPU never waits for a processor.
        let (hits, hashes) = rayon::join(|| executor.find(batch), || self.hash_all(batch));
        Ok(Found { hits: hits?, hashes: Some(hashes) })
    }

    fn hash_all(&self, batch: &Batch) -> Vec<Option<u8>> {
        let hash = |sample| batch.quality(sample).map(|quality| report::integrity_hash(quality, self.options.phred));
        (0..batch.len()).into_par_iter().map(hash).collect()
    }

    /// The rows among what was found, and for each the hash of its sample (`None` where not wanted or without qualities).
    pub fn choose(&self, batch: &Batch, found: Found) -> (Vec<Row>, Vec<Option<u8>>) {
        let _range = profile::range("choose");
        let rows = report::choose(self.options, self.signatures, batch, self.patterns, found.hits);
        let hashes = match found.hashes {
            _ if !self.hashed => vec![None; rows.len()],
            Some(of_samples) => rows.iter().map(|row| of_samples[row.sample as usize]).collect(),
            None => report::integrity_hashes(self.options, batch, &rows),
        };
        (rows, hashes)
    }
}
