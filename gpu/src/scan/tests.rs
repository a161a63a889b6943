//! All kernels of `scan`, one after another on the emulator, against naive loops over letters. No code of the host
//! takes part.

mod launches;

use super::cell::tests::bases_of;
use crate::abi::Costs;
use crate::bench::numbers;
use launches::{NO_ROOM, Run, TABLE};
use std::collections::BTreeSet;
use std::vec::Vec;

/// Matches: first symbol, segment, pattern, wild symbols.
type Found = BTreeSet<[u32; 4]>;

/// A pattern's letters, and the most wild symbols of a match.
type Pattern = (Vec<u8>, u32);

/// Every match, symbol by symbol.
fn naive(sequences: &[Vec<u8>], patterns: &[Pattern]) -> Found {
    let mut found = Found::new();
    let mut first = 0;
    for (segment, sequence) in sequences.iter().enumerate() {
        for (number, (pattern, limit)) in patterns.iter().enumerate() {
            for (start, window) in sequence.windows(pattern.len()).enumerate() {
                let sets = || window.iter().zip(pattern).map(|(&s, &q)| (bases_of(s), bases_of(q)));
                let wild = sets().filter(|(s, q)| !s.is_power_of_two() || !q.is_power_of_two()).count() as u32;
                if sets().all(|(s, q)| s & q != 0) && wild <= *limit {
                    found.insert([first + start as u32, segment as u32, number as u32, wild]);
                }
            }
        }
        first += sequence.len() as u32;
    }
    found
}

/// The position of an error in the repeat, in a pattern that is the third sequence from symbol 300 on.
const FAR: usize = 1296;

/// Random sequences with ambiguous letters, and patterns cut from them and changed, of all lengths from 1.
fn drawn(seed: u32) -> (Vec<Vec<u8>>, Vec<Pattern>) {
    let mut number = numbers(seed);
    let mut letter = move || match number(60) {
        0 => b'N',
        1 => b"RYMKSWBDHVU-."[number(13) as usize],
        _ => b"ACGT"[number(4) as usize],
    };
    let mut sequences: Vec<Vec<u8>> = [700, 1, 2900, 33].map(|length| (0..length).map(|_| letter()).collect()).into();
    // So that long patterns match here.
    sequences[2].iter_mut().filter(|letter| **letter == b'-').for_each(|letter| *letter = b'N');
    // A repeat, so that many positions share a code.
    let repeat = b"ACGTACGG".repeat(8);
    sequences[0].splice(100..164, repeat.iter().copied());
    // Another that begins in one sequence and ends in the next but one, with anchors of patterns behind their first
    // symbols.
    sequences[0].splice(668.., repeat[..32].iter().copied());
    sequences[1].copy_from_slice(&repeat[32..33]);
    sequences[2].splice(..31, repeat[33..].iter().copied());
    // And one with an error.
    sequences[2].splice(300 + FAR - 16..300 + FAR + 16, repeat[..32].iter().copied());
    sequences[2][300 + FAR] = b'T';
    let patterns = patterns_of(&sequences, &mut numbers(seed + 1));
    (sequences, patterns)
}

fn patterns_of(sequences: &[Vec<u8>], number: &mut impl FnMut(u32) -> u32) -> Vec<Pattern> {
    let legal = |letters: &[u8]| -> Vec<u8> { letters.iter().map(|&s| if s == b'-' { b'N' } else { s }).collect() };
    let wild = |letters: &[u8]| letters.iter().filter(|&&s| !bases_of(s).is_power_of_two()).count() as u32;
    let mut patterns = Vec::new();
    // Across the end of a sequence: no match, wherever the anchor is.
    for (start, length) in [(690, 11), (699, 3), (660, 90), (695, 60), (3570, 64), (3598, 20), (3600, 9)] {
        patterns.push((legal(&sequences.concat()[start..start + length]), 5));
    }
    for length in [1, 2, 5, 7, 8, 9, 12, 20, 31, 32, 33, 39, 40, 64, 65, 100, 300, 700, 1024, 1100, 2900] {
        let sequence = &sequences[if length > 700 { 2 } else { 0 }];
        let start = number((sequence.len() - length + 1) as u32) as usize;
        let mut pattern = legal(&sequence[start..start + length]);
        patterns.push((pattern.clone(), wild(&pattern)));
        patterns.push((pattern.clone(), wild(&pattern).saturating_sub(1)));
        pattern[number(length as u32) as usize] = b"NRA"[number(3) as usize];
        patterns.push((pattern, u32::MAX - 2));
    }
    // A mismatch after the first 1024 symbols, where neither a probe looks nor the anchor, since windows there are
    // frequent. Before it there are as many wild symbols as a match may have, or fewer.
    let mut long = sequences[2][300..2800].to_vec();
    long[FAR] = sequences[0][100 + FAR % 8];
    patterns.extend([wild(&long[..1024]), u32::MAX - 2].map(|limit| (long.clone(), limit)));
    patterns
}

fn assert_same(found: Found, expected: &Found) {
    let different: Vec<_> = found.symmetric_difference(expected).take(9).collect();
    assert!(different.is_empty(), "{different:?} and perhaps more");
}

#[test]
fn the_table_and_trying_everywhere_find_what_the_naive_reference_finds() {
    let (sequences, patterns) = drawn(1);
    let expected = naive(&sequences, &patterns);
    assert!(expected.len() > 500, "{}", expected.len());
    let run = Run::new(&sequences, &patterns, 0);
    let chosen = run.choose(TABLE);
    assert_eq!(run.bench.get(chosen.counts)[..2], [run.count, 0]);
    assert_same(run.through_table(&chosen), &expected);
    let chosen = run.choose(NO_ROOM);
    assert_eq!(run.bench.get(chosen.counts)[..2], [0, run.count]);
    assert_same(run.everywhere(&chosen), &expected);
    let (found, count) = run.try_everywhere(&chosen, 3);
    assert!(run.bench.get(found).iter().all(|found| expected.contains(&found.0)));
    assert_eq!(run.bench.get(count), [expected.len() as u32]);
}

#[test]
fn every_position_of_a_repeat_is_found_once() {
    // Wherever one launch ends and the next begins, the pattern matches on both sides.
    let (sequences, patterns) = ([b"A".repeat(300)], [(b"A".repeat(8), 0)]);
    let run = Run::new(&sequences, &patterns, 0);
    let expected = naive(&sequences, &patterns);
    assert_same(run.through_table(&run.choose(TABLE)), &expected);
    assert_same(run.everywhere(&run.choose(NO_ROOM)), &expected);
}

#[test]
fn patterns_without_room_or_too_costly_are_tried_everywhere() {
    let (sequences, mut patterns) = drawn(4);
    // Shorter ones have many thousands of entries each.
    patterns.retain(|(pattern, _)| pattern.len() > 4);
    let run = Run::new(&sequences, &patterns, 0);
    let expected = naive(&sequences, &patterns);
    for costs in [Costs { room: 40, ..TABLE }, Costs { everywhere: 700, ..TABLE }] {
        let chosen = run.choose(costs);
        let [listed, tried, _] = run.bench.get(chosen.counts)[..] else { panic!("three counts") };
        assert!(listed > 0 && tried > 0 && listed + tried == run.count, "{listed} {tried}");
        let mut both = run.through_table(&chosen);
        both.extend(run.everywhere(&chosen));
        assert_same(both, &expected);
    }
}

#[test]
fn where_bytes_without_a_meaning_are_wild_the_host_counts() {
    let (mut sequences, mut patterns) = drawn(6);
    let run = Run::new(&sequences, &patterns, u32::MAX);
    sequences.iter_mut().flatten().filter(|letter| **letter == b'-').for_each(|letter| *letter = b'N');
    patterns.iter_mut().for_each(|(_, limit)| *limit = u32::MAX);
    assert_same(run.everywhere(&run.choose(NO_ROOM)), &naive(&sequences, &patterns));
}

#[test]
fn an_anchor_is_the_first_of_the_rarest_windows() {
    let (sequences, patterns) = drawn(5);
    let run = Run::new(&sequences, &patterns, 0);
    let chosen = run.choose(TABLE);
    let text: Vec<u32> = sequences.concat().iter().map(|&letter| digit(letter)).collect();
    for (anchor, (pattern, _)) in run.bench.get(chosen.anchors).iter().zip(&patterns) {
        let digits: Vec<u32> = pattern.iter().map(|&letter| digit(letter)).collect();
        let mut padded = text.clone();
        padded.resize(text.len().next_multiple_of(32) + 8, 4);
        let windows = padded.windows(8).take(text.len().next_multiple_of(32));
        let like = |window: &[u32]| windows.clone().filter(|text| compatible(text, window)).count() as u32;
        let filled: Vec<u32> = digits.iter().copied().chain([4; 8]).collect();
        let last = pattern.len().saturating_sub(8);
        if pattern.len() > 100 {
            // The naive count takes too long for all of its windows.
            let [at, count, ..] = anchor.0;
            assert_eq!(like(&filled[at as usize..][..8]), count);
            continue;
        }
        let counts: Vec<u32> = (0..=last).map(|at| like(&filled[at..at + 8])).collect();
        let least = *counts.iter().min().expect("a pattern has a window");
        let at = counts.iter().position(|&count| count == least).expect("it is one of them");
        let codes = filled[at..at + 8].iter().map(|&digit| if digit == 4 { 5 } else { 2 }).product();
        assert_eq!(anchor.0, [at as u32, least, codes, 0], "{}", pattern.len());
    }
}

fn digit(letter: u8) -> u32 {
    let bases = bases_of(letter);
    if bases.is_power_of_two() { bases.trailing_zeros() } else { 4 }
}

fn compatible(one: &[u32], other: &[u32]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b || *a == 4 || *b == 4)
}
