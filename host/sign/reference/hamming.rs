//! The naive comparison of signatures: bit by bit, every query with every target, all of them sorted.

use crate::{Compared, Comparing, Comparison, Distances, Limits, NO_TARGET, Neighbour, Points};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// The naive comparer.
pub struct NaiveHamming;

impl Executor<Comparing> for NaiveHamming {
    fn compute(&mut self, job: Comparison, output: &mut Compared) -> Result<()> {
        let (queries, targets) = (job.queries(), job.targets());
        *output = match job.wanted() {
            Distances::Nearest(limits) => Compared { neighbours: nearest(queries, targets, limits), least: Vec::new() },
            Distances::Least(groups) => Compared { neighbours: Vec::new(), least: least(queries, targets, groups) },
        };
        Ok(())
    }
}

fn nearest(queries: Points, targets: Points, limits: Limits) -> Vec<Neighbour> {
    let mut neighbours = Vec::new();
    for query in 0..queries.len() {
        let neighbour = |target| {
            let distance = differing(queries.get(query), targets.get(target));
            Neighbour { query: query as u32, distance, target: target as u32 }
        };
        let mut all: Vec<_> = (0..targets.len()).map(neighbour).collect();
        all.sort_by_key(|neighbour| (neighbour.distance, neighbour.target));
        all.retain(|neighbour| neighbour.distance <= limits.distance);
        all.truncate(limits.top.map_or(usize::MAX, |top| top as usize));
        neighbours.extend(all);
    }
    neighbours
}

fn least(queries: Points, targets: Points, groups: &[u32]) -> Vec<u32> {
    let mut least = Vec::new();
    for query in 0..queries.len() {
        for group in groups.windows(2) {
            let distances =
                (group[0]..group[1]).map(|target| differing(queries.get(query), targets.get(target as usize)));
            least.push(distances.min().unwrap_or(NO_TARGET));
        }
    }
    least
}

/// The sum, over the windows of one sequence, of the least distance to a window of another; `None` if either has no window.
pub fn least_sum(from: Points, to: Points) -> Option<u64> {
    let mut sum = 0;
    for window in 0..from.len() {
        sum += (0..to.len()).map(|other| u64::from(differing(from.get(window), to.get(other)))).min()?;
    }
    (!from.is_empty()).then_some(sum)
}

fn differing(a: &[u8], b: &[u8]) -> u32 {
    let mut count = 0;
    for (&a, &b) in a.iter().zip(b) {
        for bit in 0..8 {
            count += u32::from(a >> bit & 1 != b >> bit & 1);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Points = Points::new(64, &[]);

    /// Two queries and three targets of 64 bits; the distances are 0 2 2 and 8 6 10.
    const QUERIES: Points = Points::new(64, &[0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0, 0]);
    const TARGETS: Points =
        Points::new(64, &[0, 0, 0, 0, 0, 0, 0, 0, 0x81, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11]);

    fn nearest(top: Option<u32>, distance: u32) -> Vec<(u32, u32, u32)> {
        let found = super::nearest(QUERIES, TARGETS, Limits { top, distance });
        found.iter().map(|neighbour| (neighbour.query, neighbour.distance, neighbour.target)).collect()
    }

    #[test]
    fn neighbours_are_by_distance_and_then_by_target() {
        let all = [(0, 0, 0), (0, 2, 1), (0, 2, 2), (1, 6, 1), (1, 8, 0), (1, 10, 2)];
        assert_eq!(nearest(None, 64), all);
        assert_eq!(nearest(Some(4), 64), all);
        assert_eq!(nearest(Some(2), 64), [all[0], all[1], all[3], all[4]]);
        assert_eq!(nearest(None, 8), all[..5]);
        assert_eq!(nearest(Some(1), 5), all[..1]);
    }

    #[test]
    fn groups_without_targets_have_no_least_distance() {
        assert_eq!(
            super::least(QUERIES, TARGETS, &[0, 0, 2, 3, 3]),
            [NO_TARGET, 0, 2, NO_TARGET, NO_TARGET, 6, 10, NO_TARGET]
        );
    }

    /// There 0 + 6, back 0 + 2 + 2.
    #[test]
    fn least_distances_are_added_up() {
        assert_eq!([least_sum(QUERIES, TARGETS), least_sum(TARGETS, QUERIES)], [Some(6), Some(4)]);
        assert_eq!([least_sum(NONE, TARGETS), least_sum(QUERIES, NONE), least_sum(NONE, NONE)], [None; 3]);
    }
}
