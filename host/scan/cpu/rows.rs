//! Patterns in rows: at each position, those that agree with the windows there are compared with the digits around, and verified.
//!
//! Where hardly a digit is known, as in a run of wild ones, nearly all are left. Where there are many such hard positions, brute force compares the
//! patterns, which looks at how many digits are wild under one for many positions together.

use super::alphabet::Alphabet;
use super::brute;
use super::search::Search;
use super::seek::{each_bit, first_bits};
use crate::seeds::planes::{SPARSE, bits};
use crate::seeds::{CODES, Rows, Span};
use std::ops::Range;
use warpseq_simd::{Met, Row};

/// Positions that are looked at together.
const BLOCK: usize = 64;
/// Positions between two looks at what is likely there.
const STRETCH: usize = 1 << 12;
/// What is likely that is examined at once.
const TOGETHER: usize = 1 << 14;
/// Eighths of the groups that are left at a hard position, where hardly a digit is known.
const NEARLY_ALL: usize = 7;
/// Groups that are not many.
const FEW: usize = 8;
/// Patterns at such positions of a segment up to which these are compared in turn, and positions of a range.
const IN_TURN: usize = 1 << 19;
const ISOLATED: usize = 16;

/// What is known of the positions of a segment, and what is found. Tasks keep the memory for their next segment.
#[derive(Default)]
pub struct Scratch {
    codes: Vec<u16>,
    possible: Vec<u64>,
    /// Numbers of patterns, and where their windows lie.
    likely: Vec<(usize, usize)>,
    hard: Vec<Range<usize>>,
    starts: Vec<Range<usize>>,
}

/// Examines the patterns of which the windows lie at positions that the segment owns.
#[inline(always)]
pub fn search<A: Alphabet>(search: &mut Search, scratch: &mut brute::Scratch) {
    let (plan, segment) = (search.plan, search.segment);
    if plan.rows.is_empty() {
        return;
    }
    let mut space = std::mem::take(&mut scratch.rows);
    segment.codes(&mut space.codes);
    for rows in &plan.rows {
        let length = rows.extent.min(BLOCK);
        space.possible.clear();
        if rows.most_wild < SPARSE.min(length as u32) {
            segment.planes.sparse(length, rows.most_wild, &mut space.possible);
        }
        for (tables, numbers) in rows.blocks() {
            space.hard.clear();
            let Range { start: mut at, end } = segment.owned;
            while at < end && !search.tally.is_full() {
                let of = (tables, &numbers, at..end.min(at + STRETCH));
                at = match rows.mismatches {
                    0 => look_up::<1>(search, rows, of, &mut space),
                    1 => look_up::<2>(search, rows, of, &mut space),
                    2 => look_up::<3>(search, rows, of, &mut space),
                    3 => look_up::<4>(search, rows, of, &mut space),
                    4 => look_up::<5>(search, rows, of, &mut space),
                    5 => look_up::<6>(search, rows, of, &mut space),
                    6 => look_up::<7>(search, rows, of, &mut space),
                    _ => look_up::<8>(search, rows, of, &mut space),
                };
                for &(number, at) in &space.likely {
                    let Span { query, offset, .. } = rows.spans[number];
                    search.examine::<A>(query, at, offset as usize);
                }
            }
            examine_hard::<A>(search, scratch, &rows.spans[numbers], &mut space);
        }
    }
    scratch.rows = space;
}

/// Examines these patterns at the hard positions: at each in turn, or by brute force, which looks at all of a pattern first and then at 512 starts of a
/// range at a time.
#[inline(always)]
fn examine_hard<A: Alphabet>(
    search: &mut Search,
    scratch: &mut brute::Scratch,
    spans: &[Span],
    Scratch { hard, starts, .. }: &mut Scratch,
) {
    let positions = hard.iter().map(Range::len).sum::<usize>();
    if positions * spans.len() <= IN_TURN || positions <= ISOLATED * hard.len() {
        for at in hard.iter().cloned().flatten() {
            if search.tally.is_full() {
                return;
            }
            for &Span { query, offset, .. } in spans {
                search.examine::<A>(query, at, offset as usize);
            }
        }
        return;
    }
    for &Span { query, offset, .. } in spans {
        let start = |at: usize| at.saturating_sub(offset as usize);
        starts.clear();
        starts.extend(hard.iter().map(|range| start(range.start)..start(range.end)));
        brute::compare::<A>(search, scratch, query, starts, None);
    }
}

/// Finds what is likely in a range of positions, of the patterns of these tables and numbers, and hard positions. Returns how far it has come.
#[inline(always)]
fn look_up<const LEVELS: usize>(
    search: &Search,
    rows: &Rows,
    (tables, numbers, range): (&[[Row; CODES]], &Range<usize>, Range<usize>),
    Scratch { codes, possible, likely, hard, .. }: &mut Scratch,
) -> usize {
    let (segment, first) = (search.segment, rows.cover.first);
    let many = (numbers.len().div_ceil(rows.cover.group) * NEARLY_ALL / 8).max(FEW);
    likely.clear();
    let Range { start, end } = range;
    for at in (start..end).step_by(BLOCK) {
        let possible = if possible.is_empty() { u64::MAX } else { bits(possible, at) } & first_bits(end - at);
        if possible == 0 {
            continue;
        }
        if likely.len() >= TOGETHER {
            return at;
        }
        let met = Met { tables, codes: &codes[at..], step: rows.step, first };
        search.set.each_left::<LEVELS, CODES>(met, possible, |k, left| {
            let at = at + k;
            if left.0.iter().map(|word| word.count_ones()).sum::<u32>() as usize > many {
                let wild = segment.wild(at..segment.length.min(at + rows.extent));
                match hard.last_mut() {
                    _ if wild > rows.most_wild as usize => {}
                    Some(last) if last.end == at => last.end += 1,
                    _ => hard.push(at..at + 1),
                }
                return;
            }
            let digits = segment.planes.digits(at as isize);
            for (word, &left) in left.0.iter().enumerate() {
                each_bit(left, |bit| {
                    let first = numbers.start + (64 * word + bit as usize) * rows.cover.group;
                    rows.each_near(first, digits, |number| likely.push((number, at)));
                });
            }
        });
    }
    end
}
