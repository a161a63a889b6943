//! The engines of a run: one per GPU, or the CPU.

use super::Run;
use super::job::{Answer, Job};
use super::verify::Check;
use crate::cpu::Cpu;
use crate::device::{Device, Settings};
use crate::input::Work;
use crate::{Executor, Hit, Records};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::engines::coping::{Coping, Share};
use warpseq_engine::engines::{self, Maker, Names, Terms};
use warpseq_engine::error::Result;
use warpseq_engine::pipeline::Engine;
use warpseq_engine::processor::Gpus;

/// The least slice worth a launch, in symbols; raised by the engine when patterns are longer.
const LEAST_SLICE: usize = 1 << 16;
/// Device memory of a slice: bytes per symbol, for letters and planes, times the slices in flight.
const BYTES_PER_SYMBOL: usize = 3 * 3;

/// See [`engines::start`].
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn start<'a>(run: &'a Run<'a>, gpus: Option<Gpus>, names: &Names) -> Result<Vec<Engine<'a, Work, Answer>>> {
    let executors = engines::start(&run, gpus, names)?;
    Ok(executors.into_iter().map(|executor| engine(run, executor)).collect())
}

fn engine<'a>(run: &'a Run<'a>, executor: Box<dyn Executor + 'a>) -> Engine<'a, Work, Answer> {
    let mut job = Job { run, executor, check: run.request.verify.map(|verify| Check::new(verify, run)) };
    Box::new(move |work| job.search(work))
}

impl<'a> Maker for &'a Run<'a> {
    type Executor = dyn Executor + 'a;
    const DOING: &'static str = "searching";

    fn terms(&self) -> Terms {
        let (request, console) = (self.request, self.console);
        Terms { processor: request.processor, device_memory: request.device_memory, console }
    }

    fn on_cpu(&self) -> Box<Self::Executor> {
        Box::new(Cpu::with_algorithm(&self.request.options, self.patterns, self.request.algorithm))
    }

    fn on_gpu<G: Gpu>(&self, gpu: Arc<G>) -> Result<Box<Self::Executor>> {
        let (run, terms) = (*self, self.terms());
        let settings = Settings { algorithm: run.request.algorithm, ..Settings::default() };
        let matches = 3 * size_of::<[u32; 4]>() * settings.matches as usize;
        let affordable = terms.memory(&*gpu)?.saturating_sub(matches) / BYTES_PER_SYMBOL;
        let first = affordable.min(settings.slice as usize);
        let on_device = move |slice| -> Result<Box<Self::Executor>> {
            let settings = Settings { slice: u32::try_from(slice).unwrap_or(u32::MAX), ..settings };
            Ok(Box::new(Device::new(gpu.clone(), &run.request.options, run.patterns, settings)?))
        };
        let share = Share { first, least: LEAST_SLICE };
        Ok(Box::new(Coping::new(Box::new(on_device), Box::new(move || run.on_cpu()), share, terms)?))
    }
}

impl<'a> Executor for Coping<'a, dyn Executor + 'a> {
    fn find(&mut self, batch: &Records) -> Result<Vec<Hit>> {
        self.run(&|| name_of(batch), |executor| executor.find(batch))
    }

    fn find_within(&mut self, batch: &Records, most: usize) -> Result<Option<Vec<Hit>>> {
        self.run(&|| name_of(batch), |executor| executor.find_within(batch, most))
    }
}

/// A batch by its samples: they are what the user knows.
fn name_of(batch: &Records) -> String {
    let name = |k: usize| String::from_utf8_lossy(batch.name(k)).into_owned();
    format!("the batch of samples {} to {}", name(0), name(batch.len() - 1))
}

#[cfg(test)]
mod tests;
