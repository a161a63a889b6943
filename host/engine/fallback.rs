//! An executor on a GPU that falls back: with too little memory it takes less, and under `auto` the CPU takes over.
//!
//! ```text
//! job -> device, with the share of its memory that worked last
//!          | out of memory: half the share, down to the least
//!          | the least does not fit: this job on the CPU
//!          | any other fault of the device, under auto: this job and all later ones on the CPU, with one warning
//!          | any other fault of the device, asked for cuda: the run ends with it and the name of this job
//!          | an error that is none of the device's: the run ends with it
//! ```

use crate::error::{Error, Result};
use crate::executor::{AnyExecutor, Engine, Executor, Job, Output};
use crate::options::{Processor, RunOptions};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;

/// The least device memory left to others, in bytes: the driver takes memory as kernels are loaded, and other programs may come.
const RESERVE: usize = 256 << 20;
/// One part in this many of what is free is left to others.
const RESERVE_PART: usize = 20;

/// Device memory that a run may take of `free` bytes, and at most `limit` bytes where the user set one.
pub fn affordable(free: usize, limit: Option<usize>) -> usize {
    let reserve = RESERVE.max(free / RESERVE_PART);
    free.saturating_sub(reserve).min(limit.unwrap_or(usize::MAX))
}

/// See the module.
pub struct Fallback<'e, E: Engine, G: Gpu> {
    engine: &'e E,
    gpu: Arc<G>,
    options: RunOptions,
    /// Bytes of device memory that worked last, and the least worth trying.
    memory: usize,
    least: usize,
    /// `None` after a fault, or until the next job.
    device: Option<AnyExecutor<'e, E>>,
    lost: bool,
    /// Made when first needed.
    cpu: Option<AnyExecutor<'e, E>>,
}

impl<'e, E: Engine, G: Gpu> Fallback<'e, E, G> {
    /// The engine on `gpu`, made at once.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(engine: &'e E, gpu: Arc<G>, options: RunOptions) -> Result<Self> {
        let share = engine.share(affordable(gpu.free_memory()?, options.device_memory));
        let memory = share.first.max(share.least);
        let device = Some(engine.device(gpu.clone(), memory)?);
        Ok(Self { engine, gpu, options, memory, least: share.least, device, lost: false, cpu: None })
    }

    fn compute_on_device(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        loop {
            let device = match &mut self.device {
                Some(device) => Ok(device),
                none => self.engine.device(self.gpu.clone(), self.memory).map(|device| none.insert(device)),
            };
            match device.and_then(|device| device.compute(job, output)) {
                Err(Error::Device(error)) if error.is_shortage() && self.memory > self.least.max(1) => {
                    self.device = None;
                    self.memory = self.memory.div_ceil(2).max(self.least);
                }
                outcome => return outcome,
            }
        }
    }
}

impl<E: Engine, G: Gpu> Executor<E::Problem> for Fallback<'_, E, G> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        let (console, engine, before) = (self.options.console, self.engine, self.memory);
        if !self.lost {
            match self.compute_on_device(job, output) {
                Err(Error::Device(error)) if error.is_shortage() => {
                    (self.device, self.memory) = (None, before);
                    console.detail(format_args!("{error}: {} on the CPU", engine.name(job)));
                }
                Err(Error::Device(error)) if self.options.processor == Processor::Auto => {
                    (self.device, self.lost) = (None, true);
                    console.warn(format_args!("{error}; from {} on, the CPU computes", engine.name(job)));
                }
                Err(Error::Device(error)) => return Err(Error::DeviceAt { work: engine.name(job), error }),
                outcome => return outcome,
            }
        }
        self.cpu.get_or_insert_with(|| engine.cpu()).compute(job, output)
    }
}

#[cfg(test)]
mod tests;
