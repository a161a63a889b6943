//! Who computes in a run: one executor per GPU, or the CPU.
//!
//! ```text
//! --device    opened at the start of the run              when that fails
//! auto        every usable GPU                            the CPU, with a note that says why
//! cpu         nothing: the CPU                            -
//! cuda        every usable GPU                            the run ends with the reason
//! cuda:N      GPU N                                       the run ends with the reason
//! emulator    nothing: the lockstep emulator, for tests   -
//! ```
//!
//! GPUs are opened on threads of their own: the driver takes up to a second, in which the inputs are read. What an executor on a
//! GPU does when its device fails later: [`crate::fallback`].

use crate::error::{Error, Result};
use crate::executor::{AnyExecutor, Engine};
use crate::fallback::Fallback;
use crate::options::{Processor, RunOptions};
use crate::worker::Worker;
use std::sync::Arc;
use std::thread::JoinHandle;
use warpseq_device::cuda::{Cuda, Found, Opening, discover, kernels};
use warpseq_device::emulated::Emulated;
use warpseq_device::error::DeviceError;
use warpseq_device::gpu::Gpu;

/// GPUs being opened.
pub struct Gpus {
    opening: JoinHandle<std::result::Result<Vec<Arc<Cuda>>, DeviceError>>,
}

impl Gpus {
    /// Starts opening the GPUs that `processor` may use, and loading the kernels whose names begin with `kernels`; `None` when it
    /// uses none.
    pub fn start_opening(processor: Processor, kernels: &'static str) -> Option<Self> {
        let wanted = match processor {
            Processor::Auto => None,
            Processor::Cuda(number) => number,
            Processor::Cpu | Processor::Emulator => return None,
        };
        Some(Self { opening: std::thread::spawn(move || open(wanted, kernels)) })
    }

    /// Waits for the GPUs: at least one.
    ///
    /// # Errors
    /// What keeps the GPU that was named, or else the first one, from being used.
    pub fn finish(self) -> std::result::Result<Vec<Arc<Cuda>>, DeviceError> {
        self.opening.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Opens GPU `wanted`, or every one that can be used.
fn open(wanted: Option<u32>, wanted_kernels: &'static str) -> std::result::Result<Vec<Arc<Cuda>>, DeviceError> {
    if let Some(ordinal) = wanted {
        return Ok(vec![Arc::new(Cuda::open(ordinal, kernels::MODULES, wanted_kernels)?)]);
    }
    let found = discover(kernels::MODULES)?;
    let open = |gpu: &Found| Opening::start(gpu.ordinal, kernels::MODULES, wanted_kernels);
    let openings: Vec<Opening> = found.iter().map(open).collect();
    let (mut opened, mut first_failure) = (Vec::new(), None);
    for opening in openings {
        match opening.finish() {
            Ok(gpu) => opened.push(gpu),
            Err(error) => first_failure = first_failure.or(Some(error)),
        }
    }
    match first_failure {
        Some(error) if opened.is_empty() => Err(error),
        _ => Ok(opened),
    }
}

/// A worker and the name of its device: `cpu`, or that of a GPU.
pub type Named<'e, E> = (Worker<'e, E>, String);

/// Waits for the GPUs, if any are being opened, and makes the workers of a run: at least one.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn workers<'e, E: Engine>(engine: &'e E, gpus: Option<Gpus>, options: RunOptions) -> Result<Vec<Named<'e, E>>> {
    let executors = executors(engine, gpus, options)?;
    Ok(executors.into_iter().map(|(executor, name)| (Worker::new(engine, executor, options.verify), name)).collect())
}

type Executors<'e, E> = Vec<(AnyExecutor<'e, E>, String)>;

fn executors<'e, E: Engine>(engine: &'e E, gpus: Option<Gpus>, options: RunOptions) -> Result<Executors<'e, E>> {
    let on_cpu = || Ok(vec![(engine.cpu(), "cpu".to_owned())]);
    let RunOptions { processor, console, .. } = options;
    let Some(gpus) = gpus else {
        return match processor {
            Processor::Emulator => Ok(vec![on_gpu(engine, Arc::new(Emulated::default()), options)?]),
            _ => on_cpu(),
        };
    };
    let opened = gpus.finish().map_err(Error::from);
    match opened.and_then(|gpus| gpus.into_iter().map(|gpu| on_gpu(engine, gpu, options)).collect()) {
        Err(Error::Device(error)) if processor == Processor::Auto => {
            console.note(format_args!("{} on the CPU: {error}", E::DOING));
            on_cpu()
        }
        outcome => outcome,
    }
}

fn on_gpu<'e, E: Engine, G: Gpu>(
    engine: &'e E,
    gpu: Arc<G>,
    options: RunOptions,
) -> Result<(AnyExecutor<'e, E>, String)> {
    let name = gpu.name().to_owned();
    Ok((Box::new(Fallback::new(engine, gpu, options)?), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_and_the_emulator_open_no_gpu() {
        assert!([Processor::Cpu, Processor::Emulator].iter().all(|&one| Gpus::start_opening(one, "").is_none()));
    }
}
