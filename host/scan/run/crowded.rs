//! Batches with more matches than there is room for: searched again, a part at a time.
//!
//! ```text
//! sequences    as many together as have few enough matches | ... | one sequence with too many | ...
//! sequence     stretch | stretch | ...          each owns the matches that start in it
//! start        one start with all patterns      where even a stretch as long as the longest pattern has too many
//! ```
//!
//! How many sequences have few enough is guessed by what was found before. A batch that is expected to have too many matches is not
//! searched as a whole first ([`Density`]); nor is the first of all, where there are many patterns.
//!
//! The length of a stretch is halved while it has too many matches and doubled while it has few. A stretch is searched with as
//! many bases behind it as the longest pattern can reach, in a circular sequence over its end, and keeps the matches that it owns.
//! (An executor may take the stretch itself for a circle: what it finds over the stretch's end starts where no match is owned.) One start has at most one match
//! for each pattern, and the patterns are in memory anyway.
//!
//! Where patterns are searched in [passes](crate::passes), all this is done for one group of signatures after another, so that their
//! tables are made once: rows then come by group, and in a group as below.
//!
//! Right at the edges: rows come by sequence, signature and start. For `best` and `first` the rows kept so far compete with
//! those of the next stretch, so there is at most one for each signature. For `all`, the matches of each
//! signature are counted first. Neighbouring signatures with few enough matches are then searched for together, and one
//! that has too many goes stretch by stretch, in the order of its rows. So the number of searches of a sequence is about the
//! number of times that its rows would fill the room.

use crate::engine::Search;
use crate::passes::divide_all;
use crate::pattern::compare;
use crate::report::{self, Row};
use crate::{Choice, Hit, Job, Limits, Matching, Records, find_within};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// Takes what is found.
pub trait Taker {
    /// What comes from now on is of a group of signatures behind those before, from the first sequence on again.
    fn next_group(&mut self) {}

    /// Of the matches of one pattern in one sequence, those that may be reported by this choice are needed.
    fn needs(&self) -> Choice {
        Choice::All
    }

    /// Takes some matches, each once; those of a sequence before those of the next. A fragment's matches of one signature come
    /// in one group.
    fn see(&mut self, hits: &[Hit]);

    /// Whether rows are wanted, too. Otherwise none are made.
    fn wants_rows(&self) -> bool {
        true
    }

    /// Takes rows, and the hashes of their sequences.
    ///
    /// # Errors
    /// Those of who takes them.
    fn tell(&mut self, rows: &[Row], hashes: &[Option<u8>]) -> Result<()>;
}

/// The share of a batch that is searched first where nothing is known of how many matches there are.
const FIRST: usize = 16;
/// Sequences of a batch of which a share tells how many matches there are. Few are searched together.
const TELLING: usize = 32 * FIRST;

/// How much a search may take at a time.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Matches.
    pub matches: usize,
    /// Bases of a stretch.
    pub bases: usize,
}

/// How many matches there are, as the last search of several sequences has shown.
#[derive(Debug)]
pub struct Density(AtomicU64);

impl Default for Density {
    fn default() -> Self {
        Self(AtomicU64::new(Self::UNKNOWN))
    }
}

impl Density {
    /// Of so many bases.
    const UNIT: u64 = 1 << 20;
    const UNKNOWN: u64 = u64::MAX;

    fn known(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&matches| matches != Self::UNKNOWN)
    }

    /// Whether there are so many matches for each base, of those that may be reported, that a GPU takes longer to hand them over than the CPU to
    /// find them: the 25-mers of reads that match have 0.8 for each, and more with mismatches.
    pub fn is_high(&self) -> bool {
        self.known().is_some_and(|matches| matches > Self::UNIT / 4)
    }

    /// Whether anything is known.
    pub fn is_known(&self) -> bool {
        self.known().is_some()
    }

    /// Takes note of so many matches in some bases.
    pub fn learn(&self, bases: usize, matches: usize) {
        self.0.store(matches as u64 * Self::UNIT / bases.max(1) as u64, Ordering::Relaxed);
    }

    /// About how many matches are in so many bases, as far as is known.
    pub fn matches(&self, bases: usize) -> usize {
        (self.known().unwrap_or(0).saturating_mul(bases as u64) / Self::UNIT) as usize
    }

    /// In how many bases there are about so many matches; `None`: in any, as far as is known.
    fn bases(&self, matches: usize) -> Option<usize> {
        (matches as u64 * Self::UNIT).checked_div(self.known()?).map(|bases| bases as usize)
    }
}

/// A part of a batch.
pub enum Part {
    /// Some sequences: their matches.
    Sequences(Vec<Hit>),
    /// One sequence, by its number, that may have too many matches.
    Crowded(usize),
}

/// See the module.
pub struct Crowded<'a, 'e> {
    executor: &'a mut (dyn Executor<Matching> + 'e),
    asked: Search<'a>,
    /// Which matches are needed.
    choice: Choice,
    /// The group of patterns that is searched for; `None`: all.
    among: Option<&'a Range<usize>>,
    /// Of their matches.
    density: &'a Density,
    batch: &'a Records,
    bounds: Bounds,
    /// Bases of the longest pattern.
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
        let (longest, density) = (asked.patterns.longest().max(1), &asked.shared.density);
        Self {
            executor,
            asked,
            choice: Choice::All,
            among: None,
            density,
            batch,
            bounds,
            longest,
            stretch: bounds.bases.max(1),
        }
    }

    /// Whether a batch is better searched in parts, the first of which shows how many matches there are: nothing is known of that, and
    /// there are many patterns and many sequences.
    pub fn begins_with_part(asked: Search, batch: &Records) -> bool {
        !asked.shared.density.is_known() && asked.patterns.are_many() && batch.len() >= TELLING
    }

    /// Hands out the matches and the rows of the batch, in order.
    ///
    /// # Errors
    /// Those of the executor and of `taker`.
    pub fn search(&mut self, taker: &mut dyn Taker) -> Result<()> {
        self.choice = taker.needs();
        let Some(tables) = self.asked.tables else { return self.search_group(taker) };
        let (bases, mut matches) = (self.batch.sequences().residues().len(), 0);
        for group in &divide_all(self.asked.patterns, self.asked.options.wildcards, tables) {
            taker.next_group();
            let (executor, density) = (&mut *self.executor, &Density::default());
            Crowded { executor, among: Some(group), density, ..*self }.search_group(taker)?;
            matches += density.matches(bases);
        }
        self.density.learn(bases, matches);
        Ok(())
    }

    fn search_group(&mut self, taker: &mut dyn Taker) -> Result<()> {
        self.each_part(&mut |crowded, part| match part {
            Part::Sequences(hits) => {
                taker.see(&hits);
                if !taker.wants_rows() {
                    return Ok(());
                }
                let (rows, hashes) = crowded.asked.choose(crowded.batch, hits);
                taker.tell(&rows, &hashes)
            }
            Part::Crowded(sequence) if taker.wants_rows() => crowded.search_sequence(sequence, taker),
            Part::Crowded(sequence) => crowded.each_stretch(sequence, &mut |hits| {
                taker.see(&hits);
                Ok(())
            }),
        })
    }

    /// Hands out the matches of as many sequences together as have few enough, and sequences that have more, in order.
    ///
    /// # Errors
    /// Those of the executor and of `take`.
    pub fn each_part(&mut self, take: &mut dyn FnMut(&mut Self, Part) -> Result<()>) -> Result<()> {
        let (starts, density) = (self.batch.sequences().starts(), self.density);
        // With room to spare for a denser part.
        let few = self.bounds.matches / 4 * 3;
        let bases_in = |sequences: &Range<usize>| (starts[sequences.end] - starts[sequences.start]) as usize;
        let all = bases_in(&(0..self.batch.len()));
        let any = if density.is_known() { all } else { all / FIRST };
        let (mut first, mut size) = (0, density.bases(few).unwrap_or(any));
        while first < self.batch.len() {
            let end = starts.partition_point(|&start| start <= starts[first] + size as u64) - 1;
            let sequences = first..end.clamp(first + 1, self.batch.len());
            let (bases, is_one) = (bases_in(&sequences), sequences.len() == 1);
            let may_fit = !is_one || density.is_known() && density.matches(bases) <= self.bounds.matches;
            let hits = if may_fit { self.find_in_sequences(sequences.clone())? } else { None };
            match hits {
                Some(hits) => {
                    first = sequences.end;
                    density.learn(bases, hits.len());
                    size = density.bases(few).unwrap_or(usize::MAX).min(2 * bases.max(1));
                    take(self, Part::Sequences(hits))?;
                }
                None if is_one => {
                    first = sequences.end;
                    take(self, Part::Crowded(sequences.start))?;
                    size = density.bases(few).unwrap_or(size);
                }
                None => size = bases / 2,
            }
        }
        Ok(())
    }

    /// The matches in `part`, if there is room for them.
    fn find(&mut self, part: &Records) -> Result<Option<Vec<Hit>>> {
        let Self { choice, among, .. } = *self;
        find_within(self.executor, Job { choice, among, ..Job::new(part, self.bounds.matches) })
    }

    fn find_in_sequences(&mut self, sequences: Range<usize>) -> Result<Option<Vec<Hit>>> {
        let mut part = Records::default();
        part.extend(self.batch, sequences.clone());
        let mut hits = self.find(&part)?;
        hits.iter_mut().flatten().for_each(|hit| hit.sequence += sequences.start as u32);
        Ok(hits)
    }

    fn search_sequence(&mut self, sequence: usize, taker: &mut dyn Taker) -> Result<()> {
        let (batch, asked) = (self.batch, self.asked);
        let quality = batch.quality(sequence).filter(|_| asked.hashed);
        let hash = quality.map(|quality| report::integrity_hash(quality, asked.options.phred));
        let tell = |rows: &[Row], taker: &mut dyn Taker| taker.tell(rows, &vec![hash; rows.len()]);
        let choose = |hits| report::choose(asked.options, batch, asked.patterns, hits);
        if asked.options.choice == Choice::All {
            let counts = self.count(sequence, taker)?;
            return self.search_all(sequence, &counts, &mut |hits| tell(&choose(hits), taker));
        }
        let mut kept = Vec::new();
        self.each_stretch(sequence, &mut |hits| {
            taker.see(&hits);
            kept.extend(choose(hits));
            kept = report::choose_again(asked.options.choice, std::mem::take(&mut kept));
            Ok(())
        })?;
        tell(&kept, taker)
    }

    /// How many matches of each signature there are in a sequence.
    fn count(&mut self, sequence: usize, taker: &mut dyn Taker) -> Result<Vec<u64>> {
        let patterns = self.asked.patterns;
        let mut counts = vec![0_u64; self.asked.signatures.len()];
        self.each_stretch(sequence, &mut |hits| {
            taker.see(&hits);
            hits.iter().for_each(|hit| counts[patterns.signature(hit.pattern) as usize] += 1);
            Ok(())
        })?;
        Ok(counts)
    }

    /// Hands out all matches of a sequence, those of one signature or some before those of the next.
    fn search_all(
        &mut self,
        sequence: usize,
        counts: &[u64],
        take: &mut dyn FnMut(Vec<Hit>) -> Result<()>,
    ) -> Result<()> {
        let (asked, most) = (self.asked, self.bounds.matches);
        let signature = |hit: &Hit| asked.patterns.signature(hit.pattern) as usize;
        for (signatures, count) in groups(counts, most as u64) {
            let mut gathered = Vec::new();
            self.each_stretch(sequence, &mut |mut hits| {
                hits.retain(|hit| signatures.contains(&signature(hit)));
                gathered.append(&mut hits);
                if count <= most as u64 { Ok(()) } else { take(std::mem::take(&mut gathered)) }
            })?;
            take(gathered)?;
        }
        Ok(())
    }

    /// Hands out the matches of a sequence, those that start in one stretch before those of the next.
    ///
    /// # Errors
    /// Those of the executor and of `take`.
    pub fn each_stretch(&mut self, sequence: usize, take: &mut dyn FnMut(Vec<Hit>) -> Result<()>) -> Result<()> {
        let length = self.batch.sequence(sequence).len();
        let (mut start, mut matches) = (0, 0);
        let mut take = |hits: Vec<Hit>| {
            matches += hits.len();
            take(hits)
        };
        while start < length {
            let owned = start..length.min(start.saturating_add(self.stretch));
            let Some(hits) = self.find_in_stretch(sequence, owned.clone())? else {
                if owned.len() > self.longest {
                    self.stretch = owned.len().div_ceil(2);
                    continue;
                }
                self.one_by_one(sequence, owned.clone(), &mut take)?;
                start = owned.end;
                continue;
            };
            if hits.len() < self.bounds.matches / 4 {
                self.stretch = (2 * self.stretch).min(self.bounds.bases.max(1));
            }
            start = owned.end;
            take(hits)?;
        }
        self.density.learn(length, matches);
        Ok(())
    }

    /// Where not all matches are needed, one may be left out for a better one that starts behind the stretch: the next one has that.
    fn find_in_stretch(&mut self, sequence: usize, owned: Range<usize>) -> Result<Option<Vec<Hit>>> {
        let length = self.batch.sequence(sequence).len();
        let mut part = Records::default();
        let reached = |symbols| self.reached(symbols, &owned);
        let quality = self.batch.quality(sequence).map(reached).unwrap_or_default();
        part.push_with_quality(self.batch.name(sequence), &reached(self.batch.sequence(sequence)), &quality);
        let mut hits = self.find(&part)?;
        if let Some(hits) = &mut hits {
            let fits = |hit: &Hit| self.asked.patterns.length(hit.pattern) <= length;
            hits.retain(|hit| hit.start < owned.len() as u64 && fits(hit));
            hits.iter_mut()
                .for_each(|hit| (hit.sequence, hit.start) = (sequence as u32, hit.start + owned.start as u64));
        }
        Ok(hits)
    }

    /// Of the symbols of a sequence, or of their qualities, those that matches can reach which start in `owned`; in a circle, over the end,
    /// as many as there are.
    fn reached<'b>(&self, bases: &'b [u8], owned: &Range<usize>) -> Cow<'b, [u8]> {
        let end = owned.end + self.longest.min(bases.len()) - 1;
        let inside = &bases[owned.start..bases.len().min(end)];
        match end.checked_sub(bases.len()).filter(|_| self.asked.options.circular) {
            Some(over) => [inside, &bases[..over]].concat().into(),
            None => inside.into(),
        }
    }

    /// Compares every pattern at every start.
    fn one_by_one(
        &self,
        sequence: usize,
        starts: Range<usize>,
        take: &mut dyn FnMut(Vec<Hit>) -> Result<()>,
    ) -> Result<()> {
        let (patterns, wildcards) = (self.asked.patterns, self.asked.options.wildcards);
        let among = self.among.cloned().unwrap_or(0..patterns.parts().len());
        let mut hits = Vec::new();
        for start in starts {
            let bases = self.reached(self.batch.sequence(sequence), &(start..start + 1));
            hits.par_extend(patterns.each(among.clone()).filter_map(|(number, pattern)| {
                let Limits { wild, mismatches } = compare(&bases, &pattern, wildcards)?;
                Some(Hit { sequence: sequence as u32, pattern: number, start: start as u64, wild, mismatches })
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
