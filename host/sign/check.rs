//! Checks an executor against the reference: small sequences are signed in every way, and their signatures are compared with
//! one another.
//!
//! The sequences contain what executors may get wrong: lengths around those of windows, symbols of no alphabet, lower case
//! and U, a single residue, and none.

use super::cpu::Cpu;
use super::device::{Device, Searcher, Settings};
use super::reference::{NaiveHamming, Reference};
use super::{
    Alphabet, Comparer, Hash, Limits, Parameters, Points, Records, Signatures, Signing, Window, hamming, least, nearest,
};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::Executor;

const SEQUENCES: [&str; 7] = [
    "ACGTTGCAGGATCCAGTTTAGACAGTCTAACGTGCTACCTGAGAATTCACTGGATCCTGCAACGT",
    "acgttgcaggauccagtttagacagtctaacgtgctaNctgagaattcactggatcctgcaacgt",
    "MKVLATMKVWLATMKVLATCKVLATMKVLATMKVLATMKVLAYYYKVLATMKVLATGGHMKVLATXJ",
    "ACGTTGCAGGATCCAG",
    "ACGTTGCAGGATCCAGT",
    "A",
    "",
];

const DEVICE_MEMORY: usize = 64 << 20;

/// Ways to sign: one for each kernel, and for what each has several ways for.
fn ways() -> [Parameters; 5] {
    let windows = Parameters { k: 5, window: Window::Length(20), bits: 192, canonical: false, ..Parameters::DNA };
    let sparse = Parameters { hash: Hash::Isaac, density: 30, alphabet: Alphabet::Dna, ..Parameters::QUT };
    [Parameters::QUT, Parameters { k: 11, ..Parameters::DNA }, Parameters::PROTEIN, windows, sparse]
}

/// Checks the naive references, with themselves.
///
/// # Errors
/// See [`gpu`].
pub fn reference() -> Result<()> {
    check(|parameters| Ok(Box::new(Reference::new(parameters))), &mut NaiveHamming)
}

/// Checks the CPU engine.
///
/// # Errors
/// See [`gpu`].
pub fn cpu() -> Result<()> {
    check(|parameters| Ok(Box::new(Cpu::new(parameters))), &mut hamming::Cpu::new())
}

/// Checks the engine on a GPU.
///
/// # Errors
/// [`Error::Mismatch`] with the first difference; those of the device.
pub fn gpu<G: Gpu>(gpu: &Arc<G>) -> Result<()> {
    let settings = Settings { memory: DEVICE_MEMORY, ..Settings::default() };
    let signer = |parameters| -> Result<Box<dyn Executor<Signing>>> {
        Ok(Box::new(Device::new(gpu.clone(), parameters, settings)))
    };
    check(signer, &mut Searcher::new(gpu.clone(), DEVICE_MEMORY)?)
}

fn check(signer: impl Fn(Parameters) -> Result<Box<dyn Executor<Signing>>>, comparer: &mut Comparer) -> Result<()> {
    let mut batch = Records::default();
    SEQUENCES.iter().for_each(|residues| batch.push(residues.as_bytes(), residues.as_bytes()));
    for parameters in ways() {
        let (mut found, mut expected) = (Signatures::default(), Signatures::default());
        signer(parameters)?.compute(&batch, &mut found)?;
        Reference::new(parameters).compute(&batch, &mut expected)?;
        same(found == expected, "signatures", &parameters)?;
        compare(comparer, &parameters, &present(&expected, parameters.width()))?;
    }
    Ok(())
}

/// The signatures of windows that have a k-mer.
fn present(signatures: &Signatures, width: usize) -> Vec<u8> {
    let windows = signatures.bytes.chunks_exact(width).zip(&signatures.present);
    windows.filter(|(_, present)| **present == 1).flat_map(|(bytes, _)| bytes.iter().copied()).collect()
}

fn compare(comparer: &mut Comparer, parameters: &Parameters, bytes: &[u8]) -> Result<()> {
    let points = Points::new(parameters.bits, bytes);
    for top in [Some(1), Some(3), None] {
        let limits = Limits { top, distance: parameters.bits / 2 };
        let expected = nearest(&mut NaiveHamming, points, points, limits)?;
        same(nearest(comparer, points, points, limits)? == expected, "neighbours", parameters)?;
    }
    let groups = [0, 1, 1, points.len() as u32];
    let expected = least(&mut NaiveHamming, points, points, &groups)?;
    same(least(comparer, points, points, &groups)? == expected, "least distances", parameters)
}

fn same(are: bool, what: &str, parameters: &Parameters) -> Result<()> {
    match are {
        true => Ok(()),
        false => Err(Error::Mismatch(format!("{what} differ from the reference's ({parameters})"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compared, Comparing, Comparison};

    #[test]
    fn a_signer_that_is_wrong_in_a_bit_fails() {
        struct Wrong(Reference);
        impl Executor<Signing> for Wrong {
            fn compute(&mut self, batch: &Records, signatures: &mut Signatures) -> Result<()> {
                self.0.compute(batch, signatures)?;
                signatures.bytes[3] ^= 1;
                Ok(())
            }
        }
        let told = check(|parameters| Ok(Box::new(Wrong(Reference::new(parameters)))), &mut NaiveHamming);
        assert!(told.unwrap_err().to_string().starts_with("signatures differ"));
    }

    #[test]
    fn a_comparison_that_loses_a_neighbour_fails() {
        struct Wrong;
        impl Executor<Comparing> for Wrong {
            fn compute(&mut self, job: Comparison, compared: &mut Compared) -> Result<()> {
                NaiveHamming.compute(job, compared)?;
                compared.neighbours.pop();
                Ok(())
            }
        }
        let told = check(|parameters| Ok(Box::new(Reference::new(parameters))), &mut Wrong);
        assert!(told.unwrap_err().to_string().starts_with("neighbours differ"));
    }
}
