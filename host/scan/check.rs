//! A check of an executor: a small input, searched by every algorithm, compared with the reference.
//!
//! The input has what executors could get wrong: matches on both strands, at both ends of a sequence, across words of 32 symbols
//! and over ambiguity codes and `N`, a palindrome, a signature longer than a sequence, and an empty sequence.

use super::cpu::Cpu;
use super::device::{Device, Settings};
use super::pattern::patterns;
use super::reference::{self, Reference};
use super::{Algorithm, Fraction, Hit, Matching, Options, Pattern, Records, Signature, Wildcards, find};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::Executor;

const SIGNATURES: [&str; 6] = [
    "ACGTTGCAGGATCCAGT",
    "TTNGACRRTCYAACGTGNNACCTGA",
    "GAATTC",
    "NNNNNNNN",
    "GATTACAGATTACAGATTACAGATTACAGATTACAGATTACA",
    "CCGTANNTACCGGATTAGCCNTA",
];

const SEQUENCES: [&str; 6] = [
    "ACGTTGCAGGATCCAGTTTAGACAGTCTAACGTGCTACCTGAGAATTCACTGGATCCTGCAACGT",
    "TCAGGTAGCACGTTAGACTGTCTAANNNNNNNNNNNNNNNNNNNNGAATTCACGTTGCAGGATCCAGT",
    "GATTACAGATTACAGATTACAGATTACAGATTACAGATTACAGATTACACCGTAGGTACCGGATTAGCCATA",
    "acgttgcaggauccagt-RYSWKMBDHVN",
    "",
    "GAATT",
];

/// Checks the naive reference, with itself.
///
/// # Errors
/// See [`gpu`].
pub fn reference() -> Result<()> {
    check(|_, options, patterns| Ok(Box::new(Reference::new(options, patterns.to_vec()))))
}

/// Checks the CPU engine.
///
/// # Errors
/// See [`gpu`].
pub fn cpu() -> Result<()> {
    check(|algorithm, options, patterns| Ok(Box::new(Cpu::with_algorithm(options, patterns, algorithm))))
}

/// Checks the engine on a GPU.
///
/// # Errors
/// [`Error::Mismatch`] with the counts that differ; errors of the device.
pub fn gpu<G: Gpu>(gpu: &Arc<G>) -> Result<()> {
    check(|algorithm, options, patterns| {
        let settings = Settings { algorithm, slice: 4096, matches: 64, ..Settings::default() };
        Ok(Box::new(Device::new(gpu.clone(), options, patterns, settings)?))
    })
}

type Made = Result<Box<dyn Executor<Matching>>>;

fn check(make: impl Fn(Algorithm, &Options, &[Pattern]) -> Made) -> Result<()> {
    for (wildcards, max_n_frac) in
        [Wildcards::Iupac, Wildcards::N].into_iter().flat_map(|w| [(w, Fraction::HALF), (w, Fraction::ONE)])
    {
        let options = Options { wildcards, max_n_frac, ..Options::default() };
        for algorithm in [Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute] {
            let ways = format!("{algorithm:?}, {wildcards:?}, at most {max_n_frac} wild");
            compare(&options, &ways, |patterns| make(algorithm, &options, patterns))?;
        }
    }
    Ok(())
}

fn compare(options: &Options, ways: &str, make: impl FnOnce(&[Pattern]) -> Made) -> Result<()> {
    let (signatures, batch) = (signatures(), batch());
    let found = sorted(find(&mut *make(&patterns(&signatures, options))?, &batch)?);
    let expected = sorted(find(&mut Reference::new(options, reference::patterns(&signatures, options)), &batch)?);
    match found == expected {
        true => Ok(()),
        false => Err(Error::Mismatch(format!(
            "expected {} matches, found {}{} ({ways})",
            expected.len(),
            found.len(),
            if found.len() == expected.len() { " that are not the same" } else { "" }
        ))),
    }
}

fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable();
    hits
}

fn signatures() -> Vec<Signature> {
    let signature = |bases: &str| Signature::new(bases, bases.into());
    SIGNATURES.map(signature).into()
}

fn batch() -> Records {
    SEQUENCES.iter().map(|sequence| (*sequence, *sequence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Job;

    #[test]
    fn an_engine_that_loses_a_match_fails() {
        struct Forgetful(Reference);
        impl Executor<Matching> for Forgetful {
            fn compute(&mut self, job: Job, hits: &mut Option<Vec<Hit>>) -> Result<()> {
                self.0.compute(job, hits)?;
                hits.as_mut().and_then(Vec::pop);
                Ok(())
            }
        }
        let forgetful =
            check(|_, options, patterns| Ok(Box::new(Forgetful(Reference::new(options, patterns.to_vec())))));
        assert!(forgetful.unwrap_err().to_string().contains("matches, found"));
    }

    #[test]
    fn the_input_has_matches_of_most_signatures_on_both_strands() {
        let options = Options::default();
        let patterns = reference::patterns(&signatures(), &options);
        let hits = find(&mut Reference::new(&options, patterns.clone()), &batch()).unwrap();
        let of = |reverse| hits.iter().filter(|hit| patterns[hit.pattern as usize].is_reverse() == reverse).count();
        assert!(of(false) >= 6 && of(true) >= 2, "{hits:?}");
    }
}
