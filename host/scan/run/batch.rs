//! What a worker does with a batch: find, count, choose, write as text.

use super::Run;
use super::crowded::{Bounds, Crowded, Taker};
use super::fragments::{Fragments, Joined};
use super::reads::Texts;
use super::tally::{Counted, Tallies, Tally};
use super::text::Text;
use crate::counts::Totals;
use crate::engine::Search;
use crate::facts::Passed;
use crate::format::Line;
use crate::inputs::Input;
use crate::report::Row;
use crate::{Choice, Hit, Job, Records, Streak, find_within};
use std::sync::{Mutex, PoisonError};
use warpseq_engine::error::Result;
use warpseq_engine::profile;
use warpseq_engine::worker::Worker;
use warpseq_io::output::spool::Spool;
use warpseq_seq::Sequences;

/// Bytes that a match takes while it is found, sorted, chosen and hashed, with the spare capacity of vectors.
const MATCH_BYTES: usize = 200;

/// The same where no rows are made.
const COUNTED_BYTES: usize = 64;

/// What became of a batch.
pub struct Searched {
    /// Its sample.
    pub sample: usize,
    /// Its rows, formatted.
    pub text: Spool,
    /// The fragments that go to files.
    pub reads: Texts,
    /// The fragments that count.
    pub totals: Totals,
    /// What became of all fragments.
    pub passed: Passed,
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
        let Joined { records, texts, repeated, spare } =
            fragments.join(&self.request.inputs, (&self.spare, self.memory.batch))?;
        let batch = &records;
        let mut taken = Taken::new(self, input, batch, &repeated);
        // Verification compares whole batches.
        let bytes = if self.request.format.is_some() { MATCH_BYTES } else { COUNTED_BYTES };
        let most = if worker.verifies() { usize::MAX } else { (self.memory.matches / bytes).max(1) };
        let (bases, density) = (batch.sequences().residues().len(), &self.search.shared.density);
        let chained = Mutex::default();
        let streaks = (!worker.verifies() && !taken.wants_rows()).then_some(&chained);
        let begins_with_part = !worker.verifies() && Crowded::begins_with_part(self.search, batch);
        let found = match begins_with_part || density.matches(bases) > most {
            true => None,
            false => worker.timed(|executor| {
                let _range = profile::range("find");
                find_within(executor, Job { choice: taken.needs(), streaks, ..Job::new(batch, most) })
            })?,
        };
        worker.verify(Job::new(batch, most), &found)?;
        match found {
            Some(hits) => {
                let streaks = chained.into_inner().unwrap_or_else(PoisonError::into_inner);
                density.learn(bases, hits.len() + streaks.iter().map(|streak| streak.count as usize).sum::<usize>());
                taken.count(&hits, &streaks);
                if taken.wants_rows() {
                    let (chosen, hashes) = worker.timed(|_| Ok(self.search.choose(batch, hits)))?;
                    taken.tell(&chosen, &hashes)?;
                }
            }
            None => worker.timed(|executor| {
                let bounds = Bounds { matches: most, bases: self.memory.batch };
                Crowded::new(executor, self.search, batch, bounds).search(&mut taken)
            })?,
        }
        let searched = taken.finish(&texts)?;
        spare.give_back(records, self.memory.batch);
        Ok(searched)
    }
}

/// What is taken of the matches and rows of a batch.
struct Taken<'a> {
    run: &'a Run<'a>,
    input: &'a Input,
    batch: &'a Records,
    counted: Counted<'a>,
    /// The table that the matches are counted in.
    tally: Option<Tally>,
    /// Whether a fragment is matched; empty where nobody asks.
    matched: Vec<bool>,
    text: Text,
    rows: u64,
}

impl<'a> Taken<'a> {
    fn new(run: &'a Run<'a>, input: &'a Input, batch: &'a Records, repeated: &'a [bool]) -> Self {
        let paired = input.reads.are_paired();
        let fragments = batch.len() >> usize::from(paired);
        let counted = Counted { paired, fragments, repeated };
        let tally = run.tallies.as_ref().map(|tallies| tallies.take(input.sample, counted));
        let matched = vec![false; if run.request.asks_for_matched() { fragments } else { 0 }];
        // Putting groups together takes twice that.
        let most = run.memory.rows / if run.search.tables.is_some() { 2 } else { 1 };
        Self { run, input, batch, counted, tally, matched, text: Text::new(most, run.folder), rows: 0 }
    }

    /// Counts matches, those of `streaks` too.
    fn count(&mut self, hits: &[Hit], streaks: &[Streak]) {
        if !self.matched.is_empty() {
            let matched = hits.iter().map(|hit| hit.sequence).chain(streaks.iter().map(|streak| streak.sequence));
            matched.for_each(|sequence| self.matched[self.counted.fragment(sequence)] = true);
        }
        if let Some(tally) = &mut self.tally {
            match &self.run.signature_of[..] {
                [] => tally.add((hits, streaks), |pattern| pattern / 2, self.counted),
                signatures => tally.add((hits, streaks), |pattern| signatures[pattern as usize], self.counted),
            }
        }
    }

    /// What became of the batch, whose records have these `texts`.
    ///
    /// # Errors
    /// Those of the file in which rows wait.
    fn finish(self, texts: &Sequences) -> Result<Searched> {
        let Self { run, input: &Input { sample, .. }, batch, counted, tally, matched, text, rows } = self;
        if let (Some(tally), Some(tallies)) = (tally, &run.tallies) {
            tallies.give_back(sample, counted, tally);
        }
        let longest = batch.sequences().lengths().max().unwrap_or(0);
        let (sequences, bases) = (batch.len() as u64, batch.sequences().residues().len() as u64);
        let passed = counted.passed(&matched);
        let reads = run.request.reads_out.texts(counted.paired, &matched, |record| texts.get(record));
        let (text, totals) = (text.finish()?, counted.totals(batch));
        Ok(Searched { sample, text, reads, totals, passed, sequences, bases, rows, longest })
    }
}

impl Counted<'_> {
    /// What became of the fragments of a batch, given whether each is matched.
    fn passed(&self, matched: &[bool]) -> Passed {
        let count = |flags: &[bool]| flags.iter().filter(|&&flag| flag).count() as u64;
        let is_matched = count(matched);
        Passed { matched: is_matched, unmatched: matched.len() as u64 - is_matched, repeated: count(self.repeated) }
    }

    /// The fragments of a batch that count.
    fn totals(&self, batch: &Records) -> Totals {
        let records = |fragment| if self.paired { 2 * fragment..2 * fragment + 2 } else { fragment..fragment + 1 };
        let repeated: Vec<usize> =
            (0..self.fragments).filter(|&fragment| self.is_repeated(fragment)).flat_map(records).collect();
        let bases = repeated.iter().map(|&record| batch.sequences().length(record) as u64).sum::<u64>();
        let fragments = (batch.len() - repeated.len()) as u64;
        let (sequences, pairs) = if self.paired { (0, fragments / 2) } else { (fragments, 0) };
        Totals { sequences, pairs, bases: batch.sequences().residues().len() as u64 - bases }
    }
}

impl Taker for Taken<'_> {
    fn next_group(&mut self) {
        self.text.next_group();
    }

    fn needs(&self) -> Choice {
        match self.run.search.options.choice {
            // The fewest mismatches are another match's.
            Choice::First if self.run.tallies.as_ref().is_some_and(Tallies::count_mismatches) => Choice::All,
            choice => choice,
        }
    }

    fn see(&mut self, hits: &[Hit]) {
        self.count(hits, &[]);
    }

    fn wants_rows(&self) -> bool {
        self.run.request.format.is_some()
    }

    fn tell(&mut self, rows: &[Row], hashes: &[Option<u8>]) -> Result<()> {
        let Self { run, input, batch, .. } = *self;
        let Some(format) = run.request.format else { return Ok(()) };
        let sample = &run.request.inputs.samples()[input.sample];
        for (row, &hash) in rows.iter().zip(hashes) {
            let k = row.sequence as usize;
            let (sequence, length) = (batch.name(k), batch.sequence(k).len() as u64);
            let mate = self.counted.paired.then_some(1 + (k % 2) as u8);
            let signature = run.search.signatures[row.signature as usize].name();
            let line = Line { sample, sequence, mate, length, signature, row, hash };
            self.text
                .put(row.sequence, |text| format.write_row(text, &line).expect("writing to memory does not fail"))?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }
}
