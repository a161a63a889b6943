//! Patterns with several spans, at hard positions: those where too few tiles have few enough wild digits to be looked up.
//!
//! Such a pattern is found by its first span that does not lie at a hard position, so the spans after the first are looked up near hard
//! positions. Where all of them lie at hard ones, the pattern is compared.

use super::alphabet::Alphabet;
use super::plan::Class;
use super::planes::bits;
use super::search::Search;
use super::segment::Segment;
use crate::seeds::Span;
use std::ops::Range;

/// Marks the hard positions of a segment, bit k of word w for position 64 w + k. Returns whether there are any.
pub fn mark(class: &Class, segment: &Segment, clean: &[u64], hard: &mut Vec<u64>) -> bool {
    let shape = class.shape;
    hard.clear();
    hard.extend((0..segment.length.div_ceil(64)).map(|word| {
        let of_tile = |k: usize| bits(clean, 64 * word + k * shape.tile);
        let easy = match shape.needed {
            1 => (0..shape.tiles).fold(0, |easy, k| easy | of_tile(k)),
            needed => (0..needed).fold(u64::MAX, |easy, k| easy & of_tile(k)),
        };
        let places = (0..64).filter(|k| easy >> k & 1 == 0);
        places.filter(|k| class.is_hard(&segment.planes, 64 * word + k)).fold(0, |marks, k| marks | 1 << k)
    }));
    hard.iter().any(|&marks| marks != 0)
}

/// The positions of `owned` that are at most `reach` from a hard one.
pub fn near(hard: &[u64], reach: usize, owned: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (word, _) in hard.iter().enumerate().filter(|(_, bits)| **bits != 0) {
        let range = (64 * word).saturating_sub(reach).max(owned.start)..(64 * word + 64 + reach).min(owned.end);
        match ranges.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// Examines the patterns of a class of which all spans lie at hard positions, at the first of which the segment owns.
pub fn compare_all<A: Alphabet>(class: &Class, hard: &[u64], search: &mut Search) {
    let mut first = class.spans.start;
    while first < class.spans.end {
        let spans = search.plan.spans[first as usize..].iter().enumerate();
        let count = spans.take_while(|(k, span)| span.order as usize == *k).count() as u32;
        compare::<A>(&search.plan.spans[first as usize..(first + count) as usize], hard, search);
        first += count;
    }
}

/// Examines the pattern of these spans. From one place to the next that may match: at each step at most one symbol leaves the
/// pattern's place, so where there are too many wild ones, as many places can be passed over as there are too many.
fn compare<A: Alphabet>(spans: &[Span], hard: &[u64], search: &mut Search) {
    let segment = search.segment;
    let query = search.queries.all[spans[0].query as usize];
    let before = spans[0].offset as usize;
    let most = query.limits.wild as usize + query.limits.mismatches as usize;
    let mut at = segment.owned.start.max(before);
    while let Some(marked) = next(hard, at).filter(|&marked| marked < segment.owned.end) {
        at = marked;
        let start = at - before;
        if start + query.length > segment.length {
            return;
        }
        let wild = segment.wild(start..start + query.length);
        if wild > most {
            at += wild - most;
            continue;
        }
        let easy =
            spans[1..].iter().map(|span| start + span.offset as usize).find(|&at| hard[at / 64] >> (at % 64) & 1 == 0);
        match easy {
            Some(easy) => match next(hard, easy) {
                Some(marked) => at += marked - easy,
                None => return,
            },
            None => {
                search.examine::<A>(spans[0].query, at, before);
                at += 1;
            }
        }
    }
}

/// The first marked position from `at` on.
fn next(marks: &[u64], at: usize) -> Option<usize> {
    let first = marks.get(at / 64)? >> (at % 64) << (at % 64);
    if first != 0 {
        return Some(at / 64 * 64 + first.trailing_zeros() as usize);
    }
    let word = (at / 64 + 1..marks.len()).find(|&word| marks[word] != 0)?;
    Some(64 * word + marks[word].trailing_zeros() as usize)
}
