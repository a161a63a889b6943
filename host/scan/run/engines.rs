//! The engines of a run: one per GPU, or the CPU.

use super::Run;
use super::job::{Answer, Job};
use super::on_device::OnDevice;
use super::verify::Check;
use crate::emulated::Emulated;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::pipeline::Engine;
use crate::processor::{Gpus, Processor};
use crate::scan::Executor;
use crate::scan::cpu::Cpu;
use crate::scan::input::Work;
use std::sync::{Arc, Mutex, PoisonError};

/// Executors and their names.
type Named<'a> = Vec<(Box<dyn Executor + 'a>, String)>;

/// Waits for the GPUs, if any, and makes the engines; notes what they are called in `names`.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn start<'a>(run: &'a Run<'a>, gpus: Option<Gpus>, names: &Mutex<String>) -> Result<Vec<Engine<'a, Work, Answer>>> {
    let executors = executors(run, gpus)?;
    let all: Vec<&str> = executors.iter().map(|(_, name)| name.as_str()).collect();
    *names.lock().unwrap_or_else(PoisonError::into_inner) = all.join(", ");
    Ok(executors.into_iter().map(|(executor, _)| engine(run, executor)).collect())
}

fn engine<'a>(run: &'a Run<'a>, executor: Box<dyn Executor + 'a>) -> Engine<'a, Work, Answer> {
    let mut job = Job { run, executor, check: run.request.verify.map(|verify| Check::new(verify, run)) };
    Box::new(move |work| job.search(work))
}

fn executors<'a>(run: &'a Run<'a>, gpus: Option<Gpus>) -> Result<Named<'a>> {
    let Some(gpus) = gpus else {
        return match run.request.processor {
            Processor::Emulator => Ok(vec![on_device(run, Arc::new(Emulated::default()))?]),
            _ => Ok(on_cpu(run)),
        };
    };
    let opened = gpus.finish().map_err(Error::from);
    match opened.and_then(|gpus| gpus.into_iter().map(|gpu| on_device(run, gpu)).collect()) {
        Err(error) if run.request.processor == Processor::Auto => {
            run.console.note(format_args!("searching on the CPU: {error}"));
            Ok(on_cpu(run))
        }
        outcome => outcome,
    }
}

fn on_device<'a, G: Gpu>(run: &'a Run<'a>, gpu: Arc<G>) -> Result<(Box<dyn Executor + 'a>, String)> {
    let name = gpu.name().to_owned();
    Ok((Box::new(OnDevice::new(run, gpu)?), name))
}

fn on_cpu<'a>(run: &'a Run<'a>) -> Named<'a> {
    let cpu = Cpu::with_algorithm(&run.request.options, run.patterns, run.request.algorithm);
    vec![(Box::new(cpu), "cpu".to_owned())]
}
