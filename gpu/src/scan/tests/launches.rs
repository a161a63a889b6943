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
        let (mut letters, mut info) = (Vec::new(), Vec::new());
        for (pattern, limit) in patterns {
            info.push(U32x4([(letters.len() / 32) as u32, pattern.len() as u32, *limit, 0]));
            letters.extend(pattern);
            letters.resize(letters.len().next_multiple_of(32), b'N');
        }
        let (planes, digits, _) = pack(&bench, &letters, unknown);
        let patterns = Patterns { planes: planes.view(), digits: digits.view(), info: bench.put(&info).view() };
        let letters = sequences.concat();
        let (planes, digits, odd) = pack(&bench, &letters, unknown);
        let starts = bench.put(&starts).view();
        let sequences = Sequences { planes: planes.view(), digits: digits.view(), starts, odd: odd.view() };
        Self { bench, sequences, patterns, symbols: letters.len() as u32, count: info.len() as u32 }
    }

    pub fn choose(&self, costs: Costs) -> Chosen {
        let bench = &self.bench;
        let counts = bench.zeros::<u32>(CODES);
        let groups = self.symbols.div_ceil(32);
        let histogram = HistogramArgs { digits: self.sequences.digits, counts: counts.view_mut(), groups, stride: 1 };
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

/// Packs letters: planes, digits and the flag of odd letters, with slack at the end.
fn pack(bench: &Bench, letters: &[u8], unknown: u32) -> (Array<U32x4>, Array<U32x4>, Array<u32>) {
    let mut padded = letters.to_vec();
    // Whole tiles are read, and one group after them.
    padded.resize(letters.len().next_multiple_of(TILE as usize) + SLACK as usize, b'N');
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
