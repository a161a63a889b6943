//! How many alignments of a score, or of a better one, chance alone gives: the statistics of Karlin and Altschul (1990, PNAS
//! 87:2264) as NCBI BLAST+ 2.12 computes them.
//!
//! # Definition
//!
//! The *E-value* of an alignment of score S is the number of alignments with a score of S or more that are expected where a random
//! query of its length meets all targets of a run: T targets of N letters. Its *bits* are (lambda S - ln K) / ln 2.
//!
//! ```text
//! proteins      Spouge's finite-size correction, which knows the lengths of query and target       spouge.rs
//! nucleotides   E = (m - l)(N - T l) K e^(-lambda S), with the length adjustment l                   nucleotides.rs, length.rs
//! ```
//!
//! Lambda, K and the other parameters were found by simulation, so only the scorings that NCBI has tabulated have statistics
//! ([`Parameters::of`]); any other is refused. Both laws fall as the score rises, for every row of the tables and from lengths of
//! 1 to the longest (the tests look); that makes the least score of an E-value one number ([`Statistics::least_score`]).
//!
//! Exponentials, logarithms and error functions are libm's, in software, so that all machines print the same digits.

mod length;
mod nucleotides;
mod proteins;
mod spouge;
mod tabulated;

pub use nucleotides::Karlin;
pub use proteins::Gumbel;

use crate::Sequences;
use std::f64::consts::LN_2;

/// The parameters of a scoring's statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameters {
    /// Of proteins.
    Protein(Gumbel),
    /// Of nucleotides.
    Nucleotide(Karlin),
}

/// All targets of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Database {
    /// How many letters they have.
    pub letters: u64,
    /// How many they are. Those without letters do not count: BLAST's databases leave them out.
    pub targets: u64,
}

impl Database {
    /// The sizes of these targets.
    pub fn of(targets: &Sequences) -> Self {
        let with_letters = (0..targets.len()).filter(|&k| targets.length(k) > 0).count();
        Self { letters: targets.residues().len() as u64, targets: with_letters as u64 }
    }
}

/// The statistics of local alignments of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    parameters: Parameters,
    database: Database,
}

impl Statistics {
    /// The statistics of alignments with all targets of a run.
    pub fn new(parameters: Parameters, database: Database) -> Self {
        Self { parameters, database }
    }

    /// How many alignments of that score or a better one chance gives. The score is that of an alignment, so above 0, and the
    /// sequences are not empty.
    pub fn evalue(&self, score: i64, query_length: usize, target_length: usize) -> f64 {
        let Database { letters, targets } = self.database;
        match &self.parameters {
            Parameters::Protein(gumbel) => gumbel.evalue(score, query_length, target_length, letters),
            Parameters::Nucleotide(karlin) => karlin.evalue(score, query_length, letters, targets),
        }
    }

    /// The score in bits, which can be compared between scorings.
    pub fn bits(&self, score: i64) -> f64 {
        let (lambda, k) = match self.parameters {
            Parameters::Protein(Gumbel { lambda, k, .. }) | Parameters::Nucleotide(Karlin { lambda, k, .. }) => {
                (lambda, k)
            }
        };
        (lambda * score as f64 - libm::log(k)) / LN_2
    }

    /// The least score, at least 1, whose E-value is `evalue` or less. That is every score from it on. `evalue` is above 0. It
    /// takes microseconds, and depends on the lengths alone: who asks for very many pairs keeps the answers.
    pub fn least_score(&self, query_length: usize, target_length: usize, evalue: f64) -> i32 {
        let is_low = |score: i32| self.evalue(score.into(), query_length, target_length) <= evalue;
        let mut enough = 1;
        while !is_low(enough) && enough < i32::MAX {
            enough = enough.saturating_mul(2);
        }
        let mut short = enough / 2;
        while enough - short > 1 {
            let middle = short + (enough - short) / 2;
            match is_low(middle) {
                true => enough = middle,
                false => short = middle,
            }
        }
        enough
    }
}

#[cfg(test)]
mod tests;
