//! The inputs of scan's benchmark, as `bench/scan.toml` describes them, and made from that.

use crate::error::{Error, Result};
use crate::scan::report::Row;
use crate::scan::{Options, Records, Signature, preset};
use crate::simulate::samples::{self, Samples, Truth};
use crate::simulate::signatures::{self, Signatures};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// An input, what it must give, and the times aimed at.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Work {
    #[serde(skip)]
    pub name: String,
    /// One line for people.
    pub about: String,
    pub seed: u64,
    /// Samples without and with signatures.
    pub without: usize,
    pub with: usize,
    /// Least and greatest number of signatures in a sample that has some.
    pub viruses: [usize; 2],
    /// Least and greatest number of symbols.
    pub sample_length: [usize; 2],
    pub signatures: usize,
    pub signature_length: [usize; 2],
    /// Least and greatest Phred score.
    pub phred: [u8; 2],
    /// Probability of N, 0 to 1.
    pub n_ratio: f64,
    /// Rows that the search must report; `None`: as many as were put in.
    pub rows: Option<usize>,
    #[serde(default)]
    pub target: Target,
}

/// Times aimed at, in milliseconds.
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
    /// What is asked of a CPU with `threads` threads: the entry for the most threads that it has.
    pub fn cpu_ms(&self, threads: usize) -> Option<f64> {
        self.cpu_ms.iter().rfind(|(least, _)| *least <= threads).map(|&(_, ms)| ms)
    }
}

fn range<T: Copy>([least, greatest]: [T; 2]) -> RangeInclusive<T> {
    least..=greatest
}

impl Work {
    /// How the signatures are made.
    pub fn signature_recipe(&self) -> signatures::Recipe {
        let lengths = range(self.signature_length);
        signatures::Recipe { count: self.signatures, lengths, n_ratio: self.n_ratio, seed: self.seed }
    }

    /// How the samples are made.
    pub fn sample_recipe(&self) -> samples::Recipe {
        samples::Recipe {
            without: self.without,
            with: self.with,
            viruses: range(self.viruses),
            lengths: range(self.sample_length),
            phred: range(self.phred),
            n_ratio: self.n_ratio,
            both_strands: false,
            seed: self.seed,
        }
    }

    /// Makes the input in memory.
    ///
    /// # Errors
    /// [`Error::Usage`] when the description makes no sense.
    pub fn generate(&self) -> Result<Input> {
        let signatures = Signatures::new(self.signature_recipe())?.generate();
        let made = Samples::new(self.sample_recipe(), &signatures)?.generate();
        Ok(Input { signatures, batch: made.batch, truth: made.truth })
    }

    /// Checks that rows are as many as expected, and hold everything that was put in.
    ///
    /// # Errors
    /// [`Error::Mismatch`], naming engine, work and what is wrong.
    pub fn check(&self, engine: &str, input: &Input, rows: &[Row]) -> Result<()> {
        let wrong = |what: String| Err(Error::Mismatch(format!("{engine}, work {:?}: {what}", self.name)));
        let found: HashSet<_> = rows.iter().map(|row| (row.sample, row.signature, row.start, row.reverse)).collect();
        let lost = input.truth.iter().find(|t| !found.contains(&(t.sample, t.signature, t.start, t.reverse)));
        if let Some(Truth { sample, signature, start, .. }) = lost {
            return wrong(format!("signature_{signature} was put into sample_{sample} at {start} and is not reported"));
        }
        let expected = self.rows.unwrap_or(input.truth.len());
        if rows.len() != expected {
            return wrong(format!("{} rows, and there should be {expected}", rows.len()));
        }
        Ok(())
    }
}

/// The input of a work, in memory.
pub struct Input {
    pub signatures: Vec<Signature>,
    pub batch: Records,
    pub truth: Vec<Truth>,
}

/// How the original programs search, and how this one does.
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

    /// How tables and records call it.
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

    /// What is searched and reported.
    pub fn options(self) -> Options {
        self.scan().map(preset::Preset::rules).unwrap_or_default().0
    }

    /// Whether its format shows integrity hashes.
    pub fn shows_hashes(self) -> bool {
        self.scan().map(preset::Preset::rules).unwrap_or_default().1.has_hash()
    }

    /// Whether targets are for this preset.
    pub fn has_targets(self) -> bool {
        self != Self::BothStrands
    }
}
