//! The least distance of each query to each group of targets.

use super::super::{NO_TARGET, Points};
use super::cut::Cut;
use super::lanes::{LANES, Sums, Task, run};
use super::tile::{MOST, Tile};
use super::words;
use rayon::prelude::*;
use std::ops::Range;
use warpseq_simd::InstructionSet;

/// See [`crate::least`].
pub fn least(set: InstructionSet, queries: Points, targets: Points, groups: &[u32]) -> Vec<u32> {
    let columns = groups.len().saturating_sub(1);
    let mut least = vec![NO_TARGET; queries.len() * columns];
    if least.is_empty() {
        return least;
    }
    let grouped = groups[0] as usize..groups[columns] as usize;
    let Cut { block, ranges } = Cut::new(queries.len(), grouped, rayon::current_num_threads());
    let rows = least.par_chunks_mut(block * columns);
    rows.zip(queries.bytes().par_chunks(block * queries.width())).for_each(|(rows, bytes)| {
        Block { set, queries: words(bytes).collect(), targets, groups }.search(&ranges, rows);
    });
    least
}

/// A block of queries against all targets.
struct Block<'a> {
    set: InstructionSet,
    queries: Vec<u64>,
    targets: Points<'a>,
    groups: &'a [u32],
}

impl Block<'_> {
    /// Fills `rows`, of which each query has one, from all ranges of targets.
    fn search(&self, ranges: &[Range<usize>], rows: &mut [u32]) {
        let columns = self.groups.len() - 1;
        if let [range] = ranges {
            return self.search_range(range, 0..columns, rows);
        }
        let queries = rows.len() / columns;
        let parts = ranges.par_iter().map(|range| {
            let part = covered(range, self.groups);
            let mut values = vec![NO_TARGET; queries * part.len()];
            self.search_range(range, part.clone(), &mut values);
            (part, values)
        });
        for (part, values) in parts.collect::<Vec<_>>() {
            for (row, values) in rows.chunks_exact_mut(columns).zip(values.chunks_exact(part.len())) {
                row[part.clone()].iter_mut().zip(values).for_each(|(least, &value)| *least = value.min(*least));
            }
        }
    }

    /// Lowers `values`, of which each query has one for each group of `part`, by the targets of a range.
    fn search_range(&self, range: &Range<usize>, part: Range<usize>, values: &mut [u32]) {
        let (columns, mut sections) = (part.len(), Vec::new());
        Tile::each(self.targets, range.clone(), |tile| {
            divide(&tile.range, self.groups, &part, &mut sections);
            run(self.set, Measure { queries: &self.queries, tile, sections: &sections, values, columns });
        });
    }
}

/// The groups that targets of `range`, which is not empty, belong to, and empty ones between them.
fn covered(range: &Range<usize>, groups: &[u32]) -> Range<usize> {
    let group = |target: usize| groups.partition_point(|&first| first as usize <= target) - 1;
    group(range.start)..group(range.end - 1) + 1
}

/// The targets of a tile, by their places in it, that belong to a group, by its place in `part`.
type Section = (usize, Range<usize>);

/// The sections of the tile that holds `range`.
fn divide(range: &Range<usize>, groups: &[u32], part: &Range<usize>, sections: &mut Vec<Section>) {
    sections.clear();
    sections.extend(covered(range, groups).filter_map(|group| {
        let start = (groups[group] as usize).max(range.start) - range.start;
        let end = (groups[group + 1] as usize).min(range.end) - range.start;
        (start < end).then(|| (group - part.start, start..end))
    }));
}

/// A block of queries against a tile.
struct Measure<'a> {
    queries: &'a [u64],
    tile: &'a Tile,
    sections: &'a [Section],
    /// `columns` for each query.
    values: &'a mut [u32],
    columns: usize,
}

impl Measure<'_> {
    #[inline(always)]
    fn measure<S: Sums>(self, zero: S, words: usize) {
        let mut buffer = [0; MOST];
        let buffer = &mut buffer[..self.tile.lanes.len() / words * LANES];
        let first = self.sections[0].0;
        let single = self.sections.len() == self.tile.range.len()
            && self.sections[self.sections.len() - 1].0 - first + 1 == self.sections.len();
        for (query, row) in self.queries.chunks_exact(words).zip(self.values.chunks_exact_mut(self.columns)) {
            for (lanes, group) in buffer.chunks_exact_mut(LANES).zip(self.tile.lanes.chunks_exact(words)) {
                lanes.copy_from_slice(&zero.of(query, group).get());
            }
            if single {
                // The first group may have begun in an earlier tile.
                row[first..]
                    .iter_mut()
                    .zip(&*buffer)
                    .take(self.sections.len())
                    .for_each(|(least, &d)| *least = d.min(*least));
                continue;
            }
            for (column, targets) in self.sections {
                let least = buffer[targets.clone()].iter().fold(row[*column], |least, &distance| least.min(distance));
                row[*column] = least;
            }
        }
    }
}

impl Task for Measure<'_> {
    #[inline(always)]
    fn run<S: Sums>(self, zero: S) {
        match self.tile.words {
            1 => self.measure(zero, 1),
            16 => self.measure(zero, 16),
            words => self.measure(zero, words),
        }
    }
}
