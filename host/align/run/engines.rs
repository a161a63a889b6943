//! The engines of a run: one per GPU, or the CPU.

use super::Run;
use super::aligner::{Aligner, Effort};
use super::job::{Answer, Job};
use super::verify::Second;
use crate::cpu::Cpu;
use crate::device::{Device, Settings};
use crate::pairing::Work;
use crate::{Alignment, Batch, Executor, Scoring, Want};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::engines::coping::{Coping, Share};
use warpseq_engine::engines::{self, Maker, Names, Terms};
use warpseq_engine::error::Result;
use warpseq_engine::pipeline::Engine;
use warpseq_engine::pipeline::room::Stay;
use warpseq_engine::processor::Gpus;

/// Work in flight, and the weight that it takes there.
type Queued = (Stay, Work);

/// The least device memory worth a launch, in bytes.
const LEAST_MEMORY: usize = 16 << 20;

/// See [`engines::start`].
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn start<'a>(run: &'a Run<'a>, gpus: Option<Gpus>, names: &Names) -> Result<Vec<Engine<'a, Queued, Answer>>> {
    let executors = engines::start(&run, gpus, names)?;
    Ok(executors.into_iter().map(|executor| engine(run, executor)).collect())
}

fn engine<'a>(run: &'a Run<'a>, executor: Box<dyn Executor + 'a>) -> Engine<'a, Queued, Answer> {
    let aligner = Aligner { executor, second: run.request.verify.map(Second::new), effort: Effort::default() };
    let mut job = Job { run, aligner };
    Box::new(move |(_stay, work)| job.align(&work))
}

impl<'a> Maker for &'a Run<'a> {
    type Executor = dyn Executor + 'a;
    const DOING: &'static str = "aligning";

    fn terms(&self) -> Terms {
        let (request, console) = (self.request, self.console);
        Terms { processor: request.processor, device_memory: request.device_memory, console }
    }

    fn on_cpu(&self) -> Box<Self::Executor> {
        Box::new(Cpu::new())
    }

    fn on_gpu<G: Gpu>(&self, gpu: Arc<G>) -> Result<Box<Self::Executor>> {
        let (run, terms) = (*self, self.terms());
        // The rest is for letters.
        let share = Share { first: terms.memory(&*gpu)? / 4 * 3, least: LEAST_MEMORY };
        let on_device = move |memory| -> Result<Box<Self::Executor>> {
            let settings = Settings { memory, console: terms.console, ..Settings::default() };
            Ok(Box::new(Device::new(gpu.clone(), settings)))
        };
        Ok(Box::new(Coping::new(Box::new(on_device), Box::new(move || run.on_cpu()), share, terms)?))
    }
}

impl<'a> Executor for Coping<'a, dyn Executor + 'a> {
    fn align(&mut self, batch: &Batch, scoring: &Scoring, want: Want) -> Result<Vec<Alignment>> {
        let name = || format!("a batch of {} pairs", batch.pairs().len());
        self.run(&name, |executor| executor.align(batch, scoring, want))
    }
}
