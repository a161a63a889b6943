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
use crate::sink::{Sink, put_rows};
use crate::{Limits, Neighbour, nearest};
use std::ops::Range;
use warpseq_engine::error::Result;

/// The most windows of a slice.
const MOST: usize = 1 << 16;
/// Hits to expect of a query if their number has no limit.
const EXPECTED: usize = 1024;
/// Bytes that a hit takes: as a neighbour, in the executor's lists, and here, each with the spare capacity of vectors.
const HIT: usize = 96;

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
            let (format, database) = (self.question.format, self.database);
            put_rows(sink, hits.len(), |row, text| {
                let Hit { query, distance, target } = hits[row];
                format.window(text, (queries, query), (database, target), distance);
            })?;
            self.rows += hits.len() as u64;
            start = slice.end;
            if hits.len() < room / 4 {
                size = (2 * size).min(most);
            }
        }
        Ok(())
    }

    /// The hits of a slice of query windows, in order; `None` when there are more than `room` and the slice can be halved.
    fn hits(&mut self, queries: &Collection, slice: Range<usize>, room: usize) -> Result<Option<Vec<Hit>>> {
        let present = queries.points_of(slice.clone());
        let points = present.points();
        let bits = queries.parameters.bits;
        let distance = self.question.distance.unwrap_or(bits).min(bits);
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
        Ok(Some(hits))
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
