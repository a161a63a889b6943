//! The engines of a run: one per GPU, or the CPU.

use super::verify::Second;
use super::{Answer, Signed, Signing};
use crate::cpu::Cpu;
use crate::device::{Device, Settings};
use crate::{Parameters, Records, Signatures, Signer};
use std::sync::Arc;
use std::time::{Duration, Instant};
use warpseq_device::gpu::Gpu;
use warpseq_engine::engines::coping::{Coping, Share};
use warpseq_engine::engines::{self, Maker, Names, Terms};
use warpseq_engine::error::Result;
use warpseq_engine::pipeline::Engine;
use warpseq_engine::processor::Gpus;
use warpseq_engine::profile;

/// The least device memory worth a launch, in bytes.
const LEAST_MEMORY: usize = 16 << 20;

/// See [`engines::start`].
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn start<'a>(
    signing: &Signing,
    parameters: Parameters,
    gpus: Option<Gpus>,
    names: &Names,
) -> Result<Vec<Engine<'a, Signed, Answer>>> {
    let signers = engines::start(&Signers { parameters, terms: signing.terms }, gpus, names)?;
    let second = || signing.verify.map(|verify| Second::new(verify, parameters));
    Ok(signers.into_iter().map(|signer| engine(signer, second())).collect())
}

fn engine<'a>(mut signer: Box<dyn Signer>, mut second: Option<Second>) -> Engine<'a, Signed, Answer> {
    Box::new(move |mut signed| {
        let Signed { batch, signatures, .. } = &mut signed;
        let start = Instant::now();
        {
            let _range = profile::range("sign");
            signer.sign(batch, signatures)?;
        }
        let call = start.elapsed();
        let verified = second.as_mut().map_or(Ok(Duration::ZERO), |second| second.compare(batch, signatures))?;
        Ok(Answer { signed, call, verified })
    })
}

/// Makes signers.
struct Signers {
    parameters: Parameters,
    terms: Terms,
}

impl Maker for Signers {
    type Executor = dyn Signer;
    const DOING: &'static str = "signing";

    fn terms(&self) -> Terms {
        self.terms
    }

    fn on_cpu(&self) -> Box<dyn Signer> {
        Box::new(Cpu::new(self.parameters))
    }

    fn on_gpu<G: Gpu>(&self, gpu: Arc<G>) -> Result<Box<dyn Signer>> {
        let Self { parameters, terms } = *self;
        let share = Share { first: terms.memory(&*gpu)? / 4 * 3, least: LEAST_MEMORY };
        let on_device = move |memory| -> Result<Box<dyn Signer>> {
            let settings = Settings { memory, console: terms.console, ..Settings::default() };
            Ok(Box::new(Device::new(gpu.clone(), parameters, settings)))
        };
        let on_cpu = move || -> Box<dyn Signer> { Box::new(Cpu::new(parameters)) };
        Ok(Box::new(Coping::new(Box::new(on_device), Box::new(on_cpu), share, terms)?))
    }
}

impl Signer for Coping<'_, dyn Signer> {
    fn sign(&mut self, batch: &Records, signatures: &mut Signatures) -> Result<()> {
        self.run(&|| name_of(batch), |signer| signer.sign(batch, signatures))
    }
}

/// A batch by its sequences: they are what the user knows.
fn name_of(batch: &Records) -> String {
    let name = |k: usize| String::from_utf8_lossy(&batch.names()[k]).into_owned();
    format!("the batch of sequences {} to {}", name(0), name(batch.len() - 1))
}
