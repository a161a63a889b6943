//! What a worker does with a batch: find, choose, write as text.

use super::Run;
use super::crowded::{Bounds, Crowded};
use crate::engine::Search;
use crate::format::Line;
use crate::report::Row;
use crate::{Job, Records, find_within};
use warpseq_engine::error::Result;
use warpseq_engine::profile;
use warpseq_engine::worker::Worker;
use warpseq_io::fastx::Batch;
use warpseq_io::output::spool::Spool;

/// Bytes that a match takes while it is found, sorted, chosen and hashed, with the spare capacity of vectors.
const MATCH_BYTES: usize = 200;

/// What became of a batch.
pub struct Searched {
    /// Its rows, formatted.
    pub text: Spool,
    pub sequences: u64,
    pub bases: u64,
    pub rows: u64,
    /// How many `-` there are among the bases.
    pub gaps: u64,
    /// Bases of the longest sequence.
    pub longest: u64,
}

impl Run<'_> {
    /// Searches a batch.
    ///
    /// # Errors
    /// Those of the executors; a difference between them.
    pub fn search<'s>(&self, worker: &mut Worker<'s, Search<'s>>, batch: Batch) -> Result<Searched> {
        let Batch { records, counted: gaps, .. } = batch;
        let batch = &records;
        // Verification compares whole batches.
        let most = if worker.verifies() { usize::MAX } else { (self.memory.matches / MATCH_BYTES).max(1) };
        let mut rows = Rows { run: self, batch, text: Spool::new(self.memory.rows, self.folder), rows: 0 };
        let found = worker.timed(|executor| {
            let _range = profile::range("find");
            find_within(executor, batch, most)
        })?;
        worker.verify(Job { batch, most }, &found)?;
        match found {
            Some(hits) => {
                let (chosen, hashes) = worker.timed(|_| Ok(self.search.choose(batch, hits)))?;
                rows.write(&chosen, &hashes)?;
            }
            None => worker.timed(|executor| {
                let bounds = Bounds { matches: most, bases: self.memory.batch };
                Crowded::new(executor, self.search, batch, bounds).search(&mut |some, hashes| rows.write(some, hashes))
            })?,
        }
        let Rows { text, rows, .. } = rows;
        let longest = batch.sequences().lengths().max().unwrap_or(0);
        let (sequences, bases) = (batch.len() as u64, batch.sequences().residues().len() as u64);
        self.spare.give_back(records, self.memory.batch);
        Ok(Searched { text, sequences, bases, rows, gaps, longest })
    }
}

/// The rows of a batch as text.
struct Rows<'a> {
    run: &'a Run<'a>,
    batch: &'a Records,
    text: Spool,
    rows: u64,
}

impl Rows<'_> {
    fn write(&mut self, rows: &[Row], hashes: &[Option<u8>]) -> Result<()> {
        for (row, &hash) in rows.iter().zip(hashes) {
            let k = row.sequence as usize;
            let (sequence, length) = (self.batch.name(k), self.batch.sequence(k).len() as u64);
            let signature = self.run.search.signatures[row.signature as usize].name();
            let line = Line { sample: &self.run.sample, sequence, length, signature, row, hash };
            let format = self.run.request.format;
            self.text.put_with(|text| format.write_row(text, &line).expect("writing to memory does not fail"))?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }
}
