//! Windows of long patterns, for places where the first of their spans lies in a run of wild symbols: of each stretch of a pattern, one that
//! is listed.
//!
//! ```text
//! pattern    |....w...|..w.....|w.......|.....w..|     a window in each whole stretch
//! sequence         NNNNNN [ all places of a mark ] NNNNN
//! ```
//!
//! A mark is so many places of a sequence in a row that whatever lies over all of them has a whole stretch there, and so a window. So a match
//! over a mark is found by looking up its places, whatever else is wild; one with k mismatches, over k + 1 marks that have no symbol in common.

use super::plan::{Queries, Query};
use super::planes::Planes;
use super::{BESIDE, Entry, Item, SPANS, SPANS_MAX, Span, Table};
use crate::Limits;
use rayon::prelude::*;
use std::ops::RangeInclusive;
use warpseq_seq::iupac::WILD;
use warpseq_simd::InstructionSet;

/// Places of a stretch. With 32, half as many windows are listed, but 20 % `N` leave hardly a place for a mark.
const STRETCH: usize = 16;
/// Places of a mark.
pub const PLACES: usize = 2 * STRETCH - 1;
/// Symbols of a window: so many that one place of a sequence in 16 is listed at most, as far as there may be so many.
const SYMBOLS: RangeInclusive<usize> = 8..=12;
const RARE: usize = 16;
/// The most symbols of patterns of which windows are listed, so that these take some 50 MB at most.
const SYMBOLS_MOST: usize = 32 << 20;
/// Of how many symbols of patterns one at most may be wild, as windows are listed under all codes that agree.
const SINGLE: usize = 4;
/// Of how many patterns one at most may be without: it is compared everywhere.
const FEW: usize = 12;
/// Symbols from one mark to the next, at least about, that one looks for.
pub const NEAR: usize = 128;

/// The windows of the patterns of a class, each of several spans.
pub struct Windows {
    /// Symbols of a window.
    pub length: usize,
    /// Where each is listed, with the number of its first symbol among those of all patterns.
    pub table: Table,
    /// Marks of which one has no mismatch: one more than a match may have.
    pub needed: usize,
    /// The numbers of the first symbols of the patterns.
    starts: Vec<u32>,
    /// Of each pattern, whether its windows are listed: not where all of a stretch have too many wild symbols.
    pub are_listed: Vec<bool>,
    /// Symbols of the shortest of the others.
    pub shortest: usize,
    /// The fewest symbols that are not wild in a match of these.
    pub least_single: usize,
}

impl Windows {
    /// Whether nearly all patterns of these spans have windows, lie over as many marks as are `needed` where few symbols are wild, and do not take
    /// too much memory.
    pub fn suit(spans: &[Span], queries: &Queries, needed: usize) -> bool {
        let patterns = || spans.par_chunks(SPANS).map(|spans| &queries.all[spans[0].query as usize]);
        let is_without = |query: &&Query| {
            query.has_wild() && queries.digits(query).as_chunks::<STRETCH>().0.contains(&[WILD; STRETCH])
        };
        let symbols: usize = patterns().map(Query::length).sum();
        let wild: usize = patterns().map(|query| query.wild as usize).sum();
        let shortest = patterns().map(Query::length).min().unwrap_or(0);
        let are_long = needed == 1 || shortest / (needed + 1) >= NEAR + SYMBOLS.end();
        let are_told = symbols <= SYMBOLS_MOST && wild * SINGLE <= symbols;
        are_told && are_long && patterns().filter(is_without).count() * FEW <= spans.len() / SPANS
    }

    /// Lists windows of the patterns of these spans, on all threads.
    pub fn new(spans: &[Span], queries: &Queries, needed: usize) -> Self {
        let patterns: Vec<&Query> = spans.chunks(SPANS).map(|spans| &queries.all[spans[0].query as usize]).collect();
        let before = patterns.iter().scan(0, |sum, query| Some(std::mem::replace(sum, *sum + query.length() as u32)));
        let starts: Vec<u32> = before.collect();
        let (stretches, length) = stretches_of(&patterns);
        let set = InstructionSet::detect();
        let of = |query: &Query| Stretches::of(queries.digits(query), length, set);
        let are_listed: Vec<bool> =
            patterns.par_iter().map(|query| !query.has_wild() || of(query).have_windows()).collect();
        let those = || patterns.iter().zip(&are_listed).filter_map(|(query, &is_listed)| is_listed.then_some(query));
        let single = |query: &&Query| {
            let Limits { wild, mismatches } = query.limits;
            query.length().saturating_sub(wild as usize).saturating_sub(mismatches as usize)
        };
        let shortest = those().map(|query| query.length()).min().unwrap_or(usize::MAX);
        let least_single = those().map(single).min().unwrap_or(usize::MAX);
        let add = |number: usize, items: &mut Vec<Item>| {
            if are_listed[number] {
                let stretches = of(patterns[number]);
                for place in stretches.windows().flatten() {
                    let behind = stretches.planes.tile(place + length, BESIDE);
                    let entry = Entry::of(starts[number] + place as u32, behind, 0);
                    items.extend(entry.under_codes(stretches.planes.tile(place, length), length));
                }
            }
        };
        let table = Table::of_items(length, false, (patterns.len(), 1), stretches, add);
        Self { length, table, needed, starts, are_listed, shortest, least_single }
    }

    /// Bytes of the table of the windows of these spans.
    pub fn bytes(spans: &[Span], queries: &Queries) -> usize {
        let patterns: Vec<&Query> = spans.chunks(SPANS).map(|spans| &queries.all[spans[0].query as usize]).collect();
        let ((stretches, length), set) = (stretches_of(&patterns), InstructionSet::detect());
        let entries = |query: &&Query| {
            let stretches = Stretches::of(queries.digits(query), length, set);
            let codes = |place| 1usize << (2 * stretches.planes.tile(place, length).wild.count_ones());
            stretches.windows().flatten().map(codes).sum::<usize>()
        };
        Table::bytes(length, stretches, patterns.par_iter().map(entries).sum()) + size_of_val(&patterns[..])
    }

    /// Symbols from one mark to the next, at most so many: unless there is no place for one, it is less than twice as far from the next, and
    /// whatever pattern lies there is over as many as are needed.
    pub fn apart(&self, most: usize) -> usize {
        (self.shortest.saturating_sub(self.symbols_of_mark()) / (self.needed + 1)).clamp(NEAR, most)
    }

    /// The numbers of the first symbols of the patterns.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Symbols of a mark.
    pub fn symbols_of_mark(&self) -> usize {
        PLACES + self.length - 1
    }

    /// The pattern of a listed window, by its number in the class, and the symbols before the window.
    pub fn place(&self, window: u32) -> (u32, u32) {
        let number = self.starts.partition_point(|&start| start <= window) - 1;
        (number as u32, window - self.starts[number])
    }
}

/// How many stretches patterns have, about, and how many symbols their windows.
fn stretches_of(patterns: &[&Query]) -> (usize, usize) {
    let stretches: usize = patterns.iter().map(|query| query.length() / STRETCH).sum();
    (stretches, ((stretches * RARE).max(1).ilog(4) as usize + 1).clamp(*SYMBOLS.start(), *SYMBOLS.end()))
}

/// The stretches of a pattern in which windows of so many symbols may begin.
struct Stretches {
    planes: Planes,
    count: usize,
    length: usize,
}

impl Stretches {
    fn of(digits: &[u8], length: usize, set: InstructionSet) -> Self {
        let mut planes = Planes::default();
        planes.fill(digits, set);
        Self { planes, count: (digits.len() + 1).saturating_sub(length) / STRETCH, length }
    }

    /// The first symbol of each, and which of the 64 from there on are wild.
    fn all(&self) -> impl Iterator<Item = (usize, u64)> {
        (0..self.count).map(|k| (k * STRETCH, self.planes.wild(k * STRETCH)))
    }

    /// The place of a window of each.
    fn windows(&self) -> impl Iterator<Item = Option<usize>> {
        self.all().map(|(first, wild)| Some(first + window(wild, self.length)?))
    }

    /// Whether each has a window: where no more symbols are wild than those of a window may be, it has.
    fn have_windows(&self) -> bool {
        let symbols = (1 << (STRETCH + self.length - 1)) - 1;
        let has_few = |wild: u64| (wild & symbols).count_ones() as usize <= self.length / 2;
        self.all().all(|(_, wild)| has_few(wild) || window(wild, self.length).is_some())
    }
}

/// Which of the windows that begin in a stretch has the fewest wild symbols, at 10 % `N` seldom more than one; `None` where most of each are.
/// Bit k of `wild`: symbol k of the stretch, and of what follows, is.
fn window(wild: u64, length: usize) -> Option<usize> {
    if wild & ((1 << length) - 1) == 0 {
        return Some(0);
    }
    // How many each has, in binary: bit k of a plane is that of window k.
    let mut planes = [0; 4];
    for symbol in 0..length {
        let mut carry = wild >> symbol;
        for plane in &mut planes {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }
    let mut best = (1 << STRETCH) - 1;
    for plane in planes.iter().rev() {
        best = if best & !plane == 0 { best } else { best & !plane };
    }
    let k = best.trailing_zeros() as usize;
    let least: u64 = (0..).zip(planes).map(|(bit, plane)| (plane >> k & 1) << bit).sum();
    (2 * least as usize <= length).then_some(k)
}

// An entry has room for the number of any symbol.
const _: () = assert!(SYMBOLS_MOST <= SPANS_MAX);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::Tile;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_window_of_a_stretch_has_the_fewest_wild_symbols() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for symbols in (0usize..200).chain([1000]) {
            for rate in [0.0, 0.1, 0.5, 0.7] {
                let digits: Vec<u8> = (0..symbols)
                    .map(|_| if random.random_bool(rate) { WILD } else { random.random_range(0..4) })
                    .collect();
                for length in SYMBOLS {
                    let stretches = Stretches::of(&digits, length, InstructionSet::detect());
                    let planes = &stretches.planes;
                    let wild =
                        |place: usize| digits[place..place + length].iter().filter(|&&digit| digit == WILD).count();
                    let found: Vec<Option<usize>> = stretches.windows().collect();
                    assert_eq!(found.len(), (symbols + 1).saturating_sub(length) / STRETCH);
                    for (stretch, place) in found.iter().enumerate() {
                        let places = STRETCH * stretch..STRETCH * (stretch + 1);
                        let best = places.min_by_key(|&place| wild(place)).filter(|&best| 2 * wild(best) <= length);
                        assert_eq!(*place, best);
                    }
                    assert_eq!(stretches.have_windows(), found.iter().all(Option::is_some));
                    for place in found.into_iter().flatten() {
                        let behind = &digits[place + length..];
                        let tile = Tile::of(&digits[place..place + length]);
                        assert_eq!(planes.tile(place, length), tile);
                        let is_wild = |k: usize| planes.tile(place + length, BESIDE).wild >> k & 1 == 1;
                        assert!((0..BESIDE).all(|k| is_wild(k) == behind.get(k).is_none_or(|&digit| digit == WILD)));
                    }
                }
            }
        }
    }
}
