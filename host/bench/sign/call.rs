//! The *call* clock (host arrays in, host arrays out, engine warm) and the *kernel* clock (the device's own).
//!
//! On a GPU the host's arrays are pinned and memory, slots and the table of the parameters are there: all that depends on the
//! sequences or queries is copied and computed in every call. The kernel clock is taken in runs of its own, in which nothing
//! overlaps. The CPU engine takes the first sequences or queries of a large work.

use super::answer::Answer;
use crate::bench::amount::Unit;
use crate::bench::spread::{Repeat, Spread};
use crate::error::Result;
use crate::gpu::Gpu;
use std::sync::Arc;
use warpseq_engine::fallback::affordable;

/// An input in memory, and what is asked about it.
pub trait Call {
    /// What is counted.
    const UNIT: Unit;

    /// Sequences or queries.
    fn size(&self) -> usize;

    /// Residues or pairs of the first `part` of them.
    fn count(&self, part: usize) -> u64;

    /// The fewest milliseconds of the kernels, where that is known.
    fn kernel_ms(&self) -> Option<f64>;

    /// Bytes that go to the device or come from it, whichever are more: both ways are open at a time.
    fn copied(&self) -> usize;

    /// Has the CPU engine answer for the first `part`, on the current thread pool.
    ///
    /// # Errors
    /// Those of the engine.
    fn on_cpu(&self, part: usize, repeat: Repeat) -> Result<OnCpu>;

    /// Has a GPU answer for all.
    ///
    /// # Errors
    /// Those of the engine.
    fn on_gpu<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<OnGpu>;
}

/// What the CPU engine took, and what it answered.
pub struct OnCpu {
    /// Sequences or queries that it took.
    pub part: usize,
    /// Residues or pairs.
    pub count: u64,
    pub call: Spread,
    pub answer: Answer,
}

/// What a GPU took, and what it answered.
pub struct OnGpu {
    pub call: Spread,
    pub kernel: Spread,
    /// How the time divides, for the curious.
    pub stages: String,
    pub answer: Answer,
}

/// Device memory as the program takes it: what is free, less what letters take.
pub(super) fn memory<G: Gpu>(gpu: &G) -> Result<usize> {
    Ok(affordable(gpu.free_memory()?, None) / 4 * 3)
}
