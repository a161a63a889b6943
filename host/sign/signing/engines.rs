//! The engines of a run: one per GPU, or the CPU.

use super::verify::Second;
use super::{Answer, Signed, Signing};
use crate::engines::coping::Coping;
use crate::engines::{self, Maker, Names, Terms};
use crate::error::{DeviceError, Result};
use crate::gpu::Gpu;
use crate::pipeline::Engine;
use crate::processor::Gpus;
use crate::profile;
use crate::sign::cpu::Cpu;
use crate::sign::{Batch, Parameters, Signatures, Signer};
use std::sync::Arc;
use std::time::{Duration, Instant};

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
        let Signed { batch, signatures } = &mut signed;
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
        let text = format!("{}: this version signs on the CPU only: use --device cpu", gpu.name());
        Err(DeviceError::Unavailable(text).into())
    }
}

impl Signer for Coping<'_, dyn Signer> {
    fn sign(&mut self, batch: &Batch, signatures: &mut Signatures) -> Result<()> {
        self.run(&|| name_of(batch), |signer| signer.sign(batch, signatures))
    }
}

/// A batch by its sequences: they are what the user knows.
fn name_of(batch: &Batch) -> String {
    let name = |k: usize| String::from_utf8_lossy(&batch.names[k]).into_owned();
    format!("the batch of sequences {} to {}", name(0), name(batch.len() - 1))
}
