//! Batches with more matches than there is room for: searched again, a part at a time.
//!
//! ```text
//! samples    | as many as have few enough matches | ... | one sample with too many | ...
//! sample       stretch | stretch | ...                    each owns the matches that start in it
//! start        one start with all patterns                 where even a stretch of the longest pattern has too many
//! ```
//!
//! The length of a stretch is halved while it has too many matches and doubled while it has few. What a stretch owns is kept
//! from the matches in its letters and in as many behind it as the longest pattern can reach. One start has at most a match
//! for each pattern, and patterns are in memory anyway.
//!
//! Right at the edges: rows come by sample, signature and start. For `best` and `first` the rows kept so far are chosen from
//! together with those of the next stretch, so there is at most one for each signature. For `all`, the matches of each
//! signature are counted first. Neighbouring signatures with few enough matches are then searched for together, and one
//! that has too many goes stretch by stretch, in the order of its rows. So a sample is searched about as often as its rows
//! would fill the room.

use crate::engine::Search;
use crate::pattern::wild_positions;
use crate::report::{self, Row};
use crate::{Choice, Hit, Matching, Records, find_within};
use rayon::prelude::*;
use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// What is done with rows, and the hashes of their samples.
pub type Tell<'a> = &'a mut dyn FnMut(&[Row], &[Option<u8>]) -> Result<()>;

/// What a search may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Matches at a time.
    pub matches: usize,
    /// Letters of a stretch.
    pub letters: usize,
}

/// See the module.
pub struct Crowded<'a, 'e> {
    executor: &'a mut (dyn Executor<Matching> + 'e),
    asked: Search<'a>,
    batch: &'a Records,
    bounds: Bounds,
    /// Letters of the longest pattern.
    longest: usize,
    /// Starts that the next stretch owns.
    stretch: usize,
}

impl<'a, 'e> Crowded<'a, 'e> {
    pub fn new(
        executor: &'a mut (dyn Executor<Matching> + 'e),
        asked: Search<'a>,
        batch: &'a Records,
        bounds: Bounds,
    ) -> Self {
        let longest = asked.patterns.iter().map(|pattern| pattern.bases().len()).max().unwrap_or(1);
        Self { executor, asked, batch, bounds, longest, stretch: bounds.letters.max(1) }
    }

    /// Tells the rows of the batch, in order.
    ///
    /// # Errors
    /// Those of the executor and of `tell`.
    pub fn search(&mut self, tell: Tell) -> Result<()> {
        let (mut first, mut count) = (0, self.batch.len().div_ceil(2));
        while first < self.batch.len() {
            let samples = first..self.batch.len().min(first + count);
            if let [sample] = samples.clone().collect::<Vec<_>>()[..] {
                self.search_sample(sample, tell)?;
            } else {
                let Some(hits) = self.find_in_samples(samples.clone())? else {
                    count = samples.len() / 2;
                    continue;
                };
                let (rows, hashes) = self.asked.choose(self.batch, hits);
                tell(&rows, &hashes)?;
            }
            first = samples.end;
            count *= 2;
        }
        Ok(())
    }

    fn find_in_samples(&mut self, samples: Range<usize>) -> Result<Option<Vec<Hit>>> {
        let part = samples.clone().map(|k| (self.batch.name(k), self.batch.sequence(k))).collect();
        let mut hits = find_within(self.executor, &part, self.bounds.matches)?;
        hits.iter_mut().flatten().for_each(|hit| hit.sample += samples.start as u32);
        Ok(hits)
    }

    fn search_sample(&mut self, sample: usize, tell: Tell) -> Result<()> {
        let (batch, asked) = (self.batch, self.asked);
        let quality = batch.quality(sample).filter(|_| asked.hashed);
        let hash = quality.map(|quality| report::integrity_hash(quality, asked.options.phred));
        let mut tell = |rows: &[Row]| tell(rows, &vec![hash; rows.len()]);
        let choose = |hits| report::choose(asked.options, asked.signatures, batch, asked.patterns, hits);
        if asked.options.choice == Choice::All {
            return self.search_all(sample, &mut |hits| tell(&choose(hits)));
        }
        let mut kept = Vec::new();
        self.each_stretch(sample, &mut |hits| {
            kept.extend(choose(hits));
            kept = report::choose_again(asked.options.choice, std::mem::take(&mut kept));
            Ok(())
        })?;
        tell(&kept)
    }

    /// Hands out all matches of a sample, those of one signature or some before those of the next.
    fn search_all(&mut self, sample: usize, take: &mut dyn FnMut(Vec<Hit>) -> Result<()>) -> Result<()> {
        let (asked, most) = (self.asked, self.bounds.matches);
        let signature = |hit: &Hit| asked.patterns[hit.pattern as usize].signature() as usize;
        let mut counts = vec![0_u64; asked.signatures.len()];
        self.each_stretch(sample, &mut |hits| {
            hits.iter().for_each(|hit| counts[signature(hit)] += 1);
            Ok(())
        })?;
        for (signatures, count) in groups(&counts, most as u64) {
            let mut gathered = Vec::new();
            self.each_stretch(sample, &mut |mut hits| {
                hits.retain(|hit| signatures.contains(&signature(hit)));
                gathered.append(&mut hits);
                if count <= most as u64 { Ok(()) } else { take(std::mem::take(&mut gathered)) }
            })?;
            take(gathered)?;
        }
        Ok(())
    }

    /// Hands out the matches of a sample, those that start in one stretch before those of the next.
    fn each_stretch(&mut self, sample: usize, take: &mut dyn FnMut(Vec<Hit>) -> Result<()>) -> Result<()> {
        let length = self.batch.sequence(sample).len();
        let mut start = 0;
        while start < length {
            let owned = start..length.min(start.saturating_add(self.stretch));
            let Some(hits) = self.find_in_stretch(sample, owned.clone())? else {
                if owned.len() > self.longest {
                    self.stretch = owned.len().div_ceil(2);
                    continue;
                }
                self.one_by_one(sample, owned.clone(), take)?;
                start = owned.end;
                continue;
            };
            if hits.len() < self.bounds.matches / 4 {
                self.stretch = (2 * self.stretch).min(self.bounds.letters.max(1));
            }
            start = owned.end;
            take(hits)?;
        }
        Ok(())
    }

    fn find_in_stretch(&mut self, sample: usize, owned: Range<usize>) -> Result<Option<Vec<Hit>>> {
        let letters = self.batch.sequence(sample);
        let reached = &letters[owned.start..letters.len().min(owned.end + self.longest - 1)];
        let part = Records::from_iter([(self.batch.name(sample), reached)]);
        let mut hits = find_within(self.executor, &part, self.bounds.matches)?;
        if let Some(hits) = &mut hits {
            hits.retain(|hit| hit.start < owned.len() as u64);
            hits.iter_mut().for_each(|hit| (hit.sample, hit.start) = (sample as u32, hit.start + owned.start as u64));
        }
        Ok(hits)
    }

    /// Compares every pattern at every start.
    fn one_by_one(
        &self,
        sample: usize,
        starts: Range<usize>,
        take: &mut dyn FnMut(Vec<Hit>) -> Result<()>,
    ) -> Result<()> {
        let (letters, wildcards) = (self.batch.sequence(sample), self.asked.options.wildcards);
        let mut hits = Vec::new();
        for start in starts {
            hits.par_extend(self.asked.patterns.par_iter().enumerate().filter_map(|(index, pattern)| {
                let wild = wild_positions(&letters[start..], pattern, wildcards)?;
                Some(Hit { sample: sample as u32, pattern: index as u32, start: start as u64, wild })
            }));
            if hits.len() > self.bounds.matches {
                take(std::mem::take(&mut hits))?;
            }
        }
        take(hits)
    }
}

/// Signatures in a row that have at most `most` matches together, or a single one with more; and how many.
fn groups(counts: &[u64], most: u64) -> Vec<(Range<usize>, u64)> {
    let mut groups: Vec<(Range<usize>, u64)> = Vec::new();
    for (signature, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        match groups.last_mut() {
            Some((group, all)) if *all + count <= most => (group.end, *all) = (signature + 1, *all + count),
            _ => groups.push((signature..signature + 1, count)),
        }
    }
    groups
}

#[cfg(test)]
mod tests;
