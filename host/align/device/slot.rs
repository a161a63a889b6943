//! A slot: the device memory, the pinned memory and the stream that one slice at a time passes through.
//!
//! ```text
//! places, packed pairs, items (pinned) --copy--> device --align_*, align_traceback--> results, paths --copy--> pinned
//! ```

use super::super::{Alignment, Batch, Runs, Scoring, Want};
use super::path::Traced;
use super::plan::Class;
use super::slice::{Sizes, Slice};
use super::stage;
use super::tables::Tables;
use crate::device::launch::{self, Pass};
use crate::pieces::pieces;
use cuda_std::U32x4;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_device::timings::Recorder;
use warpseq_gpu::abi::{Checkpoints, ForwardArgs, Rules, TracebackArgs};

pub struct Slot<G: Gpu> {
    pub stream: Stream<G>,
    places: Staged<U32x4, G>,
    packed_pairs: Staged<U32x4, G>,
    items: Staged<U32x4, G>,
    path_starts: Staged<u32, G>,
    results: Staged<U32x4, G>,
    paths: Staged<u32, G>,
    records: Staged<U32x4, G>,
    rows_h: DeviceArray<U32x4, G>,
    rows_f: DeviceArray<U32x4, G>,
    columns_h: DeviceArray<U32x4, G>,
    columns_e: DeviceArray<U32x4, G>,
    last: DeviceArray<U32x4, G>,
}

impl<G: Gpu> Slot<G> {
    /// An idle slot, without memory.
    pub fn new(gpu: &Arc<G>) -> Result<Self> {
        let staged = || Staged::empty(gpu);
        let array = || DeviceArray::empty(gpu);
        Ok(Self {
            stream: Stream::new(gpu)?,
            places: staged(),
            packed_pairs: staged(),
            items: staged(),
            path_starts: Staged::empty(gpu),
            results: staged(),
            paths: Staged::empty(gpu),
            records: staged(),
            rows_h: array(),
            rows_f: array(),
            columns_h: array(),
            columns_e: array(),
            last: array(),
        })
    }

    /// Makes room for a slice and queues the copies to the device.
    fn send(&mut self, slice: &Slice) -> Result<()> {
        let Sizes { rows, columns, records, last, paths } = slice.sizes;
        self.rows_h.grow(rows as usize)?;
        self.columns_h.grow(columns as usize)?;
        if slice.affine {
            self.rows_f.grow(rows as usize)?;
            self.columns_e.grow(columns as usize)?;
        }
        self.last.grow(last as usize)?;
        self.records.grow(records as usize)?;
        self.paths.grow(paths as usize)?;
        self.results.grow(2 * slice.places.len())?;
        self.places.send(&self.stream, &slice.places)?;
        self.packed_pairs.send(&self.stream, &slice.packed_pairs)?;
        self.path_starts.send(&self.stream, &slice.path_starts)?;
        self.items.send(&self.stream, &slice.waves.concat())
    }

    /// Queues all work on a slice.
    pub fn begin(&mut self, slice: &Slice, work: &Work<G>, recorder: &mut Recorder<G>) -> Result<()> {
        recorder.mark(&self.stream, None)?;
        let Some(Class { packed, columns, .. }) = slice.class else { return Ok(()) };
        let pass = Pass { packed, affine: slice.affine, local: work.local, saved: slice.saved, columns };
        self.send(slice)?;
        recorder.mark(&self.stream, Some(stage::COPY_IN))?;
        self.launch_waves(slice, work, pass)?;
        recorder.mark(&self.stream, Some(stage::FORWARD))?;
        let Sizes { records, paths, .. } = slice.sizes;
        if pass.saved {
            // Copied whole, though paths are shorter than the room they have.
            self.paths.device().fill(&self.stream, 0..paths as usize, 0)?;
            // SAFETY: the launches before went through all items with checkpoints, and `Slice::cut` has put the path starts as
            // far apart as the longest paths need.
            unsafe { launch::align_traceback(&self.stream, self.traceback(slice, work, pass))? };
            recorder.mark(&self.stream, Some(stage::TRACEBACK))?;
            self.results.fetch(&self.stream, 2 * slice.places.len())?;
            self.paths.fetch(&self.stream, paths as usize)?;
        } else {
            self.records.fetch(&self.stream, records as usize)?;
        }
        recorder.mark(&self.stream, Some(stage::COPY_OUT))
    }

    fn launch_waves(&self, slice: &Slice, work: &Work<G>, pass: Pass) -> Result<()> {
        let mut first = 0;
        for items in slice.waves.iter().map(Vec::len).filter(|&items| items > 0) {
            let args = self.forward(slice, work, pass, first..first + items);
            // SAFETY: `Slice::cut` has laid out places inside the residues, packed pairs inside the sizes that the arrays have, and
            // items in waves after those that they go on from; `Alphabet` has given every residue a code. All of it was sent
            // earlier on this stream, or on the one that `Device::load` has it wait for, and nobody writes it before `collect`.
            unsafe { launch::align_forward(&self.stream, pass, args)? };
            first += items;
        }
        Ok(())
    }

    fn forward<'a>(&'a self, slice: &Slice, work: &'a Work<G>, pass: Pass, items: Range<usize>) -> ForwardArgs<'a> {
        let affine = usize::from(pass.affine);
        let Sizes { rows, columns, records, last, .. } = slice.sizes;
        let (rows, columns) = (rows as usize, columns as usize);
        ForwardArgs {
            pairs: work.tables.pairs(self.places.device().slice(0..slice.places.len())),
            packed_pairs: self.packed_pairs.device().slice(0..slice.packed_pairs.len()),
            items: self.items.device().slice(items),
            checkpoints: Checkpoints {
                rows_h: self.rows_h.slice_mut(0..rows),
                rows_f: self.rows_f.slice_mut(0..rows * affine),
                columns_h: self.columns_h.slice_mut(0..columns),
                columns_e: self.columns_e.slice_mut(0..columns * affine),
            },
            records: self.records.device().slice_mut(0..records as usize),
            last: self.last.slice_mut(0..last as usize),
            rules: work.rules(slice),
        }
    }

    fn traceback<'a>(&'a self, slice: &Slice, work: &'a Work<G>, pass: Pass) -> TracebackArgs<'a> {
        let affine = usize::from(pass.affine);
        let Sizes { rows, columns, records, last, paths } = slice.sizes;
        let (rows, columns) = (4 * rows as usize, 4 * columns as usize);
        let pairs = slice.places.len();
        TracebackArgs {
            pairs: work.tables.pairs(self.places.device().slice(0..pairs)),
            packed_pairs: self.packed_pairs.device().slice(0..slice.packed_pairs.len()),
            rows_h: self.rows_h.slice_as(0..rows),
            rows_f: self.rows_f.slice_as(0..rows * affine),
            columns_h: self.columns_h.slice_as(0..columns),
            columns_e: self.columns_e.slice_as(0..columns * affine),
            records: self.records.device().slice(0..records as usize),
            last: self.last.slice_as(0..4 * last as usize),
            path_starts: self.path_starts.device().slice(0..pairs),
            paths: self.paths.device().slice_mut(0..paths as usize),
            results: self.results.device().slice_mut(0..2 * pairs),
            rules: work.rules(slice),
            packed: pass.pairs(),
            stop_at_zero: u32::from(work.stop_at_zero),
            want_path: u32::from(work.want == Want::Path),
        }
    }

    /// Waits for the stream and takes a slice's alignments, some by one thread at a time: each with the number of its pair.
    pub fn collect(&self, slice: &Slice, job: (&Batch, &Scoring, Want)) -> Result<Vec<Vec<(u32, Alignment)>>> {
        self.stream.synchronize()?;
        let (Slice { pairs, saved, path_starts, .. }, (batch, scoring, want)) = (slice, job);
        let (results, paths, records) = (self.results.read()?, self.paths.read()?, self.records.read()?);
        let traced = |k: usize| {
            if !saved {
                return Traced { results: [ended(records[k]), U32x4::default()], moves: &[] };
            }
            let first = if want == Want::Path { path_starts[k] as usize } else { 0 };
            Traced { results: [results[2 * k], results[2 * k + 1]], moves: &paths[first..] }
        };
        if want == Want::Score {
            return Ok(vec![(0..).zip(pairs).map(|(k, &pair)| (pair, traced(k).told(want))).collect()]);
        }
        let some = |range: &Range<usize>| {
            let (mut runs, mut places, mut told) = (Vec::new(), Vec::new(), Vec::with_capacity(range.len()));
            for k in range.clone() {
                let (traced, first) = (traced(k), runs.len());
                traced.add_runs(batch.residues(pairs[k] as usize), scoring, &mut runs);
                places.push(first..runs.len());
                told.push((pairs[k], traced.told(want)));
            }
            runs.shrink_to_fit();
            for ((_, alignment), path) in told.iter_mut().zip(Runs::of_each(runs, places)) {
                alignment.path = path;
            }
            told
        };
        let shares = pieces((0..pairs.len()).map(|k| traced(k).moves() + PAIR), SHARE);
        Ok(if let [all] = &shares[..] { vec![some(all)] } else { shares.par_iter().map(some).collect() })
    }
}

/// Moves that one thread reads at a time, in about a millisecond, and what a pair counts besides. To wake all threads takes longer than that.
const SHARE: usize = 1 << 18;
const PAIR: usize = 24;

/// A record of the forward pass as a result: rows and columns counted from 1, none where the score is 0.
fn ended(U32x4([score, row, column, _]): U32x4) -> U32x4 {
    if score == 0 { U32x4::default() } else { U32x4([score, row + 1, column + 1, 0]) }
}

/// What the slices of a batch share.
pub struct Work<'a, G: Gpu> {
    pub tables: &'a Tables<G>,
    pub local: bool,
    /// But for width, codes and chunk.
    pub rules: Rules,
    pub stop_at_zero: bool,
    pub want: Want,
}

impl<G: Gpu> Work<'_, G> {
    fn rules(&self, slice: &Slice) -> Rules {
        let width = slice.class.map_or(32, |class| class.width);
        Rules { width, codes: self.tables.size, chunk: slice.chunk, ..self.rules }
    }
}
