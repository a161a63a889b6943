//! Windows of long patterns, for places where all of their spans lie in runs of wild symbols: of each stretch of a pattern, one that is
//! listed.
//!
//! ```text
//! pattern    |....w...|..w.....|w.......|.....w..|     a window in each whole stretch
//! sequence         NNNNNN [ all places of a mark ] NNNNN
//! ```
//!
//! A mark is so many places of a sequence in a row that whatever lies over all of them has a whole stretch there, and so a window. So a match
//! over a mark is found by looking up its places, whatever else is wild.

use super::plan::Queries;
use super::{Listed, SPANS, Span, Table};
use std::ops::{Range, RangeInclusive};
use warpseq_seq::iupac::WILD;

/// Places of a stretch.
const STRETCH: usize = 16;
/// Places of a mark.
pub const PLACES: usize = 2 * STRETCH - 1;
/// Symbols of a window.
const SYMBOLS: RangeInclusive<usize> = 6..=12;
/// The most wild symbols of a window.
const WILD_MOST: usize = 3;
/// The most symbols of patterns of which windows are listed, so that these take some 50 MB at most.
const SYMBOLS_MOST: usize = 32 << 20;

/// The windows of the patterns of a class, each of several spans.
pub struct Windows {
    /// Symbols of a window.
    pub length: usize,
    /// Where each is listed.
    pub table: Table,
    /// Of each window, the number of its pattern in the class and the symbols before it.
    pub places: Vec<[u32; 2]>,
    /// Of each pattern, whether its windows are listed: not where every window of a stretch has too many wild symbols.
    pub are_listed: Vec<bool>,
    /// Symbols of the shortest of the others.
    pub shortest: usize,
    /// The fewest symbols that are not wild in a match of these.
    pub least_single: usize,
}

impl Windows {
    /// Lists windows of the patterns of these spans, on this thread; `None` where they would take too much memory.
    pub fn new(spans: &[Span], queries: &Queries) -> Option<Self> {
        let query = |number: usize| &queries.all[spans[number * SPANS].query as usize];
        let patterns = spans.len() / SPANS;
        let symbols: usize = (0..patterns).map(|number| query(number).length()).sum();
        if symbols > SYMBOLS_MOST {
            return None;
        }
        let length = ((symbols / STRETCH).max(1).ilog(4) as usize + 1).clamp(*SYMBOLS.start(), *SYMBOLS.end());
        let (mut places, mut are_listed) = (Vec::with_capacity(symbols / STRETCH), Vec::with_capacity(patterns));
        let (mut shortest, mut least_single) = (usize::MAX, usize::MAX);
        for number in 0..patterns {
            let (query, before) = (query(number), places.len());
            let digits = queries.digits(query);
            let stretches = (digits.len() + 1).saturating_sub(length) / STRETCH;
            places.extend((0..stretches).map_while(|k| {
                let at = window(digits, k * STRETCH..(k + 1) * STRETCH, length)?;
                Some([number as u32, at as u32])
            }));
            are_listed.push(places.len() - before == stretches);
            if places.len() - before < stretches {
                places.truncate(before);
            } else {
                shortest = shortest.min(digits.len());
                least_single = least_single.min(digits.len().saturating_sub(query.limits.wild as usize));
            }
        }
        let listed = |at: usize| {
            let [number, offset] = places[at];
            Listed { span: at as u32, digits: queries.digits(query(number as usize)), at: offset as usize }
        };
        let table = Table::new((length, false), true, places.len(), listed);
        Some(Self { length, table, places, are_listed, shortest, least_single })
    }

    /// Symbols of a mark.
    pub fn symbols_of_mark(&self) -> usize {
        PLACES + self.length - 1
    }
}

/// The place of a stretch whose window has the fewest wild symbols; `None` where all have too many.
fn window(digits: &[u8], stretch: Range<usize>, length: usize) -> Option<usize> {
    let wild = |at: usize| digits[at..at + length].iter().filter(|&&digit| digit == WILD).count();
    if wild(stretch.start) == 0 {
        return Some(stretch.start);
    }
    stretch.map(|at| (wild(at), at)).min().filter(|&(wild, _)| wild <= WILD_MOST).map(|(_, at)| at)
}
