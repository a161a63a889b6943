//! A slot: the device memory, the pinned memory and the stream that one slice at a time passes through.
//!
//! ```text
//! places, couples, items (pinned) --copy--> device --align_*, align_walk--> results, paths --copy--> pinned
//! ```

use super::super::{Alignment, Batch, Scoring, Want};
use super::path::Answer;
use super::plan::Class;
use super::slice::{Sizes, Slice};
use super::tables::Tables;
use super::times::{Recorder, Stage};
use crate::device::launch::{self, Pass};
use cuda_std::U32x4;
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::gpu::twin::{Twin, grow};
use warpseq_device::gpu::{DeviceArray, Gpu};
use warpseq_engine::error::DeviceError;
use warpseq_gpu::abi::{Checkpoints, ForwardArgs, Rules, WalkArgs};

type Result<T> = std::result::Result<T, DeviceError>;

pub struct Slot<G: Gpu> {
    gpu: Arc<G>,
    pub stream: G::Stream,
    places: Twin<U32x4, G>,
    couples: Twin<U32x4, G>,
    items: Twin<U32x4, G>,
    path_starts: Twin<u32, G>,
    results: Twin<U32x4, G>,
    paths: Twin<u32, G>,
    records: Twin<U32x4, G>,
    rows_h: DeviceArray<U32x4, G>,
    rows_f: DeviceArray<U32x4, G>,
    columns_h: DeviceArray<U32x4, G>,
    columns_e: DeviceArray<U32x4, G>,
    last: DeviceArray<U32x4, G>,
    slice: Slice,
}

impl<G: Gpu> Slot<G> {
    pub fn new(gpu: &Arc<G>) -> Result<Self> {
        let empty = || DeviceArray::new(gpu, 0);
        Ok(Self {
            gpu: gpu.clone(),
            stream: gpu.stream()?,
            places: Twin::new(gpu)?,
            couples: Twin::new(gpu)?,
            items: Twin::new(gpu)?,
            path_starts: Twin::new(gpu)?,
            results: Twin::new(gpu)?,
            paths: Twin::new(gpu)?,
            records: Twin::new(gpu)?,
            rows_h: empty()?,
            rows_f: empty()?,
            columns_h: empty()?,
            columns_e: empty()?,
            last: empty()?,
            slice: Slice::default(),
        })
    }

    /// Whether a slice is under way.
    pub fn is_busy(&self) -> bool {
        !self.slice.pairs.is_empty()
    }

    /// Forgets a slice, after the stream was waited for.
    pub fn clear(&mut self) {
        self.slice = Slice::default();
    }

    /// Makes room for a slice and queues the copies to the device.
    fn send(&mut self, slice: Slice, affine: bool) -> Result<()> {
        let (gpu, stream) = (&self.gpu.clone(), &self.stream);
        let Sizes { rows, columns, records, last, paths } = slice.sizes;
        grow(&mut self.rows_h, gpu, rows as usize)?;
        grow(&mut self.columns_h, gpu, columns as usize)?;
        if affine {
            grow(&mut self.rows_f, gpu, rows as usize)?;
            grow(&mut self.columns_e, gpu, columns as usize)?;
        }
        grow(&mut self.last, gpu, last as usize)?;
        self.records.grow(gpu, records as usize)?;
        self.paths.grow(gpu, paths as usize)?;
        self.results.grow(gpu, 2 * slice.places.len())?;
        self.places.send(gpu, stream, &slice.places)?;
        self.couples.send(gpu, stream, &slice.couples)?;
        self.path_starts.send(gpu, stream, &slice.path_starts)?;
        self.items.send(gpu, stream, &slice.waves.concat())?;
        self.slice = slice;
        Ok(())
    }

    /// Queues all work on a slice.
    pub fn begin(&mut self, slice: Slice, work: &Work<G>, recorder: &mut Recorder<G>) -> Result<()> {
        recorder.mark(&self.gpu, &self.stream, None)?;
        let Some(Class { packed, columns, .. }) = slice.class else { return Ok(()) };
        let pass = Pass { packed, affine: slice.affine, local: work.local, saved: slice.saved, columns };
        self.send(slice, pass.affine)?;
        recorder.mark(&self.gpu, &self.stream, Some(Stage::CopyIn))?;
        self.launch_waves(work, pass)?;
        recorder.mark(&self.gpu, &self.stream, Some(Stage::Forward))?;
        if pass.saved {
            // Copied whole, though paths are shorter than the room they have.
            self.paths.device.fill(&self.stream, 0..self.slice.sizes.paths as usize, 0)?;
            launch::align_walk(&*self.gpu, &self.stream, self.walk(work, pass))?;
            recorder.mark(&self.gpu, &self.stream, Some(Stage::Walk))?;
            self.results.fetch(&self.stream, 2 * self.slice.places.len())?;
            self.paths.fetch(&self.stream, self.slice.sizes.paths as usize)?;
        } else {
            self.records.fetch(&self.stream, self.slice.sizes.records as usize)?;
        }
        recorder.mark(&self.gpu, &self.stream, Some(Stage::CopyOut))
    }

    fn launch_waves(&self, work: &Work<G>, pass: Pass) -> Result<()> {
        let mut first = 0;
        for items in self.slice.waves.iter().map(Vec::len).filter(|&items| items > 0) {
            launch::align_forward(&*self.gpu, &self.stream, pass, self.forward(work, pass, first..first + items))?;
            first += items;
        }
        Ok(())
    }

    fn rules(&self, work: &Work<G>) -> Rules {
        let width = self.slice.class.map_or(32, |class| class.width);
        Rules { width, codes: work.tables.size, chunk: self.slice.chunk, ..work.rules }
    }

    fn forward<'a>(&'a self, work: &'a Work<G>, pass: Pass, items: std::ops::Range<usize>) -> ForwardArgs<'a> {
        let affine = usize::from(pass.affine);
        let Sizes { rows, columns, records, last, .. } = self.slice.sizes;
        let (rows, columns) = (rows as usize, columns as usize);
        ForwardArgs {
            pairs: work.tables.pairs(self.places.device.slice(0..self.slice.places.len())),
            couples: self.couples.device.slice(0..self.slice.couples.len()),
            items: self.items.device.slice(items),
            checkpoints: Checkpoints {
                rows_h: self.rows_h.slice_mut(0..rows),
                rows_f: self.rows_f.slice_mut(0..rows * affine),
                columns_h: self.columns_h.slice_mut(0..columns),
                columns_e: self.columns_e.slice_mut(0..columns * affine),
            },
            records: self.records.device.slice_mut(0..records as usize),
            last: self.last.slice_mut(0..last as usize),
            rules: self.rules(work),
        }
    }

    fn walk<'a>(&'a self, work: &'a Work<G>, pass: Pass) -> WalkArgs<'a> {
        let affine = usize::from(pass.affine);
        let Sizes { rows, columns, records, last, paths } = self.slice.sizes;
        let (rows, columns) = (4 * rows as usize, 4 * columns as usize);
        let pairs = self.slice.places.len();
        WalkArgs {
            pairs: work.tables.pairs(self.places.device.slice(0..pairs)),
            couples: self.couples.device.slice(0..self.slice.couples.len()),
            rows_h: self.rows_h.words(0..rows),
            rows_f: self.rows_f.words(0..rows * affine),
            columns_h: self.columns_h.words(0..columns),
            columns_e: self.columns_e.words(0..columns * affine),
            records: self.records.device.slice(0..records as usize),
            last: self.last.words(0..4 * last as usize),
            path_starts: self.path_starts.device.slice(0..pairs),
            paths: self.paths.device.slice_mut(0..paths as usize),
            results: self.results.device.slice_mut(0..2 * pairs),
            rules: self.rules(work),
            packed: pass.pairs(),
            stop_at_zero: u32::from(work.stop_at_zero),
            want_path: u32::from(work.want == Want::Path),
        }
    }

    /// Waits for the stream and takes the slice's alignments, if there is one: each with the number of its pair.
    pub fn collect(&mut self, batch: &Batch, scoring: &Scoring, want: Want) -> Result<Vec<(u32, Alignment)>> {
        self.gpu.synchronize(&self.stream)?;
        let Slice { pairs, saved, path_starts, .. } = &self.slice;
        let (results, paths, records) = (&self.results.pinned[..], &self.paths.pinned[..], &self.records.pinned[..]);
        let answers = pairs.par_iter().enumerate().with_min_len(64).map(|(k, &pair)| {
            let (results, moves) = if *saved {
                let first = if want == Want::Path { path_starts[k] as usize } else { 0 };
                ([results[2 * k], results[2 * k + 1]], &paths[first..])
            } else {
                ([ended(records[k]), U32x4::default()], &paths[..0])
            };
            let answer = Answer { results, moves };
            (pair, answer.alignment(batch.letters(pair as usize), scoring, want))
        });
        let answers = answers.collect();
        self.clear();
        Ok(answers)
    }
}

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
