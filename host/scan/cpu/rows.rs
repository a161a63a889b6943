//! Patterns in rows: at each position, those that agree with the windows there are compared with the digits around, and verified.
//!
//! Where hardly a digit is known, as in a run of wild ones, many are left; there, they are compared by brute force, which first looks at how
//! many digits are wild under them.

use super::alphabet::Alphabet;
use super::brute;
use super::search::Search;
use super::seek::{each_bit, first_bits};
use crate::seeds::planes::{SPARSE, bits};
use crate::seeds::{CODES, Rows, Span, WINDOW};
use std::ops::Range;
use warpseq_simd::{Met, ROW, Row};

/// Positions that are looked at together.
const BLOCK: usize = 64;
/// Groups of a row that are left at a position where they are compared by brute force.
const MANY: u32 = ROW as u32 / 8;

/// What is known of the positions of a segment, and what is found. Tasks keep the memory for their next segment.
#[derive(Default)]
pub struct Scratch {
    codes: Vec<u16>,
    possible: Vec<u64>,
    /// Numbers of patterns, and where their windows lie.
    likely: Vec<(usize, usize)>,
    hard: Vec<Range<usize>>,
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
        let length = rows.cover.length();
        space.possible.clear();
        if rows.most_wild < SPARSE.min(length as u32) {
            segment.planes.sparse(length, rows.most_wild, &mut space.possible);
        }
        for (tables, numbers) in rows.blocks() {
            let block = (tables, numbers.clone());
            if search.tally.is_full() {
                break;
            }
            match rows.mismatches {
                0 => look_up::<A, 1>(search, rows, block, &mut space),
                1 => look_up::<A, 2>(search, rows, block, &mut space),
                2 => look_up::<A, 3>(search, rows, block, &mut space),
                3 => look_up::<A, 4>(search, rows, block, &mut space),
                4 => look_up::<A, 5>(search, rows, block, &mut space),
                5 => look_up::<A, 6>(search, rows, block, &mut space),
                6 => look_up::<A, 7>(search, rows, block, &mut space),
                _ => look_up::<A, 8>(search, rows, block, &mut space),
            }
            let Scratch { likely, hard, .. } = &mut space;
            for &(number, at) in &*likely {
                let Span { query, offset, .. } = rows.spans[number];
                search.examine::<A>(query, at, offset as usize);
            }
            if hard.is_empty() {
                continue;
            }
            for &Span { query, offset, .. } in &rows.spans[numbers] {
                let start = |at: usize| at.saturating_sub(offset as usize);
                let starts: Vec<Range<usize>> = hard.iter().map(|range| start(range.start)..start(range.end)).collect();
                brute::compare::<A>(search, scratch, query, &starts, None);
            }
        }
    }
    scratch.rows = space;
}

/// Finds what is likely of patterns in one row, and the positions where many are.
#[inline(always)]
fn look_up<A: Alphabet, const LEVELS: usize>(
    search: &Search,
    rows: &Rows,
    (tables, numbers): (&[[Row; CODES]], Range<usize>),
    Scratch { codes, possible, likely, hard }: &mut Scratch,
) {
    let (segment, first) = (search.segment, rows.cover.first);
    likely.clear();
    hard.clear();
    let Range { start, end } = segment.owned;
    for at in (start..end).step_by(BLOCK) {
        let possible = if possible.is_empty() { u64::MAX } else { bits(possible, at) };
        let met = Met { tables, codes: &codes[at..], step: WINDOW, first };
        search.set.each_left::<LEVELS, CODES>(met, possible & first_bits(end - at), |k, left| {
            let at = at + k;
            if left.0.iter().map(|word| word.count_ones()).sum::<u32>() >= MANY {
                match hard.last_mut() {
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
}
