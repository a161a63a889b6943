//! The engines of a run: one per GPU, or the CPU.

use super::Run;
use super::aligner::{Aligner, Effort};
use super::job::{Answer, Job};
use super::on_device::OnDevice;
use super::verify::Second;
use crate::align::Executor;
use crate::align::cpu::Cpu;
use crate::align::device::{Device, Settings};
use crate::align::pairing::Work;
use crate::cuda::budget::Budget;
use crate::emulated::Emulated;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::pipeline::Engine;
use crate::processor::{Gpus, Processor};
use std::sync::{Arc, Mutex, PoisonError};

/// Executors and their names.
type Named<'a> = Vec<(Box<dyn Executor + 'a>, String)>;

/// Waits for the GPUs, if any, and makes the engines; notes what they are called in `names`.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn start<'a>(
    run: &'a Run<'a>,
    gpus: Option<Gpus>,
    names: &Mutex<Vec<String>>,
) -> Result<Vec<Engine<'a, Work, Answer>>> {
    let executors = executors(run, gpus)?;
    *names.lock().unwrap_or_else(PoisonError::into_inner) = executors.iter().map(|(_, name)| name.clone()).collect();
    Ok(executors.into_iter().map(|(executor, _)| engine(run, executor)).collect())
}

fn engine<'a>(run: &'a Run<'a>, executor: Box<dyn Executor + 'a>) -> Engine<'a, Work, Answer> {
    let aligner = Aligner { executor, second: run.request.verify.map(Second::new), effort: Effort::default() };
    let mut job = Job { run, aligner };
    Box::new(move |work| job.align(&work))
}

fn executors<'a>(run: &'a Run<'a>, gpus: Option<Gpus>) -> Result<Named<'a>> {
    let Some(gpus) = gpus else {
        return match run.request.processor {
            Processor::Emulator => Ok(vec![on_device(run, Arc::new(Emulated::default()))?]),
            _ => Ok(on_cpu()),
        };
    };
    let opened = gpus.finish().map_err(Error::from);
    match opened.and_then(|gpus| gpus.into_iter().map(|gpu| on_device(run, gpu)).collect()) {
        Err(error) if run.request.processor == Processor::Auto => {
            run.console.note(format_args!("aligning on the CPU: {error}"));
            Ok(on_cpu())
        }
        outcome => outcome,
    }
}

fn on_device<'a, G: Gpu>(run: &'a Run<'a>, gpu: Arc<G>) -> Result<(Box<dyn Executor + 'a>, String)> {
    let name = gpu.name().to_owned();
    let budget = Budget::new(gpu.free_memory()?, run.request.device_memory);
    let console = run.console;
    let make = move |memory| Ok(Device::new(gpu.clone(), Settings { memory, console, ..Settings::default() }));
    // The rest is for letters.
    let memory = budget.bytes() / 4 * 3;
    Ok((Box::new(OnDevice::new(make, memory, (run.request.processor, run.console))?), name))
}

fn on_cpu<'a>() -> Named<'a> {
    vec![(Box::new(Cpu::new()), "cpu".to_owned())]
}
