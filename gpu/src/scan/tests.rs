//! All kernels of `scan`, one after another on the emulator, against plain loops over letters; no code of the host.

use super::cell::tests::bases_of;
use super::kernel::*;
use crate::abi::*;
use crate::bench::{Array, Bench, numbers};
use crate::tuning::*;
use cuda_std::{Shape, U32x2, U32x4};
use std::collections::BTreeSet;
use std::vec::Vec;

/// First symbol, segment, pattern, wild symbols.
type Found = BTreeSet<[u32; 4]>;

/// A pattern's letters and the most wild symbols of a match.
type Pattern = (Vec<u8>, u32);

/// Samples and patterns on a device.
struct Run {
    bench: Bench,
    samples: Samples,
    patterns: Patterns,
    symbols: u32,
    count: u32,
}

/// Where each pattern's anchor is, and whether it goes into the table.
struct Chosen {
    anchors: Array<U32x4>,
    probes: Array<U32x4>,
    listed: Array<u32>,
    tried: Array<u32>,
    /// Listed, tried, units of room.
    counts: Array<u32>,
}

/// At these prices all patterns go through the table.
const TABLE: Prices = Prices { everywhere: u64::MAX, candidate: 1, code: 1, room: 1 << 20 };
const NO_ROOM: Prices = Prices { room: 0, ..TABLE };

impl Run {
    fn new(samples: &[Vec<u8>], patterns: &[Pattern]) -> Self {
        let bench = Bench::default();
        let mut starts = std::vec![0];
        for sample in samples {
            starts.push(starts[starts.len() - 1] + sample.len() as u32);
        }
        let (mut letters, mut info) = (Vec::new(), Vec::new());
        for (pattern, limit) in patterns {
            info.push(U32x4([(letters.len() / 32) as u32, pattern.len() as u32, *limit, 0]));
            letters.extend(pattern);
            letters.resize(letters.len().next_multiple_of(32), b'N');
        }
        let (planes, digits, _) = pack(&bench, &letters);
        let patterns = Patterns { planes: planes.view(), digits: digits.view(), info: bench.put(&info).view() };
        let letters = samples.concat();
        let (planes, digits, odd) = pack(&bench, &letters);
        let starts = bench.put(&starts).view();
        let samples = Samples { planes: planes.view(), digits: digits.view(), starts, odd: odd.view() };
        Self { bench, samples, patterns, symbols: letters.len() as u32, count: info.len() as u32 }
    }

    fn choose(&self, prices: Prices) -> Chosen {
        let bench = &self.bench;
        let counts = bench.zeros::<u32>(CODES);
        let groups = self.symbols.div_ceil(32);
        let histogram = HistogramArgs { digits: self.samples.digits, counts: counts.view_mut(), groups, stride: 1 };
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
            prices,
        };
        bench.launch(&scan_choose, 32 * self.count, args);
        chosen
    }

    /// Lists, entries and bitmap.
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

    fn through_table(&self, chosen: &Chosen) -> Found {
        let (lists, entries, bitmap) = self.table(chosen);
        let (found, count) = self.room();
        let args = AnchorArgs {
            samples: self.samples,
            patterns: self.patterns,
            anchors: chosen.anchors.view(),
            probes: chosen.probes.view(),
            matches: Matches { found: found.view_mut(), count: count.view_mut() },
            bitmap: bitmap.view(),
            lists: lists.view(),
            entries: entries.view(),
            first_tile: 0,
            end_tile: self.symbols.div_ceil(TILE),
        };
        let shape = Shape { grid: 2, block: ANCHOR_THREADS, shared: ANCHOR_SHARED };
        self.bench.launch_as(&scan_anchor, shape, args);
        self.collect(found, count)
    }

    fn everywhere(&self, chosen: &Chosen) -> Found {
        let (found, count) = self.room();
        let args = BruteArgs {
            samples: self.samples,
            patterns: self.patterns,
            anchors: chosen.anchors.view(),
            matches: Matches { found: found.view_mut(), count: count.view_mut() },
            tried: chosen.tried.view(),
            tried_count: self.bench.put(&self.bench.get(chosen.counts)[1..2]).view(),
            probes: chosen.probes.view(),
            first: 0,
            end: self.symbols,
        };
        self.bench.launch(&scan_brute, 2 * THREADS, args);
        self.collect(found, count)
    }

    fn room(&self) -> (Array<U32x4>, Array<u32>) {
        (self.bench.zeros(20_000), self.bench.zeros(1))
    }

    fn collect(&self, found: Array<U32x4>, count: Array<u32>) -> Found {
        let count = self.bench.get(count)[0] as usize;
        let found: Found = self.bench.get(found)[..count].iter().map(|hit| hit.0).collect();
        assert_eq!(found.len(), count, "a match was reported twice");
        found
    }
}

/// Planes, digits and the flag of odd letters, with slack after the last.
fn pack(bench: &Bench, letters: &[u8]) -> (Array<U32x4>, Array<U32x4>, Array<u32>) {
    let mut padded = letters.to_vec();
    // Tiles are read whole, and a group after them.
    padded.resize(letters.len().next_multiple_of(TILE as usize) + SLACK as usize, b'N');
    let groups = padded.len() as u32 / 32;
    let (planes, digits, odd) = (bench.zeros(groups), bench.zeros(groups), bench.zeros(1));
    let args = PackArgs {
        letters: bench.put(&padded).view(),
        planes: planes.view_mut(),
        digits: digits.view_mut(),
        odd: odd.view_mut(),
        unknown: 0,
    };
    bench.launch(&scan_pack, groups, args);
    (planes, digits, odd)
}

/// Every match, symbol by symbol.
fn naive(samples: &[Vec<u8>], patterns: &[Pattern]) -> Found {
    let mut found = Found::new();
    let mut first = 0;
    for (segment, sample) in samples.iter().enumerate() {
        for (number, (pattern, limit)) in patterns.iter().enumerate() {
            for (start, window) in sample.windows(pattern.len()).enumerate() {
                let sets = || window.iter().zip(pattern).map(|(&s, &q)| (bases_of(s), bases_of(q)));
                let wild = sets().filter(|(s, q)| !s.is_power_of_two() || !q.is_power_of_two()).count() as u32;
                if sets().all(|(s, q)| s & q != 0) && wild <= *limit {
                    found.insert([first + start as u32, segment as u32, number as u32, wild]);
                }
            }
        }
        first += sample.len() as u32;
    }
    found
}

/// Samples of random letters with ambiguous ones, and patterns cut from them and altered, of all lengths from 1.
fn drawn(seed: u32) -> (Vec<Vec<u8>>, Vec<Pattern>) {
    let mut number = numbers(seed);
    let mut letter = move || match number(60) {
        0 => b'N',
        1 => b"RYMKSWBDHVU-."[number(13) as usize],
        _ => b"ACGT"[number(4) as usize],
    };
    let mut samples: Vec<Vec<u8>> = [700, 1, 2900, 33].map(|length| (0..length).map(|_| letter()).collect()).into();
    // A repeat, so that many positions share a code.
    samples[0].splice(100..164, b"ACGTACGG".repeat(8));
    // Another from one sample into the next but one, so that anchors of patterns from there on lie behind it.
    let (repeat, long) = (b"ACGTACGG".repeat(8), samples[0].len());
    samples[0].splice(long - 32.., repeat[..32].iter().copied());
    samples[1].copy_from_slice(&repeat[32..33]);
    samples[2].splice(..31, repeat[33..].iter().copied());
    let mut number = numbers(seed + 1);
    let mut patterns = Vec::new();
    // Out of one sample into the next: no match, wherever the anchor is.
    let text = samples.concat();
    for (start, length) in [(690, 11), (699, 3), (660, 90), (695, 60), (3570, 64), (3598, 20), (3600, 9)] {
        patterns.push((text[start..start + length].iter().map(|&s| if s == b'-' { b'N' } else { s }).collect(), 5));
    }
    for length in [1, 2, 5, 7, 8, 9, 12, 20, 31, 32, 33, 39, 40, 64, 65, 100, 300, 700, 1024, 1100, 2900] {
        let sample = &samples[if length > 700 { 2 } else { 0 }];
        let start = number((sample.len() - length + 1) as u32) as usize;
        let mut pattern: Vec<u8> =
            sample[start..start + length].iter().map(|&s| if s == b'-' { b'N' } else { s }).collect();
        let other = number(length as u32) as usize;
        patterns.push((pattern.clone(), u32::MAX - 2));
        pattern[other] = b"NRA"[number(3) as usize];
        patterns.push((pattern, number(length as u32 / 8 + 2)));
    }
    (samples, patterns)
}

#[test]
fn the_table_and_trying_everywhere_find_what_plain_loops_find() {
    for seed in 1..=2 {
        let (samples, patterns) = drawn(seed);
        let expected = naive(&samples, &patterns);
        assert!(expected.len() > 500, "{}", expected.len());
        let run = Run::new(&samples, &patterns);
        let chosen = run.choose(TABLE);
        assert_eq!(run.bench.get(chosen.counts)[..2], [run.count, 0]);
        assert_eq!(run.through_table(&chosen), expected, "{seed}");
        let chosen = run.choose(NO_ROOM);
        assert_eq!(run.bench.get(chosen.counts)[..2], [0, run.count]);
        assert_eq!(run.everywhere(&chosen), expected, "{seed}");
    }
}

#[test]
fn what_finds_no_room_or_costs_too_much_is_tried_everywhere() {
    let (samples, mut patterns) = drawn(4);
    // Shorter ones have many thousand entries each.
    patterns.retain(|(pattern, _)| pattern.len() > 4);
    let run = Run::new(&samples, &patterns);
    let expected = naive(&samples, &patterns);
    for prices in [Prices { room: 40, ..TABLE }, Prices { everywhere: 700, ..TABLE }] {
        let chosen = run.choose(prices);
        let [listed, tried, _] = run.bench.get(chosen.counts)[..] else { panic!("three counts") };
        assert!(listed > 0 && tried > 0 && listed + tried == run.count, "{listed} {tried}");
        let mut both = run.through_table(&chosen);
        both.extend(run.everywhere(&chosen));
        assert_eq!(both, expected);
    }
}

#[test]
fn an_anchor_is_the_first_of_the_rarest_windows() {
    let (samples, patterns) = drawn(5);
    let run = Run::new(&samples, &patterns);
    let chosen = run.choose(TABLE);
    let text: Vec<u32> = samples.concat().iter().map(|&letter| digit(letter)).collect();
    for (anchor, (pattern, _)) in run.bench.get(chosen.anchors).iter().zip(&patterns) {
        let digits: Vec<u32> = pattern.iter().map(|&letter| digit(letter)).collect();
        let mut padded = text.clone();
        padded.resize(text.len().next_multiple_of(32) + 8, 4);
        let windows = padded.windows(8).take(text.len().next_multiple_of(32));
        let like = |window: &[u32]| windows.clone().filter(|text| compatible(text, window)).count() as u32;
        let filled: Vec<u32> = digits.iter().copied().chain([4; 8]).collect();
        let last = pattern.len().saturating_sub(8);
        if pattern.len() > 100 {
            // Plain counting takes too long for all of its windows.
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
