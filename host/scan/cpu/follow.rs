//! From one match to the next ones, where patterns follow one another along a reference: no table is asked about these.
//!
//! ```text
//! places under which a tile is listed    . . x x x x x x x x x . .       of those in a row, the first is looked up
//!                                            > > > > > >                 and followed as far as the sequence is the reference
//!                                                        > x x           then the first of those that are left, then all of them
//! ```
//!
//! Where matches may have mismatches, others may match at the same place, so all places are looked up. But a match is followed both ways, as far
//! as one pattern after another matches, and what is found so again is neither followed nor compared ([`Kept`](super::kept::Kept)).

use super::alphabet::Alphabet;
use super::search::Search;
use super::seek::{DENSE, Seek, each_bit};
use crate::Hit;
use crate::seeds::Chains;
use crate::seeds::planes::bits;

/// How often places are left for later.
pub const ROUNDS: usize = 3;

impl Search<'_> {
    /// Keeps the match of pattern `number` at position `at`, if it is one, and those of the next patterns of its chain at the next
    /// positions. These own their matches, as spans are at the first symbols of their patterns. Returns false where that takes a look at
    /// the pattern: it is in no chain, or there are wild digits.
    #[inline]
    pub fn follow(&mut self, chains: &Chains, number: u32, at: usize) -> bool {
        let length = chains.length;
        if bits(&self.followed, at) & 1 == 1 {
            return true;
        }
        let is_clean = self.segment.planes.wild(at) << (64 - length) == 0;
        let Some(place) = chains.place(number).filter(|_| is_clean) else { return false };
        let most = self.left_in_sequence(at).min(self.segment.owned.end - 1 - at + length);
        let alike = self.alike(chains, (at, place), most);
        if alike >= length {
            let next = self.not_followed(at + 1, alike - length);
            let start = self.start(at);
            let kept = self.keep_chained(start, chains.patterns(place, next));
            self.set_followed(at, kept);
        }
        true
    }

    /// The same where matches may have `most` mismatches, and both ways: in front of the match, too.
    #[inline(always)]
    pub fn follow_nearly(&mut self, chains: &Chains, number: u32, at: usize, most: u32) -> bool {
        let length = chains.length;
        let is_clean = self.segment.planes.wild(at) << (64 - length) == 0;
        let Some(place) = chains.place(number).filter(|_| is_clean) else { return false };
        let ((sequence, start), left) = (self.start(at), self.left_in_sequence(at));
        let before = (start as usize).min(at - self.segment.owned.start).min(place);
        let behind = (left + 1).saturating_sub(length).min(self.segment.owned.end - at);
        if behind == 0 || self.near(chains, (at, place), most) & 1 == 0 {
            return true;
        }
        let before = self.near_before(chains, (at, place), (before, most));
        let (at, place, start) = (at - before, place - before, start - before as u64);
        let mut count = 0;
        while count < before + behind {
            let near = self.near(chains, (at + count, place + count), most);
            let found = (!near).trailing_zeros().min((before + behind - count) as u32) as usize;
            let different = self.different(chains, (at + count, place + count));
            let all = u64::MAX >> (64 - length);
            let hit = |k: usize| {
                let (pattern, start) = (chains.pattern(place + count + k), start + (count + k) as u64);
                Hit { sequence, pattern, start, wild: 0, mismatches: (different >> k & all).count_ones() }
            };
            self.keep((0..found).map(hit));
            count += found;
            if found <= 64 - length {
                break;
            }
        }
        self.kept.add(number - before as u32, at, count);
        true
    }

    /// Of the matches at the places in front of these, up to so many, how many there are in a row.
    #[inline(always)]
    fn near_before(&self, chains: &Chains, (at, place): (usize, usize), (before, most): (usize, u32)) -> usize {
        let mut count = 0;
        while count < before {
            let step = (65 - chains.length).min(before - count);
            let from = count + step;
            let near = self.near(chains, (at - from, place - from), most);
            let found = (!near << (64 - step)).leading_zeros().min(step as u32) as usize;
            count += found;
            if found < step {
                break;
            }
        }
        count
    }

    /// Bit k, up to 64 less the length of a pattern: from k digits behind these places of the segment and of the text on, a pattern has `most`
    /// mismatches at most, and no digit is wild.
    #[inline(always)]
    fn near(&self, chains: &Chains, (at, place): (usize, usize), most: u32) -> u64 {
        let (different, wild) = (self.different(chains, (at, place)), self.segment.planes.wild(at));
        let all = u64::MAX >> (64 - chains.length);
        let is_near = |k: usize| (different >> k & all).count_ones() <= most && wild >> k & all == 0;
        let near = (0..65 - chains.length).fold(0, |near, k| near | u64::from(is_near(k)) << k);
        near & chains.begins(place)
    }

    /// Bit k: k digits behind these places, those of the segment and of the text differ.
    #[inline(always)]
    fn different(&self, chains: &Chains, (at, place): (usize, usize)) -> u64 {
        let ([low, high, _], [text_low, text_high]) = (self.segment.planes.digits(at as isize), chains.digits(place));
        (low ^ text_low) | (high ^ text_high)
    }

    /// How many digits of the segment, none of which is wild, and of the text of the chains are the same from these places on: `most`
    /// at most.
    fn alike(&self, chains: &Chains, (at, place): (usize, usize), most: usize) -> usize {
        let mut alike = 0;
        while alike < most {
            let [low, high, wild] = self.segment.planes.digits((at + alike) as isize);
            let [text_low, text_high] = chains.digits(place + alike);
            let different = (low ^ text_low) | (high ^ text_high) | wild;
            alike += different.trailing_zeros() as usize;
            if different != 0 {
                break;
            }
        }
        alike.min(most)
    }

    /// How many places from `at` on have not been followed: `most` at most.
    fn not_followed(&self, at: usize, most: usize) -> usize {
        let followed = |k: usize| bits(&self.followed, at + k).trailing_zeros() as usize;
        let block = (0..most).step_by(64).find(|&k| followed(k) < 64);
        block.map_or(most, |k| most.min(k + followed(k)))
    }

    /// Takes note of so many places.
    fn set_followed(&mut self, at: usize, count: usize) {
        for word in at / 64..(at + count).div_ceil(64) {
            let (from, to) = (at.max(64 * word) - 64 * word, (at + count).min(64 * word + 64) - 64 * word);
            self.followed[word] |= u64::MAX >> (64 - (to - from)) << from;
        }
    }
}

impl Seek<'_, '_> {
    /// Of `places` of the block at `at`, those to look up now, by tile `tile`, which has no wild digits. Where a pattern may begin at the first of
    /// them, it may lead to the others, which are left for later.
    #[inline(always)]
    pub fn look_up_rows(&mut self, chains: &Chains, at: usize, places: u64, tile: u32) -> u64 {
        let places = places & !bits(&self.search.followed, at);
        let first = places & places.wrapping_neg() & bits(self.whole, at);
        if self.may_begin(chains, at, first) != 0 {
            self.queue.later[0].push((at, places ^ first, tile));
            return first;
        }
        let begin = self.begin(chains, at, places ^ first, tile);
        self.first_in_a_row(at, begin, tile, 1)
    }

    /// Of `places` of the block at `at`, those that no chain has led to and at which a pattern may begin. Where a digit is wild that it would
    /// cover, tile `tile` alone tells.
    #[inline(always)]
    fn begin(&self, chains: &Chains, at: usize, places: u64, tile: u32) -> u64 {
        let places = places & !bits(&self.search.followed, at);
        let (whole, others) = (places & bits(self.whole, at), places & !bits(self.whole, at));
        self.may_begin(chains, at, whole) | if others == 0 { 0 } else { self.listed(at, others, tile) }
    }

    /// Of such places, of those in a row the first. The others are for a later round.
    #[inline(always)]
    fn first_in_a_row(&mut self, at: usize, places: u64, tile: u32, round: usize) -> u64 {
        let places = places & !bits(&self.search.followed, at);
        let first = places & !(places << 1);
        if places != first {
            self.queue.later[round].push((at, places ^ first, tile));
        }
        first
    }

    /// Of places of the block at `at` without wild digits, those at which a pattern may begin.
    #[inline(always)]
    fn may_begin(&self, chains: &Chains, at: usize, places: u64) -> u64 {
        let windows = self.search.segment.planes.windows(at);
        if places.count_ones() >= DENSE {
            return places & chains.may_begin_at(self.search.set, |place| windows.at(place));
        }
        let mut found = 0;
        each_bit(places, |place| found |= (chains.may_begin(windows.at(place)) & 1) << place);
        found
    }

    /// Examines what was left for later: behind a first place, the first in a row of those at which a pattern may begin; then again the first
    /// in a row; and then all.
    pub fn follow_rows<A: Alphabet>(&mut self, chains: &Chains) {
        for round in 0..ROUNDS {
            let mut later = std::mem::take(&mut self.queue.later[round]);
            for (at, places, tile) in later.drain(..) {
                let places = if round == 0 { self.begin(chains, at, places, tile) } else { places };
                let left = match round + 1 < ROUNDS {
                    true => self.first_in_a_row(at, places, tile, round + 1),
                    false => places & !bits(&self.search.followed, at),
                };
                self.add(at, left, tile);
                self.examine_if_full::<A>();
            }
            self.examine_queue::<A>(true);
            self.queue.later[round] = later;
        }
    }
}
