//! Who computes in a run: one engine per GPU, or the CPU. The same for all that warpseq computes.
//!
//! ```text
//! cpu       the CPU
//! emulator  one engine on the emulator
//! cuda      one engine on each GPU; the run ends with what keeps them from being used
//! auto      one engine on each GPU; the CPU, with a note, when they cannot be used
//! ```
//!
//! What an engine on a GPU does when its device fails later is told in [`coping`].

pub mod coping;

use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::processor::{Gpus, Processor};
use std::sync::{Arc, Mutex, PoisonError};
use warpseq_device::emulated::Emulated;
use warpseq_device::gpu::Gpu;
use warpseq_io::console::Console;

/// On what a run may compute.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub processor: Processor,
    /// Bytes of device memory that may be taken; `None`: what is free.
    pub device_memory: Option<usize>,
    pub console: Console,
}

impl Terms {
    /// Bytes of `gpu` that may be taken.
    ///
    /// # Errors
    /// What the device answers.
    pub fn memory(&self, gpu: &impl Gpu) -> Result<usize> {
        Ok(Budget::new(gpu.free_memory()?, self.device_memory).bytes())
    }
}

/// Makes the executors of a run.
pub trait Maker {
    /// `dyn Executor`, say.
    type Executor: ?Sized;
    /// What they do, as in "searching on the CPU".
    const DOING: &'static str;

    /// On what they may compute.
    fn terms(&self) -> Terms;
    /// The executor of a run on the CPU.
    fn on_cpu(&self) -> Box<Self::Executor>;
    /// The executor of one GPU.
    ///
    /// # Errors
    /// What the device answers.
    fn on_gpu<G: Gpu>(&self, gpu: Arc<G>) -> Result<Box<Self::Executor>>;
}

/// What the engines of a run are called: `cpu`, or GPUs by name. Known once they have started.
#[derive(Default)]
pub struct Names(Mutex<Vec<String>>);

impl Names {
    /// All of them.
    pub fn into_inner(self) -> Vec<String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Executors and their names.
type Named<E> = Vec<(Box<E>, String)>;

/// Waits for the GPUs, if any, and makes the executors; notes what they are called in `names`.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn start<M: Maker>(maker: &M, gpus: Option<Gpus>, names: &Names) -> Result<Vec<Box<M::Executor>>> {
    let (executors, all) = executors(maker, gpus)?.into_iter().unzip();
    *names.0.lock().unwrap_or_else(PoisonError::into_inner) = all;
    Ok(executors)
}

fn executors<M: Maker>(maker: &M, gpus: Option<Gpus>) -> Result<Named<M::Executor>> {
    let on_cpu = || Ok(vec![(maker.on_cpu(), "cpu".to_owned())]);
    let Terms { processor, console, .. } = maker.terms();
    let Some(gpus) = gpus else {
        return match processor {
            Processor::Emulator => Ok(vec![on_gpu(maker, Arc::new(Emulated::default()))?]),
            _ => on_cpu(),
        };
    };
    let opened = gpus.finish().map_err(Error::from);
    match opened.and_then(|gpus| gpus.into_iter().map(|gpu| on_gpu(maker, gpu)).collect()) {
        Err(Error::Device(error)) if processor == Processor::Auto => {
            console.note(format_args!("{} on the CPU: {error}", M::DOING));
            on_cpu()
        }
        outcome => outcome,
    }
}

fn on_gpu<M: Maker, G: Gpu>(maker: &M, gpu: Arc<G>) -> Result<(Box<M::Executor>, String)> {
    let name = gpu.name().to_owned();
    Ok((maker.on_gpu(gpu)?, name))
}
