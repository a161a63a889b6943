//! `simulate`: random virus signatures, samples that hold some of them, reads of genomes, sequence pairs, proteins, and bit
//! signatures, for tests and benchmarks.
//!
//! # Reproducible for any number of threads
//!
//! Record k of a kind draws from its own stream of ChaCha8, which only (seed, kind, k) decide. So records can be made in any
//! order and by any number of threads:
//!
//! ```text
//! seed ----> key of ChaCha8
//! kind, k -> stream number: kind in the top 8 bits, k below
//! ```
//!
//! Signatures and samples may have the same seed. Without the kind in the stream number, the background of sample k would then
//! repeat the letters of signature k. Integers and fractions come from [`warpseq_seq::random`].
//!
//! # Who does what
//!
//! Each of [`signatures`], [`samples`], [`reads`], [`pairs`] and [`proteins`] has a `Recipe` (what to make) and a maker that checks it. The
//! maker returns the data in memory (`generate`), or writes it in bounded memory through `ordered` (`write`). FASTA has one line
//! per sequence. [`points`] only returns data in memory.

mod bases;
mod ordered;
pub mod pairs;
pub mod points;
pub mod proteins;
mod quality;
pub mod reads;
pub mod samples;
pub mod signatures;

use crate::error::{Error, Result};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;
use warpseq_seq::random::{below, unit, within};

/// The use of a stream of random numbers.
#[derive(Clone, Copy)]
enum Kind {
    Signature = 0,
    SampleLayout = 1,
    SampleBases = 2,
    Pair = 3,
    Protein = 4,
    Point = 5,
    NRuns = 6,
    Read = 7,
}

/// The random numbers of one record.
fn stream(seed: u64, kind: Kind, record: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream((kind as u64) << 56 | record as u64);
    random
}

fn check_range<T: PartialOrd + std::fmt::Display>(what: &str, range: &RangeInclusive<T>) -> Result<()> {
    if range.start() <= range.end() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "the smallest {what} is {}, and the largest {}: give the smaller number first",
        range.start(),
        range.end()
    )))
}

/// The longest sequence to make, since a record is held in memory.
const LENGTH_MAX: usize = 1 << 32;

fn check_lengths(what: &str, lengths: &RangeInclusive<usize>) -> Result<()> {
    check_range(what, lengths)?;
    if *lengths.end() <= LENGTH_MAX {
        return Ok(());
    }
    Err(Error::Usage(format!("the largest {what} is {}: give at most {LENGTH_MAX}", lengths.end())))
}

fn check_ratio(what: &str, ratio: f64) -> Result<()> {
    if (0.0..=1.0).contains(&ratio) {
        return Ok(());
    }
    Err(Error::Usage(format!("the {what} is {ratio}: give a number from 0 to 1")))
}
