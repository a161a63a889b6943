//! `Hamming` on a GPU, or on the emulator: the host's side (the device's side: `warpseq_gpu::sign::neighbours`).
//!
//! ```text
//! targets (a part that fits) -> for each block of queries: a launch over all segments of the targets -> merged -> sorted on the host
//! ```
//!
//! If there are few queries, segments of the targets make enough blocks for the device. Each block finds the nearest in its
//! segment, so the nearest of all are among them. If a list of neighbours overflows, it is made again for each half of the
//! queries, down to a single query, whose list always fits: nothing is dropped.

use super::super::{Compared, Comparing, Comparison, Distances, Limits, NO_TARGET, Neighbour, Points};
use crate::device::launch::{self, Kept};
use cuda_std::{Element, Global, GlobalMut, U32x2};
use std::ops::Range;
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::gpu::Gpu;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_gpu::abi::CompareArgs;
use warpseq_gpu::sign::neighbours::shared_bytes;
use warpseq_gpu::tuning::NEIGHBOURS_THREADS;

type Result<T> = std::result::Result<T, DeviceError>;

/// Blocks of a multiprocessor that keep it busy.
const BLOCKS: u32 = 8;
/// The fewest targets of a segment worth a block.
const SEGMENT_LEAST: usize = 256;
/// The most targets of a group that one block sees. Larger groups are cut, and the least distances of their parts compared.
const GROUP_MOST: usize = 1 << 14;
/// The most elements of an array, which kernels count in 32 bits.
const ELEMENTS_MAX: usize = 1 << 31;

/// The bounds of so many segments of `targets`.
fn divided(targets: Range<usize>, segments: usize) -> Vec<u32> {
    (0..=segments).map(|segment| (targets.start + targets.len() * segment / segments) as u32).collect()
}

/// Compares signatures on one GPU.
pub struct Searcher<G: Gpu> {
    gpu: Arc<G>,
    stream: Stream<G>,
    /// Device memory that may be taken, in bytes.
    memory: usize,
    /// What the lanes of a launch keep of the nearest, and pinned memory to fetch it.
    heap: Staged<U32x2, G>,
    /// Where the targets are, a part at a time.
    targets: DeviceArray<U32x2, G>,
    kernel_ms: f64,
}

/// What the launches over one part of the targets share.
struct Part<'a, G: Gpu> {
    searcher: &'a Searcher<G>,
    points: Points<'a>,
    /// The targets among all of them.
    targets: Range<usize>,
    on_device: Global<'a, U32x2>,
}

impl<G: Gpu> Searcher<G> {
    /// Compares in at most `memory` bytes of device memory. What holds targets and the nearest stays for the next comparison.
    ///
    /// # Errors
    /// Those of the device.
    pub fn new(gpu: Arc<G>, memory: usize) -> Result<Self> {
        let (stream, heap, targets) = (Stream::new(&gpu)?, Staged::empty(&gpu), DeviceArray::empty(&gpu));
        Ok(Self { gpu, stream, memory, heap, targets, kernel_ms: 0.0 })
    }

    /// Milliseconds of the kernels since the last call of this function, by the device's clock.
    pub fn kernel_ms(&mut self) -> f64 {
        std::mem::take(&mut self.kernel_ms)
    }

    /// Copies to the device, and waits.
    fn send<T: Element>(&self, from: &[T]) -> Result<DeviceArray<T, G>> {
        let array = DeviceArray::new(&self.gpu, from.len())?;
        array.write(&self.stream, 0, from)?;
        Ok(array)
    }

    /// Copies from the device, and waits.
    fn fetch<T: Element + Default>(&self, array: &DeviceArray<T, G>, len: usize) -> Result<Vec<T>> {
        let mut to = vec![T::default(); len];
        array.read(&self.stream, 0, &mut to)?;
        Ok(to)
    }

    /// Queues `work`, waits for it, and adds the time that it took.
    fn timed(&self, kernel_ms: &mut f64, work: impl FnOnce(&Stream<G>) -> Result<()>) -> Result<()> {
        let from = self.stream.record()?;
        work(&self.stream)?;
        let to = self.stream.record()?;
        self.stream.synchronize()?;
        *kernel_ms += f64::from(self.gpu.milliseconds(&from, &to)?);
        Ok(())
    }

    /// Threads of a block: as many as there are queries and shared memory for them.
    fn threads(&self, words: u32, queries: usize) -> u32 {
        let wanted = NEIGHBOURS_THREADS.min(queries.next_multiple_of(32) as u32);
        let fits = |threads: &u32| shared_bytes(words, *threads) <= self.gpu.shared_memory();
        (1..=wanted / 32).rev().map(|warps| warps * 32).find(fits).unwrap_or(32)
    }

    /// Into how many segments `targets` are divided, so that there are so many `blocks` for each multiprocessor.
    fn segments(&self, targets: usize, query_blocks: u32, blocks: u32) -> usize {
        let wanted = (self.gpu.multiprocessors() * blocks).div_ceil(query_blocks) as usize;
        wanted.min(targets.div_ceil(SEGMENT_LEAST)).max(1)
    }

    /// Calls `work` with each part of the targets that fits half the memory.
    fn parts(&mut self, targets: Points, mut work: impl FnMut(&mut f64, &Part<G>) -> Result<()>) -> Result<()> {
        let most = (self.memory / 2).min(8 * ELEMENTS_MAX) / targets.width();
        let mut there = std::mem::replace(&mut self.targets, DeviceArray::empty(&self.gpu));
        let mut kernel_ms = 0.0;
        for first in (0..targets.len()).step_by(most.max(1)) {
            let range = first..(first + most.max(1)).min(targets.len());
            let points = targets.part(range.clone());
            there.grow(points.bytes().len() / 8)?;
            there.write_bytes(&self.stream, points.bytes())?;
            let on_device = there.slice(0..points.bytes().len() / 8);
            work(&mut kernel_ms, &Part { searcher: self, points, targets: range, on_device })?;
        }
        (self.targets, self.kernel_ms) = (there, self.kernel_ms + kernel_ms);
        Ok(())
    }
}

/// Arrays of a launch that are the same for all that is kept.
struct Launch<'a, G: Gpu> {
    part: &'a Part<'a, G>,
    queries: DeviceArray<U32x2, G>,
    threads: u32,
    query_blocks: u32,
}

impl<G: Gpu> Part<'_, G> {
    fn launch(&self, queries: Points) -> Result<Launch<'_, G>> {
        let words = queries.bits() / 64;
        let threads = self.searcher.threads(words, queries.len());
        let query_blocks = queries.len().div_ceil(threads as usize) as u32;
        let queries = DeviceArray::of_bytes(&self.searcher.stream, queries.bytes())?;
        Ok(Launch { part: self, queries, threads, query_blocks })
    }
}

impl<G: Gpu> Launch<'_, G> {
    /// Launches and waits; adds to `kernel_ms`.
    ///
    /// # Safety
    /// As [`launch::sign_compare`].
    unsafe fn run(&self, kept: Kept, args: CompareArgs, kernel_ms: &mut f64) -> Result<()> {
        // SAFETY: the obligations are those of this function.
        self.part
            .searcher
            .timed(kernel_ms, |stream| unsafe { launch::sign_compare(stream, (kept, self.threads), args) })
    }

    /// The arguments, with empty arrays for what is kept.
    fn args<'a>(&'a self, segments: &'a DeviceArray<u32, G>) -> CompareArgs<'a> {
        CompareArgs {
            queries: self.queries.view(),
            targets: self.part.on_device,
            segments: segments.view(),
            segment_groups: Global::empty(),
            groups: Global::empty(),
            heap: GlobalMut::empty(),
            found: GlobalMut::empty(),
            count: GlobalMut::empty(),
            least: GlobalMut::empty(),
            words: self.part.points.bits() / 64,
            query_blocks: self.query_blocks,
            top: 0,
            limit: 0,
            known: 0,
            padding: 0,
        }
    }
}

mod least;
mod nearest;
mod within;

impl<G: Gpu> Executor<Comparing> for Searcher<G> {
    fn compute(&mut self, job: Comparison, output: &mut Compared) -> std::result::Result<(), Error> {
        *output = Compared::default();
        let (queries, targets) = (job.queries(), job.targets());
        match job.wanted() {
            Distances::Least(groups) => output.least = self.least_of_groups(queries, targets, groups)?,
            Distances::Nearest(_) if queries.is_empty() || targets.is_empty() => {}
            Distances::Nearest(Limits { top, distance }) => {
                let distance = distance.min(queries.bits());
                output.neighbours = match top {
                    Some(top) => self.nearest_few(queries, targets, (top.min(targets.len() as u32), distance))?,
                    None => self.within(queries, targets, distance)?,
                };
            }
        }
        Ok(())
    }
}
