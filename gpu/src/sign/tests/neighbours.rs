//! `sign_nearest`, `sign_merge`, `sign_within`, `sign_least`.

use crate::abi::{CompareArgs, MergeArgs};
use crate::bench::{Bench, numbers};
use crate::sign::kernel::{sign_least, sign_merge, sign_nearest, sign_within};
use crate::sign::neighbours::{shared_bytes, tile};
use crate::tuning::{MERGED, THREADS};
use cuda_std::{Kernel, Shape, U32x2, U32x4};
use std::vec::Vec;

/// A signature, in 64-bit words.
type Signature = Vec<u64>;

/// Queries and targets, and how they are divided.
struct Case {
    queries: Vec<Signature>,
    targets: Vec<Signature>,
    words: u32,
    /// The first target of each segment, and the end of the last.
    segments: Vec<u32>,
    threads: u32,
}

impl Case {
    /// Random signatures close to each other, so that distances are small and often equal.
    fn new(words: u32, [queries, targets]: [usize; 2], segments: &[u32]) -> Self {
        let mut number = numbers(words + 1);
        let mut signature = || {
            let mut signature = std::vec![u64::from(words); words as usize];
            for _ in 0..number(12) {
                signature[number(words) as usize] ^= 1 << number(64);
            }
            signature
        };
        let mut signatures = |count| (0..count).map(|_| signature()).collect();
        let (queries, targets) = (signatures(queries), signatures(targets));
        Self { queries, targets, words, segments: segments.into(), threads: 32 }
    }

    fn distance(&self, query: u32, target: u32) -> u32 {
        let words = self.queries[query as usize].iter().zip(&self.targets[target as usize]);
        words.map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    fn query_count(&self) -> u32 {
        self.queries.len() as u32
    }

    fn query_blocks(&self) -> u32 {
        self.query_count().div_ceil(self.threads)
    }

    /// The arguments, but for what a kernel keeps.
    fn args(&self, bench: &Bench) -> CompareArgs<'_> {
        let put = |signatures: &[Signature]| {
            let words = signatures.iter().flatten().map(|&word| U32x2([word as u32, (word >> 32) as u32]));
            bench.put(&words.collect::<Vec<_>>()).view()
        };
        let (none, no_list) = (bench.room::<u32>(0), bench.room::<U32x4>(0));
        CompareArgs {
            queries: put(&self.queries),
            targets: put(&self.targets),
            segments: bench.put(&self.segments).view(),
            segment_groups: none.view(),
            groups: none.view(),
            heap: none.view_mut(),
            found: no_list.view_mut(),
            count: none.view_mut(),
            least: none.view_mut(),
            words: self.words,
            query_blocks: self.query_blocks(),
            top: 0,
            limit: u32::MAX - 1,
            known: 0,
            padding: 0,
        }
    }

    fn launch(&self, bench: &Bench, kernel: &Kernel<fn(CompareArgs)>, args: CompareArgs) {
        let grid = self.query_blocks() * (args.segments.len() as u32 - 1);
        let shared = shared_bytes(self.words, self.threads);
        bench.launch_as(kernel, Shape { grid, block: self.threads, shared }, args);
    }

    /// Distance and target of the `top` nearest of each segment within `limit`, by query and then by segment; or, where they are
    /// `merged`, of all segments.
    fn nearest(&self, top: u32, limit: u32, merged: bool) -> Vec<Vec<[u32; 2]>> {
        self.nearest_in_turn(top, limit, merged, &[&self.segments])
    }

    /// The same, of shares of the targets that are searched one after another, each by its segments; of all of them, these are
    /// merged.
    fn nearest_in_turn(&self, top: u32, limit: u32, merged: bool, shares: &[&[u32]]) -> Vec<Vec<[u32; 2]>> {
        let bench = Bench::default();
        let lanes = self.query_blocks() * self.threads;
        let (mut entries, mut segments) = (Vec::new(), 0);
        for (known, share) in shares.iter().enumerate().map(|(at, share)| (at.min(1) as u32, share)) {
            segments = known + share.len() as u32 - 1;
            entries.truncate((known * top * lanes) as usize);
            entries.resize((segments * top * lanes) as usize, U32x2([u32::MAX; 2]));
            let heap = bench.put(&entries);
            let args = CompareArgs {
                heap: heap.view_mut(),
                segments: bench.put(share).view(),
                top,
                limit,
                known,
                ..self.args(&bench)
            };
            self.launch(&bench, &sign_nearest, args);
            let mut step = 1;
            while merged && step < segments {
                let grid = (segments.div_ceil(step * MERGED) * lanes).div_ceil(THREADS);
                let args = MergeArgs { heap: heap.view_mut(), lanes, top, segments, step };
                bench.launch_as(&sign_merge, Shape { grid, block: THREADS, shared: 0 }, args);
                step *= MERGED;
            }
            entries = bench.get(heap);
        }
        segments = if merged { 1 } else { segments };
        let of = |query: u32, segment: u32| {
            let entry = |k| entries[((segment * top + k) * lanes + query) as usize].0;
            let mut nearest: Vec<_> = (0..top).map(entry).filter(|entry| *entry != [u32::MAX; 2]).collect();
            nearest.sort_unstable();
            nearest
        };
        (0..self.query_count()).flat_map(|query| (0..segments).map(move |segment| of(query, segment))).collect()
    }

    /// Query, distance and target of all within `limit` (or of some, if `room` is less), and how many there are.
    fn within(&self, limit: u32, room: u32) -> (Vec<[u32; 3]>, u32) {
        let bench = Bench::default();
        let (found, count) = (bench.zeros::<U32x4>(room), bench.zeros::<u32>(1));
        let args = CompareArgs { found: found.view_mut(), count: count.view_mut(), limit, ..self.args(&bench) };
        self.launch(&bench, &sign_within, args);
        let count = bench.get(count)[0];
        let written = bench.get(found).into_iter().take(count as usize);
        let mut pairs: Vec<_> = written.map(|U32x4([query, distance, target, _])| [query, distance, target]).collect();
        pairs.sort_unstable();
        (pairs, count)
    }

    /// All pairs within `limit`: query, distance, target.
    fn pairs(&self, limit: u32) -> Vec<[u32; 3]> {
        let all = (0..self.query_count()).flat_map(|q| (0..self.targets.len() as u32).map(move |t| (q, t)));
        let mut pairs: Vec<_> = all.map(|(q, t)| [q, self.distance(q, t), t]).filter(|pair| pair[1] <= limit).collect();
        pairs.sort_unstable();
        pairs
    }
}

/// Words with every remainder modulo 4, segments with several remainders modulo 8, and more targets than a tile has.
fn cases() -> Vec<Case> {
    std::vec![
        Case::new(1, [40, 90], &[0, 90]),
        Case::new(3, [5, 71], &[0, 1, 34, 71]),
        Case::new(4, [33, 50], &[0, 16, 50]),
        Case::new(6, [64, 20], &[0, 20]),
        Case::new(64, [34, 100], &[0, 70, 100]),
        Case::new(65, [34, 40], &[0, 33, 40]),
        Case::new(96, [3, 71], &[0, 1, 34, 71]),
        Case::new(1024, [5, 9], &[0, 9]),
    ]
}

#[test]
fn the_nearest_targets_are_kept() {
    for case in cases() {
        for (top, limit) in [(1, 4096), (2, 9), (7, 12), (30, 4096), (100, 6), (3, 0)] {
            let expected = (0..case.query_count())
                .flat_map(|query| case.segments.windows(2).map(|ends| (query, ends[0], ends[1])).collect::<Vec<_>>());
            let expected = expected.map(|(query, first, end)| {
                let mut nearest: Vec<_> = (first..end).map(|target| [case.distance(query, target), target]).collect();
                nearest.retain(|entry| entry[0] <= limit);
                nearest.sort_unstable();
                nearest.truncate(top as usize);
                nearest
            });
            assert_eq!(case.nearest(top, limit, false), expected.collect::<Vec<_>>(), "{} {top} {limit}", case.words);
        }
    }
}

#[test]
fn segments_are_merged() {
    let many: Vec<u32> = (0..=70).collect();
    for (case, shares) in [
        (Case::new(1, [40, 90], &[0, 90]), [&[0, 40][..], &[40, 60, 90]]),
        (Case::new(3, [5, 71], &[0, 1, 34, 71]), [&[0, 1, 34], &[34, 71]]),
        (Case::new(2, [33, 70], &many), [&many[..50], &many[49..]]),
    ] {
        for (top, limit) in [(1, 4096), (7, 12), (30, 4096), (3, 0)] {
            let targets = 0..case.targets.len() as u32;
            let expected = (0..case.query_count()).map(|query| {
                let mut nearest: Vec<_> =
                    targets.clone().map(|target| [case.distance(query, target), target]).collect();
                nearest.retain(|entry| entry[0] <= limit);
                nearest.sort_unstable();
                nearest.truncate(top as usize);
                nearest
            });
            let expected: Vec<_> = expected.collect();
            assert_eq!(case.nearest(top, limit, true), expected, "{} {top} {limit}", case.words);
            assert_eq!(case.nearest_in_turn(top, limit, true, &shares), expected, "{} {top} {limit}", case.words);
        }
    }
}

#[test]
fn all_within_a_limit_are_listed() {
    for case in cases() {
        for limit in [0, 5, 4096] {
            let expected = case.pairs(limit);
            let count = expected.len() as u32;
            assert_eq!(case.within(limit, 10_000), (expected.clone(), count));
            let (some, all) = case.within(limit, 3);
            assert!(
                some.len() as u32 == count.min(3) && if count <= 3 { all == count } else { (4..=count).contains(&all) }
            );
            assert!(some.iter().all(|pair| expected.contains(pair)));
        }
    }
}

#[test]
fn the_least_of_each_group_is_written() {
    for (case, groups, segment_groups) in [
        (Case::new(1, [40, 90], &[0, 90]), std::vec![0, 1, 8, 9, 40, 80, 90], std::vec![0u32]),
        (Case::new(5, [3, 71], &[0, 17, 34, 71]), std::vec![0, 17, 34, 40, 71], std::vec![0u32, 1, 2]),
        (Case::new(64, [33, 100], &[0, 70, 100]), std::vec![0, 65, 70, 100], std::vec![0u32, 2]),
        (Case::new(130, [33, 30], &[0, 20, 30]), std::vec![0, 15, 20, 30], std::vec![0u32, 2]),
    ] {
        let bench = Bench::default();
        let least = bench.room::<u32>(case.query_count() * (groups.len() as u32 - 1));
        let args = CompareArgs {
            segment_groups: bench.put(&segment_groups).view(),
            groups: bench.put(&groups).view(),
            least: least.view_mut(),
            ..case.args(&bench)
        };
        case.launch(&bench, &sign_least, args);
        let expected = (0..case.query_count()).flat_map(|query| {
            let least = |ends: &[u32]| (ends[0]..ends[1]).map(|target| case.distance(query, target)).min();
            groups.windows(2).map(|ends| least(ends).expect("no group is empty")).collect::<Vec<_>>()
        });
        assert_eq!(bench.get(least), expected.collect::<Vec<_>>(), "{}", case.words);
    }
}

#[test]
fn a_tile_is_as_many_eights_of_targets_as_fit() {
    assert_eq!([1, 2, 3, 5, 64].map(tile), [2048, 1024, 680, 408, 32]);
    assert_eq!((tile(0), shared_bytes(3, 64)), (2048, (3 * 64 + 3 * 680) * 8));
}
