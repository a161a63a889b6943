//! Sequences against sequences.

use super::Search;
use crate::collection::Collection;
use crate::dist::{self, Distance, Sequences, blocks, distances};
use crate::sink::{Sink, put_rows};
use std::ops::Range;
use warpseq_engine::error::Result;

/// The most sequences of the database in a block.
const COLUMNS: usize = 1 << 14;
/// The most query sequences in a block.
const ROWS: usize = 1 << 10;
/// Bytes that a distance takes while it is computed, and as a hit.
const CELL: usize = dist::CELL + size_of::<Hit>();

/// A sequence of the database and its distance to a query.
type Hit = (Distance, usize);

impl Search<'_> {
    /// Writes the hits of all sequences of `queries`.
    pub(super) fn write_sequences(&mut self, queries: &Collection, sink: &mut impl Sink) -> Result<()> {
        let most = self.memory / 4 / CELL;
        let kept = self.question.top.map_or(self.database.len(), |top| top as usize).min(self.database.len());
        let rows = (most / kept.max(self.database.len().min(COLUMNS)).max(1)).clamp(1, ROWS);
        let windows = self.memory / 8 / queries.parameters.width();
        for block in blocks(queries, 0..queries.len(), rows, windows) {
            let lists = self.near_sequences(queries, block.clone(), (most / rows).max(1))?;
            let hits: Vec<(usize, Hit)> =
                block.zip(lists).flat_map(|(query, list)| list.into_iter().map(move |hit| (query, hit))).collect();
            let (rows, database) = (self.written(), self.database);
            put_rows(sink, hits.len(), |row, text| {
                let (query, (distance, target)) = hits[row];
                rows.sequence(text, (queries, query), (database, target), distance);
            })?;
            self.rows += hits.len() as u64;
        }
        Ok(())
    }

    /// The hits of each query of a block, `columns` sequences of the database at a time.
    fn near_sequences(&mut self, queries: &Collection, block: Range<usize>, columns: usize) -> Result<Vec<Vec<Hit>>> {
        let windows = self.memory / 8 / queries.parameters.width();
        let rows = Sequences::range(queries, block)?;
        let mut lists = vec![Vec::new(); rows.len()];
        for block in blocks(self.database, 0..self.database.len(), columns.min(COLUMNS), windows) {
            let targets = Sequences::range(self.database, block.clone())?;
            let distances = distances(self.comparer, &rows, &targets, self.memory / 8)?;
            for (list, distances) in lists.iter_mut().zip(distances.chunks_exact(block.len())) {
                self.offer(list, block.clone().zip(distances));
            }
        }
        Ok(lists)
    }

    /// Adds the hits among the next sequences of the database.
    fn offer<'d>(&self, list: &mut Vec<Hit>, targets: impl Iterator<Item = (usize, &'d Option<Distance>)>) {
        let top = self.question.top.map_or(usize::MAX, |top| top as usize);
        let worst = list.get(top.wrapping_sub(1)).map(|worst| worst.0);
        let is_near = |distance: Distance| {
            self.question.distance.is_none_or(|most| distance.is_within(most))
                && worst.is_none_or(|worst| distance < worst)
        };
        let hit = |(target, distance): (usize, &Option<Distance>)| Some((distance.filter(|&of| is_near(of))?, target));
        list.extend(targets.filter_map(hit));
        list.sort_by_key(|hit| hit.0);
        list.truncate(top);
    }
}
