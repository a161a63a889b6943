//! Counting while batches are searched: a table for each worker, with an entry for each signature.
//!
//! ```text
//! matches of a batch  -> by fragment -> entry of the signature: seen in this fragment already? else one fragment more
//! tables of a sample  -> added up when all of its batches are done
//! ```
//!
//! An entry remembers the last fragment in which its signature was seen, by a number that no other fragment of the table has. So
//! nothing is sorted, and no row is made. Matches that follow one another along a reference come as one ([`Streak`]). Sums do not
//! depend on who counts what.
//!
//! Right at the edges: the matches of one fragment are counted one behind the other, also where they come in several parts: the
//! parts are in the order of the sequences. A table that has no numbers left is put away, and another begun.

use crate::counts::Count;
use crate::{Hit, Streak};
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
    /// Each with its signature and mismatches.
    matches: Sorting<(u32, u32)>,
    streaks: Sorting<Streak>,
}

/// Memory for what was found in a batch, by fragment.
#[derive(Default)]
struct Sorting<T> {
    ends: Vec<u32>,
    sorted: Vec<T>,
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
    /// Whether a fragment does not count.
    pub fn is_repeated(&self, fragment: usize) -> bool {
        self.repeated.get(fragment).is_some_and(|&repeated| repeated)
    }

    /// The fragment of a sequence.
    #[inline]
    pub fn fragment(&self, sequence: u32) -> usize {
        sequence as usize >> usize::from(self.paired)
    }
}

impl Tally {
    /// Counts matches of a batch, those of `streaks` too. `signature_of` says which a pattern has.
    pub fn add(&mut self, (hits, streaks): (&[Hit], &[Streak]), signature_of: impl Fn(u32) -> u32, counted: Counted) {
        let (mut matches, mut chained) = (std::mem::take(&mut self.matches), std::mem::take(&mut self.streaks));
        matches.sort(
            hits,
            |hit| (counted.fragment(hit.sequence), (signature_of(hit.pattern), hit.mismatches)),
            counted,
        );
        chained.sort(streaks, |&streak| (counted.fragment(streak.sequence), streak), counted);
        for fragment in (0..counted.fragments).filter(|&fragment| !counted.is_repeated(fragment)) {
            let number = self.before + fragment as u32 + 1;
            matches.of(fragment).iter().for_each(|&(signature, mismatches)| self.count(number, signature, mismatches));
            for streak in chained.of(fragment) {
                streak.patterns().for_each(|pattern| self.count(number, signature_of(pattern), 0));
            }
        }
        (self.matches, self.streaks) = (matches, chained);
    }

    /// Counts a match in the fragment of a number.
    #[inline]
    fn count(&mut self, number: u32, signature: u32, mismatches: u32) {
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

impl<T: Copy + Default> Sorting<T> {
    /// Puts what was found of each fragment together. `told` says of which fragment each is, and what is kept of it.
    fn sort<F>(&mut self, found: &[F], told: impl Fn(&F) -> (usize, T), counted: Counted) {
        let Self { ends, sorted } = self;
        ends.clear();
        // The first word is where the first fragment starts.
        ends.resize(counted.fragments + 2, 0);
        found.iter().for_each(|each| ends[told(each).0 + 2] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += *end;
            *end = sum;
        }
        sorted.clear();
        sorted.resize(found.len(), T::default());
        for (fragment, kept) in found.iter().map(told) {
            let place = &mut ends[fragment + 1];
            sorted[*place as usize] = kept;
            *place += 1;
        }
    }

    /// What was found of a fragment.
    fn of(&self, fragment: usize) -> &[T] {
        &self.sorted[self.ends[fragment] as usize..self.ends[fragment + 1] as usize]
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
            tally.add((&hits, &[]), signature_of, counted);
            tallies.give_back(sample, counted, tally);
        }
        let count = |signature, sequences, pairs, mismatches| Count { signature, sequences, pairs, mismatches };
        assert_eq!(tallies.finish(0), [count(0, 8, 0, 14), count(2, 2, 0, 0)]);
        assert_eq!(tallies.finish(1), [count(0, 0, 3, 5), count(2, 0, 1, 0)]);
        assert_eq!(tallies.finish(1), []);
    }

    #[test]
    fn parts_streaks_and_repeats_are_counted_as_single_matches_of_a_whole_are() {
        let mut state = 1_u64;
        let mut roll = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as u32
        };
        let single: Vec<Hit> = (0..2000).map(|_| hit(roll(80), roll(6), roll(4))).collect();
        let streak = |sequence, [pattern, step, count]: [i32; 3]| Streak {
            sequence,
            pattern: pattern as u32,
            start: 0,
            step,
            count: count as u32,
        };
        let streaks: Vec<Streak> =
            (0..40).map(|k| streak(roll(80), [[1, 2, 3], [5, -2, 3], [0, 1, 6], [3, 0, 1]][k % 4])).collect();
        let alone =
            |streak: &Streak| streak.patterns().map(|pattern| hit(streak.sequence, pattern, 0)).collect::<Vec<_>>();
        let mut hits: Vec<Hit> = single.iter().copied().chain(streaks.iter().flat_map(alone)).collect();
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
        let parts = |size| hits.chunks(size).map(|part| (part, [].as_slice())).collect::<Vec<_>>();
        for parts in [parts(1), parts(7), parts(hits.len()), vec![(&single, &streaks)]] {
            let tallies = Tallies::new(3, true);
            let mut tally = tallies.take(0, counted);
            parts.into_iter().for_each(|part| tally.add(part, signature_of, counted));
            tallies.give_back(0, counted, tally);
            let found: BTreeMap<_, _> =
                tallies.finish(0).into_iter().map(|count| (count.signature, (count.pairs, count.mismatches))).collect();
            assert_eq!(found, expected);
        }
    }
}
