//! What an engine thread does with a batch: check, find, choose, write as text.

use super::Run;
use super::crowded::{Bounds, Crowded};
use super::verify::Check;
use crate::format::Line;
use crate::input::{self, Work};
use crate::report::Row;
use crate::{Executor, Records};
use std::time::{Duration, Instant};
use warpseq_engine::error::Result;
use warpseq_engine::profile;
use warpseq_io::output::spool::Spool;

/// Bytes that a match takes while it is found, sorted, chosen from and hashed, what vectors keep in reserve included.
const MATCH_BYTES: usize = 200;

/// What became of a batch.
pub struct Answer {
    /// Its rows, formatted.
    pub text: Spool,
    pub samples: u64,
    pub letters: u64,
    pub rows: u64,
    /// `-` among the letters.
    pub gaps: u64,
    /// Letters of the longest sample.
    pub longest: u64,
    /// How long searching, choosing and scoring took.
    pub call: Duration,
    /// How long the other executor took, when there was one.
    pub verified: Option<Duration>,
}

/// An executor at work for a run.
pub struct Job<'a> {
    pub run: &'a Run<'a>,
    pub executor: Box<dyn Executor + 'a>,
    pub check: Option<Check>,
}

impl Job<'_> {
    /// Searches a batch.
    ///
    /// # Errors
    /// An illegal letter or quality; those of the executor; a difference from the other executor.
    pub fn search(&mut self, mut work: Work) -> Result<Answer> {
        let (request, batch) = (self.run.request, &work.batch);
        let gaps = {
            let _range = profile::range("check");
            input::check(&request.samples, &work, &request.options)?
        };
        let start = Instant::now();
        let question = self.run.question(request.format.has_hash() || self.check.is_some());
        let mut told = Told::new(self.run, batch);
        let found = {
            let _range = profile::range("find");
            self.executor.find_within(batch, self.most())?
        };
        let (call, verified) = match found {
            Some(hits) => {
                let (rows, hashes) = question.choose(batch, hits);
                let call = start.elapsed();
                let compare = |check: &mut Check| check.compare(self.run, batch, (&rows, &hashes));
                let verified = self.check.as_mut().map(compare).transpose()?;
                told.tell(&rows, &hashes)?;
                (call, verified)
            }
            None => {
                let bounds = Bounds { matches: self.most(), letters: self.run.batches.bytes };
                let mut crowded = Crowded::new(&mut *self.executor, question, batch, bounds);
                crowded.search(&mut |rows, hashes| told.tell(rows, hashes))?;
                (start.elapsed(), None)
            }
        };
        let sequences = batch.sequences();
        let Told { text, rows, .. } = told;
        let (samples, letters, longest) =
            (sequences.len() as u64, sequences.residues().len() as u64, sequences.lengths().max().unwrap_or(0));
        work.clear(self.run.batches.bytes);
        self.run.pool.give_back(work);
        Ok(Answer { text, samples, letters, rows, gaps, longest, call, verified })
    }

    /// The most matches at a time. Whoever verifies compares whole batches.
    fn most(&self) -> usize {
        if self.check.is_some() { usize::MAX } else { (self.run.batches.matches / MATCH_BYTES).max(1) }
    }
}

/// The rows of a batch as text.
struct Told<'a> {
    run: &'a Run<'a>,
    batch: &'a Records,
    text: Spool,
    rows: u64,
}

impl<'a> Told<'a> {
    fn new(run: &'a Run<'a>, batch: &'a Records) -> Self {
        Self { run, batch, text: Spool::new(run.batches.results, run.folder), rows: 0 }
    }

    fn tell(&mut self, rows: &[Row], hashes: &[Option<u8>]) -> Result<()> {
        for (row, &hash) in rows.iter().zip(hashes) {
            let sample = self.batch.name(row.sample as usize);
            let signature = &self.run.signatures[row.signature as usize].name;
            let line = Line { sample, signature, row, hash };
            let format = self.run.request.format;
            self.text.put_with(|text| format.write_row(text, &line).expect("writing to memory does not fail"))?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }
}
