//! Counting while batches are searched: a table for each worker, with an entry for each signature.
//!
//! ```text
//! matches of a batch  -> by fragment -> entry of the signature: seen in this fragment already? else one fragment more
//! tables of a sample  -> added up when all of its batches are done
//! ```
//!
//! An entry remembers the last fragment in which its signature was seen, by a number that no other fragment of the table has. So
//! nothing is sorted, and no row is made. Sums do not depend on who counts what.
//!
//! Right at the edges: the matches of one fragment are counted one behind the other, also where they come in several parts: the
//! parts are in the order of the sequences. A table that has no numbers left is put away, and another begun.

use crate::Hit;
use crate::counts::Count;
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The fragments of a table in which a signature was found.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The number of the last one, from 1; 0: none.
    last: u32,
    fragments: u32,
}

/// Mismatches of a signature's fragments.
#[derive(Clone, Copy, Default)]
struct Fewest {
    /// Of the last fragment.
    last: u32,
    sum: u64,
}

/// A worker's table for one sample: of pairs, or of sequences without mates.
#[derive(Default)]
pub struct Tally {
    entries: Vec<Entry>,
    /// As many; none where no mismatches are allowed.
    mismatches: Vec<Fewest>,
    /// Fragments of the batches before.
    before: u32,
    sorting: Sorting,
}

/// Memory for the matches of a batch by fragment.
#[derive(Default)]
struct Sorting {
    ends: Vec<u32>,
    /// Signature and mismatches.
    sorted: Vec<(u32, u32)>,
}

/// Which fragments the sequences of a batch are, and which of these count.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    pub paired: bool,
    /// How many there are.
    pub fragments: usize,
    /// Those that do not count; empty: all count.
    pub repeated: &'a [bool],
}

impl Counted<'_> {
    /// The fragment of a sequence.
    #[inline]
    pub fn fragment(&self, sequence: u32) -> usize {
        sequence as usize >> usize::from(self.paired)
    }
}

impl Tally {
    /// Counts matches of a batch. `signature_of` says which a pattern has.
    pub fn add(&mut self, hits: &[Hit], signature_of: impl Fn(u32) -> u32, counted: Counted) {
        let mut sorting = std::mem::take(&mut self.sorting);
        sorting.sort(hits, signature_of, counted);
        let mut start = 0;
        for (fragment, &end) in sorting.ends[..counted.fragments].iter().enumerate() {
            let matches = &sorting.sorted[start..end as usize];
            start = end as usize;
            if !counted.repeated.get(fragment).is_some_and(|&repeated| repeated) {
                self.add_fragment(self.before + fragment as u32 + 1, matches);
            }
        }
        self.sorting = sorting;
    }

    #[inline]
    fn add_fragment(&mut self, number: u32, matches: &[(u32, u32)]) {
        for &(signature, mismatches) in matches {
            let entry = &mut self.entries[signature as usize];
            let is_new = entry.last != number;
            entry.last = number;
            entry.fragments += u32::from(is_new);
            if let Some(fewest) = self.mismatches.get_mut(signature as usize) {
                if is_new {
                    fewest.sum += u64::from(mismatches);
                    fewest.last = mismatches;
                } else if mismatches < fewest.last {
                    fewest.sum -= u64::from(fewest.last - mismatches);
                    fewest.last = mismatches;
                }
            }
        }
    }
}

impl Sorting {
    /// Puts the matches of each fragment together; they end at its entry of `ends`.
    fn sort(&mut self, hits: &[Hit], signature_of: impl Fn(u32) -> u32, counted: Counted) {
        let Self { ends, sorted } = self;
        ends.clear();
        ends.resize(counted.fragments + 1, 0);
        hits.iter().for_each(|hit| ends[counted.fragment(hit.sequence) + 1] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += *end;
            *end = sum;
        }
        sorted.clear();
        sorted.resize(hits.len(), (0, 0));
        for hit in hits {
            let place = &mut ends[counted.fragment(hit.sequence)];
            sorted[*place as usize] = (signature_of(hit.pattern), hit.mismatches);
            *place += 1;
        }
    }
}

/// The tables that no worker has at the moment.
pub struct Tallies {
    signatures: usize,
    /// Whether mismatches are counted.
    mismatches: bool,
    /// Each with its sample, and whether it is of pairs.
    resting: Mutex<Vec<((usize, bool), Tally)>>,
}

impl Tallies {
    /// Whether mismatches are counted.
    pub fn count_mismatches(&self) -> bool {
        self.mismatches
    }

    pub fn new(signatures: usize, mismatches: bool) -> Self {
        Self { signatures, mismatches, resting: Mutex::default() }
    }

    fn resting(&self) -> MutexGuard<'_, Vec<((usize, bool), Tally)>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table for more fragments of a sample.
    pub fn take(&self, sample: usize, counted: Counted) -> Tally {
        let mut resting = self.resting();
        let has_room = |tally: &Tally| u32::MAX - tally.before > counted.fragments as u32;
        let fits = |(of, tally): &((usize, bool), Tally)| *of == (sample, counted.paired) && has_room(tally);
        if let Some(at) = resting.iter().position(fits) {
            return resting.swap_remove(at).1;
        }
        drop(resting);
        let entries = vec![Entry::default(); self.signatures];
        let mismatches = vec![Fewest::default(); if self.mismatches { self.signatures } else { 0 }];
        Tally { entries, mismatches, ..Tally::default() }
    }

    /// Takes a table back whose batch has been counted.
    pub fn give_back(&self, sample: usize, counted: Counted, mut tally: Tally) {
        tally.before += counted.fragments as u32;
        self.resting().push(((sample, counted.paired), tally));
    }

    /// What was counted of a sample, all of whose batches are done.
    pub fn finish(&self, sample: usize) -> Vec<Count> {
        let of_sample: Vec<(bool, Tally)> = self
            .resting()
            .extract_if(.., |((of, _), _)| *of == sample)
            .map(|((_, paired), tally)| (paired, tally))
            .collect();
        let count = |signature: usize| {
            let mut count = Count { signature: signature as u32, ..Count::default() };
            for (paired, tally) in &of_sample {
                let fragments = u64::from(tally.entries[signature].fragments);
                *if *paired { &mut count.pairs } else { &mut count.sequences } += fragments;
                count.mismatches += tally.mismatches.get(signature).map_or(0, |fewest| fewest.sum);
            }
            (count.fragments() > 0).then_some(count)
        };
        let signatures = if of_sample.is_empty() { 0 } else { self.signatures };
        (0..signatures).into_par_iter().filter_map(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn hit(sequence: u32, pattern: u32, mismatches: u32) -> Hit {
        Hit { sequence, pattern, start: 0, wild: 0, mismatches }
    }

    /// Patterns 2 k and 2 k + 1 are of signature k.
    fn signature_of(pattern: u32) -> u32 {
        pattern / 2
    }

    #[test]
    fn a_fragment_counts_once_with_its_fewest_mismatches() {
        let tallies = Tallies::new(3, true);
        let hits = [hit(3, 1, 2), hit(0, 0, 1), hit(2, 0, 1), hit(0, 1, 2), hit(1, 4, 0), hit(3, 0, 4), hit(5, 0, 3)];
        for (sample, paired, fragments) in [(0, false, 6), (1, true, 3), (0, false, 6)] {
            let counted = Counted { paired, fragments, repeated: &[] };
            let mut tally = tallies.take(sample, counted);
            tally.add(&hits, signature_of, counted);
            tallies.give_back(sample, counted, tally);
        }
        let count = |signature, sequences, pairs, mismatches| Count { signature, sequences, pairs, mismatches };
        assert_eq!(tallies.finish(0), [count(0, 8, 0, 14), count(2, 2, 0, 0)]);
        assert_eq!(tallies.finish(1), [count(0, 0, 3, 5), count(2, 0, 1, 0)]);
        assert_eq!(tallies.finish(1), []);
    }

    #[test]
    fn parts_and_repeats_are_counted_as_the_whole_is() {
        let mut state = 1_u64;
        let mut roll = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as u32
        };
        let mut hits: Vec<Hit> = (0..2000).map(|_| hit(roll(80), roll(6), roll(4))).collect();
        let repeated: Vec<bool> = (0..40).map(|_| roll(3) == 0).collect();
        let mut expected: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for fragment in (0..40).filter(|&fragment| !repeated[fragment as usize]) {
            for signature in 0..3 {
                let of = hits.iter().filter(|hit| hit.sequence / 2 == fragment && hit.pattern / 2 == signature);
                if let Some(fewest) = of.map(|hit| hit.mismatches).min() {
                    let sums = expected.entry(signature).or_default();
                    *sums = (sums.0 + 1, sums.1 + u64::from(fewest));
                }
            }
        }
        let counted = Counted { paired: true, fragments: 40, repeated: &repeated };
        // In parts that come in the order of the sequences, as a crowded batch has them.
        hits.sort_by_key(|hit| hit.sequence);
        for part in [1, 7, 2000] {
            let tallies = Tallies::new(3, true);
            let mut tally = tallies.take(0, counted);
            hits.chunks(part).for_each(|part| tally.add(part, signature_of, counted));
            tallies.give_back(0, counted, tally);
            let found: BTreeMap<_, _> =
                tallies.finish(0).into_iter().map(|count| (count.signature, (count.pairs, count.mismatches))).collect();
            assert_eq!(found, expected);
        }
    }
}
