//! The nearest targets of each query.

use super::super::{Limits, Neighbour, Parameters, Points};
use super::cut::Cut;
use super::lanes::{LANES, Sums, Task, run};
use super::tile::Tile;
use super::words;
use rayon::prelude::*;
use std::collections::BinaryHeap;
use std::ops::Range;
use warpseq_simd::InstructionSet;

/// A neighbour of a query: distance and target.
type Near = (u32, u32);

/// The most bits in which signatures differ.
const FARTHEST: u32 = Parameters::MOST_BITS;

/// See [`crate::nearest`].
pub fn nearest(set: InstructionSet, queries: Points, targets: Points, limits: Limits) -> Vec<Neighbour> {
    let Cut { block, ranges } = Cut::new(queries.len(), 0..targets.len(), rayon::current_num_threads());
    let lists = |block: &[u8]| -> Vec<Vec<Near>> {
        let words: Vec<u64> = words(block).collect();
        let parts = ranges.par_iter().map(|range| {
            let mut lists = vec![Nearest::new(limits); block.len() / queries.width()];
            Tile::each(targets, range.clone(), |tile| run(set, Scan { queries: &words, tile, lists: &mut lists }));
            lists.into_iter().map(Nearest::sorted).collect()
        });
        let parts: Vec<Vec<_>> = parts.collect();
        merged(parts, limits)
    };
    let blocks = queries.bytes().par_chunks(block * queries.width()).enumerate();
    let neighbours = blocks.flat_map_iter(|(number, bytes)| {
        let first = number * block;
        lists(bytes).into_iter().enumerate().flat_map(move |(k, list)| {
            let query = (first + k) as u32;
            list.into_iter().map(move |(distance, target)| Neighbour { query, distance, target })
        })
    });
    neighbours.collect()
}

/// Joins what was found for each query in each range of targets.
fn merged(parts: Vec<Vec<Vec<Near>>>, limits: Limits) -> Vec<Vec<Near>> {
    let mut parts = parts.into_iter();
    let mut lists = parts.next().unwrap_or_default();
    for part in parts {
        lists.iter_mut().zip(part).for_each(|(list, more)| list.extend(more));
    }
    for list in &mut lists {
        list.sort_unstable();
        list.truncate(limits.top.map_or(usize::MAX, |top| top as usize));
    }
    lists
}

/// The best of a query so far.
#[derive(Clone)]
struct Nearest {
    top: usize,
    /// What a later target's distance must be below.
    below: u32,
    /// The worst on top.
    kept: BinaryHeap<Near>,
}

impl Nearest {
    fn new(limits: Limits) -> Self {
        let top = limits.top.map_or(usize::MAX, |top| top as usize);
        let below = if top == 0 { 0 } else { limits.distance.min(FARTHEST) + 1 };
        Self { top, below, kept: BinaryHeap::new() }
    }

    /// Takes what is near enough of targets that follow those seen so far.
    #[inline(never)]
    fn offer(&mut self, targets: Range<usize>, distances: [u32; LANES]) {
        for (target, distance) in targets.zip(distances) {
            if distance < self.below {
                self.kept.push((distance, target as u32));
                if self.kept.len() > self.top {
                    self.kept.pop();
                }
                if let Some(&(worst, _)) = self.kept.peek().filter(|_| self.kept.len() == self.top) {
                    self.below = worst;
                }
            }
        }
    }

    fn sorted(self) -> Vec<Near> {
        let mut list = self.kept.into_vec();
        list.sort_unstable();
        list
    }
}

/// A block of queries against a tile.
struct Scan<'a> {
    queries: &'a [u64],
    tile: &'a Tile,
    /// For each query.
    lists: &'a mut [Nearest],
}

impl Scan<'_> {
    #[inline(always)]
    fn scan<S: Sums>(self, zero: S, words: usize) {
        let Range { start, end } = self.tile.range;
        for (query, list) in self.queries.chunks_exact(words).zip(self.lists) {
            let mut below = list.below;
            for (number, group) in self.tile.lanes.chunks_exact(words).enumerate() {
                let sums = zero.of(query, group);
                if sums.any_below(below) {
                    list.offer(start + number * LANES..end, sums.get());
                    below = list.below;
                }
            }
        }
    }
}

impl Task for Scan<'_> {
    #[inline(always)]
    fn run<S: Sums>(self, zero: S) {
        match self.tile.words {
            1 => self.scan(zero, 1),
            16 => self.scan(zero, 16),
            words => self.scan(zero, words),
        }
    }
}
