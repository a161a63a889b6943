//! The workloads of `bench/scan.toml`, and their inputs.

use crate::error::{Error, Result};
use crate::scan::report::Row;
use crate::scan::{Mismatches, Options, Records, Signature, preset};
use crate::simulate::samples::{self, Samples, Truth};
use crate::simulate::signatures::{self, Signatures};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A workload: an input, the expected number of rows, and the target times.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Work {
    #[serde(skip)]
    pub name: String,
    /// A description in one line.
    pub about: String,
    pub seed: u64,
    /// Number of samples without and with signatures.
    pub without: usize,
    pub with: usize,
    /// Smallest and largest number of signatures in a sample that has any.
    pub viruses: [usize; 2],
    /// Smallest and largest number of symbols.
    pub sample_length: [usize; 2],
    pub signatures: usize,
    pub signature_length: [usize; 2],
    /// Smallest and largest Phred score.
    pub phred: [u8; 2],
    /// Probability of N, 0 to 1.
    pub n_ratio: f64,
    /// The most mismatches of a match.
    #[serde(default)]
    pub mismatches: u32,
    /// Expected number of rows; `None` for the number of inserted signatures.
    pub rows: Option<usize>,
    #[serde(default)]
    pub target: Target,
}

/// Target times, in milliseconds.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub call_ms: Option<f64>,
    pub kernel_ms: Option<f64>,
    pub process_ms: Option<f64>,
    /// Calls of the CPU engine: (threads, milliseconds), fewest threads first.
    #[serde(default)]
    pub cpu_ms: Vec<(usize, f64)>,
}

impl Target {
    /// The target of a CPU with `threads` threads: the last entry that needs no more threads.
    pub fn cpu_ms(&self, threads: usize) -> Option<f64> {
        self.cpu_ms.iter().rfind(|(least, _)| *least <= threads).map(|&(_, ms)| ms)
    }
}

fn range<T: Copy>([least, greatest]: [T; 2]) -> RangeInclusive<T> {
    least..=greatest
}

impl Work {
    /// The recipe of the signatures.
    pub fn signature_recipe(&self) -> signatures::Recipe {
        let lengths = range(self.signature_length);
        signatures::Recipe { count: self.signatures, lengths, n_ratio: self.n_ratio, seed: self.seed }
    }

    /// The recipe of the samples.
    pub fn sample_recipe(&self) -> samples::Recipe {
        samples::Recipe {
            without: self.without,
            with: self.with,
            viruses: range(self.viruses),
            lengths: range(self.sample_length),
            phred: range(self.phred),
            n_ratio: self.n_ratio,
            n_runs: None,
            both_strands: false,
            seed: self.seed,
        }
    }

    /// Makes the input.
    ///
    /// # Errors
    /// [`Error::Usage`] if the description is contradictory.
    pub fn generate(&self) -> Result<Input> {
        let signatures = Signatures::new(self.signature_recipe())?.generate();
        let made = Samples::new(self.sample_recipe(), &signatures)?.generate();
        Ok(Input { signatures, batch: made.batch, truth: made.truth })
    }

    /// Checks that the rows are as many as expected and include every inserted signature.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the engine, the workload and what is wrong.
    pub fn check(&self, engine: &str, input: &Input, rows: &[Row]) -> Result<()> {
        let wrong = |what: String| Err(Error::Mismatch(format!("{engine}, workload {:?}: {what}", self.name)));
        let found: HashSet<_> = rows.iter().map(|row| (row.sequence, row.signature, row.start, row.reverse)).collect();
        let lost = input.truth.iter().find(|t| !found.contains(&(t.sample, t.signature, t.start, t.reverse)));
        if let Some(Truth { sample, signature, start, .. }) = lost {
            return wrong(format!("expected signature_{signature} in sample_{sample} at {start}, found no row for it"));
        }
        let expected = self.rows.unwrap_or(input.truth.len());
        if rows.len() != expected {
            return wrong(format!("expected {expected} rows, found {}", rows.len()));
        }
        Ok(())
    }
}

/// The input of a workload, in memory.
pub struct Input {
    pub signatures: Vec<Signature>,
    pub batch: Records,
    pub truth: Vec<Truth>,
}

/// The course presets, and the defaults on both strands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Preset {
    #[serde(rename = "cs3210-2024")]
    Cs3210Y2024,
    #[serde(rename = "cs3210-2025")]
    Cs3210Y2025,
    #[serde(rename = "both-strands")]
    BothStrands,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Cs3210Y2024, Self::Cs3210Y2025, Self::BothStrands];

    /// The name in tables and records.
    pub fn name(self) -> &'static str {
        self.argument().unwrap_or("both-strands")
    }

    /// The value for `--preset`; `None` for the defaults.
    pub fn argument(self) -> Option<&'static str> {
        self.scan().map(preset::Preset::name)
    }

    fn scan(self) -> Option<preset::Preset> {
        match self {
            Self::Cs3210Y2024 => Some(preset::Preset::Cs3210Of2024),
            Self::Cs3210Y2025 => Some(preset::Preset::Cs3210Of2025),
            Self::BothStrands => None,
        }
    }

    /// What to search for, with so many mismatches, and what to report.
    pub fn options(self, mismatches: u32) -> Options {
        let options = self.scan().map(preset::Preset::rules).unwrap_or_default().0;
        Options { max_mismatch: Mismatches::Count(mismatches), ..options }
    }

    /// Whether its format shows integrity hashes.
    pub fn shows_hashes(self) -> bool {
        self.scan().map(preset::Preset::rules).unwrap_or_default().1.has_hash()
    }

    /// Whether the target times are for this preset.
    pub fn has_targets(self) -> bool {
        self != Self::BothStrands
    }
}
