//! Circular sequences, for any executor: matches that run over the end of a sequence into its beginning.
//!
//! An executor finds the matches inside the sequences. Those across the end lie in the *seam*: the last symbols and, behind them,
//! the first, as many of each as the longest match can have there.
//!
//! ```text
//! sequence, n symbols    0 1 2 3 ... n-3 n-2 n-1
//! seam, 2 t symbols      n-t ... n-2 n-1 | 0 1 ... t-1        t = min(n, longest pattern) - 1
//! ```
//!
//! Right at the edges: a pattern of m <= n symbols that lies across the end starts at n-m+1 at the earliest, which is not before
//! n-t, and ends behind symbol m-2 at the latest, which is not behind t-1. So it lies in the seam, across its middle, and what
//! does not lie across the middle was found inside the sequence. A pattern of more than n symbols may fit in a seam, and is no
//! match. Copying a sequence with its beginning behind it would find the same; the seam of a genome is shorter.

use super::pattern::Patterns;
use super::{Choice, Hit, Job, Matching, Records};
use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Patient, Watch};

/// What a batch and its seams take, as a multiple of what the batch takes.
pub const FOLD: usize = 3;

/// The parts of a place in a sequence of `length` symbols: what runs over its end lies at its beginning.
pub fn parts(place: Range<u64>, length: u64) -> impl Iterator<Item = Range<u64>> {
    let parts = [place.start..place.end.min(length), 0..place.end.saturating_sub(length)];
    parts.into_iter().filter(|part| !part.is_empty())
}

/// An executor that takes sequences for circles.
pub struct Circular<'p, E> {
    linear: E,
    patterns: Patterns<'p>,
    /// Symbols of the longest pattern.
    longest: usize,
}

impl<'p, E: Executor<Matching>> Circular<'p, E> {
    /// Has `linear`, which searches for `patterns` in lines, search for them in circles.
    pub fn new(linear: E, patterns: Patterns<'p>) -> Self {
        Self { linear, patterns, longest: patterns.longest() }
    }

    /// The seams of sequences, in their order.
    fn seams(&self, batch: &Records) -> Records {
        let mut seams = Records::default();
        for k in 0..batch.len() {
            let bases = batch.sequence(k);
            let reach = bases.len().min(self.longest).saturating_sub(1);
            seams.push("", &[&bases[bases.len() - reach..], &bases[..reach]].concat());
        }
        seams
    }

    /// The match across the end of its sequence that `hit`, a match in a seam, is.
    fn across(&self, hit: Hit, batch: &Records, seams: &Records) -> Option<Hit> {
        let sequence = hit.sequence as usize;
        let [length, seam] = [batch, seams].map(|records| records.sequence(sequence).len() as u64);
        let (pattern, middle) = (self.patterns.length(hit.pattern) as u64, seam / 2);
        let is_across = pattern <= length && hit.start < middle && hit.start + pattern > middle;
        is_across.then(|| Hit { start: length - middle + hit.start, ..hit })
    }
}

impl<E: Executor<Matching>> Executor<Matching> for Circular<'_, E> {
    fn compute(&mut self, job: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Option<Vec<Hit>>, watch: &dyn Watch) -> Result<bool> {
        // A match in a seam that is left out for another one could be across, and that not.
        let job = Job { choice: Choice::All, streaks: None, ..job };
        if !self.linear.compute_watched(job, output, watch)? {
            return Ok(false);
        }
        let seams = self.seams(job.batch);
        let Some(hits) = output.as_mut().filter(|_| !seams.sequences().residues().is_empty()) else { return Ok(true) };
        let mut of_seams = None;
        self.linear.compute(Job { batch: &seams, ..job }, &mut of_seams)?;
        match of_seams {
            Some(found) => hits.extend(found.into_iter().filter_map(|hit| self.across(hit, job.batch, &seams))),
            None => *output = None,
        }
        output.take_if(|hits| hits.len() > job.most);
        Ok(true)
    }
}
