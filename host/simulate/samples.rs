//! Random samples that hold signatures, names `sample_0`, `sample_1`, ...
//!
//! ```text
//! sample_3   ..ACNTG[signature_7 verbatim]TTNCA[signature_2 verbatim]GATTA..
//! ```
//!
//! The length of a sample includes its signatures, which are distinct and complete and do not overlap. Samples with and without
//! signatures are spread evenly. The `layout` of a sample is its length, its mean quality, and which signature is where. The
//! layouts of all samples are drawn first, so that a recipe that cannot be met is refused before anything is written. Bases
//! and qualities come from a second stream, one random word per symbol: 32 bits for the base, 32 for its quality.
//!
//! Qualities have offset 33. `N` has the quality `!`, in signatures too.

mod layout;

use super::bases::Bases;
use super::quality::{GREATEST, OFFSET, Qualities};
use super::{Kind, check_lengths, check_range, ordered, stream, unit};
use crate::error::{Error, Result};
use crate::scan::Signature;
use layout::Layout;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use warpseq_seq::strand::reverse_complement;
use warpseq_seq::{Records, Sequences, Wildcards};

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Number of samples without signatures.
    pub without: usize,
    /// Number of samples with signatures.
    pub with: usize,
    /// Number of signatures in each of the latter, all distinct.
    pub viruses: RangeInclusive<usize>,
    /// Length of a sample in symbols, signatures included.
    pub lengths: RangeInclusive<usize>,
    /// Phred scores, at most 93. The mean of a sample is uniform in this range.
    pub phred: RangeInclusive<u8>,
    /// Probability of `N` in the background, 0 to 1.
    pub n_ratio: f64,
    /// Lengths of runs of `N` in the background, which are half of it; their logarithms are uniform. `None`: there are no runs.
    pub n_runs: Option<RangeInclusive<usize>>,
    /// Whether each signature is inserted as its reverse complement with probability 1/2.
    pub both_strands: bool,
    /// The same seed gives the same data.
    pub seed: u64,
}

/// Where a signature was inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The sample, by its number.
    pub sample: u32,
    /// The signature in it, by its number.
    pub signature: u32,
    /// Whether as its reverse complement.
    pub reverse: bool,
    /// First symbol in the sample.
    pub start: u64,
    /// One past its last symbol.
    pub end: u64,
}

/// Samples in memory.
pub struct Generated {
    /// The samples.
    pub batch: Records,
    /// By sample, then start.
    pub truth: Vec<Truth>,
}

/// Makes samples.
pub struct Samples<'a> {
    recipe: Recipe,
    bases: Bases,
    signatures: &'a [Signature],
    /// Their reverse complements, empty without `both_strands`.
    reversed: Vec<Vec<u8>>,
    layouts: Vec<Layout>,
}

impl<'a> Samples<'a> {
    /// Draws the layouts.
    ///
    /// # Errors
    /// [`Error::Usage`] if the ends of a range are swapped, if there are fewer signatures than a sample may hold, or if those drawn
    /// for a sample do not fit into it.
    pub fn new(recipe: Recipe, signatures: &'a [Signature]) -> Result<Self> {
        check(&recipe, signatures)?;
        let samples = (0..recipe.without + recipe.with).into_par_iter();
        let layouts = samples.map(|k| Layout::draw(k, &recipe, signatures)).collect::<Result<_>>()?;
        let reversed = match recipe.both_strands {
            true => {
                signatures.par_iter().map(|signature| reverse_complement(signature.bases(), Wildcards::Iupac)).collect()
            }
            false => Vec::new(),
        };
        Ok(Self { bases: Bases::new(recipe.n_ratio)?, recipe, signatures, reversed, layouts })
    }

    /// Makes all samples in memory.
    pub fn generate(&self) -> Generated {
        let mut starts = vec![0];
        let lengths = self.layouts.iter().map(|layout| layout.length as u64);
        starts.extend(lengths.scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        }));
        let total = starts[self.layouts.len()] as usize;
        let (mut bases, mut qualities) = (vec![0; total], vec![0; total]);
        let (mut bases_left, mut qualities_left) = (&mut bases[..], &mut qualities[..]);
        let mut places = Vec::with_capacity(self.layouts.len());
        for layout in &self.layouts {
            places.push((
                bases_left.split_off_mut(..layout.length).expect("the lengths add up"),
                qualities_left.split_off_mut(..layout.length).expect("the lengths add up"),
            ));
        }
        places.into_par_iter().enumerate().for_each(|(k, (bases, qualities))| self.fill(k, bases, qualities));
        let names = (0..self.layouts.len()).map(|k| format!("sample_{k}")).collect();
        let truth = (0..self.layouts.len()).flat_map(|k| self.truth(k)).collect();
        let sequences = Sequences::from_parts(bases, starts).expect("the lengths add up");
        let batch = Records::from_parts(names, sequences).and_then(|batch| batch.with_qualities(qualities));
        Generated { batch: batch.expect("a name for each sequence, a quality for each base"), truth }
    }

    /// Writes the samples as FASTQ, and the truth as TSV with a header line: sample, signature, strand, start, end. Positions are
    /// 0-based and half-open.
    ///
    /// # Errors
    /// Those of the outputs.
    pub fn write(&self, samples: &mut dyn Write, truth: &mut dyn Write) -> io::Result<()> {
        truth.write_all(b"sample\tsignature\tstrand\tstart\tend\n")?;
        let largest = 2 * *self.recipe.lengths.end();
        ordered::write([samples, truth], self.layouts.len(), largest, |k, [samples, truth]| {
            self.write_sample(k, samples);
            for Truth { signature, reverse, start, end, .. } in self.truth(k) {
                truth.extend_from_slice(format!("sample_{k}\t").as_bytes());
                truth.extend_from_slice(self.signatures[signature as usize].name());
                truth.extend_from_slice(format!("\t{}\t{start}\t{end}\n", if reverse { '-' } else { '+' }).as_bytes());
            }
        })
    }

    fn write_sample(&self, k: usize, text: &mut Vec<u8>) {
        let length = self.layouts[k].length;
        text.extend_from_slice(format!("@sample_{k}\n").as_bytes());
        let bases = text.len();
        let qualities = bases + length + b"\n+\n".len();
        text.resize(qualities + length, 0);
        let (before, quality_line) = text.split_at_mut(qualities);
        let (base_line, separator) = before[bases..].split_at_mut(length);
        separator.copy_from_slice(b"\n+\n");
        self.fill(k, base_line, quality_line);
        text.push(b'\n');
    }

    fn truth(&self, k: usize) -> impl Iterator<Item = Truth> {
        self.layouts[k].inserts.iter().map(move |insert| Truth {
            sample: k as u32,
            signature: insert.signature as u32,
            reverse: insert.reverse,
            start: insert.start as u64,
            end: (insert.start + self.signatures[insert.signature].bases().len()) as u64,
        })
    }

    /// Writes the bases and quality bytes of sample `k`.
    fn fill(&self, k: usize, bases: &mut [u8], qualities: &mut [u8]) {
        let layout = &self.layouts[k];
        let mut random = stream(self.recipe.seed, Kind::SampleBases, k);
        let table = Qualities::new(layout.mean_phred, &self.recipe.phred);
        for (base, quality) in bases.iter_mut().zip(&mut *qualities) {
            let word = random.next_u64();
            *base = self.bases.base(word as u32);
            *quality = table.quality((word >> 32) as u32);
        }
        if let Some(lengths) = &self.recipe.n_runs {
            write_runs(bases, lengths, &mut stream(self.recipe.seed, Kind::NRuns, k));
        }
        for insert in &layout.inserts {
            let inserted = match insert.reverse {
                true => &self.reversed[insert.signature],
                false => self.signatures[insert.signature].bases(),
            };
            bases[insert.start..insert.start + inserted.len()].copy_from_slice(inserted);
        }
        for (base, quality) in bases.iter().zip(qualities) {
            if *base == b'N' {
                *quality = OFFSET;
            }
        }
    }
}

/// Writes runs of `N` over every other stretch of `bases`.
fn write_runs(bases: &mut [u8], lengths: &RangeInclusive<usize>, random: &mut ChaCha8Rng) {
    let [least, greatest] = [lengths.start(), lengths.end()].map(|&length| (length as f64).ln());
    let (mut at, mut is_run) = (0, random.next_u64() & 1 == 0);
    while at < bases.len() {
        let length = (least + unit(random) * (greatest - least)).exp() as usize;
        let end = bases.len().min(at + length.max(1));
        if is_run {
            bases[at..end].fill(b'N');
        }
        (at, is_run) = (end, !is_run);
    }
}

fn check(recipe: &Recipe, signatures: &[Signature]) -> Result<()> {
    check_range("number of viruses", &recipe.viruses)?;
    check_lengths("sample length", &recipe.lengths)?;
    recipe.n_runs.as_ref().map_or(Ok(()), |lengths| check_lengths("length of a run of N", lengths))?;
    check_range("Phred score", &recipe.phred)?;
    if *recipe.phred.end() > GREATEST {
        return Err(Error::Usage(format!(
            "the largest Phred score is {}: give at most {GREATEST}, the limit of FASTQ",
            recipe.phred.end()
        )));
    }
    if recipe.with > 0 && *recipe.viruses.end() > signatures.len() {
        return Err(Error::Usage(format!(
            "a sample may hold {} viruses, but there are only {} signatures: lower the largest number of viruses",
            recipe.viruses.end(),
            signatures.len()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
