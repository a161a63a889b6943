//! All kernels of `scan`, one after another on the emulator, against naive loops over bases. No code of the host
//! takes part.

mod launches {
    //! The kernels of `scan` launched one after another.

    use super::{Found, Pattern};
    use crate::abi::*;
    use crate::bench::{Array, Bench};
    use crate::scan::kernel::*;
    use crate::tuning::*;
    use cuda_std::{Shape, U32x2, U32x4};
    use std::vec::Vec;

    /// Sequences and patterns on a device.
    pub struct Run {
        pub bench: Bench,
        sequences: Sequences<'static>,
        patterns: Patterns<'static>,
        symbols: u32,
        /// Patterns.
        pub count: u32,
    }

    /// Where each pattern's anchor is, and whether it goes into the table.
    pub struct Chosen {
        pub anchors: Array<U32x4>,
        probes: Array<U32x4>,
        listed: Array<u32>,
        tried: Array<u32>,
        /// Listed, tried, units of room.
        pub counts: Array<u32>,
    }

    /// At these costs all patterns go through the table.
    pub const TABLE: Costs = Costs { everywhere: u64::MAX, candidate: 1, code: 1, room: 1 << 20 };
    pub const NO_ROOM: Costs = Costs { room: 0, ..TABLE };

    impl Run {
        /// `unknown` is as in [`PackArgs`].
        pub fn new(sequences: &[Vec<u8>], patterns: &[Pattern], unknown: u32) -> Self {
            let bench = Bench::default();
            let mut starts = std::vec![0];
            for sequence in sequences {
                starts.push(starts[starts.len() - 1] + sequence.len() as u32);
            }
            let (mut bases, mut info) = (Vec::new(), Vec::new());
            for (pattern, limit) in patterns {
                info.push(U32x4([(bases.len() / 32) as u32, pattern.len() as u32, *limit, 0]));
                bases.extend(pattern);
                bases.resize(bases.len().next_multiple_of(32), b'N');
            }
            let (planes, digits, _) = pack(&bench, &bases, unknown);
            let patterns = Patterns { planes: planes.view(), digits: digits.view(), info: bench.put(&info).view() };
            let bases = sequences.concat();
            let (planes, digits, odd) = pack(&bench, &bases, unknown);
            let starts = bench.put(&starts).view();
            let sequences = Sequences { planes: planes.view(), digits: digits.view(), starts, odd: odd.view() };
            Self { bench, sequences, patterns, symbols: bases.len() as u32, count: info.len() as u32 }
        }

        pub fn choose(&self, costs: Costs) -> Chosen {
            let bench = &self.bench;
            let counts = bench.zeros::<u32>(CODES);
            let groups = self.symbols.div_ceil(32);
            let histogram =
                HistogramArgs { digits: self.sequences.digits, counts: counts.view_mut(), groups, stride: 1 };
            bench.launch(&scan_histogram, groups, histogram);
            for place in [1, 25, 625, 15_625] {
                bench.launch(&scan_fold, CODES / 25, FoldArgs { counts: counts.view_mut(), place });
            }
            let chosen = Chosen {
                anchors: bench.zeros(self.count),
                probes: bench.zeros(self.count),
                listed: bench.zeros(self.count),
                tried: bench.zeros(self.count),
                counts: bench.zeros(3),
            };
            let (listed, tried) = (chosen.listed.view_mut(), chosen.tried.view_mut());
            let args = ChooseArgs {
                patterns: self.patterns,
                counts: counts.view(),
                anchors: chosen.anchors.view_mut(),
                probes: chosen.probes.view_mut(),
                division: Division { listed, tried, counts: chosen.counts.view_mut() },
                costs,
            };
            bench.launch(&scan_choose, 32 * self.count, args);
            chosen
        }

        /// Builds the anchor table: lists, entries and bitmap.
        fn table(&self, chosen: &Chosen) -> (Array<U32x2>, Array<U32x2>, Array<u32>) {
            let bench = &self.bench;
            let (counts, bitmap) = (bench.zeros::<u32>(CODES), bench.zeros::<u32>(BITMAP_WORDS));
            let (listed, listed_count, probes) = (chosen.listed.view(), chosen.counts.view(), chosen.probes.view());
            let args = CountArgs { listed, listed_count, probes, counts: counts.view_mut(), bitmap: bitmap.view_mut() };
            bench.launch(&scan_count, 32 * self.count, args);
            let (lists, placed) = (bench.zeros::<U32x2>(CODES), bench.zeros::<u32>(1));
            let args = OffsetsArgs { counts: counts.view_mut(), lists: lists.view_mut(), placed: placed.view_mut() };
            bench.launch(&scan_offsets, CODES.div_ceil(OFFSETS_PER_THREAD), args);
            let entries = bench.zeros(bench.get(placed)[0]);
            let (filled, written) = (counts.view_mut(), entries.view_mut());
            let args = FillArgs { listed, listed_count, probes, lists: lists.view(), filled, entries: written };
            bench.launch(&scan_fill, 32 * self.count, args);
            (lists, entries, bitmap)
        }

        /// Searches through the table in two launches, each of some tiles.
        pub fn through_table(&self, chosen: &Chosen) -> Found {
            let (lists, entries, bitmap) = self.table(chosen);
            let (found, count) = (self.bench.zeros(20_000), self.bench.zeros(1));
            let tiles = self.symbols.div_ceil(TILE);
            for (first_tile, end_tile) in [(0, tiles / 2), (tiles / 2, tiles)] {
                let args = AnchorArgs {
                    sequences: self.sequences,
                    patterns: self.patterns,
                    anchors: chosen.anchors.view(),
                    probes: chosen.probes.view(),
                    matches: Matches { found: found.view_mut(), count: count.view_mut() },
                    bitmap: bitmap.view(),
                    lists: lists.view(),
                    entries: entries.view(),
                    first_tile,
                    end_tile,
                };
                let shape = Shape { grid: 2, block: ANCHOR_THREADS, shared: ANCHOR_SHARED };
                self.bench.launch_as(&scan_anchor, shape, args);
            }
            self.collect(found, count)
        }

        pub fn everywhere(&self, chosen: &Chosen) -> Found {
            let (found, count) = self.try_everywhere(chosen, 20_000);
            self.collect(found, count)
        }

        /// Tries all patterns everywhere, in two launches. Gives the matches, of which `room` can be written, and their
        /// number.
        pub fn try_everywhere(&self, chosen: &Chosen, room: u32) -> (Array<U32x4>, Array<u32>) {
            let (found, count) = (self.bench.zeros(room), self.bench.zeros(1));
            let both = BruteArgs {
                sequences: self.sequences,
                patterns: self.patterns,
                anchors: chosen.anchors.view(),
                matches: Matches { found: found.view_mut(), count: count.view_mut() },
                tried: chosen.tried.view(),
                tried_count: self.bench.put(&self.bench.get(chosen.counts)[1..2]).view(),
                probes: chosen.probes.view(),
                first: 0,
                end: self.symbols,
            };
            let middle = self.symbols / 2;
            for args in [BruteArgs { end: middle, ..both }, BruteArgs { first: middle, ..both }] {
                self.bench.launch(&scan_brute, 2 * THREADS, args);
            }
            (found, count)
        }

        fn collect(&self, found: Array<U32x4>, count: Array<u32>) -> Found {
            let count = self.bench.get(count)[0] as usize;
            let found: Found = self.bench.get(found)[..count].iter().map(|hit| hit.0).collect();
            assert_eq!(found.len(), count, "a match was reported twice");
            found
        }
    }

    /// Packs bases: planes, digits, and the flag of bytes other than ACGTN, with slack at the end.
    fn pack(bench: &Bench, bases: &[u8], unknown: u32) -> (Array<U32x4>, Array<U32x4>, Array<u32>) {
        let mut padded = bases.to_vec();
        // Whole tiles are read, and one group after them.
        padded.resize(bases.len().next_multiple_of(TILE as usize) + SLACK as usize, b'N');
        let groups = padded.len() as u32 / 32;
        let (planes, digits, odd) = (bench.zeros(groups), bench.zeros(groups), bench.zeros(1));
        let args = PackArgs {
            bases: bench.put(&padded).view(),
            planes: planes.view_mut(),
            digits: digits.view_mut(),
            odd: odd.view_mut(),
            unknown,
        };
        bench.launch(&scan_pack, groups, args);
        (planes, digits, odd)
    }
}

use super::cell::tests::bases_of;
use crate::abi::Costs;
use crate::bench::numbers;
use launches::{NO_ROOM, Run, TABLE};
use std::collections::BTreeSet;
use std::vec::Vec;

/// Matches: first symbol, segment, pattern, wild symbols.
type Found = BTreeSet<[u32; 4]>;

/// A pattern's bases, and the most wild symbols of a match.
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

/// Random sequences with ambiguous bases, and patterns cut from them and changed, of all lengths from 1.
fn drawn(seed: u32) -> (Vec<Vec<u8>>, Vec<Pattern>) {
    let mut number = numbers(seed);
    let mut base = move || match number(60) {
        0 => b'N',
        1 => b"RYMKSWBDHVU-."[number(13) as usize],
        _ => b"ACGT"[number(4) as usize],
    };
    let mut sequences: Vec<Vec<u8>> = [700, 1, 2900, 33].map(|length| (0..length).map(|_| base()).collect()).into();
    // So that long patterns match here.
    sequences[2].iter_mut().filter(|base| **base == b'-').for_each(|base| *base = b'N');
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
    let legal = |bases: &[u8]| -> Vec<u8> { bases.iter().map(|&s| if s == b'-' { b'N' } else { s }).collect() };
    let wild = |bases: &[u8]| bases.iter().filter(|&&s| !bases_of(s).is_power_of_two()).count() as u32;
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
    sequences.iter_mut().flatten().filter(|base| **base == b'-').for_each(|base| *base = b'N');
    patterns.iter_mut().for_each(|(_, limit)| *limit = u32::MAX);
    assert_same(run.everywhere(&run.choose(NO_ROOM)), &naive(&sequences, &patterns));
}

#[test]
fn an_anchor_is_the_first_of_the_rarest_windows() {
    let (sequences, patterns) = drawn(5);
    let run = Run::new(&sequences, &patterns, 0);
    let chosen = run.choose(TABLE);
    let text: Vec<u32> = sequences.concat().iter().map(|&base| digit(base)).collect();
    for (anchor, (pattern, _)) in run.bench.get(chosen.anchors).iter().zip(&patterns) {
        let digits: Vec<u32> = pattern.iter().map(|&base| digit(base)).collect();
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

fn digit(base: u8) -> u32 {
    let bases = bases_of(base);
    if bases.is_power_of_two() { bases.trailing_zeros() } else { 4 }
}

fn compatible(one: &[u32], other: &[u32]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b || *a == 4 || *b == 4)
}
