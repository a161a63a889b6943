//! From candidates to matches: what every search of `scan` ends with, and what it reads.
//!
//! A lane compares all symbols of a short pattern, and eight groups of 32, spread over it, of a long one. The whole warp compares
//! what is left of long ones, candidate by candidate, 1024 symbols at a time.

use super::cell;
use crate::abi::{Matches, Patterns, Sequences};
use crate::sequences::holding;
use crate::tuning::{SUMMED, TILE};
use core::cell::Cell;
use cuda_std::{U32x4, warp};

/// Groups of 32 symbols that one lane compares.
const GROUPS: u32 = 8;

/// The sequences, the patterns, and where matches go.
pub struct Search<'a> {
    sequences: &'a Sequences<'a>,
    patterns: &'a Patterns<'a>,
    matches: &'a Matches<'a>,
    /// Symbols of the sequences.
    pub total: u32,
    /// Matches cannot be counted here: the host confirms them on the bytes.
    odd: bool,
    /// This lane has found a match for which there was no room.
    full: Cell<bool>,
}

/// A pattern at a place of the sequences.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// Where its span, or its probe, lies.
    pub at: u32,
    pub pattern: u32,
    /// Symbols of the pattern before that.
    pub before: u32,
}

/// The segment and the first symbol of a candidate, and its pattern's first word and length.
#[derive(Clone, Copy)]
struct Place {
    segment: u32,
    start: u32,
    word: u32,
    length: u32,
}

/// The most wild positions of a match, and the most mismatches; or what there are.
#[derive(Clone, Copy)]
struct Count {
    wild: u32,
    mismatches: u32,
}

/// Of a candidate that does not match, or is not yet compared.
const NO_MATCH: Count = Count { wild: u32::MAX, mismatches: 0 };

impl<'a> Search<'a> {
    #[inline(always)]
    pub fn new(sequences: &'a Sequences<'a>, patterns: &'a Patterns<'a>, matches: &'a Matches<'a>) -> Self {
        let total = sequences.starts.read(sequences.starts.len() as u32 - 1);
        Self { sequences, patterns, matches, total, odd: sequences.odd.read(0) != 0, full: Cell::new(false) }
    }

    /// Whether any lane has run out of room. All lanes call this. The search may as well end then.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        warp::ballot(self.full.get()) != 0
    }

    /// `most`, or no limit where wild symbols cannot be counted here.
    #[inline(always)]
    pub fn most_wild(&self, most: u32) -> u32 {
        if self.odd { u32::MAX } else { most }
    }

    /// The digits of word `word`, in three planes.
    #[inline(always)]
    pub fn digits(&self, word: u32) -> [u32; 3] {
        let [low, high, wild, _] = self.sequences.digits.read(word).0;
        [low, high, wild]
    }

    /// The digits of the 32 symbols from position `at` on, in three planes.
    #[inline(always)]
    pub fn digits_at(&self, at: u32) -> [u32; 3] {
        let ([l, h, w], [l2, h2, w2]) = (self.digits(at / 32), self.digits(at / 32 + 1));
        let shift = |low, high| cuda_std::bits::funnel_shift_right(low, high, at % 32);
        [shift(l, l2), shift(h, h2), shift(w, w2)]
    }

    /// The 32 symbols of the sequences from position `at` on.
    #[inline(always)]
    fn window(&self, at: u32) -> U32x4 {
        cell::window(self.sequences.planes.read(at / 32), self.sequences.planes.read(at / 32 + 1), at % 32)
    }

    /// Wild digits of the sequences in `length` symbols from `from` on.
    #[inline(always)]
    pub fn wild_in(&self, from: u32, length: u32) -> u32 {
        let before = |at: u32| {
            let [_, _, wild, before] = self.sequences.digits.read(at / 32).0;
            before + (wild & ((1 << (at % 32)) - 1)).count_ones()
        };
        let mut wild = before(from + length).wrapping_sub(before(from));
        let mut tile = from / TILE;
        while tile < (from + length) / TILE {
            wild = wild.wrapping_add(self.sequences.wild.read(tile));
            tile += 1;
        }
        wild
    }

    /// The limits of a pattern.
    #[inline(always)]
    fn limits(&self, pattern: u32) -> Count {
        let [_, _, wild, mismatches] = self.patterns.info.read(pattern).0;
        Count { wild: self.most_wild(wild), mismatches }
    }

    /// Length and the most digits of a match that are wild in the sequence, mismatches included.
    #[inline(always)]
    pub fn length_and_wild(&self, pattern: u32) -> (u32, u32) {
        let [_, length, wild, mismatches] = self.patterns.info.read(pattern).0;
        let most = wild.saturating_add(mismatches);
        (length, self.most_wild(most))
    }

    /// Confirms each lane's candidate, if it has one. All lanes call this.
    #[inline(always)]
    pub fn confirm(&self, has: bool, candidate: Candidate) {
        let mut place = Place { segment: 0, start: 0, word: 0, length: 0 };
        let (mut possible, mut found) = (false, NO_MATCH);
        if has && self.resembles(candidate) {
            let inside;
            (inside, place) = self.locate(candidate);
            if inside {
                (possible, found) = self.examine(candidate.pattern, &place);
            }
        }
        let mut left = warp::ballot(possible);
        while left != 0 {
            let owner = left.trailing_zeros();
            left &= left - 1;
            let start = warp::shuffle(place.start, owner, 32);
            let word = warp::shuffle(place.word, owner, 32);
            let length = warp::shuffle(place.length, owner, 32);
            let pattern = warp::shuffle(candidate.pattern, owner, 32);
            let all = self.verify(pattern, &Place { segment: 0, start, word, length });
            if warp::lane_id() == owner {
                found = all;
            }
        }
        if found.wild != NO_MATCH.wild {
            self.report(place.segment, U32x4([place.start, candidate.pattern, found.wild, found.mismatches]));
        }
    }

    /// The same for candidates of one pattern, of which many may have few mismatches in each of its parts: words of it are compared one after another, until
    /// all lanes have too many. All lanes call this with the same pattern.
    #[inline(always)]
    pub fn confirm_side_by_side(&self, has: bool, candidate: Candidate) {
        let Candidate { at, pattern, before } = candidate;
        let [word, length, _, most] = self.patterns.info.read(pattern).0;
        let start = at.wrapping_sub(before);
        let has = has && at >= before && start <= self.total && self.total - start >= length;
        let owners = warp::ballot(has);
        if owners == 0 {
            return;
        }
        // A lane without a candidate looks where another does.
        let other = warp::shuffle(start, owners.trailing_zeros(), 32);
        let place = Place { segment: 0, start: if has { start } else { other }, word, length };
        let (mut mismatches, mut k) = (0, 0);
        let mut left = self.sequences.planes.read(place.start / 32);
        while k + 4 <= length / 32 && warp::ballot(has && mismatches <= most) != 0 {
            unroll!(step in 0 1 2 3; {
                let number = k + step as u32;
                let right = self.sequences.planes.read(place.start / 32 + number + 1);
                let sequence = cell::window(left, right, place.start % 32);
                mismatches += cell::incompatible(sequence, self.patterns.planes.read(word + number)).count_ones();
                left = right;
            });
            k += 4;
        }
        while k < length.div_ceil(32) && warp::ballot(has && mismatches <= most) != 0 {
            mismatches += self.compare(&place, k).mismatches;
            k += 1;
        }
        self.confirm(has && mismatches <= most, candidate);
    }

    /// Whether the group of the pattern where its span begins has no more mismatches than a match. Nearly all candidates end here,
    /// before their segment is looked for, which takes many loads one after another.
    #[inline(always)]
    fn resembles(&self, Candidate { at, pattern, before }: Candidate) -> bool {
        let [word, length, _, mismatches] = self.patterns.info.read(pattern).0;
        let place = Place { segment: 0, start: at.wrapping_sub(before), word, length };
        at >= before && self.compare(&place, before / 32).mismatches <= mismatches
    }

    /// Where the candidate's pattern would start, and whether it would lie inside one segment there.
    #[inline(always)]
    fn locate(&self, Candidate { at, pattern, before }: Candidate) -> (bool, Place) {
        let [word, length, ..] = self.patterns.info.read(pattern).0;
        let segment = holding(&self.sequences.starts, at);
        let (first, end) = (self.sequences.starts.read(segment), self.sequences.starts.read(segment + 1));
        let inside = at - first >= before && end - (at - before) >= length;
        (inside, Place { segment, start: at.wrapping_sub(before), word, length })
    }

    /// Compares all groups of a short pattern; or some groups of a long one, and says whether the whole warp is to compare it. That rejects
    /// nearly all long candidates that do not match.
    #[inline(always)]
    fn examine(&self, pattern: u32, place: &Place) -> (bool, Count) {
        let words = place.length.div_ceil(32);
        let limits = self.limits(pattern);
        let short = words <= GROUPS;
        let mut found = Count { wild: 0, mismatches: 0 };
        let mut k = 0;
        while k < if short { words } else { GROUPS } {
            let group = self.compare(place, if short { k } else { (words - 1) * k / (GROUPS - 1) });
            found.mismatches += group.mismatches;
            found.wild += group.wild;
            if found.mismatches > limits.mismatches {
                return (false, NO_MATCH);
            }
            k += 1;
        }
        if short {
            return (false, if found.wild <= limits.wild { found } else { NO_MATCH });
        }
        let possible = limits.wild == u32::MAX
            || self.wild_in(place.start, place.length) <= limits.wild.saturating_add(limits.mismatches);
        (possible, NO_MATCH)
    }

    /// Wild positions and mismatches of word `word` of a pattern.
    #[inline(always)]
    fn compare(&self, &Place { start, word: first_word, length, .. }: &Place, word: u32) -> Count {
        let sequence = self.window(start + 32 * word);
        let pattern = self.patterns.planes.read(first_word + word);
        let present = cell::present(word, length);
        let bad = cell::incompatible(sequence, pattern) & present;
        let wild = !(cell::single(sequence) & cell::single(pattern)) & present & !bad;
        Count { wild: wild.count_ones(), mismatches: bad.count_ones() }
    }

    /// Compares every symbol, a word per lane. All lanes call this with the same arguments.
    #[inline(always)]
    fn verify(&self, pattern: u32, place: &Place) -> Count {
        let words = place.length.div_ceil(32);
        let limits = self.limits(pattern);
        let mut found = Count { wild: 0, mismatches: 0 };
        let mut from = 0;
        while from < words && found.wild <= limits.wild && found.mismatches <= limits.mismatches {
            let word = from + warp::lane_id();
            let group = if word < words { self.compare(place, word) } else { Count { wild: 0, mismatches: 0 } };
            // 1024 of each at most.
            let sums = warp::reduce_add(group.wild | group.mismatches << 16);
            found.wild += sums & 0xffff;
            found.mismatches += sums >> 16;
            from += warp::LANES;
        }
        let matches = found.wild <= limits.wild && found.mismatches <= limits.mismatches;
        if matches { found } else { NO_MATCH }
    }

    /// Whether the same pattern has a match of a lesser rank in the same segment. Numbers that have no room in a rank beat nothing and are not
    /// beaten.
    #[inline(always)]
    fn is_beaten(&self, segment: u32, U32x4([start, pattern, wild, mismatches]): U32x4) -> bool {
        let Matches { least, ranked: [counts, first], quality, .. } = self.matches;
        if least.is_empty() || self.odd || (wild | mismatches) >> 16 != 0 {
            return false;
        }
        let (below, start) = if quality.is_empty() { (wild, start) } else { self.by_quality(pattern, start) };
        let rank = u64::from((mismatches << 16 | below) & counts) << 32 | u64::from(start & first);
        let place = segment * self.patterns.info.len() as u32 + pattern;
        least.fetch_min(place, rank) < rank
    }

    /// What stands for wild positions and for the first symbol in the rank of a match by qualities.
    #[inline(always)]
    fn by_quality(&self, pattern: u32, start: u32) -> (u32, u32) {
        let [_, length, ..] = self.patterns.info.read(pattern).0;
        if length > SUMMED {
            return (0, 0);
        }
        let (mut sum, mut at) = (0, start);
        while at < start + length {
            sum += u32::from(self.matches.quality.read(at));
            at += 1;
        }
        (SUMMED * 255 - sum, start)
    }

    /// A lane that has run out of room counts no more, so that the count does not begin again at 0.
    #[inline(always)]
    fn report(&self, segment: u32, found: U32x4) {
        if self.full.get() || self.is_beaten(segment, found) {
            return;
        }
        let place = self.matches.count.fetch_add(0, 1);
        if u64::from(place) < self.matches.found.len() {
            self.matches.found.write(place, found);
        } else {
            self.full.set(true);
        }
    }
}

/// How many lanes below this one are among `owners`.
#[inline(always)]
pub fn rank(owners: u32) -> u32 {
    (owners & ((1 << warp::lane_id()) - 1)).count_ones()
}

/// The sum of the values of this lane and of all lanes below it.
#[inline(always)]
pub fn inclusive_sum(value: u32) -> u32 {
    let lane = warp::lane_id();
    let mut sum = value;
    let mut distance = 1;
    while distance < 32 {
        let below = warp::shuffle_up(sum, distance, 32);
        if lane >= distance {
            sum += below;
        }
        distance *= 2;
    }
    sum
}
