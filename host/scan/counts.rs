//! Counts: in how many fragments of a sample each signature was found.
//!
//! ```text
//! sample  signature  sequences  pairs  mismatches                        tab-separated
//! #sample=p12  sequences=0  pairs=300000  bases=90000000                 the sample as a whole, before its rows
//! p12     flu:0-60   0          7      3
//! ```
//!
//! A *fragment* is a pair, or a sequence without a mate. It counts once for each signature that matches in it, however often: a
//! pair under `pairs`, a sequence without a mate under `sequences`. Its mismatches are those of its match with the fewest. A
//! signature that was not found has no row. Numbers are whole, so the counts of parts of a sample add up to those of the whole.

pub mod read;

use rayon::prelude::*;
use std::io::Write;
use std::ops::AddAssign;

/// The header line.
pub const HEADER: &str = "sample\tsignature\tsequences\tpairs\tmismatches\n";

/// Rows that a thread writes at a time.
const TOGETHER: usize = 1 << 12;

/// The fragments of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sequences without a mate.
    pub sequences: u64,
    /// Pairs.
    pub pairs: u64,
    /// Bases of all.
    pub bases: u64,
}

impl Totals {
    /// How many fragments there are.
    pub fn fragments(&self) -> u64 {
        self.sequences + self.pairs
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.sequences += other.sequences;
        self.pairs += other.pairs;
        self.bases += other.bases;
    }
}

/// The fragments of a sample that a signature matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The signature, by its number.
    pub signature: u32,
    /// Sequences without a mate.
    pub sequences: u64,
    /// Pairs.
    pub pairs: u64,
    /// The fewest mismatches of each fragment, summed.
    pub mismatches: u64,
}

impl Count {
    /// How many fragments there are: the depth of the signature.
    pub fn fragments(&self) -> u64 {
        self.sequences + self.pairs
    }
}

/// What was counted of a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// What it is called.
    pub label: Vec<u8>,
    /// All of its fragments.
    pub totals: Totals,
    /// Of each signature that was found, in the order of the signatures.
    pub counts: Vec<Count>,
}

impl Sample {
    /// Writes the rows of the sample, after the line of its totals, with all threads. `name` is that of a signature by its number.
    pub fn write<'s>(&self, name: impl Fn(usize) -> &'s [u8] + Sync, out: &mut Vec<u8>) {
        let Totals { sequences, pairs, bases } = self.totals;
        out.extend_from_slice(b"#sample=");
        out.extend_from_slice(&self.label);
        writeln!(out, "\tsequences={sequences}\tpairs={pairs}\tbases={bases}")
            .expect("writing to memory does not fail");
        let rows = |counts: &[Count]| {
            let (mut text, mut digits) = (Vec::new(), itoa::Buffer::new());
            for Count { signature, sequences, pairs, mismatches } in counts {
                text.extend_from_slice(&self.label);
                text.push(b'\t');
                text.extend_from_slice(name(*signature as usize));
                for number in [sequences, pairs, mismatches] {
                    text.push(b'\t');
                    text.extend_from_slice(digits.format(*number).as_bytes());
                }
                text.push(b'\n');
            }
            text
        };
        let parts: Vec<Vec<u8>> = self.counts.par_chunks(TOGETHER).map(rows).collect();
        parts.iter().for_each(|rows| out.extend_from_slice(rows));
    }
}
