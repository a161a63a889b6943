//! Sequences to sign.

use super::answer::Answer;
use super::call::{Call, OnCpu, OnGpu, memory};
use super::ceiling;
use crate::bench::amount::Unit;
use crate::bench::pinned::PinnedInPlace;
use crate::bench::spread::{Repeat, Spread, since};
use crate::error::{Error, Result};
use crate::executor::Executor;
use crate::gpu::Gpu;
use crate::sign::cpu::Cpu;
use crate::sign::device::{Device, Settings, stage};
use crate::sign::{Parameters, Records, Signatures, Signing as SigningProblem, Window};
use crate::simulate::proteins::{self, Proteins};
use crate::simulate::signatures;
use serde::Deserialize;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

/// The parameters to start from.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Base {
    Qut,
    Protein,
    Dna,
}

/// The sequences to sign, and how. They are DNA if the parameters are for DNA, else proteins.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Signing {
    /// Number of sequences.
    pub count: usize,
    /// The smallest and the largest length.
    pub lengths: [usize; 2],
    /// The parameters, except for those below: 1024 bits, k 21 for DNA, and otherwise the usual ones.
    pub like: Base,
    pub k: Option<u32>,
    /// Residues of a window.
    pub window: Option<u32>,
    pub bits: Option<u32>,
}

impl Signing {
    /// The parameters of the signatures.
    ///
    /// # Errors
    /// [`Error::Usage`] for parameters that do not fit together.
    pub fn parameters(&self) -> Result<Parameters> {
        let base = match self.like {
            Base::Qut => Parameters::QUT,
            Base::Protein => Parameters { bits: 1024, ..Parameters::PROTEIN },
            Base::Dna => Parameters { k: 21, bits: 1024, ..Parameters::DNA },
        };
        let (k, bits) = (self.k.unwrap_or(base.k), self.bits.unwrap_or(base.bits));
        let parameters = Parameters { k, bits, window: self.window.map_or(base.window, Window::Length), ..base };
        parameters.check().map(|()| parameters)
    }

    /// Makes the sequences.
    ///
    /// # Errors
    /// [`Error::Usage`] if the description is contradictory.
    pub fn generate(&self, seed: u64) -> Result<Input> {
        let (parameters, mut batch) = (self.parameters()?, Records::default());
        match self.like {
            Base::Dna => self.dna(seed)?.generate().iter().for_each(|made| batch.push(made.name(), made.bases())),
            Base::Qut | Base::Protein => {
                let made = self.proteins(seed)?.generate();
                made.iter().zip(0..).for_each(|(residues, k): (_, usize)| {
                    batch.push(format!("protein_{k}").as_bytes(), residues);
                });
            }
        }
        Ok(Input { parameters, batch })
    }

    /// A function that writes the sequences as FASTA.
    ///
    /// # Errors
    /// Those of [`Self::generate`].
    pub fn writer(&self, seed: u64) -> Result<impl FnOnce(&mut dyn Write) -> io::Result<()>> {
        let (dna, proteins) = match self.like {
            Base::Dna => (Some(self.dna(seed)?), None),
            Base::Qut | Base::Protein => (None, Some(self.proteins(seed)?)),
        };
        Ok(move |output: &mut dyn Write| {
            dna.map_or(Ok(()), |dna| dna.write(0, output))?;
            proteins.map_or(Ok(()), |proteins| proteins.write(output))
        })
    }

    fn dna(&self, seed: u64) -> Result<signatures::Signatures> {
        let [least, greatest] = self.lengths;
        signatures::Signatures::new(signatures::Recipe {
            count: self.count,
            lengths: least..=greatest,
            n_ratio: 0.0,
            seed,
        })
    }

    fn proteins(&self, seed: u64) -> Result<Proteins> {
        let [least, greatest] = self.lengths;
        Proteins::new(proteins::Recipe { count: self.count, lengths: least..=greatest, seed })
    }
}

/// Sequences in memory, and how they are signed.
pub struct Input {
    pub parameters: Parameters,
    pub batch: Records,
}

impl Input {
    /// Number of windows of all sequences.
    pub fn windows(&self) -> usize {
        self.batch.sequences().lengths().map(|length| self.parameters.window.count(length)).sum::<u64>() as usize
    }

    /// Number of k-mers of all windows.
    fn kmers(&self) -> u64 {
        let Parameters { k, window, .. } = self.parameters;
        let kmers = |length| {
            let ranges = (0..window.count(length)).map(move |index| window.range(index, length));
            ranges.map(|range| (range.end - range.start + 1).saturating_sub(u64::from(k))).sum::<u64>()
        };
        self.batch.sequences().lengths().map(kmers).sum()
    }

    /// The first `part` sequences.
    fn part(&self, part: usize) -> Records {
        (0..part).map(|k| (self.batch.name(k), self.batch.sequence(k))).collect()
    }

    /// Calls an engine several times, with the same memory for the signatures.
    fn on_device<G: Gpu>(
        &self,
        (gpu, timed): (&Arc<G>, bool),
        signatures: &mut Signatures,
        repeat: Repeat,
    ) -> Result<(Spread, String)> {
        let settings = Settings { memory: memory(&**gpu)?, pinned: true, timed, ..Settings::default() };
        let mut device = Device::new(gpu.clone(), self.parameters, settings);
        device.compute(&self.batch, signatures)?;
        let times = repeat.measure(|| {
            let call_ms = call(&mut device, &self.batch, signatures)?;
            Ok::<_, Error>(if timed { device.timings()?.of(stage::SIGN) } else { call_ms })
        })?;
        Ok((times, device.timings()?.text(&[stage::COPY_IN, stage::SIGN, stage::COPY_OUT])))
    }
}

/// Calls an engine. Returns milliseconds.
fn call(signer: &mut impl Executor<SigningProblem>, batch: &Records, signatures: &mut Signatures) -> Result<f64> {
    let began = Instant::now();
    signer.compute(batch, signatures)?;
    Ok(since(began))
}

impl Call for Input {
    const UNIT: Unit = Unit::Residues;

    fn size(&self) -> usize {
        self.batch.len()
    }

    fn count(&self, part: usize) -> u64 {
        self.batch.sequences().lengths().take(part).sum()
    }

    fn kernel_ms(&self) -> Option<f64> {
        ceiling::signing_ms((self.count(self.size()), self.kmers()), &self.parameters)
    }

    fn copied(&self) -> usize {
        self.batch.sequences().residues().len().max(self.windows() * self.parameters.width())
    }

    fn on_cpu(&self, part: usize, repeat: Repeat) -> Result<OnCpu> {
        let (batch, mut signatures) = (self.part(part), Signatures::default());
        let mut cpu = Cpu::new(self.parameters);
        let call = repeat.measure(|| call(&mut cpu, &batch, &mut signatures))?;
        let answer = Answer::of_signatures(signatures, self.parameters.width());
        Ok(OnCpu { part, count: self.count(part), call, answer })
    }

    fn on_gpu<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<OnGpu> {
        let (mut signatures, width) = (Signatures::default(), self.parameters.width());
        signatures.resize(self.windows(), width);
        // SAFETY: nothing else pins residues and signatures. They outlive the guards, which are dropped here, and are not
        // moved: signing makes as many windows as there are now.
        let pinned = unsafe {
            [
                PinnedInPlace::new(gpu, self.batch.sequences().residues())?,
                PinnedInPlace::new(gpu, &signatures.bytes)?,
                PinnedInPlace::new(gpu, &signatures.present)?,
            ]
        };
        let (call, _) = self.on_device((gpu, false), &mut signatures, repeat)?;
        let (kernel, stages) = self.on_device((gpu, true), &mut signatures, repeat)?;
        drop(pinned);
        Ok(OnGpu { call, kernel, stages, answer: Answer::of_signatures(signatures, width) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNING: Signing =
        Signing { count: 3, lengths: [20, 40], like: Base::Qut, k: None, window: None, bits: None };

    #[test]
    fn parameters_are_those_of_the_base_but_for_some() {
        assert_eq!(SIGNING.parameters().unwrap(), Parameters::QUT);
        let signing = Signing { like: Base::Dna, k: Some(11), window: Some(64), bits: Some(256), ..SIGNING };
        let expected = Parameters { k: 11, window: Window::Length(64), bits: 256, ..Parameters::DNA };
        assert_eq!(signing.parameters().unwrap(), expected);
        assert_eq!(Signing { k: Some(5), ..SIGNING }.generate(1).err().unwrap().exit_code(), 2);
    }

    #[test]
    fn files_hold_what_memory_does() {
        for like in [Base::Qut, Base::Dna] {
            let (signing, mut file) = (Signing { like, ..SIGNING }, Vec::new());
            signing.writer(7).unwrap()(&mut file).unwrap();
            let batch = signing.generate(7).unwrap().batch;
            let records = (0..3).map(|k| [b">", batch.name(k), b"\n", batch.sequence(k), b"\n"].concat());
            assert_eq!(file, records.collect::<Vec<_>>().concat());
        }
    }

    #[test]
    fn residues_windows_and_kmers_are_counted() {
        let input = Signing { lengths: [25, 25], ..SIGNING }.generate(1).unwrap();
        // Windows at 0, 8 and, of 9 residues, 16.
        assert_eq!((input.count(2), input.windows(), input.kmers()), (50, 9, 3 * (14 + 14 + 7)));
        assert_eq!(input.part(2).sequence(1), input.batch.sequence(1));
        let whole = Signing { like: Base::Protein, lengths: [2, 2], ..SIGNING }.generate(1).unwrap();
        assert_eq!((whole.windows(), whole.kmers(), whole.copied()), (3, 0, 3 * 128));
    }
}
