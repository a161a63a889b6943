//! Windows of long patterns, for places where the first of their spans lies in a run of wild symbols: of each stretch of a pattern, one that
//! is listed.
//!
//! ```text
//! pattern    |....w...|..w.....|w.......|.....w..|     a window in each whole stretch
//! sequence         NNNNNN [ all places of a mark ] NNNNN
//! ```
//!
//! A mark is so many places of a sequence in a row that whatever lies over all of them has a whole stretch there, and so a window. So a match
//! over a mark is found by looking up its places, whatever else is wild.

use super::plan::{Queries, Query};
use super::{Listed, SPANS, Span, Table, planes};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use warpseq_seq::iupac::WILD;

/// Places of a stretch. With 32, half as many windows are listed, but 20 % `N` leave hardly a place for a mark.
const STRETCH: usize = 16;
/// Places of a mark.
pub const PLACES: usize = 2 * STRETCH - 1;
/// Symbols of a window: so many that one place of a sequence in 16 is listed at most, as far as there may be so many.
const SYMBOLS: RangeInclusive<usize> = 8..=12;
const RARE: usize = 16;
/// The most symbols of patterns of which windows are listed, so that these take some 50 MB at most.
const SYMBOLS_MOST: usize = 32 << 20;
/// Of how many patterns one at most may be without: it is compared everywhere.
const FEW: usize = 12;

/// The windows of the patterns of a class, each of several spans.
pub struct Windows {
    /// Symbols of a window.
    pub length: usize,
    /// Where each is listed.
    pub table: Table,
    /// Of each window, the number of its pattern in the class and the symbols before it.
    pub places: Vec<[u32; 2]>,
    /// Of each pattern, whether its windows are listed: not where all of a stretch have too many wild symbols.
    pub are_listed: Vec<bool>,
    /// Symbols of the shortest of the others.
    pub shortest: usize,
    /// The fewest symbols that are not wild in a match of these.
    pub least_single: usize,
}

impl Windows {
    /// Whether nearly all patterns of these spans have windows, and these do not take too much memory.
    pub fn suit(spans: &[Span], queries: &Queries) -> bool {
        let patterns = || spans.par_chunks(SPANS).map(|spans| &queries.all[spans[0].query as usize]);
        let is_without = |query: &&Query| {
            query.has_wild() && queries.digits(query).as_chunks::<STRETCH>().0.contains(&[WILD; STRETCH])
        };
        let symbols: usize = patterns().map(Query::length).sum();
        symbols <= SYMBOLS_MOST && patterns().filter(is_without).count() * FEW <= spans.len() / SPANS
    }

    /// Lists windows of the patterns of these spans, on all threads.
    pub fn new(spans: &[Span], queries: &Queries) -> Self {
        let query = |number: usize| &queries.all[spans[number * SPANS].query as usize];
        let patterns = spans.len() / SPANS;
        let symbols: usize = (0..patterns).map(|number| query(number).length()).sum();
        let length = ((symbols / STRETCH * RARE).max(1).ilog(4) as usize + 1).clamp(*SYMBOLS.start(), *SYMBOLS.end());
        let of_pattern = |number: usize| {
            let (digits, has_wild) = (queries.digits(query(number)), query(number).has_wild());
            let stretches = (0..(digits.len() + 1).saturating_sub(length) / STRETCH).map(|k| k * STRETCH);
            let wild: Vec<u64> =
                if has_wild { digits.chunks(64).map(|some| planes(some)[2]).collect() } else { Vec::new() };
            let place = |first| if has_wild { window(&wild, first, length) } else { Some(first) };
            stretches.map(|first| Some([number as u32, place(first)? as u32])).collect::<Option<Vec<_>>>()
        };
        let of_patterns: Vec<_> = (0..patterns).into_par_iter().map(of_pattern).collect();
        let are_listed: Vec<bool> = of_patterns.iter().map(Option::is_some).collect();
        let places = of_patterns.into_iter().flatten().collect::<Vec<_>>().concat();
        let those = || (0..patterns).filter(|&number| are_listed[number]).map(query);
        let single = |query: &Query| query.length().saturating_sub(query.limits.wild as usize);
        let shortest = those().map(Query::length).min().unwrap_or(usize::MAX);
        let least_single = those().map(single).min().unwrap_or(usize::MAX);
        let listed = |at: usize| {
            let [number, offset] = places[at];
            Listed { span: at as u32, digits: queries.digits(query(number as usize)), at: offset as usize }
        };
        let table = Table::new((length, false), false, places.len(), listed);
        Self { length, table, places, are_listed, shortest, least_single }
    }

    /// Symbols of a mark.
    pub fn symbols_of_mark(&self) -> usize {
        PLACES + self.length - 1
    }
}

/// The place of the stretch that begins at `first` whose window has the fewest wild symbols, at 10 % `N` seldom more than one; `None` where
/// most of each are. Bit k % 64 of word k / 64 of `wild`: symbol k is.
fn window(wild: &[u64], first: usize, length: usize) -> Option<usize> {
    let (word, bit) = (first / 64, first % 64);
    let behind = wild.get(word + 1).map_or(0, |next| next << 1 << (63 - bit));
    let wild = wild[word] >> bit | behind;
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
    (2 * least as usize <= length).then_some(first + k)
}
