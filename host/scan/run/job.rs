//! What an engine thread does with a batch: check, find, choose, write as text.

use super::Run;
use super::verify::Check;
use crate::error::Result;
use crate::profile;
use crate::scan::format::Line;
use crate::scan::input::{self, Work};
use crate::scan::report::Row;
use crate::scan::{Batch, Executor};
use std::time::{Duration, Instant};

/// What became of a batch.
pub struct Answer {
    /// Its rows, formatted.
    pub text: Vec<u8>,
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
    pub fn search(&mut self, work: Work) -> Result<Answer> {
        let (request, batch) = (self.run.request, &work.batch);
        let gaps = {
            let _range = profile::range("check");
            input::check(&request.samples, &work, &request.options)?
        };
        let start = Instant::now();
        let question = self.run.question(request.format.has_hash() || self.check.is_some());
        let hits = {
            let _range = profile::range("find");
            self.executor.find(batch)?
        };
        let (rows, hashes) = question.choose(batch, hits);
        let call = start.elapsed();
        let verified = match &mut self.check {
            Some(check) => Some(check.compare(self.run, batch, (&rows, &hashes))?),
            None => None,
        };
        let text = self.text(batch, &rows, &hashes);
        let lengths = batch.starts.windows(2).map(|ends| ends[1] - ends[0]);
        let answer = Answer {
            text,
            samples: batch.len() as u64,
            letters: batch.bases.len() as u64,
            rows: rows.len() as u64,
            gaps,
            longest: lengths.max().unwrap_or(0),
            call,
            verified,
        };
        self.run.pool.give_back(work);
        Ok(answer)
    }

    fn text(&self, batch: &Batch, rows: &[Row], hashes: &[Option<u8>]) -> Vec<u8> {
        let mut text = Vec::new();
        for (row, &hash) in rows.iter().zip(hashes) {
            let sample = &batch.names[row.sample as usize];
            let signature = &self.run.signatures[row.signature as usize].name;
            let line = Line { sample, signature, row, hash };
            self.run.request.format.write_row(&mut text, &line).expect("writing to memory does not fail");
        }
        text
    }
}
