//! An executor on a GPU that copes: too little memory makes it take less, and under `auto` a fault ends on the CPU.
//!
//! ```text
//! work -> device, as much of it at a time as the budget allows
//!           | out of memory: half as much, down to the least
//!           | the least does not fit: this work on the CPU
//!           | any other fault of the device, under auto: this work and all later on the CPU, with one warning
//!           | any other fault of the device, asked for cuda: the run ends with it and the name of this work
//!           | an error that is none of the device: the run ends with it
//! ```

use super::Terms;
use crate::budget::halving;
use crate::error::{Error, Result};
use crate::processor::Processor;

/// What the engine takes of its device at a time, in the engine's own unit: symbols, bytes.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// To begin with.
    pub first: usize,
    /// Below which a launch is not worth it.
    pub least: usize,
}

/// Makes an executor on a device that takes so much of it at a time.
pub type OnDevice<'a, E> = Box<dyn FnMut(usize) -> Result<Box<E>> + Send + 'a>;
/// Makes the executor that stands in for it.
pub type OnCpu<'a, E> = Box<dyn FnMut() -> Box<E> + Send + 'a>;

/// See the module.
pub struct Coping<'a, E: ?Sized> {
    on_device: OnDevice<'a, E>,
    on_cpu: OnCpu<'a, E>,
    terms: Terms,
    share: usize,
    least: usize,
    /// `None` after a fault, or until the next work.
    device: Option<Box<E>>,
    lost: bool,
    /// Made when first needed.
    cpu: Option<Box<E>>,
}

impl<'a, E: ?Sized> Coping<'a, E> {
    /// An executor on a device, made at once.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(mut on_device: OnDevice<'a, E>, on_cpu: OnCpu<'a, E>, share: Share, terms: Terms) -> Result<Self> {
        let Share { first, least } = share;
        let first = first.max(least);
        let device = Some(on_device(first)?);
        Ok(Self { on_device, on_cpu, terms, share: first, least, device, lost: false, cpu: None })
    }

    /// Does `work`, which messages call `name`, on the device or, where that fails, on the CPU. It may be begun anew any
    /// number of times.
    ///
    /// # Errors
    /// See the module.
    pub fn run<T>(&mut self, name: &dyn Fn() -> String, mut work: impl FnMut(&mut E) -> Result<T>) -> Result<T> {
        let console = self.terms.console;
        if !self.lost {
            match self.run_on_device(&mut work) {
                Err(Error::Device(error)) if error.is_shortage() => {
                    self.device = None;
                    console.detail(format_args!("{error}: {} on the CPU", name()));
                }
                Err(Error::Device(error)) if self.terms.processor == Processor::Auto => {
                    (self.device, self.lost) = (None, true);
                    console.warn(format_args!("{error}; from {} on, the CPU computes", name()));
                }
                Err(Error::Device(error)) => return Err(Error::DeviceAt { work: name(), error }),
                outcome => return outcome,
            }
        }
        work(self.cpu.get_or_insert_with(&mut self.on_cpu))
    }

    fn run_on_device<T>(&mut self, work: &mut impl FnMut(&mut E) -> Result<T>) -> Result<T> {
        let Self { on_device, device, share, .. } = self;
        let (fitting, value) = halving(*share, self.least, |tried| {
            if tried != *share {
                *device = None;
            }
            match device {
                Some(device) => work(device),
                None => work(device.insert(on_device(tried)?)),
            }
        })?;
        *share = fitting;
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
