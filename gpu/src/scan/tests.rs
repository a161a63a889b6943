//! All kernels of `scan`, one after another on the emulator, against naive loops over bases. No code of the host
//! takes part.

mod launches;

use super::cell::tests::bases_of;
use crate::bench::numbers;
use crate::tuning::SUMMED;
use launches::{Layout, Run};
use std::collections::BTreeSet;
use std::vec::Vec;

/// Matches: first symbol, pattern, wild symbols, mismatches.
type Found = BTreeSet<[u32; 4]>;

/// A pattern's bases, the most wild symbols of a match, and the most mismatches.
#[derive(Clone)]
pub struct Pattern {
    bases: Vec<u8>,
    wild: u32,
    mismatches: u32,
}

/// Every match, symbol by symbol.
fn naive(sequences: &[Vec<u8>], patterns: &[Pattern]) -> Found {
    let mut found = Found::new();
    let mut first = 0;
    for sequence in sequences {
        for (number, pattern) in patterns.iter().enumerate() {
            for (start, window) in sequence.windows(pattern.bases.len()).enumerate() {
                let sets = || window.iter().zip(&pattern.bases).map(|(&s, &q)| (bases_of(s), bases_of(q)));
                let mismatches = sets().filter(|(s, q)| s & q == 0).count() as u32;
                let single = |(s, q): &(u32, u32)| s.is_power_of_two() && q.is_power_of_two();
                let wild = sets().filter(|pair| pair.0 & pair.1 != 0 && !single(pair)).count() as u32;
                if mismatches <= pattern.mismatches && wild <= pattern.wild {
                    found.insert([first + start as u32, number as u32, wild, mismatches]);
                }
            }
        }
        first += sequence.len() as u32;
    }
    found
}

/// Random sequences with ambiguous bases, one in `rare` of N, runs of it and repeats.
fn drawn(seed: u32, rare: u32) -> Vec<Vec<u8>> {
    let mut number = numbers(seed);
    let mut base = move || match number(60) {
        0 => b"RYMKSWBDHVU-."[number(13) as usize],
        _ if number(rare) == 0 => b'N',
        _ => b"ACGT"[number(4) as usize],
    };
    let mut sequences: Vec<Vec<u8>> = [700, 1, 1900, 33].map(|length| (0..length).map(|_| base()).collect()).into();
    // A repeat, so that many positions share a code, and another that begins in one sequence and ends in the next but one.
    let repeat = b"ACGTACGG".repeat(8);
    sequences[0].splice(100..164, repeat.iter().copied());
    sequences[0].splice(668.., repeat[..32].iter().copied());
    sequences[1].copy_from_slice(&repeat[32..33]);
    sequences[2].splice(..31, repeat[33..].iter().copied());
    // Runs of N: within a word of 32, over several, and longer than a span.
    for (start, length) in [(200, 9), (300, 40), (700, 150), (1000, 420)] {
        sequences[2][start..start + length].fill(b'N');
    }
    sequences
}

/// Patterns of these lengths, cut from the sequences, with some symbols changed.
fn cut(sequences: &[Vec<u8>], lengths: &[usize], mismatches: u32, seed: u32) -> Vec<Pattern> {
    let mut number = numbers(seed);
    let mut patterns = Vec::new();
    let text = sequences.concat();
    for &length in lengths {
        // Some reach over the ends of sequences, and match nowhere.
        let start = number((text.len() - length + 1) as u32) as usize;
        let legal = |&base: &u8| if base == b'-' { b'N' } else { base };
        let mut bases: Vec<u8> = text[start..start + length].iter().map(legal).collect();
        for changed in 0..=mismatches + 1 {
            let wild = bases.iter().filter(|&&base| !bases_of(base).is_power_of_two()).count() as u32;
            patterns.push(Pattern { bases: bases.clone(), wild: wild + length as u32 / 3 * (changed % 2), mismatches });
            bases[number(length as u32) as usize] = b"ACGTNR"[number(6) as usize];
        }
    }
    patterns
}

fn assert_same(found: Found, expected: &Found) {
    let different: Vec<_> = found.symmetric_difference(expected).take(9).collect();
    assert!(different.is_empty(), "{different:?} and perhaps more");
}

const LENGTHS: [usize; 12] = [24, 25, 31, 32, 33, 40, 64, 65, 100, 256, 257, 600];

#[test]
fn tiles_without_mismatches_and_with_them() {
    for (mismatches, tile, tiles) in [(0, 6, 1), (0, 8, 3), (0, 5, 4), (1, 6, 2), (2, 4, 6), (3, 3, 8)] {
        for rare in [4, 50] {
            let sequences = drawn(7 * tile + rare, rare);
            let patterns = cut(&sequences, &LENGTHS, mismatches, tile);
            let layout = Layout {
                tile,
                tiles,
                needed: mismatches + 1,
                wild: 2,
                spread: false,
                together: false,
                windows: false,
                parts: 0,
            };
            let expected = naive(&sequences, &patterns);
            assert!(expected.len() > 10, "{}", expected.len());
            assert_same(Run::new(&sequences, &patterns, 0).seek(layout, &patterns), &expected);
        }
    }
}

#[test]
fn long_patterns_with_several_spans() {
    let forms = [(1, false, false), (1, true, false), (2, false, false), (1, true, true), (2, false, true)];
    for (needed, together, windows) in forms {
        for rare in [3, 20] {
            let sequences = drawn(11 + rare, rare);
            let patterns = cut(&sequences, &[80, 100, 300, 520, 700, 1100], needed - 1, rare);
            let layout = Layout { tile: 4, tiles: 4, needed, wild: 1, spread: true, together, windows, parts: 0 };
            let expected = naive(&sequences, &patterns);
            assert!(expected.len() > 2, "{}", expected.len());
            assert_same(Run::new(&sequences, &patterns, 0).seek(layout, &patterns), &expected);
        }
    }
}

#[test]
fn patterns_in_parts() {
    for (mismatches, needed, parts, rare) in [(8, 1, 9, 20), (8, 2, 8, 20), (9, 4, 5, 3)] {
        let sequences = drawn(13 + rare, rare);
        let patterns = cut(&sequences, &[290, 1100], mismatches, rare);
        let (spread, together, windows) = (false, false, false);
        let layout = Layout { tile: 4, tiles: needed, needed, wild: 1, spread, together, windows, parts };
        let expected = naive(&sequences, &patterns);
        assert!(expected.len() > 5, "{}", expected.len());
        assert_same(Run::new(&sequences, &patterns, 0).seek(layout, &patterns), &expected);
    }
}

#[test]
fn the_last_part_of_a_long_pattern_is_far_from_the_first() {
    let mut number = numbers(3);
    let mut sequence: Vec<u8> = (0..42_000).map(|_| b"ACGT"[number(4) as usize]).collect();
    let mut pattern = Pattern { bases: sequence[500..40_500].to_vec(), wild: 2000, mismatches: 8 };
    let (spread, together, windows) = (false, false, false);
    let layout = Layout { tile: 6, tiles: 1, needed: 1, wild: 1, spread, together, windows, parts: 9 };
    let spans = layout.spans(std::slice::from_ref(&pattern));
    // The other parts have a mismatch where they are looked up.
    let last = spans[8][1] as usize;
    for &[_, offset, _] in &spans[..8] {
        let base = &mut pattern.bases[offset as usize];
        *base = if *base == b'A' { b'C' } else { b'A' };
    }
    sequence[500 + last - 700..500 + last + 700].fill(b'N');
    let (sequences, patterns) = ([sequence], [pattern]);
    let expected = naive(&sequences, &patterns);
    assert_eq!(expected.len(), 1);
    assert_same(Run::new(&sequences, &patterns, 0).seek(layout, &patterns), &expected);
}

#[test]
fn patterns_of_any_length_everywhere() {
    for mismatches in 0..4 {
        let sequences = drawn(50 + mismatches, 9);
        let mut patterns = cut(&sequences, &[5, 7, 20, 32, 33, 64, 300, 1100], mismatches, mismatches + 1);
        patterns.extend([b"A", b"N", b"R"].map(|bases| Pattern { bases: bases.to_vec(), wild: 0, mismatches: 0 }));
        let expected = naive(&sequences, &patterns);
        let run = Run::new(&sequences, &patterns, 0);
        assert_same(run.everywhere(&patterns, 40_000).0, &expected);
        let (found, count) = run.everywhere(&patterns, 3);
        assert!(found.is_subset(&expected) && found.len() == 3 && count > 3);
    }
}

#[test]
fn every_position_of_a_repeat_is_found() {
    // Wherever one launch ends and the next begins, the pattern matches on both sides.
    let (sequences, pattern) = ([b"A".repeat(300)], Pattern { bases: b"A".repeat(8), wild: 0, mismatches: 0 });
    let patterns = [pattern];
    let run = Run::new(&sequences, &patterns, 0);
    let expected = naive(&sequences, &patterns);
    let layout =
        Layout { tile: 4, tiles: 2, needed: 1, wild: 2, spread: false, together: false, windows: false, parts: 0 };
    assert_same(run.seek(layout, &patterns), &expected);
    assert_same(run.everywhere(&patterns, 1000).0, &expected);
}

#[test]
fn of_ranked_matches_the_best_is_found() {
    let sequences = drawn(9, 9);
    let mut patterns = cut(&sequences, &[24, 25, 33, 64, SUMMED as usize, SUMMED as usize + 1], 2, 9);
    patterns.extend([&b"ACGT"[..], b"N", b"R"].map(|bases| Pattern { bases: bases.to_vec(), wild: 9, mismatches: 1 }));
    let expected = naive(&sequences, &patterns);
    let ends: Vec<u32> = sequences.iter().scan(0, |end, own| Some((*end += own.len() as u32, *end).1)).collect();
    let layout =
        Layout { tile: 4, tiles: 5, needed: 3, wild: 1, spread: false, together: false, windows: false, parts: 0 };
    let mut number = numbers(9);
    let qualities: Vec<u8> = (0..ends[ends.len() - 1]).map(|_| 255 - number(5) as u8).collect();
    for (by, quality) in [([0, u32::MAX], &[][..]), ([u32::MAX; 2], &[]), ([u32::MAX; 2], &qualities)] {
        let rank = |&[start, pattern, wild, mismatches]: &[u32; 4]| {
            let length = patterns[pattern as usize].bases.len();
            let sum = || quality[start as usize..][..length].iter().map(|&phred| u32::from(phred)).sum::<u32>();
            match (by[0] == 0, quality.is_empty()) {
                (true, _) => ([0; 2], start),
                (_, true) => ([mismatches, wild], start),
                _ if length > SUMMED as usize => ([mismatches, 0], 0),
                _ => ([mismatches, u32::MAX - sum()], start),
            }
        };
        let place = |found: &[u32; 4]| (ends.partition_point(|&end| end <= found[0]), found[1]);
        let assert_best = |found: Found, patterns: &[Pattern]| {
            let all = || expected.iter().filter(|match_| (match_[1] as usize) < patterns.len());
            assert!(found.iter().all(|match_| expected.contains(match_)));
            for best in all() {
                let same: Vec<_> = all().filter(|other| place(other) == place(best)).collect();
                if same.iter().all(|other| rank(best) <= rank(other)) {
                    assert!(found.contains(best), "{best:?} by {by:x?}, {} qualities", quality.len());
                }
            }
            (found.len(), all().count())
        };
        let run = Run::new(&sequences, &patterns, 0).ranked(by, quality);
        let (left, all) = assert_best(run.everywhere(&patterns, 40_000).0, &patterns);
        assert!(left < all / 2, "{left} of {all}");
        let long = &patterns[..patterns.len() - 3];
        assert_best(Run::new(&sequences, long, 0).ranked(by, quality).seek(layout, long), long);
    }
}

#[test]
fn where_bytes_without_a_meaning_are_wild_the_host_counts() {
    let mut sequences = drawn(6, 20);
    let mut patterns = cut(&sequences, &[20, 40, 300], 1, 6);
    let run = Run::new(&sequences, &patterns, u32::MAX);
    sequences.iter_mut().flatten().filter(|base| **base == b'-').for_each(|base| *base = b'N');
    patterns.iter_mut().for_each(|pattern| pattern.wild = u32::MAX);
    let expected = naive(&sequences, &patterns);
    assert_same(run.everywhere(&patterns, 20_000).0, &expected);
    let layout =
        Layout { tile: 5, tiles: 4, needed: 2, wild: 2, spread: false, together: false, windows: false, parts: 0 };
    assert_same(run.seek(layout, &patterns), &expected);
}
