//! All targets near a query.

use super::{BLOCKS, CompareArgs, DeviceArray, Kept, Neighbour, Part, Points, Result, Searcher, divided};
use cuda_std::U32x4;
use rayon::prelude::*;
use std::ops::Range;
use warpseq_device::gpu::Gpu;

/// The most neighbours of a launch, in a quarter of the memory, or the number of targets of a part if that is larger, so that one
/// query always fits.
const FOUND: usize = 1 << 22;

impl<G: Gpu> Searcher<G> {
    /// All targets within a distance of each query. There are queries and targets.
    pub(super) fn within(&mut self, queries: Points, targets: Points, limit: u32) -> Result<Vec<Neighbour>> {
        let found = self.lists(queries, targets, (limit, true))?;
        Ok(found.expect("queries are halved until their lists hold all"))
    }

    /// The same, if there are no more than a list holds of the targets that are compared at a time.
    pub(super) fn listed(&mut self, queries: Points, targets: Points, limit: u32) -> Result<Option<Vec<Neighbour>>> {
        self.lists(queries, targets, (limit, false))
    }

    fn lists(
        &mut self,
        queries: Points,
        targets: Points,
        (limit, halving): (u32, bool),
    ) -> Result<Option<Vec<Neighbour>>> {
        let mut found = Some(Vec::new());
        self.parts(targets, |kernel_ms, part| {
            let room = FOUND.min(part.searcher.memory / 64).max(part.points.len());
            let list: DeviceArray<U32x4, G> = DeviceArray::new(&part.searcher.gpu, room)?;
            let mut waiting: Vec<Range<usize>> = std::iter::once(0..queries.len()).collect();
            while let Some(all) = &mut found
                && let Some(range) = waiting.pop()
            {
                match part.within(queries.part(range.clone()), limit, &list, kernel_ms)? {
                    Some(neighbours) => part.take(&range, &neighbours, all),
                    None if halving => {
                        let middle = range.start + range.len() / 2;
                        waiting.extend([range.start..middle, middle..range.end]);
                    }
                    None => found = None,
                }
            }
            Ok(())
        })?;
        if let Some(found) = &mut found {
            found.par_sort_unstable();
        }
        Ok(found)
    }
}

impl<G: Gpu> Part<'_, G> {
    /// Query, distance and target of each neighbour; `None` if there are more than fit the list.
    fn within(
        &self,
        queries: Points,
        limit: u32,
        list: &DeviceArray<U32x4, G>,
        kernel_ms: &mut f64,
    ) -> Result<Option<Vec<U32x4>>> {
        let (searcher, launch) = (self.searcher, self.launch(queries)?);
        let targets = self.points.len();
        let segments = divided(0..targets, searcher.segments(targets, launch.query_blocks, BLOCKS));
        let segments = searcher.send(&segments)?;
        let count = searcher.send(&[0u32])?;
        let (found, counted) = (list.view_mut(), count.view_mut());
        let args = CompareArgs { found, count: counted, limit, ..launch.args(&segments) };
        // SAFETY: `divided` divides the targets.
        unsafe { launch.run(Kept::Within, args, kernel_ms)? };
        let count = searcher.fetch(&count, 1)?[0] as usize;
        if count > list.len() { Ok(None) } else { searcher.fetch(list, count).map(Some) }
    }

    fn take(&self, queries: &Range<usize>, list: &[U32x4], found: &mut Vec<Neighbour>) {
        let (first, target) = (queries.start as u32, self.targets.start as u32);
        found.extend(list.iter().map(|U32x4([query, distance, at, _])| Neighbour {
            query: query + first,
            distance: *distance,
            target: at + target,
        }));
    }
}
