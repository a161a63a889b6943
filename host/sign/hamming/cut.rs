//! How queries and targets are cut into tasks.

use std::ops::Range;

/// Queries of a block: enough to share the making of a tile, few enough for L2.
const BLOCK: std::ops::RangeInclusive<usize> = 64..=256;
/// The fewest pairs that are worth a task.
const LEAST_PAIRS: usize = 1 << 16;
/// Tasks for each thread, so that all end at about the same time.
const TASKS: usize = 4;

/// Tasks: every block of queries against every range of targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Queries of a block; the last one may have fewer.
    pub block: usize,
    /// The targets in order.
    pub ranges: Vec<Range<usize>>,
}

impl Cut {
    /// Tasks for `threads` threads. All targets are one range when there are enough blocks of queries.
    pub fn new(queries: usize, targets: Range<usize>, threads: usize) -> Self {
        let wanted = TASKS * threads;
        let block = queries.div_ceil(wanted).clamp(*BLOCK.start(), *BLOCK.end());
        let worth = block.min(queries) * targets.len() / LEAST_PAIRS;
        let parts = wanted.div_ceil(queries.div_ceil(block).max(1)).min(worth).max(1);
        let length = targets.len().div_ceil(parts).max(1);
        let ranges = targets.clone().step_by(length).map(|start| start..(start + length).min(targets.end));
        Self { block, ranges: ranges.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_the_targets_once_and_in_order() {
        for queries in [0, 1, 2, 7, 255, 256, 257, 100_000] {
            for targets in [0, 1, 9, 65_536, 1_000_003] {
                for threads in [1, 2, 7, 64] {
                    let Cut { block, ranges } = Cut::new(queries, 5..5 + targets, threads);
                    assert!(BLOCK.contains(&block));
                    assert_eq!(ranges.iter().cloned().flatten().count(), targets);
                    assert!(ranges.iter().all(|range| !range.is_empty()));
                    assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
                    assert!(ranges.first().is_none_or(|range| range.start == 5));
                }
            }
        }
    }

    #[test]
    fn few_queries_cut_the_targets_and_many_do_not() {
        assert_eq!(Cut::new(1, 0..10_000_000, 2).ranges.len(), 8);
        assert_eq!(Cut::new(1_000_000, 0..10, 2).ranges.len(), 1);
        assert_eq!(Cut::new(10, 0..100, 64).ranges.len(), 1);
        let medium = Cut::new(300, 0..1_000_000, 8);
        assert!(medium.ranges.len() * 300_usize.div_ceil(medium.block) >= 32);
    }
}
