//! The *call* clock (from arrays in host memory to alignments, on a warm engine) and the *kernel* clock (the device's own).
//!
//! A call is one [`align`] of all pairs. On a GPU the residues are pinned and the slots exist, but every call plans and
//! copies anew. The kernel clock is taken in separate runs, in which nothing overlaps (see `Device::timings`). The CPU engine
//! aligns a sample of the pairs.

use super::work::Input;
use crate::align::cpu::Cpu;
use crate::align::device::{Device, Settings};
use crate::align::{Aligning, Alignment, Batch, Pair, Scoring, Want, align};
use crate::bench::spread::{Repeat, Spread, since};
use crate::error::{Error, Result};
use crate::executor::Executor;
use crate::gpu::Gpu;
use crate::timings::Timings;
use std::sync::Arc;
use std::time::Instant;
use warpseq_engine::fallback::affordable;

/// Pairs to align, and how.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub input: &'a Input,
    pub scoring: &'a Scoring,
    pub want: Want,
}

/// Times and alignments of the CPU engine, for a sample.
pub struct OnCpu {
    /// The numbers of the pairs in the sample.
    pub sample: Vec<usize>,
    pub cells: u64,
    pub call: Spread,
    pub alignments: Vec<Alignment>,
}

/// Times and alignments of a GPU.
pub struct OnGpu {
    pub cells: u64,
    pub call: Spread,
    pub kernel: Spread,
    /// Stages of the last kernel run.
    pub last: Timings,
    pub alignments: Vec<Alignment>,
    /// Number of pairs that its engine left to the CPU engine.
    pub sent_to_cpu: usize,
}

/// Query length times target length, summed over pairs.
pub fn cells(batch: &Batch) -> u64 {
    let area = |k| {
        let (rows, columns) = batch.lengths(k);
        rows as u64 * columns as u64
    };
    (0..batch.pairs().len()).map(area).sum()
}

impl Call<'_> {
    /// Calls an engine. Returns milliseconds and alignments.
    fn call(&self, executor: &mut impl Executor<Aligning>, batch: &Batch) -> Result<(f64, Vec<Alignment>)> {
        let began = Instant::now();
        let alignments = align(executor, batch, self.scoring, self.want)?;
        Ok((since(began), alignments))
    }

    /// Aligns `pairs` pairs, or all, with the CPU engine on the current thread pool.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn on_cpu(&self, pairs: Option<usize>, repeat: Repeat) -> Result<OnCpu> {
        let sample = self.input.sample(pairs);
        let chosen: Vec<Pair> = sample.iter().map(|&k| self.input.pairs[k]).collect();
        let batch = self.input.batch().with_pairs(&chosen);
        let mut alignments = Vec::new();
        let call = repeat.measure(|| {
            let (call_ms, found) = self.call(&mut Cpu::new(), &batch)?;
            alignments = found;
            Ok::<_, Error>(call_ms)
        })?;
        Ok(OnCpu { sample, cells: cells(&batch), call, alignments })
    }

    /// Aligns all pairs, whose residues are pinned, on a GPU.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn on_gpu<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<OnGpu> {
        let (call, alignments, sent_to_cpu) = self.call_clock(gpu, repeat)?;
        let batch = self.input.batch();
        let mut device = Device::new(gpu.clone(), settings(&**gpu, true)?);
        self.call(&mut device, &batch)?;
        let kernel = repeat.measure(|| {
            self.call(&mut device, &batch)?;
            Ok::<_, Error>(device.timings()?.kernels_ms())
        })?;
        Ok(OnGpu { cells: cells(&batch), call, kernel, last: device.timings()?, alignments, sent_to_cpu })
    }

    fn call_clock<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<(Spread, Vec<Alignment>, usize)> {
        let mut device = Device::new(gpu.clone(), settings(&**gpu, false)?);
        let batch = self.input.batch();
        let (_, mut alignments) = self.call(&mut device, &batch)?;
        let call = repeat.measure(|| {
            let (call_ms, found) = self.call(&mut device, &batch)?;
            alignments = found;
            Ok::<_, Error>(call_ms)
        })?;
        Ok((call, alignments, device.sent_to_cpu()))
    }
}

/// Device memory as the program takes it: what is free, less that of the residues.
fn settings<G: Gpu>(gpu: &G, timed: bool) -> Result<Settings> {
    let memory = affordable(gpu.free_memory()?, None) / 4 * 3;
    Ok(Settings { memory, pinned: true, timed, ..Settings::default() })
}
