//! One task's search: what it looks in, and what it has found.

use super::alphabet::Alphabet;
use super::hard;
use super::kept::Kept;
use super::segment::Segment;
use crate::seats::{Rule, Seats};
use crate::seeds::plan::{Class, Plan, Queries};
use crate::seeds::{Chains, Span};
use crate::{Hit, Limits, Streak};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use warpseq_engine::executor::Watch;
use warpseq_simd::InstructionSet;

/// Matches that a task finds between two updates of the count that all tasks share.
const COUNTED: usize = 1 << 10;

/// About how many matches all tasks have found together, how many there may be, and who waits for them.
pub struct Tally<'w> {
    found: AtomicUsize,
    most: usize,
    pub watch: &'w dyn Watch,
    given_up: AtomicBool,
}

impl<'w> Tally<'w> {
    pub fn new(most: usize, watch: &'w dyn Watch) -> Self {
        Self { found: AtomicUsize::new(0), most, watch, given_up: AtomicBool::new(false) }
    }

    /// Whether there are too many already, or none is wanted any more, so that no task need go on.
    #[inline]
    pub fn is_full(&self) -> bool {
        if !self.watch.is_wanted() {
            self.given_up.store(true, Ordering::Relaxed);
        }
        self.has_given_up() || self.found.load(Ordering::Relaxed) > self.most
    }

    /// Whether so many matches are not too many.
    pub fn holds(&self, matches: usize) -> bool {
        matches <= self.most
    }

    /// Whether a task has not gone on because no matches were wanted.
    pub fn has_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}

/// Of the places of patterns that have been compared, those compared last. A match of a pattern in parts is found by many of them.
#[derive(Default)]
pub struct Tried(Vec<(u32, usize)>);

impl Tried {
    /// Places that are kept; a new one takes that of an older one.
    const MOST: usize = 1 << 10;

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
        self.0.resize(Self::MOST, (u32::MAX, 0));
    }

    /// Adds the place of a query. False: it is there.
    #[inline(always)]
    fn add(&mut self, query: u32, place: usize) -> bool {
        let at = (place ^ (query as usize).wrapping_mul(0x9E37)) % Self::MOST;
        std::mem::replace(&mut self.0[at], (query, place)) != (query, place)
    }
}

/// A search of one segment.
pub struct Search<'a> {
    pub queries: &'a Queries,
    pub plan: &'a Plan,
    pub segment: &'a Segment,
    pub sequences: Sequences<'a>,
    pub hits: Vec<Hit>,
    /// Of patterns in chains, where they may be kept so.
    pub streaks: Option<Vec<Streak>>,
    /// Which of the matches are kept.
    pub rule: Rule<'a>,
    pub seats: &'a mut Seats,
    /// Where the class has chains and matches have no mismatches. Bit x: the only match that starts at position x is kept already.
    pub followed: Vec<u64>,
    /// Where it has chains and they may: which matches are kept already.
    pub kept: Kept,
    /// Where patterns are in parts: of those that agree with one of these, the last that have been compared.
    pub tried: Tried,
    pub tally: &'a Tally<'a>,
    pub set: InstructionSet,
}

impl Search<'_> {
    /// Keeps the match of query `index` that starts `before` symbols before position `at`, if it is one. Positions count
    /// from the segment's first symbol.
    #[inline]
    pub fn examine<A: Alphabet>(&mut self, index: u32, at: usize, before: usize) {
        if let Some((sequence, start)) = self.place(index, at, before) {
            self.verify::<A>(index, sequence, start, at - before);
        }
    }

    /// Keeps the match of the pattern of span number `number` of a class, which lies at position `at`, if it is one and no earlier
    /// span of the pattern is to find it; and those that follow it in its chain.
    #[inline(always)]
    pub fn examine_span<A: Alphabet>(&mut self, class: &Class, number: u32, at: usize) {
        if let Some(chains) = &class.chains {
            return self.examine_chain::<A>(class, chains, number, at);
        }
        let spans = self.plan.spans_of(class);
        let Span { query, offset, order } = spans[number as usize];
        let Some((sequence, start)) = self.place(query, at, offset as usize) else { return };
        let earlier = &spans[(number - order) as usize..number as usize];
        let place = at - offset as usize;
        if class.shape.parted && !self.tried.add(query, place) {
            return;
        }
        if earlier.iter().all(|earlier| hard::is_hard(class, &self.segment.planes, place + earlier.offset as usize)) {
            self.verify::<A>(query, sequence, start, place);
        }
    }

    /// The same for a pattern of a class that has chains. Its only span is at its first symbol.
    #[inline(always)]
    fn examine_chain<A: Alphabet>(&mut self, class: &Class, chains: &Chains, number: u32, at: usize) {
        let most = class.shape.mismatches();
        let is_done = match most {
            0 => self.follow(chains, number, at),
            _ => self.kept.has(number, at) || self.follow_nearly(chains, number, at, most),
        };
        if is_done {
            return;
        }
        let query = self.plan.spans_of(class)[number as usize].query;
        if let Some((sequence, start)) = self.place(query, at, 0)
            && self.verify::<A>(query, sequence, start, at)
            && most > 0
        {
            self.kept.add(number, at, 1);
        }
    }

    /// The sequence in which query `index` lies when it starts `before` symbols before position `at`, and where it starts there.
    #[inline(always)]
    fn place(&mut self, index: u32, at: usize, before: usize) -> Option<(u32, u64)> {
        let length = self.queries.all[index as usize].length();
        let owner = self.segment.first + at;
        let (sequence, range) = self.sequences.at(owner);
        let inside = owner - range.start >= before && range.end - owner >= length - before;
        inside.then(|| (sequence, (owner - before - range.start) as u64))
    }

    /// Keeps the match of query `index` at position `at`, if it is one.
    #[inline(always)]
    fn verify<A: Alphabet>(&mut self, index: u32, sequence: u32, start: u64, at: usize) -> bool {
        let query = &self.queries.all[index as usize];
        let found = self.segment.verify::<A>(self.queries, query, at);
        if let Some(Limits { wild, mismatches }) = found {
            let (before, hit) = (self.hits.len(), Hit { sequence, pattern: query.pattern, start, wild, mismatches });
            self.seats.keep(self.rule, &mut self.hits, (hit, query.length()));
            self.count(before, self.hits.len());
        }
        found.is_some()
    }

    /// Keeps matches of different patterns.
    #[inline]
    pub fn keep(&mut self, hits: impl IntoIterator<Item = Hit>) {
        let before = self.hits.len();
        self.hits.extend(hits);
        self.count(before, self.hits.len());
    }

    /// Keeps matches without mismatches of these patterns of a chain, of which the first starts at `start` of a sequence. Returns how many.
    #[inline]
    pub fn keep_chained(&mut self, (sequence, start): (u32, u64), mut patterns: impl Iterator<Item = u32>) -> usize {
        let Some(streaks) = &mut self.streaks else {
            let before = self.hits.len();
            let hit = |(pattern, start)| Hit { sequence, pattern, start, wild: 0, mismatches: 0 };
            self.keep(patterns.zip(start..).map(hit));
            return self.hits.len() - before;
        };
        let (before, mut kept, mut next) = (streaks.len(), 0, patterns.next());
        while let Some(pattern) = next {
            let (start, mut last, mut step, mut count) = (start + kept, pattern, 0, 1);
            next = patterns.next();
            while let Some(number) = next.filter(|&number| count == 1 || number.wrapping_sub(last) as i32 == step) {
                (step, last, count) = (number.wrapping_sub(last) as i32, number, count + 1);
                next = patterns.next();
            }
            streaks.push(Streak { sequence, pattern, start, step, count });
            kept += u64::from(count);
        }
        let now = streaks.len();
        self.count(before, now);
        kept as usize
    }

    /// Counts matches where there are `now` in a list, and were `before`.
    #[inline]
    fn count(&self, before: usize, now: usize) {
        let more = now / COUNTED - before / COUNTED;
        if more > 0 {
            self.tally.found.fetch_add(more * COUNTED, Ordering::Relaxed);
        }
    }

    /// Symbols from position `at` to the end of its sequence.
    pub fn left_in_sequence(&mut self, at: usize) -> usize {
        let owner = self.segment.first + at;
        self.sequences.at(owner).1.end - owner
    }

    /// The positions of the segment where a sequence ends.
    pub fn ends(&self) -> impl Iterator<Item = usize> {
        let Segment { first, length, .. } = *self.segment;
        self.sequences.ends(first..first + length).map(move |end| end - first)
    }

    /// The sequence at position `at`, and where in it that is.
    pub fn start(&mut self, at: usize) -> (u32, u64) {
        let owner = self.segment.first + at;
        let (sequence, range) = self.sequences.at(owner);
        (sequence, (owner - range.start) as u64)
    }
}

/// Finds the sequence at a position of the batch; fast for rising positions.
pub struct Sequences<'a> {
    starts: &'a [u64],
    sequence: usize,
}

impl<'a> Sequences<'a> {
    /// For the sequences that begin at `starts` and end at its last entry.
    pub fn new(starts: &'a [u64]) -> Self {
        Self { starts, sequence: 0 }
    }

    /// Where sequences end in a range of positions, its end included and its start not.
    pub fn ends(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let from = self.starts.partition_point(|&start| start as usize <= range.start);
        self.starts[from..].iter().map(|&start| start as usize).take_while(move |&start| start <= range.end)
    }

    /// The sequence that holds `position`, and the positions it holds.
    #[inline]
    pub fn at(&mut self, position: usize) -> (u32, Range<usize>) {
        let holds = |k: usize| self.starts[k] as usize <= position && position < self.starts[k + 1] as usize;
        if !holds(self.sequence) {
            self.sequence = self.starts.partition_point(|&start| start as usize <= position) - 1;
        }
        (self.sequence as u32, self.starts[self.sequence] as usize..self.starts[self.sequence + 1] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_lie_in_their_sequence() {
        let starts = [0, 0, 3, 3, 3, 10, 11];
        let mut sequences = Sequences::new(&starts);
        for position in [0, 2, 3, 9, 10, 1, 10, 5] {
            let sequence = (0..6).find(|&k| starts[k] <= position && position < starts[k + 1]).unwrap();
            let range = starts[sequence] as usize..starts[sequence + 1] as usize;
            assert_eq!(sequences.at(position as usize), (sequence as u32, range));
        }
        let ends = |range| sequences.ends(range).collect::<Vec<_>>();
        assert_eq!((ends(0..10), ends(3..11), ends(4..9)), (vec![3, 3, 3, 10], vec![10, 11], vec![]));
    }
}
