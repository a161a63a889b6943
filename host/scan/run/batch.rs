//! What a worker does with a batch: find, choose, write as text.

use super::Run;
use super::crowded::{Bounds, Crowded};
use super::fragments::{Fragments, Joined};
use crate::engine::Search;
use crate::format::Line;
use crate::inputs::Input;
use crate::report::Row;
use crate::{Job, Records, find_within};
use warpseq_engine::error::Result;
use warpseq_engine::profile;
use warpseq_engine::worker::Worker;
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
    /// Bases of the longest sequence.
    pub longest: u64,
}

impl Run<'_> {
    /// Searches a batch.
    ///
    /// # Errors
    /// Mates of different names; those of the executors; a difference between them.
    pub fn search<'s>(&self, worker: &mut Worker<'s, Search<'s>>, fragments: Fragments) -> Result<Searched> {
        let input = &self.request.inputs.all()[fragments.input];
        let Joined { records, spare } = fragments.join(self)?;
        let batch = &records;
        // Verification compares whole batches.
        let most = if worker.verifies() { usize::MAX } else { (self.memory.matches / MATCH_BYTES).max(1) };
        let mut rows = Rows { run: self, input, batch, text: Spool::new(self.memory.rows, self.folder), rows: 0 };
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
        spare.give_back(records, self.memory.batch);
        Ok(Searched { text, sequences, bases, rows, longest })
    }
}

/// The rows of a batch as text.
struct Rows<'a> {
    run: &'a Run<'a>,
    input: &'a Input,
    batch: &'a Records,
    text: Spool,
    rows: u64,
}

impl Rows<'_> {
    fn write(&mut self, rows: &[Row], hashes: &[Option<u8>]) -> Result<()> {
        let Self { run, input, batch, .. } = *self;
        let (format, paired) = (run.request.format, input.reads.are_paired());
        let sample = &run.request.inputs.samples()[input.sample];
        for (row, &hash) in rows.iter().zip(hashes) {
            let k = row.sequence as usize;
            let (sequence, length) = (batch.name(k), batch.sequence(k).len() as u64);
            let mate = paired.then_some(1 + (k % 2) as u8);
            let signature = run.search.signatures[row.signature as usize].name();
            let line = Line { sample, sequence, mate, length, signature, row, hash };
            self.text.put_with(|text| format.write_row(text, &line).expect("writing to memory does not fail"))?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }
}
