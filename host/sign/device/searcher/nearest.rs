//! The nearest few targets of each query.

use super::{DeviceArray, ELEMENTS_MAX, Kept, Neighbour, Part, Points, Result, Searcher};
use cuda_std::U32x2;
use rayon::prelude::*;
use warpseq_device::gpu::Gpu;

impl<G: Gpu> Searcher<G> {
    /// The `top` nearest targets of each query within a distance. There are queries and targets.
    pub(super) fn nearest_few(&mut self, queries: Points, targets: Points, kept: (u32, u32)) -> Result<Vec<Neighbour>> {
        let (entries, mut found) = ((self.memory / 16).min(ELEMENTS_MAX), Vec::new());
        let mut parts = 0;
        self.parts(targets, |kernel_ms, part| {
            let mut first = 0;
            parts += 1;
            while first < queries.len() {
                let block = part.queries_of_a_launch(queries.len() - first, kept.0, entries);
                let some = queries.part(first..first + block);
                let neighbours = part.nearest(some, kept, entries, kernel_ms)?;
                let first_query = first as u32;
                found.extend(neighbours.into_iter().map(|n| Neighbour { query: n.query + first_query, ..n }));
                first += block;
            }
            Ok(())
        })?;
        if parts > 1 {
            found.par_sort_unstable();
            keep_first(&mut found, kept.0);
        }
        Ok(found)
    }
}

/// Keeps the first `top` of each query.
fn keep_first(sorted: &mut Vec<Neighbour>, top: u32) {
    let (mut query, mut kept) = (u32::MAX, 0);
    sorted.retain(|neighbour| {
        kept = if neighbour.query == query { kept + 1 } else { 1 };
        query = neighbour.query;
        kept <= top
    });
}

impl<G: Gpu> Part<'_, G> {
    /// The number of queries whose entries fit, at least in one segment.
    fn queries_of_a_launch(&self, queries: usize, top: u32, entries: usize) -> usize {
        let fits = |queries: &usize| {
            let lanes = queries.next_multiple_of(self.searcher.threads(self.points.bits() / 64, *queries) as usize);
            lanes * top as usize <= entries
        };
        std::iter::successors(Some(queries.min(1 << 20)), |&queries| (queries > 1).then_some(queries / 2))
            .find(fits)
            .unwrap_or(1)
    }

    /// The bounds of segments whose entries fit.
    fn segments_of(&self, query_blocks: u32, most: usize) -> Vec<u32> {
        let targets = self.points.len();
        let segments = (self.searcher.segments(targets, query_blocks).len() - 1).min(most.max(1));
        (0..=segments).map(|segment| (targets * segment / segments) as u32).collect()
    }

    /// The nearest targets in this part, sorted by query, distance and target.
    fn nearest(
        &self,
        queries: Points,
        (top, limit): (u32, u32),
        entries: usize,
        kernel_ms: &mut f64,
    ) -> Result<Vec<Neighbour>> {
        let (searcher, launch) = (self.searcher, self.launch(queries)?);
        let lanes = (launch.query_blocks * launch.threads) as usize;
        let segments = self.segments_of(launch.query_blocks, entries / (lanes * top as usize));
        let entries = (segments.len() - 1) * top as usize * lanes;
        let heap: DeviceArray<U32x2, G> = DeviceArray::new(&searcher.gpu, entries)?;
        heap.fill(&searcher.stream, 0..entries, 0xFF)?;
        let segments_there = searcher.send(&segments)?;
        let args = super::CompareArgs { heap: heap.view_mut(), top, limit, ..launch.args(&segments_there) };
        // SAFETY: `segments_of` divides the targets.
        unsafe { launch.run(Kept::Nearest, args, kernel_ms)? };
        let heap = searcher.fetch(&heap, entries)?;
        let of_query = |query: usize| {
            let entries = heap[query..].iter().step_by(lanes).filter(|U32x2([_, target])| *target != u32::MAX);
            let mut found: Vec<(u32, u32)> = entries.map(|U32x2([distance, target])| (*distance, *target)).collect();
            found.sort_unstable();
            found.truncate(top as usize);
            let first = self.targets.start as u32;
            found.into_iter().map(move |(distance, target)| Neighbour {
                query: query as u32,
                distance,
                target: target + first,
            })
        };
        Ok((0..queries.len()).into_par_iter().flat_map_iter(of_query).collect())
    }
}
