//! Patterns beside runs of wild symbols, found by [`Windows`] at marks in the sequence.

use super::segment::Segment;
use crate::seeds::windows::{NEAR, PLACES};
use crate::seeds::{Windows, codes, digest};
use std::ops::Range;

/// The most symbols from one mark to the next, unless there is no place for one; [`NEAR`] where patterns may lie over too few such.
const APART: usize = 4096;
/// Symbols between two places that are looked at for a mark.
const TRIED: usize = 8;
/// The most wild symbols of a mark.
const WILD_MOST: usize = 3;

/// The marks in these ranges of a segment, the first symbol of each, in order, without a symbol in common; and the parts of them in which a pattern
/// may lie over fewer than are needed.
pub fn marks(windows: &Windows, segment: &Segment, ranges: &[Range<usize>]) -> (Vec<usize>, Vec<Range<usize>>) {
    let (symbols, apart) = (windows.symbols_of_mark(), windows.apart(APART));
    let mut marks = Vec::new();
    ranges.iter().for_each(|range| add(windows, segment, range.clone(), apart, &mut marks));
    for range in between(windows, segment, ranges, &marks) {
        add(windows, segment, range.start + symbols - 1..range.end, NEAR, &mut marks);
    }
    marks.sort_unstable();
    marks.dedup_by(|next, last| *next < *last + symbols);
    let left = between(windows, segment, ranges, &marks);
    (marks, left)
}

/// Adds marks of a range: of each `apart` places, the first of those with the fewest wild symbols.
fn add(windows: &Windows, segment: &Segment, range: Range<usize>, apart: usize, marks: &mut Vec<usize>) {
    let symbols = windows.symbols_of_mark();
    let end = range.end.min(segment.length.saturating_sub(symbols) + 1);
    let mut first = range.start;
    while first < end {
        let places = first..end.min(first + apart);
        let all = first..places.end + symbols - 1;
        first += apart;
        if segment.wild(all.clone()) + symbols > all.len() + WILD_MOST {
            continue;
        }
        let mut least = (WILD_MOST + 1, 0);
        for at in places.step_by(TRIED) {
            least = least.min((segment.wild(at..at + symbols), at));
            if least.0 == 0 {
                break;
            }
        }
        if least.0 <= WILD_MOST {
            marks.push(least.1);
            first = first.max(least.1 + symbols);
        }
    }
}

/// The numbers of patterns of which a window is found at a mark, and where these start, each once.
pub fn candidates(windows: &Windows, segment: &Segment, marks: &[usize]) -> Vec<(u32, usize)> {
    let (table, length) = (&windows.table, windows.length);
    // Step by step for all of them, as memory answers many loads in the time of one.
    let mut listed = Vec::with_capacity(marks.len());
    for at in marks.iter().flat_map(|&mark| mark..mark + PLACES) {
        let tile = segment.planes.tile(at, length);
        if tile.wild == 0 {
            listed.extend(Some(tile.code(length)).filter(|&code| table.has(code)).map(|code| (at, code)));
        } else {
            listed.extend(codes(tile, length).filter(|&code| table.has(code)).map(|code| (at, code)));
        }
    }
    let lists: Vec<_> = listed.iter().map(|&(_, code)| table.range(code)).collect();
    let mut candidates = Vec::new();
    for (&(at, code), list) in listed.iter().zip(lists) {
        let [low, high, wild] = segment.planes.digits((at + length) as isize);
        for entry in table.list(list) {
            if entry.is_under(code) && entry.differences(digest(low, high), wild as u32) < windows.needed as u32 {
                let (number, offset) = windows.place(entry.span());
                candidates.extend(at.checked_sub(offset as usize).map(|start| (number, start)));
            }
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// The parts of these ranges in which a pattern may lie over fewer of these marks than are needed, in order.
fn between(windows: &Windows, segment: &Segment, ranges: &[Range<usize>], marks: &[usize]) -> Vec<Range<usize>> {
    let is_enough = |part: &Range<usize>| {
        part.len() >= windows.shortest && part.len() - segment.wild(part.clone()) >= windows.least_single
    };
    let parts = ranges.iter().flat_map(|range| {
        let [first, last] = [range.start, range.end].map(|end| marks.partition_point(|&mark| mark < end));
        let starts = std::iter::once(range.start).chain(marks[first..last].iter().map(|mark| mark + 1));
        let ends = marks[first..last].iter().skip(windows.needed - 1);
        let ends = ends.map(|mark| mark + windows.symbols_of_mark() - 1).chain([range.end]);
        starts.zip(ends).map(|(start, end)| start..end)
    });
    parts.filter(is_enough).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Iupac;
    use crate::cpu::tests::bases_with;
    use crate::pattern::patterns;
    use crate::seeds::plan::{Machine, Plan, Queries};
    use crate::seeds::{Frequencies, TILE_MAX};
    use crate::{Algorithm, Options, Signature, Wildcards};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use warpseq_seq::iupac;
    use warpseq_simd::InstructionSet;

    fn bases(length: usize, seed: u64) -> Vec<u8> {
        bases_with(&mut ChaCha8Rng::seed_from_u64(seed), length, 0.0, b"N")
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
        let all = std::slice::from_ref(&(0..20_000));
        let (found, left) = marks(windows, &segment, all);
        assert!(found.is_sorted() && found.iter().all(|&mark| segment.wild(mark..mark + symbols) <= WILD_MOST));
        // Nothing but the long run is long enough, and in that there are too few symbols that are not wild.
        assert!(left.is_empty());
        let without = [&found[..2], &found[6..]].concat();
        let one = between(windows, &segment, all, &without);
        assert_eq!((one.len(), &one[0]), (1, &(found[1] + 1..found[6] + symbols - 1)));
        assert_eq!(between(windows, &segment, all, &[]), all);
        assert_eq!(between(windows, &segment, &[0..900, 11_000..12_500], &[])[0], 11_000..12_500);
    }
}
