//! A check of every engine on this machine: a small input, searched by every algorithm, compared with the reference.
//!
//! The input is made of what tells engines apart: matches on both strands, at both ends of a sample, across 32-symbol words,
//! over ambiguity codes and `N`, a palindrome, a signature longer than a sample, and an empty sample.

use super::cpu::Cpu;
use super::device::{Device, Settings};
use super::pattern::patterns;
use super::reference::{self, Reference};
use super::{Algorithm, Batch, Executor, Hit, Options, Pattern, Signature, Wildcards};
use crate::cuda::{Opening, discover, kernels};
use crate::emulated::Emulated;
use crate::error::Result;
use crate::gpu::Gpu;
use std::sync::Arc;

/// An engine, and whether it found what the reference finds; if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub engine: String,
    pub outcome: std::result::Result<(), String>,
}

const SIGNATURES: [&str; 6] = [
    "ACGTTGCAGGATCCAGT",
    "TTNGACRRTCYAACGTGNNACCTGA",
    "GAATTC",
    "NNNNNNNN",
    "GATTACAGATTACAGATTACAGATTACAGATTACAGATTACA",
    "CCGTANNTACCGGATTAGCCNTA",
];

const SAMPLES: [&str; 6] = [
    "ACGTTGCAGGATCCAGTTTAGACAGTCTAACGTGCTACCTGAGAATTCACTGGATCCTGCAACGT",
    "TCAGGTAGCACGTTAGACTGTCTAANNNNNNNNNNNNNNNNNNNNGAATTCACGTTGCAGGATCCAGT",
    "GATTACAGATTACAGATTACAGATTACAGATTACAGATTACAGATTACACCGTAGGTACCGGATTAGCCATA",
    "acgttgcaggauccagt-RYSWKMBDHVN",
    "",
    "GAATT",
];

/// Checks the reference, the CPU engine, the emulator and every GPU that the driver shows.
pub fn engines() -> Vec<Checked> {
    let mut checked = vec![
        checked("reference".into(), |_, options, patterns| Ok(Box::new(Reference::new(options, patterns.to_vec())))),
        checked("cpu".into(), |algorithm, options, patterns| {
            Ok(Box::new(Cpu::with_algorithm(options, patterns, algorithm)))
        }),
        on_gpu("emulator".into(), Arc::new(Emulated::default())),
    ];
    for found in discover(kernels::MODULES).unwrap_or_default() {
        checked.push(match Opening::start(found.ordinal, kernels::MODULES).finish() {
            Ok(gpu) => on_gpu(found.label(), gpu),
            Err(error) => Checked { engine: found.label(), outcome: Err(error.to_string()) },
        });
    }
    checked
}

fn on_gpu<G: Gpu>(engine: String, gpu: Arc<G>) -> Checked {
    checked(engine, |algorithm, options, patterns| {
        let settings = Settings { algorithm, slice: 4096, matches: 64, ..Settings::default() };
        Ok(Box::new(Device::new(gpu.clone(), options, patterns, settings)?))
    })
}

type Made = Result<Box<dyn Executor>>;

fn checked(engine: String, make: impl Fn(Algorithm, &Options, &[Pattern]) -> Made) -> Checked {
    let rules = [Wildcards::Iupac, Wildcards::N].into_iter().flat_map(|w| [(w, 0.5), (w, 1.0)]);
    let outcome = rules.into_iter().try_for_each(|(wildcards, max_n_frac)| {
        let options = Options { wildcards, max_n_frac, ..Options::default() };
        [Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute].into_iter().try_for_each(|algorithm| {
            compare(&options, |patterns| make(algorithm, &options, patterns))
                .map_err(|why| format!("{why} ({algorithm:?}, {wildcards:?}, at most {max_n_frac} wild)"))
        })
    });
    Checked { engine, outcome }
}

fn compare(options: &Options, make: impl FnOnce(&[Pattern]) -> Made) -> std::result::Result<(), String> {
    let (signatures, batch) = (signatures(), batch());
    let patterns = patterns(&signatures, options);
    let found = make(&patterns).and_then(|mut executor| executor.find(&batch)).map_err(|error| error.to_string())?;
    let expected = Reference::new(options, reference::patterns(&signatures, options)).find(&batch);
    let (found, expected) = (sorted(found), sorted(expected.map_err(|error| error.to_string())?));
    match found == expected {
        true => Ok(()),
        false => Err(format!("found {} matches where {} are, or others", found.len(), expected.len())),
    }
}

fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable();
    hits
}

fn signatures() -> Vec<Signature> {
    let signature = |bases: &str| Signature { name: bases.into(), bases: bases.into() };
    SIGNATURES.map(signature).into()
}

fn batch() -> Batch {
    let mut batch = Batch { starts: vec![0], ..Batch::default() };
    for sample in SAMPLES {
        batch.names.push(sample.into());
        batch.bases.extend_from_slice(sample.as_bytes());
        batch.starts.push(batch.bases.len() as u64);
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_loses_a_match_fails() {
        struct Forgetful(Reference);
        impl Executor for Forgetful {
            fn find(&mut self, batch: &Batch) -> Result<Vec<Hit>> {
                let mut hits = self.0.find(batch)?;
                hits.pop();
                Ok(hits)
            }
        }
        let forgetful = checked("forgetful".into(), |_, options, patterns| {
            Ok(Box::new(Forgetful(Reference::new(options, patterns.to_vec()))))
        });
        assert!(forgetful.outcome.unwrap_err().contains("matches where"));
    }

    #[test]
    fn the_input_has_matches_of_most_signatures_on_both_strands() {
        let options = Options::default();
        let patterns = reference::patterns(&signatures(), &options);
        let hits = Reference::new(&options, patterns.clone()).find(&batch()).unwrap();
        let of = |reverse| hits.iter().filter(|hit| patterns[hit.pattern as usize].reverse == reverse).count();
        assert!(of(false) >= 6 && of(true) >= 2, "{hits:?}");
    }
}
