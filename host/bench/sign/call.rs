//! The *call* clock (from arrays in host memory to arrays there, on a warm engine) and the *kernel* clock (the device's own).
//!
//! On a GPU the host arrays are pinned, and memory, slots and the table of the parameters exist. Every call copies and computes
//! all that depends on the sequences or queries. The kernel clock is taken in separate runs, in which nothing overlaps. The CPU
//! engine computes the first sequences or queries of a large workload.

use super::answer::Answer;
use crate::bench::amount::Unit;
use crate::bench::spread::{Repeat, Spread};
use crate::error::Result;
use crate::gpu::Gpu;
use std::sync::Arc;
use warpseq_engine::fallback::affordable;

/// An input in memory, and what to compute of it.
pub trait Call {
    /// What is counted.
    const UNIT: Unit;

    /// Number of sequences or queries.
    fn size(&self) -> usize;

    /// Number of residues or pairs of the first `part` of them.
    fn count(&self, part: usize) -> u64;

    /// The smallest number of milliseconds of the kernels, if a bound is known.
    fn kernel_ms(&self) -> Option<f64>;

    /// Bytes copied to the device or from it, whichever are more: both directions work at the same time.
    fn copied(&self) -> usize;

    /// Computes the first `part` with the CPU engine, on the current thread pool.
    ///
    /// # Errors
    /// Those of the engine.
    fn on_cpu(&self, part: usize, repeat: Repeat) -> Result<OnCpu>;

    /// Computes all on a GPU.
    ///
    /// # Errors
    /// Those of the engine.
    fn on_gpu<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<OnGpu>;
}

/// Times and answer of the CPU engine.
pub struct OnCpu {
    /// Number of sequences or queries computed.
    pub part: usize,
    /// Number of residues or pairs.
    pub count: u64,
    pub call: Spread,
    pub answer: Answer,
}

/// Times and answer of a GPU.
pub struct OnGpu {
    pub call: Spread,
    pub kernel: Spread,
    /// The times of the stages, for `--verbose`.
    pub stages: String,
    pub answer: Answer,
}

/// Device memory as the program takes it: what is free, less that of the residues.
pub(super) fn memory<G: Gpu>(gpu: &G) -> Result<usize> {
    Ok(affordable(gpu.free_memory()?, None) / 4 * 3)
}
