//! Windows against windows.
//!
//! ```text
//! slice of query windows -> part 1 of the database | part 2 ... -> merged -> rows
//!          ^-- halved when their hits take too much memory, doubled again while they take little
//! ```
//!
//! A search for all hits within a distance may have any number of hits. So it is run with a limit per query that fits the
//! memory, and a slice in which a query reaches the limit is halved. Only a single window is searched without a limit.

use super::Search;
use crate::collection::Collection;
use crate::significance::ones;
use crate::sink::{Sink, put_rows};
use crate::{Limits, Neighbour, Parameters, Points, nearest};
use rayon::prelude::*;
use std::ops::Range;
use warpseq_engine::error::Result;

/// The most windows of a slice.
const MOST: usize = 1 << 16;
/// Hits to expect of a query if their number has no limit.
const EXPECTED: usize = 1024;
/// Bytes that a hit takes: as a neighbour, in the executor's lists, and here without and with its E-value, each with the spare
/// capacity of vectors.
const HIT: usize = 160;

/// A window of the database near one of the queries, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    query: usize,
    distance: u32,
    target: usize,
}

/// Windows of `database` to search at a time: all, unless they must be copied, in less than a quarter of `memory`.
pub fn parts(database: &Collection, memory: usize) -> Vec<Range<usize>> {
    let count = database.window_count();
    let whole = database.present_count(0..count) == count;
    let copied = if whole { usize::MAX } else { memory / 4 / database.parameters.width() };
    let length = copied.clamp(1, u32::MAX as usize);
    (0..count).step_by(length).map(|start| start..count.min(start.saturating_add(length))).collect()
}

impl Search<'_> {
    /// Writes the hits of all windows of `queries`.
    pub(super) fn write_windows(&mut self, queries: &Collection, sink: &mut impl Sink) -> Result<()> {
        let room = (self.memory / 2 / HIT).max(1);
        let most = MOST.min(self.memory / 8 / queries.parameters.width()).max(1);
        let expected = self.question.top.map_or(EXPECTED, |top| top as usize);
        let mut size = (room / expected).clamp(1, most);
        let mut start = 0;
        while start < queries.window_count() {
            let slice = start..queries.window_count().min(start + size);
            let Some(hits) = self.hits(queries, slice.clone(), room)? else {
                size = slice.len().div_ceil(2);
                continue;
            };
            let (rows, database) = (self.written(), self.database);
            put_rows(sink, hits.len(), |row, text| {
                let (Hit { query, distance, target }, evalue) = hits[row];
                rows.window(text, (queries, query), (database, target), (distance, evalue));
            })?;
            self.rows += hits.len() as u64;
            start = slice.end;
            if hits.len() < room / 4 {
                size = (2 * size).min(most);
            }
        }
        Ok(())
    }

    /// The hits of a slice of query windows with their E-values, in order; `None` when there are more than `room` and the slice
    /// can be halved.
    fn hits(&mut self, queries: &Collection, slice: Range<usize>, room: usize) -> Result<Option<Vec<(Hit, f64)>>> {
        let present = queries.points_of(slice.clone());
        let points = present.points();
        let Some(distance) = self.farthest(points) else { return Ok(Some(Vec::new())) };
        let bound = (slice.len() > 1).then(|| (room / points.len().max(1)).clamp(1, u32::MAX as usize) as u32);
        let top = [self.question.top, bound].into_iter().flatten().min();
        let mut hits = Vec::new();
        for part in &self.parts {
            let database = self.database.points_of(part.clone());
            let found = nearest(self.comparer, points, database.points(), Limits { top, distance })?;
            if top != self.question.top && reach(&found, top, database.points().len()) {
                return Ok(None);
            }
            hits.extend(found.into_iter().map(|near| {
                let (query, target) = (present.window(near.query as usize), database.window(near.target as usize));
                Hit { query, distance: near.distance, target }
            }));
            if self.parts.len() > 1 {
                keep_first(&mut hits, self.question.top);
            }
            if bound.is_some() && hits.len() > room {
                return Ok(None);
            }
        }
        Ok(Some(self.significant(queries, hits)))
    }

    /// The most bits in which a hit of any of the queries may differ, `None` where none has any.
    fn farthest(&self, queries: Points) -> Option<u32> {
        let Parameters { bits, .. } = self.database.parameters;
        let asked = self.question.distance.unwrap_or(bits).min(bits);
        let most = self.question.most_expected(&self.database.parameters);
        if most == f64::INFINITY {
            return Some(asked);
        }
        let significance = self.significance.as_ref().expect("windows have E-values");
        let farthest = significance.farthest_of(queries, most)?;
        Some(asked.min(farthest))
    }

    /// The hits that are not expected by chance, with their E-values.
    fn significant(&self, queries: &Collection, hits: Vec<Hit>) -> Vec<(Hit, f64)> {
        let most = self.question.most_expected(&self.database.parameters);
        let significance = self.significance.as_ref().expect("windows have E-values");
        let judged = |hit: Hit| {
            let ones = [queries.signature(hit.query), self.database.signature(hit.target)].map(ones);
            let evalue = significance.evalue(ones, hit.distance);
            (evalue <= most).then_some((hit, evalue))
        };
        hits.into_par_iter().filter_map(judged).collect()
    }
}

/// Whether a query has reached the limit, so that more of the `targets` may be hits.
fn reach(found: &[Neighbour], top: Option<u32>, targets: usize) -> bool {
    let Some(top) = top.map(|top| top as usize).filter(|&top| top < targets) else { return false };
    found.chunk_by(|a, b| a.query == b.query).any(|neighbours| neighbours.len() >= top)
}

/// Sorts hits, and keeps the first `top` of each query.
fn keep_first(hits: &mut Vec<Hit>, top: Option<u32>) {
    hits.sort_unstable();
    let Some(top) = top else { return };
    let (mut query, mut rank) = (usize::MAX, 0);
    hits.retain(|hit| {
        rank = if hit.query == query { rank + 1 } else { 1 };
        query = hit.query;
        rank <= top
    });
}
