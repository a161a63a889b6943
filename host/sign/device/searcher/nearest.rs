//! The nearest few targets of each query.
//!
//! Where many are wanted of those within a distance, there are often few such: all of them are listed, if they fit.

use super::{BLOCKS, CompareArgs, ELEMENTS_MAX, Kept, Neighbour, Part, Points, Result, Searcher, divided, launch};
use cuda_std::U32x2;
use rayon::prelude::*;
use warpseq_device::gpu::Gpu;
use warpseq_device::staged::Staged;
use warpseq_gpu::abi::MergeArgs;
use warpseq_gpu::tuning::MERGED;

/// The most targets of a query in a heap for which heaps of other segments are merged on the device, one entry after another, and
/// for which lists are not tried.
const FEW: u32 = 64;
/// Targets of which some are searched first, so that what is nearest there bounds what is kept of the others: up to which part of all, and
/// how many blocks of a multiprocessor search that. The first ones see many that are nearer than all before, and the fewer, the more
/// targets each has.
const MANY: usize = 1 << 15;
const SHARES: [(usize, u32); 3] = [(16, 2), (4, BLOCKS), (1, BLOCKS)];
/// The most entries of all heaps, where there are enough for one segment: 128 MB.
const ENTRIES: usize = 1 << 24;

impl<G: Gpu> Searcher<G> {
    /// The `top` nearest targets of each query within a distance. There are queries and targets.
    pub(super) fn nearest_few(&mut self, queries: Points, targets: Points, kept: (u32, u32)) -> Result<Vec<Neighbour>> {
        let (top, distance) = kept;
        if top > FEW
            && distance < queries.bits()
            && let Some(mut found) = self.listed(queries, targets, distance)?
        {
            keep_first(&mut found, top);
            return Ok(found);
        }
        let (mut heap, mut found) = (std::mem::replace(&mut self.heap, Staged::empty(&self.gpu)), Vec::new());
        let mut parts = 0;
        self.parts(targets, |kernel_ms, part| {
            let mut first = 0;
            parts += 1;
            while first < queries.len() {
                let block = part.queries_of_a_launch(queries.len() - first, kept.0);
                let some = queries.part(first..first + block);
                let neighbours = part.nearest(some, kept, &mut heap, kernel_ms)?;
                let first_query = first as u32;
                found.extend(neighbours.into_iter().map(|n| Neighbour { query: n.query + first_query, ..n }));
                first += block;
            }
            Ok(())
        })?;
        self.heap = heap;
        if parts > 1 {
            found.par_sort_unstable();
            keep_first(&mut found, top);
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
    /// The most entries of the heap.
    fn entries(&self) -> usize {
        (self.searcher.memory / 16).min(ELEMENTS_MAX)
    }

    /// The number of queries whose entries fit, at least in one segment.
    fn queries_of_a_launch(&self, queries: usize, top: u32) -> usize {
        let fits = |queries: &usize| {
            let lanes = queries.next_multiple_of(self.searcher.threads(self.points.bits() / 64, *queries) as usize);
            lanes * top as usize <= self.entries()
        };
        std::iter::successors(Some(queries.min(1 << 20)), |&queries| (queries > 1).then_some(queries / 2))
            .find(fits)
            .unwrap_or(1)
    }

    /// Parts of the targets, searched one after another, each with its segments, of which `most` fit beside what is known of those
    /// before.
    fn shares(&self, query_blocks: u32, most: usize, are_merged: bool) -> Vec<Vec<u32>> {
        let targets = self.points.len();
        let (shares, most) =
            if are_merged && targets >= MANY && most > 1 { (&SHARES[..], most - 1) } else { (&SHARES[2..], most) };
        let of_share = |first: &mut usize, &(part, blocks): &(usize, u32)| {
            let share = std::mem::replace(first, targets / part)..targets / part;
            let segments = self.searcher.segments(share.len(), query_blocks, blocks).min(most);
            Some(divided(share, segments))
        };
        shares.iter().scan(0, of_share).collect()
    }

    /// Sorted by query, distance and target.
    fn nearest(
        &self,
        queries: Points,
        (top, limit): (u32, u32),
        heap: &mut Staged<U32x2, G>,
        kernel_ms: &mut f64,
    ) -> Result<Vec<Neighbour>> {
        let (searcher, launch, top) = (self.searcher, self.launch(queries)?, top as usize);
        let lanes = (launch.query_blocks * launch.threads) as usize;
        let merged = top <= FEW as usize;
        let most = (self.entries().min(ENTRIES) / (lanes * top)).max(1);
        let shares = self.shares(launch.query_blocks, most, merged);
        let segments_there = searcher.send(&shares.concat())?;
        let entries_of = |known: usize, share: &[u32]| (known + share.len() - 1) * top * lanes;
        let entries = shares.iter().enumerate().map(|(at, share)| entries_of(at.min(1), share)).max().unwrap_or(0);
        heap.grow_device(entries)?;
        searcher.timed(kernel_ms, |stream| {
            let mut first = 0;
            for (at, share) in shares.iter().enumerate() {
                let known = at.min(1);
                let entries = entries_of(known, share);
                heap.device().fill(stream, known * top * lanes..entries, 0xFF)?;
                let args = CompareArgs {
                    heap: heap.device().slice_mut(0..entries),
                    top: top as u32,
                    limit,
                    known: known as u32,
                    segments: segments_there.slice(first..first + share.len()),
                    ..launch.args(&segments_there)
                };
                first += share.len();
                // SAFETY: `shares` divides the targets.
                unsafe { launch::sign_compare(stream, (Kept::Nearest, launch.threads), args)? };
                let (mut step, segments) = (1, (known + share.len() - 1) as u32);
                while merged && step < segments {
                    let (heap, lanes, top) = (args.heap, lanes as u32, args.top);
                    launch::sign_merge(stream, MergeArgs { heap, lanes, top, segments, step })?;
                    step *= MERGED;
                }
            }
            Ok(())
        })?;
        let entries = if merged { top * lanes } else { entries };
        heap.fetch(&searcher.stream, entries)?;
        let (heap, first) = (heap.read()?, self.targets.start as u32);
        let of_query = |query: usize| {
            let entries = heap[query..].iter().step_by(lanes).filter(|U32x2([_, target])| *target != u32::MAX);
            let mut found: Vec<(u32, u32)> = entries.map(|U32x2([distance, target])| (*distance, *target)).collect();
            // Each segment has kept as many as are wanted in all.
            if top < found.len() {
                found.select_nth_unstable(top);
                found.truncate(top);
            }
            found.sort_unstable();
            let query = query as u32;
            found.into_iter().map(move |(distance, target)| Neighbour { query, distance, target: target + first })
        };
        Ok((0..queries.len()).into_par_iter().flat_map_iter(of_query).collect())
    }
}
