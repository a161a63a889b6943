//! An executor on a GPU that copes: too little memory halves the slices, and under `auto` a fault ends on the CPU.
//!
//! ```text
//! batch -> device, slices as large as the budget allows
//!            | out of memory: slices half as large, down to the least
//!            | the least does not fit: this batch on the CPU
//!            | any other fault, under auto: this batch and all later ones on the CPU, with one warning
//!            | any other fault, asked for cuda: the run ends with it
//! ```

use super::Run;
use crate::cuda::budget::{Budget, halving};
use crate::error::{DeviceError, Error, Result};
use crate::gpu::Gpu;
use crate::processor::Processor;
use crate::scan::cpu::Cpu;
use crate::scan::device::{Device, Settings};
use crate::scan::{Batch, Executor, Hit};
use std::sync::Arc;

/// The least slice worth a launch, in symbols; raised by the engine when patterns are longer.
const LEAST_SLICE: usize = 1 << 16;
/// Device memory of a slice: bytes per symbol, for letters and planes, times the slices in flight.
const BYTES_PER_SYMBOL: usize = 3 * 3;

/// See the module.
pub struct OnDevice<'a, G: Gpu> {
    run: &'a Run<'a>,
    gpu: Arc<G>,
    /// `None` after a fault, or until the next batch.
    device: Option<Device<G>>,
    slice: usize,
    lost: bool,
    /// Made when first needed.
    cpu: Option<Cpu>,
}

impl<'a, G: Gpu> OnDevice<'a, G> {
    /// An executor on `gpu`.
    ///
    /// # Errors
    /// What the device engine cannot search, and what the device answers.
    pub fn new(run: &'a Run<'a>, gpu: Arc<G>) -> Result<Self> {
        let budget = Budget::new(gpu.free_memory()?, run.request.device_memory);
        let settings = settings(run, usize::MAX);
        let matches = 3 * size_of::<[u32; 4]>() * settings.matches as usize;
        let affordable = budget.bytes().saturating_sub(matches) / BYTES_PER_SYMBOL;
        let slice = affordable.clamp(LEAST_SLICE, settings.slice as usize);
        let device = Device::new(gpu.clone(), &run.request.options, run.patterns, settings_of(settings, slice))?;
        Ok(Self { run, gpu, device: Some(device), slice, lost: false, cpu: None })
    }

    /// Searches on the device, in smaller slices when memory runs out.
    fn find_on_device(&mut self, batch: &Batch) -> std::result::Result<Vec<Hit>, DeviceError> {
        let Self { run, gpu, device, slice, .. } = self;
        let (fitting, hits) = halving(*slice, LEAST_SLICE, |tried| {
            if tried != *slice {
                *device = None;
            }
            let found = match device {
                Some(device) => device.find(batch),
                None => Device::new(gpu.clone(), &run.request.options, run.patterns, settings(run, tried))
                    .and_then(|made| device.insert(made).find(batch)),
            };
            found.map_err(device_error)
        })?;
        *slice = fitting;
        Ok(hits)
    }

    fn find_on_cpu(&mut self, batch: &Batch) -> Result<Vec<Hit>> {
        let request = self.run.request;
        let make = || Cpu::with_algorithm(&request.options, self.run.patterns, request.algorithm);
        self.cpu.get_or_insert_with(make).find(batch)
    }
}

fn settings(run: &Run, slice: usize) -> Settings {
    settings_of(Settings { algorithm: run.request.algorithm, ..Settings::default() }, slice)
}

fn settings_of(settings: Settings, slice: usize) -> Settings {
    Settings { slice: settings.slice.min(u32::try_from(slice).unwrap_or(u32::MAX)), ..settings }
}

/// The device engine fails only by its device.
fn device_error(error: Error) -> DeviceError {
    match error {
        Error::Device(error) => error,
        other => DeviceError::Fault(other.to_string()),
    }
}

/// A batch by its samples: they are what the user knows.
fn name_of(batch: &Batch) -> String {
    let name = |k: usize| String::from_utf8_lossy(&batch.names[k]).into_owned();
    format!("the batch of samples {} to {}", name(0), name(batch.len() - 1))
}

impl<G: Gpu> Executor for OnDevice<'_, G> {
    fn find(&mut self, batch: &Batch) -> Result<Vec<Hit>> {
        if self.lost {
            return self.find_on_cpu(batch);
        }
        let console = self.run.console;
        match self.find_on_device(batch) {
            Ok(hits) => Ok(hits),
            Err(error @ DeviceError::OutOfMemory { .. }) => {
                self.device = None;
                console.detail(format_args!("{error}, in slices of {LEAST_SLICE}: {} on the CPU", name_of(batch)));
                self.find_on_cpu(batch)
            }
            Err(error) if self.run.request.processor == Processor::Auto => {
                (self.device, self.lost) = (None, true);
                console.warn(format_args!("{error}; from {} on, the CPU searches", name_of(batch)));
                self.find_on_cpu(batch)
            }
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests;
