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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Iupac;
    use crate::pattern::patterns;
    use crate::seeds::plan::{Machine, Plan, Queries};
    use crate::seeds::{Frequencies, TILE_MAX};
    use crate::{Algorithm, Options, Signature, Wildcards};
    use warpseq_seq::iupac;
    use warpseq_simd::InstructionSet;

    /// `length` bases without a pattern.
    fn bases(length: usize, seed: u32) -> Vec<u8> {
        let digits = (0..length).scan(seed, |state, _| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some(state.wrapping_shr(30) as usize)
        });
        digits.map(|digit| b"ACGT"[digit]).collect()
    }

    #[test]
    fn a_pattern_over_a_mark_is_a_candidate_there_wherever_it_starts() {
        let mut with_n = bases(900, 2);
        with_n.iter_mut().step_by(9).for_each(|base| *base = b'N');
        let mut without_windows = bases(900, 3);
        without_windows[300..340].fill(b'N');
        let all = [bases(700, 1), with_n, without_windows];
        let signatures: Vec<_> = all.iter().map(|bases| Signature::new("q", bases.clone())).collect();
        let patterns = patterns(&signatures, &Options::default());
        let queries = Queries::of::<Iupac>(&patterns);
        let digits = iupac::digits(Wildcards::Iupac);
        let machine = Machine { together: TILE_MAX, vector: Some(32), follows: true };
        let plan = Plan::new(&queries, &Frequencies::of(&all.concat(), digits), Algorithm::Anchor, machine);
        let mut found = 0;
        for class in &plan.classes {
            let windows = plan.windows(class, &queries).unwrap();
            for (number, spans) in plan.patterns_of(class).enumerate() {
                let query = &queries.all[spans[0].query as usize];
                let bases = patterns[query.pattern as usize].bases();
                let is_listed = !bases.windows(40).any(|bases| bases.iter().all(|&base| base == b'N'));
                assert_eq!(windows.are_listed[number], is_listed);
                if !is_listed {
                    continue;
                }
                let symbols = windows.symbols_of_mark();
                for start in 0..40 {
                    // All but the symbols of a mark is wild.
                    let mut sequence = b"N".repeat(2000);
                    let mark = 100 + 13 * start;
                    sequence[mark..mark + symbols].copy_from_slice(&bases[mark - start..][..symbols]);
                    let mut segment = Segment::default();
                    let owned = 0..sequence.len();
                    segment.encode::<Iupac>(&sequence, owned, (&plan, InstructionSet::detect()));
                    assert!(candidates(windows, &segment, &[mark]).contains(&(number as u32, start)));
                    found += 1;
                }
            }
        }
        assert_eq!(found, 160);
    }

    #[test]
    fn marks_are_where_few_symbols_are_wild_and_what_lies_between_them_is_left() {
        let signature = bases(1000, 1);
        let patterns = patterns(&[Signature::new("q", signature.clone())], &Options::default());
        let queries = Queries::of::<Iupac>(&patterns);
        let machine = Machine { together: TILE_MAX, vector: Some(32), follows: true };
        let frequencies = Frequencies::of(&signature, iupac::digits(Wildcards::Iupac));
        let plan = Plan::new(&queries, &frequencies, Algorithm::Anchor, machine);
        let [class] = &plan.classes[..] else { panic!("patterns of one length have one shape") };
        let windows = plan.windows(class, &queries).unwrap();
        let symbols = windows.symbols_of_mark();
        let mut sequence = bases(20_000, 5);
        sequence[5000..8000].fill(b'N');
        sequence[9000..9700].fill(b'N');
        let mut segment = Segment::default();
        segment.encode::<Iupac>(&sequence, 0..20_000, (&plan, InstructionSet::detect()));
        let found = marks(windows, &segment, &[0..20_000]);
        assert!(found.is_sorted() && found.iter().all(|&mark| segment.wild(mark..mark + symbols) <= WILD_MOST));
        // Nothing but the long run is long enough, and in that there are too few symbols that are not wild.
        assert_eq!(between(windows, &segment, &found), [0..0; 0]);
        let without = [&found[..2], &found[6..]].concat();
        assert_eq!(between(windows, &segment, &without), [found[1] + 1..found[6] + symbols - 1]);
        assert_eq!(between(windows, &segment, &[]), [0..20_000]);
    }
}
