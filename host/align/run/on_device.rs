//! An executor on a GPU that copes: too little memory halves what the engine may take, and under `auto` a fault ends on the
//! CPU.
//!
//! ```text
//! pairs -> device, in as much of its memory as the budget allows
//!            | out of memory: half as much, down to the least
//!            | the least does not do: these pairs on the CPU
//!            | any other fault, under auto: these pairs and all later ones on the CPU, with one warning
//!            | any other fault, asked for cuda: the run ends with it
//! ```

use crate::align::cpu::Cpu;
use crate::align::{Alignment, Batch, Executor, Scoring, Want};
use crate::cuda::budget::halving;
use crate::error::{DeviceError, Error, Result};
use crate::processor::Processor;
use crate::report::Console;

/// The least device memory worth a launch, in bytes.
const LEAST_MEMORY: usize = 16 << 20;

/// See the module. `make` makes the device's engine, which may take so many bytes.
pub struct OnDevice<E, M> {
    make: M,
    /// `None` after a fault, or until the next batch.
    device: Option<E>,
    memory: usize,
    processor: Processor,
    console: Console,
    lost: bool,
    /// Made when first needed.
    cpu: Option<Cpu>,
}

impl<E: Executor, M: FnMut(usize) -> Result<E> + Send> OnDevice<E, M> {
    /// An executor in at most `memory` bytes of a device.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(mut make: M, memory: usize, (processor, console): (Processor, Console)) -> Result<Self> {
        let memory = memory.max(LEAST_MEMORY);
        let device = Some(make(memory)?);
        Ok(Self { make, device, memory, processor, console, lost: false, cpu: None })
    }

    /// Aligns on the device, in less memory when it runs out.
    fn align_on_device(
        &mut self,
        batch: &Batch,
        scoring: &Scoring,
        want: Want,
    ) -> std::result::Result<Vec<Alignment>, DeviceError> {
        let Self { make, device, memory, .. } = self;
        let (fitting, alignments) = halving(*memory, LEAST_MEMORY, |tried| {
            if tried != *memory {
                *device = None;
            }
            let found = match device {
                Some(device) => device.align(batch, scoring, want),
                None => make(tried).and_then(|made| device.insert(made).align(batch, scoring, want)),
            };
            found.map_err(device_error)
        })?;
        *memory = fitting;
        Ok(alignments)
    }

    fn align_on_cpu(&mut self, batch: &Batch, scoring: &Scoring, want: Want) -> Result<Vec<Alignment>> {
        self.cpu.get_or_insert_with(Cpu::new).align(batch, scoring, want)
    }
}

/// The device engine fails only by its device.
fn device_error(error: Error) -> DeviceError {
    match error {
        Error::Device(error) => error,
        other => DeviceError::Fault(other.to_string()),
    }
}

impl<E: Executor, M: FnMut(usize) -> Result<E> + Send> Executor for OnDevice<E, M> {
    fn align(&mut self, batch: &Batch, scoring: &Scoring, want: Want) -> Result<Vec<Alignment>> {
        if self.lost {
            return self.align_on_cpu(batch, scoring, want);
        }
        match self.align_on_device(batch, scoring, want) {
            Ok(alignments) => Ok(alignments),
            Err(error @ DeviceError::OutOfMemory { .. }) => {
                self.device = None;
                self.console.detail(format_args!("{error}: {} pairs on the CPU", batch.pairs.len()));
                self.align_on_cpu(batch, scoring, want)
            }
            Err(error) if self.processor == Processor::Auto => {
                (self.device, self.lost) = (None, true);
                self.console.warn(format_args!("{error}; from here on, the CPU aligns"));
                self.align_on_cpu(batch, scoring, want)
            }
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests;
