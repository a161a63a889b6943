//! A check of an executor: small pairs, aligned in every mode and way, compared with the reference.
//!
//! The pairs are made of what tells executors apart: equal and unrelated sequences, gaps in both, repeats with many paths of one
//! score, ambiguity codes, one residue, and none; some longer than a tile of checkpoints.

use super::cpu::Cpu;
use super::device::{Device, Settings};
use super::reference::Reference;
use super::scoring::Rules;
use super::{Aligning, Batch, Gap, Mode, Pair, Scoring, Sequences, Want, align};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::Executor;

const SEQUENCES: [&str; 7] = [
    "GGGACGTTGCAGGATCCAGTGGG",
    "CCCCACGTTGCATGGATCCAGTCCCC",
    "ACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACAC",
    "acgttgcaggauccagtRYSWKMBDHVNacgttgcaggauccagt",
    "TTGACATGCCGATTACAGATTACATTTGCGCAACGTACGGTCAACCTTGGAAGCTTACGGATCATTGACATGCCGATTACAGTTACATTTGCGCAACGTACGG",
    "T",
    "",
];

/// Checks the naive reference, with itself.
///
/// # Errors
/// See [`gpu`].
pub fn reference() -> Result<()> {
    check(&mut Reference)
}

/// Checks the CPU engine.
///
/// # Errors
/// See [`gpu`].
pub fn cpu() -> Result<()> {
    check(&mut Cpu::new())
}

/// Checks the engine on a GPU.
///
/// # Errors
/// [`Error::Mismatch`] with the first difference; errors of the device.
pub fn gpu<G: Gpu>(gpu: &Arc<G>) -> Result<()> {
    check(&mut Device::new(gpu.clone(), Settings { memory: 16 << 20, ..Settings::default() }))
}

fn check(executor: &mut dyn Executor<Aligning>) -> Result<()> {
    let scoring = Rules::default().scoring()?;
    for mode in [Mode::Local, Mode::Global, Mode::Fit, Mode::Overlap] {
        for (open, extend) in [(2, 2), (5, 2)] {
            let scoring = Scoring { mode, gap: Gap { open, extend }, ..scoring.clone() };
            for want in [Want::Score, Want::Path] {
                compare(executor, &scoring, want)?;
            }
        }
    }
    Ok(())
}

fn compare(executor: &mut dyn Executor<Aligning>, scoring: &Scoring, want: Want) -> Result<()> {
    let sequences: Sequences = SEQUENCES.into_iter().collect();
    let numbers = 0..SEQUENCES.len() as u32;
    let pairs: Vec<Pair> =
        numbers.clone().flat_map(|query| numbers.clone().map(move |target| Pair { query, target })).collect();
    let batch = Batch::new(&sequences, &sequences, &pairs);
    let found = align(executor, &batch, scoring, want)?;
    let expected = align(&mut Reference, &batch, scoring, want)?;
    match found.iter().zip(&expected).position(|(found, expected)| found != expected) {
        None if found.len() == expected.len() => Ok(()),
        at => Err(Error::Mismatch(format!(
            "pair {} is aligned otherwise than by the reference ({:?}, {:?}, {want:?})",
            at.unwrap_or(found.len()) + 1,
            scoring.mode,
            scoring.gap
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alignment, Job};

    #[test]
    fn an_executor_that_is_wrong_once_fails() {
        struct Wrong;
        impl Executor<Aligning> for Wrong {
            fn compute(&mut self, job: Job, alignments: &mut Vec<Alignment>) -> Result<()> {
                Reference.compute(job, alignments)?;
                alignments[17].score += i64::from(job.scoring.mode == Mode::Fit);
                Ok(())
            }
        }
        let told = check(&mut Wrong).unwrap_err().to_string();
        assert!(told.starts_with("pair 18 is aligned otherwise") && told.contains("Fit"), "{told}");
    }
}
