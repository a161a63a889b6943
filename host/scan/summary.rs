//! Summaries: from the counts of samples to what is in them.
//!
//! A signature called `group|record:start-end` or `record:start-end` is of the genome `record`, in that group, or in one of its own;
//! a signature of another name is a genome. Of the P signatures of a genome,
//!
//! ```text
//! depth of a signature  the fragments that it matches; `fragments` is the sum D of all depths
//! found                 the signatures with a depth above 0
//! breadth               found / P
//! evenness              breadth / (1 - e^(-D / P)): 1 where fragments lie anywhere, near 0 where they lie on each other
//! median_depth          the lower median of the depths of all signatures
//! ```
//!
//! The *call* is that of a group, from the sums over its genomes. All sums are whole numbers, of which each ratio is one division,
//! and e^x is computed here: so the digits are the same on any machine.

pub mod genomes;
pub mod run;

use crate::Fraction;
use crate::counts::{Count, Sample, Totals};
use genomes::Genomes;
use std::io::Write;
use warpseq_io::error::FileError;

/// Signatures with which a group can be more than a trace.
const FEWEST_SIGNATURES: u64 = 3;
/// How many times as many fragments per million as the negative control a group must have more than.
const OVER_CONTROL: u128 = 10;

/// When a group is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// The sum of the depths, at least.
    pub fragments: u64,
    /// Signatures found, at least.
    pub found: u64,
    /// The evenness, at least.
    pub evenness: Fraction,
}

/// More fragments than three pairs that ended up in the wrong sample have: the two mates of 150 bases hold four probes each, of 60 bases
/// every 30. The least even of 60 viruses that are 90 to 97 % identical to their references (2000 pairs, `-m 2`) has 0.11, and
/// what is wrongly found of others 0.07 at most.
impl Default for Thresholds {
    fn default() -> Self {
        Self { fragments: 25, found: 3, evenness: Fraction::printed(0.1) }
    }
}

/// What some signatures have together in a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depths {
    /// How many signatures there are.
    pub signatures: u64,
    /// How many of them match a fragment.
    pub found: u64,
    /// The sum of their depths.
    pub fragments: u64,
    /// The sum of the mismatches of those fragments.
    pub mismatches: u64,
}

impl Depths {
    fn add(&mut self, other: &Self) {
        self.signatures += other.signatures;
        self.found += other.found;
        self.fragments += other.fragments;
        self.mismatches += other.mismatches;
    }

    /// The share of the signatures that were found.
    pub fn breadth(&self) -> f64 {
        self.found as f64 / self.signatures as f64
    }

    /// The breadth over that which as many fragments have that lie anywhere; `None` without fragments.
    pub fn evenness(&self) -> Option<f64> {
        let depth = self.fragments as f64 / self.signatures as f64;
        (self.fragments > 0).then(|| self.breadth() / -libm::expm1(-depth))
    }

    fn is_even(&self, Thresholds { evenness, .. }: Thresholds) -> bool {
        let least = evenness.as_f64();
        self.evenness().is_some_and(|evenness| evenness >= least)
    }
}

/// Whether a group is in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// None of its signatures was found.
    Negative,
    /// Some were, and that says little.
    Trace,
    /// It is there.
    Positive,
}

impl Call {
    /// What the table calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Negative => "negative",
            Self::Trace => "trace",
            Self::Positive => "positive",
        }
    }
}

/// What a sample has of each genome.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What it is called.
    pub label: Vec<u8>,
    /// All of its fragments.
    pub totals: Totals,
    /// Of each genome; with the median of its depths.
    pub genomes: Vec<(Depths, u64)>,
    /// Of each group.
    pub groups: Vec<Depths>,
}

/// The summary of some samples.
pub struct Summary {
    genomes: Genomes,
    thresholds: Thresholds,
    control: Option<Vec<u8>>,
    samples: Vec<Found>,
}

impl Summary {
    /// Of no samples yet. `control` is the label of the negative control.
    pub fn new(genomes: Genomes, thresholds: Thresholds, control: Option<Vec<u8>>) -> Self {
        Self { genomes, thresholds, control, samples: Vec::new() }
    }

    /// Adds a sample.
    pub fn add(&mut self, Sample { label, totals, counts }: &Sample) {
        let genomes = self.depths(counts);
        let mut groups = vec![Depths::default(); self.genomes.groups.len()];
        genomes.iter().zip(&self.genomes.all).for_each(|((depths, _), genome)| groups[genome.group].add(depths));
        self.samples.push(Found { label: label.clone(), totals: *totals, genomes, groups });
    }

    /// What is found of each genome, with the median.
    fn depths(&self, counts: &[Count]) -> Vec<(Depths, u64)> {
        let mut found = vec![(Depths::default(), Vec::new()); self.genomes.all.len()];
        for count in counts {
            let (sums, depths) = &mut found[self.genomes.of[count.signature as usize] as usize];
            sums.found += 1;
            sums.fragments += count.fragments();
            sums.mismatches += count.mismatches;
            depths.push(count.fragments());
        }
        let medians = found.into_iter().zip(&self.genomes.all).map(|((sums, depths), genome)| {
            (Depths { signatures: genome.signatures, ..sums }, lower_median(depths, genome.signatures))
        });
        medians.collect()
    }

    /// The control among the samples.
    fn control(&self) -> Option<&Found> {
        self.samples.iter().find(|sample| Some(&sample.label) == self.control.as_ref())
    }

    /// Refuses a control that is none of the samples.
    ///
    /// # Errors
    /// [`FileError::Usage`].
    pub fn require_control<'l>(
        control: Option<&[u8]>,
        mut samples: impl Iterator<Item = &'l [u8]> + Clone,
    ) -> Result<(), FileError> {
        let Some(control) = control else { return Ok(()) };
        let all: Vec<_> = samples.clone().take(10).map(String::from_utf8_lossy).collect();
        if samples.any(|sample| sample == control) {
            return Ok(());
        }
        let control = String::from_utf8_lossy(control);
        let message = format!("--negative-control {control}: no sample is called so; they are {}", all.join(", "));
        Err(FileError::Usage(message))
    }

    /// The genomes and groups.
    pub fn genomes(&self) -> &Genomes {
        &self.genomes
    }

    /// When a group is called.
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// The label of the negative control.
    pub fn control_label(&self) -> Option<&[u8]> {
        self.control.as_deref()
    }

    /// The samples, in order.
    pub fn samples(&self) -> &[Found] {
        &self.samples
    }

    /// The call of a group, by its number, in one of the samples.
    pub fn call(&self, sample: &Found, group: usize) -> Call {
        let is_over = self.control().is_none_or(|control| is_over(sample, control, group));
        match sample.groups[group].found {
            0 => Call::Negative,
            _ if self.is_enough(sample, group) && is_over => Call::Positive,
            _ => Call::Trace,
        }
    }

    /// Whether a sample has enough of a group for it to be positive, whatever the control has.
    pub fn is_enough(&self, sample: &Found, group: usize) -> bool {
        let Thresholds { fragments, found, .. } = self.thresholds;
        let depths = &sample.groups[group];
        depths.signatures >= FEWEST_SIGNATURES
            && depths.fragments >= fragments
            && depths.found >= found
            && depths.is_even(self.thresholds)
    }

    /// The table: a row for each sample and genome.
    pub fn table(&self) -> Vec<u8> {
        let mut out = b"sample\tgroup\tgenome\tsignatures\tfound\tfragments\tbreadth\tevenness\tmedian_depth\t\
                        mean_mismatches\tcall\n"
            .to_vec();
        for sample in &self.samples {
            let calls: Vec<Call> = (0..sample.groups.len()).map(|group| self.call(sample, group)).collect();
            for ((depths, median), genome) in sample.genomes.iter().zip(&self.genomes.all) {
                for text in [&sample.label, &self.genomes.groups[genome.group], &genome.name] {
                    out.extend_from_slice(text);
                    out.push(b'\t');
                }
                let Depths { signatures, found, fragments, mismatches } = *depths;
                let evenness = depths.evenness().map_or("NA".into(), |evenness| format!("{evenness:.4}"));
                let mean = mismatches as f64 / fragments as f64;
                let mean = if fragments > 0 { format!("{mean:.3}") } else { "NA".into() };
                let (breadth, call) = (depths.breadth(), calls[genome.group].name());
                writeln!(out, "{signatures}\t{found}\t{fragments}\t{breadth:.4}\t{evenness}\t{median}\t{mean}\t{call}")
                    .expect("writing to memory does not fail");
            }
        }
        out
    }

    /// The matrix: the breadth of each group in each sample, 0 where it is not even.
    pub fn matrix(&self) -> Vec<u8> {
        let mut out = b"sample".to_vec();
        for group in &self.genomes.groups {
            out.push(b'\t');
            out.extend_from_slice(group);
        }
        out.push(b'\n');
        for sample in &self.samples {
            out.extend_from_slice(&sample.label);
            for depths in &sample.groups {
                let breadth = if depths.is_even(self.thresholds) { depths.breadth() } else { 0.0 };
                write!(out, "\t{breadth:.4}").expect("writing to memory does not fail");
            }
            out.push(b'\n');
        }
        out
    }
}

/// Whether a group has more than [`OVER_CONTROL`] times as many fragments per million as in the control.
fn is_over(sample: &Found, control: &Found, group: usize) -> bool {
    let [here, there] = [sample, control].map(|found| u128::from(found.groups[group].fragments));
    let [all_here, all_there] = [sample, control].map(|found| u128::from(found.totals.fragments()));
    if there == 0 { here > 0 } else { here * all_there > OVER_CONTROL * there * all_here }
}

/// The lower median of `depths` and as many zeros as make them `count`.
fn lower_median(mut depths: Vec<u64>, count: u64) -> u64 {
    depths.sort_unstable();
    let zeros = count - depths.len() as u64;
    ((count - 1) / 2).checked_sub(zeros).map_or(0, |at| depths[at as usize])
}

#[cfg(test)]
mod tests;
