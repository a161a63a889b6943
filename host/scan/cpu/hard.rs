//! Patterns with several spans, at hard positions: those where too few tiles have few enough wild digits to be looked up.
//!
//! Where the first span of such a pattern lies at a hard position, the pattern is found by a window at a mark ([`marks`]), or compared where
//! it lies over none. Where wild symbols leave few places for marks, or patterns have runs of them, it is found by its first span that
//! does not lie at a hard position, so the spans after the first are looked up near hard positions; where all of them lie at hard ones,
//! it is compared.

use super::alphabet::Alphabet;
use super::marks;
use super::search::Search;
use super::segment::Segment;
use crate::seeds::plan::Class;
use crate::seeds::planes::{Planes, bits};
use crate::seeds::{SPANS, Shape, Span};
use std::ops::Range;

/// Whether too few tiles of a span at `at` have few enough wild digits to be looked up.
#[inline]
pub fn is_hard(class: &Class, planes: &Planes, at: usize) -> bool {
    let Shape { tile, tiles, needed, .. } = class.shape;
    (0..tiles).filter(|k| planes.wild_in_tile(at + k * tile, tile) <= class.wild).count() < needed
}

/// The fewest wild digits of a hard span: so many tiles have too many.
pub fn least_wild(class: &Class) -> usize {
    let Shape { tiles, needed, .. } = class.shape;
    (tiles - needed + 1) * (class.wild as usize + 1)
}

/// The runs of hard positions of a segment, in order. Spans there end inside the segment. Bit x of `few`: the tile at x has so few
/// wild digits that it is looked up in every class.
pub fn runs(class: &Class, segment: &Segment, few: &[u64], runs: &mut Vec<Range<usize>>) {
    let shape = class.shape;
    runs.clear();
    let end = (segment.length + 1).saturating_sub(shape.length());
    let least = least_wild(class);
    for word in 0..end.div_ceil(64) {
        let places = 64 * word..end.min(64 * (word + 1));
        let symbols = 64 * word..segment.length.min(64 * (word + 1) + shape.length());
        let wild = segment.wild(symbols.clone());
        if wild < least {
            continue;
        }
        if wild == symbols.len() && shape.tile > class.wild as usize {
            add(runs, places);
            continue;
        }
        let of_tile = |k: usize| bits(few, 64 * word + k * shape.tile);
        let easy = match shape.needed {
            1 => (0..shape.tiles).fold(0, |easy, k| easy | of_tile(k)),
            needed => (0..needed).fold(u64::MAX, |easy, k| easy & of_tile(k)),
        };
        let mut left = !easy;
        while left != 0 {
            let at = 64 * word + left.trailing_zeros() as usize;
            left &= left - 1;
            if at < end && is_hard(class, &segment.planes, at) {
                add(runs, at..at + 1);
            }
        }
    }
}

/// Adds positions behind those of the runs, to the last of them if they follow it.
fn add(runs: &mut Vec<Range<usize>>, places: Range<usize>) {
    match runs.last_mut() {
        Some(run) if run.end == places.start => run.end = places.end,
        _ => runs.push(places),
    }
}

/// The positions of `owned` that are at most `before` before one in a run, or `behind` behind.
pub fn near(runs: &[Range<usize>], [before, behind]: [usize; 2], owned: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for run in runs {
        let range = run.start.saturating_sub(before).max(owned.start)..(run.end + behind).min(owned.end);
        match ranges.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// Examines the patterns of a class of which all spans lie at hard positions, at the first of which the segment owns.
pub fn compare_all<A: Alphabet>(class: &Class, runs: &[Range<usize>], search: &mut Search) {
    let (segment, length) = (search.segment, class.shape.length());
    let is_wild = |run: &Range<usize>| {
        let symbols = run.start..run.end - 1 + length;
        segment.wild(symbols.clone()) + class.shape.slack() >= symbols.len()
    };
    let near;
    let runs = if class.fits_a_run {
        runs
    } else {
        near = near_others(runs, search.plan.before, is_wild);
        &near
    };
    if runs.is_empty() {
        return;
    }
    let whole = 0..segment.length;
    for spans in search.plan.patterns_of(class) {
        compare::<A>(spans, runs, std::slice::from_ref(&whole), search);
    }
}

/// Examines the patterns of a class of which the first span lies at a hard position that the segment owns: by their windows, once these
/// are made.
pub fn find_by_windows<A: Alphabet>(class: &Class, runs: &[Range<usize>], search: &mut Search) {
    if runs.is_empty() {
        return;
    }
    let (segment, plan, queries) = (search.segment, search.plan, search.queries);
    let (whole, patterns) = (0..segment.length, plan.spans_of(class).chunks_exact(SPANS));
    let whole = std::slice::from_ref(&whole);
    // Those before are compared.
    let mut first = 0;
    let windows = loop {
        if let Some(windows) = plan.windows(class, queries) {
            break windows;
        }
        let Some(spans) = patterns.clone().nth(first) else { return };
        class.compared(compare::<A>(&spans[..1], runs, whole, search));
        first += 1;
    };
    let reach = near(runs, [plan.before, plan.after], 0..segment.length);
    let (marks, between) = marks::marks(windows, segment, &reach);
    let candidates = marks::candidates(windows, segment, &marks);
    for (number, start) in candidates.into_iter().filter(|&(number, _)| number as usize >= first) {
        let Span { query, offset, .. } = plan.spans_of(class)[number as usize * SPANS];
        let at = start + offset as usize;
        let is_inside = start + queries.all[query as usize].length() <= segment.length;
        if is_inside && segment.owned.contains(&at) && is_hard(class, &segment.planes, at) {
            search.examine::<A>(query, at, offset as usize);
        }
    }
    for (spans, is_listed) in patterns.zip(&windows.are_listed).skip(first) {
        compare::<A>(&spans[..1], runs, if *is_listed { &between } else { whole }, search);
    }
}

/// The runs, without positions that no pattern has a span at whose spans lie in several runs: of one that `is_wild`, those further than `reach` from all others.
fn near_others(runs: &[Range<usize>], reach: usize, is_wild: impl Fn(&Range<usize>) -> bool) -> Vec<Range<usize>> {
    let mut near = Vec::new();
    for (k, run) in runs.iter().enumerate() {
        if !is_wild(run) {
            add(&mut near, run.clone());
            continue;
        }
        let behind = k.checked_sub(1).map_or(run.start, |before| run.end.min(runs[before].end + reach).max(run.start));
        let ahead =
            runs.get(k + 1).map_or(run.end, |next| run.start.max(next.start.saturating_sub(reach)).min(run.end));
        let parts = [run.start..behind, ahead.max(behind)..run.end];
        parts.into_iter().filter(|part| !part.is_empty()).for_each(|part| add(&mut near, part));
    }
    near
}

/// Examines the pattern of these spans where they all lie at hard positions, and it inside one of the ranges `within`, which are in order.
/// It goes from one place that may match to the next: a step takes at most one wild symbol out of the pattern's place, so where there are
/// too many, as many places can be passed over as there are too many. Returns how many steps it has gone.
fn compare<A: Alphabet>(spans: &[Span], runs: &[Range<usize>], within: &[Range<usize>], search: &mut Search) -> usize {
    let segment = search.segment;
    let query = search.queries.all[spans[0].query as usize];
    let (before, length) = (spans[0].offset as usize, query.length());
    let most = query.limits.wild as usize + query.limits.mismatches as usize;
    // Places only rise: for each span, the runs that it has passed are left behind.
    let (mut left, mut steps, mut at) = ([runs; SPANS], 0, segment.owned.start);
    for range in within.iter().filter(|range| range.len() >= length) {
        at = at.max(before + range.start);
        let end = segment.owned.end.min(before + range.end - length + 1);
        while let Some(hard) = next(&mut left[0], at).filter(|&hard| hard < end) {
            steps += 1;
            at = hard;
            let start = at - before;
            let wild = segment.wild(start..start + length);
            if wild > most {
                at += wild - most;
                continue;
            }
            let others = spans[1..].iter().map(|span| start + span.offset as usize);
            let moves = others.zip(&mut left[1..]).map(|(other, left)| next(left, other).map(|hard| hard - other));
            match moves.max_by_key(|moves| moves.unwrap_or(usize::MAX)).unwrap_or(Some(0)) {
                None => return steps,
                Some(0) => {
                    search.examine::<A>(spans[0].query, at, before);
                    at += 1;
                }
                Some(moves) => at += moves,
            }
        }
    }
    steps
}

/// The first hard position from `at` on. Runs that end before that are taken away.
fn next(runs: &mut &[Range<usize>], at: usize) -> Option<usize> {
    while let [first, rest @ ..] = runs
        && first.end <= at
    {
        *runs = rest;
    }
    runs.first().map(|run| run.start.max(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wild_run_is_left_as_far_as_it_is_from_others() {
        let near = |runs: &[Range<usize>], wild: &[usize]| {
            near_others(runs, 100, |run| wild.contains(&run.start))
                .iter()
                .map(|run| [run.start, run.end])
                .collect::<Vec<_>>()
        };
        assert_eq!(near(&[], &[]), [[0; 2]; 0]);
        let alone = std::slice::from_ref(&(0..5000));
        assert_eq!((near(alone, &[0]), near(alone, &[])), (vec![], vec![[0, 5000]]));
        // The ends that face each other; all of one that is not wild, or short; none where the next is far away.
        assert_eq!(near(&[0..5000, 5050..9000], &[0, 5050]), [[4950, 5000], [5050, 5100]]);
        assert_eq!(near(&[0..5000, 5050..9000], &[5050]), [[0, 5000], [5050, 5100]]);
        assert_eq!(near(&[0..10, 20..30, 50..60], &[0, 20, 50]), [[0, 10], [20, 30], [50, 60]]);
        assert_eq!(near(&[0..5000, 5101..9000], &[0, 5101]), [[0; 2]; 0]);
        assert_eq!(near(&[0..10, 20..420, 500..510], &[20]), [[0, 10], [20, 110], [400, 420], [500, 510]]);
        // What is left of both sides joins.
        assert_eq!(near(&[0..10, 20..190, 200..210], &[20]), [[0, 10], [20, 190], [200, 210]]);
    }
}
