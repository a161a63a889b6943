//! The least distance of each query to each group of targets.

use super::Searcher;
use super::{BLOCKS, CompareArgs, DeviceArray, ELEMENTS_MAX, GROUP_MOST, Kept, NO_TARGET, Part, Points, Result};
use rayon::prelude::*;
use warpseq_device::gpu::Gpu;

/// Groups as the device takes them: none empty, none large, all in one part of the targets.
struct Pieces {
    /// The first target of each in the part, and the end of the last.
    starts: Vec<u32>,
    /// The group that each belongs to.
    groups: Vec<u32>,
}

impl Pieces {
    /// Those of the targets from `first` to `end`.
    fn new(groups: &[u32], first: usize, end: usize) -> Self {
        assert!(groups.is_sorted(), "groups of targets do not follow one another");
        let mut pieces = Self { starts: vec![0], groups: Vec::new() };
        for (group, ends) in groups.windows(2).enumerate() {
            let (mut at, last) = ((ends[0] as usize).max(first), (ends[1] as usize).min(end));
            while at < last {
                at = (at + GROUP_MOST).min(last);
                pieces.starts.push((at - first) as u32);
                pieces.groups.push(group as u32);
            }
        }
        pieces
    }

    /// Bounds of about `wanted` segments: in targets and in pieces.
    fn segments(&self, wanted: usize) -> (Vec<u32>, Vec<u32>) {
        let pieces = self.groups.len();
        let each = pieces.div_ceil(wanted.clamp(1, pieces));
        let firsts: Vec<u32> = (0..pieces).step_by(each).map(|piece| piece as u32).collect();
        let mut bounds: Vec<u32> = firsts.iter().map(|&piece| self.starts[piece as usize]).collect();
        bounds.push(self.starts[pieces]);
        (bounds, firsts)
    }
}

impl<G: Gpu> Searcher<G> {
    /// See [`crate::least`].
    pub(super) fn least_of_groups(&mut self, queries: Points, targets: Points, groups: &[u32]) -> Result<Vec<u32>> {
        let wide = groups.len().saturating_sub(1);
        let mut least = vec![NO_TARGET; queries.len() * wide];
        if least.is_empty() || targets.is_empty() {
            return Ok(least);
        }
        let memory = self.memory;
        self.parts(targets, |kernel_ms, part| {
            let pieces = Pieces::new(groups, part.targets.start, part.targets.end);
            if pieces.groups.is_empty() {
                return Ok(());
            }
            let most = ((memory / 4).min(ELEMENTS_MAX) / 4 / pieces.groups.len()).max(1);
            for first in (0..queries.len()).step_by(most) {
                let some = queries.part(first..(first + most).min(queries.len()));
                let found = part.least(some, &pieces, kernel_ms)?;
                let rows = &mut least[first * wide..(first + some.len()) * wide];
                rows.par_chunks_mut(wide).zip(found.par_chunks(pieces.groups.len())).for_each(|(row, found)| {
                    for (&group, &distance) in pieces.groups.iter().zip(found) {
                        let least = &mut row[group as usize];
                        *least = distance.min(*least);
                    }
                });
            }
            Ok(())
        })?;
        Ok(least)
    }
}

impl<G: Gpu> Part<'_, G> {
    /// For each query, and in it for each piece.
    fn least(&self, queries: Points, pieces: &Pieces, kernel_ms: &mut f64) -> Result<Vec<u32>> {
        let (searcher, launch) = (self.searcher, self.launch(queries)?);
        let wanted = searcher.segments(self.points.len(), launch.query_blocks, BLOCKS);
        let (bounds, firsts) = pieces.segments(wanted);
        let (bounds, firsts) = (searcher.send(&bounds)?, searcher.send(&firsts)?);
        let groups = searcher.send(&pieces.starts)?;
        let found: DeviceArray<u32, G> = DeviceArray::new(&searcher.gpu, queries.len() * pieces.groups.len())?;
        let args = CompareArgs {
            segment_groups: firsts.view(),
            groups: groups.view(),
            least: found.view_mut(),
            ..launch.args(&bounds)
        };
        // SAFETY: pieces follow one another from the first target to the last that is in a group, and segments are runs of
        // them.
        unsafe { launch.run(Kept::Least, args, kernel_ms)? };
        searcher.fetch(&found, found.len())
    }
}
