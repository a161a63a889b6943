//! Reads of genomes in pairs, as a sequencer makes them, names `read_0`, `read_1`, ...: both mates have one name.
//!
//! ```text
//! genome     ...GGATTACAGGCATGAGCCACCGCGCCCGG...
//! fragment         |------------------>           strand +: as it is      strand -: its reverse complement
//! mate 1           |----->
//! mate 2                       <------            the other strand, from the other end
//! ```
//!
//! The genome of a pair is drawn by weight. The length of the fragment is normal, rounded, and clamped: at least the length of a
//! read, so that no read runs over the end of its fragment, and at most the genome. All of a genome shorter than a read is one
//! fragment, and both mates read all of it. The place is uniform, and either strand is as likely.
//!
//! Each base is read wrongly with probability e, as any of the three others, and every Phred score is that of e,
//! -10 log10 e, rounded, from 0 to 93. What is not A, C, G or T in a genome (U is T), also a gap, is read as `N`, of quality `!`.
//! A fragment with more than a tenth of such is drawn again, from the same genome.
//!
//! # The same on every machine
//!
//! The normal is a sum of twelve uniform numbers (Irwin and Hall), which is made of sums alone, not of logarithms. It ends six
//! standard deviations from the mean.

mod mix;

pub use mix::Mix;

use super::quality::{GREATEST, OFFSET};
use super::{Kind, LENGTH_MAX, below, check_ratio, ordered, stream, unit};
use crate::error::{Error, Result};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpseq_seq::alphabet::BASES;
use warpseq_seq::iupac::{WILD, digits};
use warpseq_seq::{Records, Wildcards};

/// Draws of a fragment with few enough `N`, after which a genome is given up.
const DRAWS: usize = 10_000;
/// Uniform numbers of variance 1/12 that make a normal one.
const UNIFORMS: usize = 12;

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How many pairs there are.
    pub pairs: usize,
    /// Bases of a read, at least 1.
    pub length: usize,
    /// Mean length of a fragment in bases.
    pub insert: usize,
    /// Standard deviation of the length of a fragment in bases.
    pub deviation: usize,
    /// Probability that a base is read wrongly, 0 to 1.
    pub error: f64,
    /// The same seed gives the same data.
    pub seed: u64,
}

/// Makes reads.
pub struct Reads<'a> {
    recipe: Recipe,
    genomes: &'a Records,
    mix: Mix,
    /// A base is read wrongly if 32 random bits are below this, at most 2^32.
    wrong_below: u64,
    quality: u8,
}

/// Where a pair comes from.
struct Fragment {
    genome: usize,
    range: Range<usize>,
    reverse: bool,
}

impl<'a> Reads<'a> {
    /// Reads of `genomes`, which are drawn by `mix`.
    ///
    /// # Errors
    /// [`Error::Usage`] for reads or fragments of no bases, or of more than 2^32, and for an error that is not from 0 to 1.
    pub fn new(recipe: Recipe, genomes: &'a Records, mix: Mix) -> Result<Self> {
        check_ratio("error", recipe.error)?;
        let Recipe { length, insert, deviation, .. } = recipe;
        for (what, length, least) in [("length", length, 1), ("insert", insert, 1), ("deviation", deviation, 0)] {
            if !(least..=LENGTH_MAX).contains(&length) {
                return Err(Error::Usage(format!("the {what} is {length}: give {least} to {LENGTH_MAX}")));
            }
        }
        let phred = (-10.0 * recipe.error.log10()).round().clamp(0.0, f64::from(GREATEST)) as u8;
        let wrong_below = (recipe.error * (1_u64 << 32) as f64).round() as u64;
        Ok(Self { recipe, genomes, mix, wrong_below, quality: phred + OFFSET })
    }

    /// Writes the first mates and the second ones as FASTQ, and the truth as TSV with a header line: read, genome, start, end,
    /// strand. Positions are those of the fragment, 0-based and half-open.
    ///
    /// Returns a genome, by its number, if there is one in which no fragment was found that is not mostly `N`: its reads are
    /// missing.
    ///
    /// # Errors
    /// Those of the outputs.
    pub fn write(&self, mates: [&mut dyn Write; 2], truth: &mut dyn Write) -> io::Result<Option<usize>> {
        truth.write_all(b"read\tgenome\tstart\tend\tstrand\n")?;
        let [first, second] = mates;
        let (wild, largest) = (AtomicUsize::new(usize::MAX), 3 * self.recipe.length + 64);
        ordered::write([first, second, truth], self.recipe.pairs, largest, |k, [first, second, truth]| {
            let mut random = stream(self.recipe.seed, Kind::Read, k);
            let genome = self.mix.genome(unit(&mut random));
            let Some(fragment) = self.fragment(genome, &mut random) else {
                wild.fetch_min(genome, Ordering::Relaxed);
                return;
            };
            self.write_mate(k, &fragment, fragment.reverse, &mut random, first);
            self.write_mate(k, &fragment, !fragment.reverse, &mut random, second);
            self.write_truth(k, &fragment, truth);
        })?;
        Ok(Some(wild.into_inner()).filter(|&genome| genome != usize::MAX))
    }

    /// A fragment with at most a tenth of `N`; `None` if none turned up.
    fn fragment(&self, genome: usize, random: &mut ChaCha8Rng) -> Option<Fragment> {
        let (bases, table) = (self.genomes.sequence(genome), digits(Wildcards::Iupac));
        (0..DRAWS).find_map(|_| {
            let length = self.fragment_length(bases.len(), random);
            let start = below(random, bases.len() - length + 1);
            let (range, reverse) = (start..start + length, below(random, 2) == 1);
            let wild = bases[range.clone()].iter().filter(|&&base| table[usize::from(base)] == WILD).count();
            (10 * wild <= length).then_some(Fragment { genome, range, reverse })
        })
    }

    fn fragment_length(&self, genome: usize, random: &mut ChaCha8Rng) -> usize {
        let Recipe { length, insert, deviation, .. } = self.recipe;
        let normal = (0..UNIFORMS).map(|_| unit(random)).sum::<f64>() - UNIFORMS as f64 / 2.0;
        let drawn = (insert as f64 + deviation as f64 * normal).round().max(0.0) as usize;
        drawn.clamp(length.min(genome), genome)
    }

    /// Reads the left end of a fragment, or the right one along the other strand.
    fn write_mate(&self, k: usize, fragment: &Fragment, right: bool, random: &mut ChaCha8Rng, text: &mut Vec<u8>) {
        let bases = &self.genomes.sequence(fragment.genome)[fragment.range.clone()];
        let (length, table) = (self.recipe.length.min(bases.len()), digits(Wildcards::Iupac));
        text.extend_from_slice(format!("@read_{k}\n").as_bytes());
        let line = text.len();
        let digit = |&base: &u8| table[usize::from(base)];
        match right {
            false => text.extend(bases[..length].iter().map(|base| self.read(digit(base), random))),
            true => text.extend(bases[bases.len() - length..].iter().rev().map(|base| {
                let digit = digit(base);
                self.read(if digit == WILD { WILD } else { 3 - digit }, random)
            })),
        }
        text.extend_from_slice(b"\n+\n");
        let quality = |at| if text[at] == b'N' { OFFSET } else { self.quality };
        let qualities: Vec<u8> = (line..line + length).map(quality).collect();
        text.extend_from_slice(&qualities);
        text.push(b'\n');
    }

    /// The letter that is read of a digit.
    #[inline]
    fn read(&self, digit: u8, random: &mut ChaCha8Rng) -> u8 {
        let is_wrong = u64::from(random.next_u32()) < self.wrong_below;
        match digit {
            WILD => b'N',
            digit if is_wrong => BASES[(usize::from(digit) + 1 + below(random, 3)) % 4],
            digit => BASES[usize::from(digit)],
        }
    }

    fn write_truth(&self, k: usize, Fragment { genome, range, reverse }: &Fragment, text: &mut Vec<u8>) {
        text.extend_from_slice(format!("read_{k}\t").as_bytes());
        text.extend_from_slice(self.genomes.name(*genome));
        let strand = if *reverse { '-' } else { '+' };
        text.extend_from_slice(format!("\t{}\t{}\t{strand}\n", range.start, range.end).as_bytes());
    }
}

#[cfg(test)]
mod tests;
