//! Patterns of which all spans lie at hard positions, found by [`Windows`]: at marks in the sequence, and compared where they lie over none.

use super::segment::Segment;
use crate::seeds::windows::PLACES;
use crate::seeds::{Windows, codes, digest};
use std::ops::Range;

/// The most symbols from one mark to the next, unless there is no place for one, and those between two places that are looked at for it.
const APART: usize = 1024;
const TRIED: usize = 8;
/// The most wild symbols of a mark.
const WILD_MOST: usize = 3;

/// The marks in these ranges of a segment, in order: the first symbol of each.
pub fn marks(windows: &Windows, segment: &Segment, ranges: &[Range<usize>]) -> Vec<usize> {
    let symbols = windows.symbols_of_mark();
    // Two in a row without a mark are shorter than any pattern.
    let apart = (windows.shortest.saturating_sub(symbols) / 3).clamp(TRIED, APART);
    let mut marks = Vec::new();
    for range in ranges {
        for first in range.clone().step_by(apart) {
            let last = range.end.min(segment.length.saturating_sub(symbols) + 1).min(first + apart);
            let wild = |at: usize| segment.wild(at..at + symbols);
            let mut least = (WILD_MOST + 1, 0);
            for at in (first..last).step_by(TRIED) {
                least = least.min((wild(at), at));
                if least.0 == 0 {
                    break;
                }
            }
            if least.0 <= WILD_MOST {
                marks.push(least.1);
            }
        }
    }
    marks
}

/// The numbers of patterns of which a window is found at a mark, and where these start, each once.
pub fn candidates(windows: &Windows, segment: &Segment, marks: &[usize]) -> Vec<(u32, usize)> {
    let (table, length) = (&windows.table, windows.length);
    let mut candidates = Vec::new();
    for at in marks.iter().flat_map(|&mark| mark..mark + PLACES) {
        let [low, high, wild] = segment.planes.digits((at + length) as isize);
        for code in codes(segment.planes.tile(at, length), length).filter(|&code| table.has(code)) {
            for entry in table.list(table.range(code)) {
                if entry.is_under(code) && entry.differences(digest(low, high), wild as u32) == 0 {
                    let [number, offset] = windows.places[entry.span() as usize];
                    candidates.extend(at.checked_sub(offset as usize).map(|start| (number, start)));
                }
            }
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// The ranges of a segment in which a pattern may lie over no mark.
pub fn between(windows: &Windows, segment: &Segment, marks: &[usize]) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(marks.iter().map(|mark| mark + 1));
    let ends = marks.iter().map(|mark| mark + windows.symbols_of_mark() - 1).chain([segment.length]);
    let is_enough = |range: &Range<usize>| {
        range.len() >= windows.shortest && range.len() - segment.wild(range.clone()) >= windows.least_single
    };
    starts.zip(ends).map(|(start, end)| start..end).filter(is_enough).collect()
}
