//! One suite for all executors of `scan`: what each finds is compared with the naive reference, hit by hit.
//!
//! [`suite`] lists the cases, [`check`] runs one on an executor, and `conformance!` stamps all of it onto an executor, so
//! that a new executor is one line here. Cases are the same for all; [`Size`] shortens their samples for the slow ones.
//!
//! The reference itself is held against pictures drawn by hand ([`hand`]) and against laws ([`laws`]). It is stamped too,
//! for what does not compare it with itself: that samples do not depend on their batch.

mod adversarial;
mod alphabets;
mod chosen;
mod dice;
mod edges;
mod genomes;
mod hand;
mod laws;
mod random;

use warpseq::scan::cpu::Cpu;
use warpseq::scan::reference::{self, Reference};
use warpseq::scan::{Batch, Executor, Hit, Options, Pattern, Signature};

/// How much work the cases are.
#[derive(Clone, Copy)]
pub enum Size {
    /// For executors that take microseconds per symbol.
    Small,
    Full,
}

impl Size {
    /// Symbols of a sample that has `full` of them in the full suite.
    fn symbols(self, full: usize) -> usize {
        match self {
            Self::Small => full.min(600),
            Self::Full => full,
        }
    }
}

/// An input of `scan`.
pub struct Case {
    pub name: String,
    pub signatures: Vec<Signature>,
    pub batch: Batch,
    pub options: Options,
}

impl Case {
    /// Signatures and samples under the default options, with qualities that differ from symbol to symbol.
    pub fn new<S: AsRef<[u8]>, T: AsRef<[u8]>>(name: &str, signatures: &[S], samples: &[T]) -> Self {
        let name_of = |kind: &str, k: usize| format!("{kind}{k}").into_bytes();
        let named = |(k, bases): (usize, &S)| Signature { name: name_of("q", k), bases: bases.as_ref().to_vec() };
        let mut batch = Batch { starts: vec![0], ..Batch::default() };
        for (k, sample) in samples.iter().enumerate() {
            batch.names.push(name_of("s", k));
            batch.bases.extend_from_slice(sample.as_ref());
            batch.starts.push(batch.bases.len() as u64);
        }
        let signatures = signatures.iter().enumerate().map(named).collect();
        Self { name: name.to_owned(), signatures, batch, options: Options::default() }.under(Options::default())
    }

    /// The same under other options; the qualities are legal for their offset.
    pub fn under(mut self, options: Options) -> Self {
        let legal = u64::from(126 - options.phred.least() + 1).min(45);
        let quality =
            |at: u64| options.phred.least() + (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8 % legal as u8;
        self.batch.qualities = Some((0..self.batch.bases.len() as u64).map(quality).collect());
        self.options = options;
        self
    }

    /// The same with FASTA samples.
    pub fn without_qualities(mut self) -> Self {
        self.batch.qualities = None;
        self
    }
}

/// Every case.
pub fn suite(size: Size) -> Vec<Case> {
    let mut cases = hand::cases();
    cases.extend(edges::cases());
    cases.extend(alphabets::cases(size));
    cases.extend(random::cases(size));
    cases.extend(adversarial::cases(size));
    cases
}

/// Runs a case on an executor: the whole batch at once, then each sample alone.
///
/// # Panics
/// When a hit is missing, too many, twice there, or has another count of wild positions.
pub fn check<E: Executor>(case: &Case, make: impl Fn(&Options, &[Pattern]) -> E) {
    let patterns = reference::patterns(&case.signatures, &case.options);
    let mut executor = make(&case.options, &patterns);
    let found = find(&mut executor, &case.batch);
    compare(&case.name, &found, &find(&mut Reference::new(&case.options, patterns.clone()), &case.batch));
    let mut alone = Vec::new();
    for sample in 0..case.batch.len() {
        let hits = find(&mut executor, &only(&case.batch, sample));
        alone.extend(hits.into_iter().map(|hit| Hit { sample: sample as u32, ..hit }));
    }
    compare(&format!("{}, samples one by one", case.name), &alone, &found);
}

fn find(executor: &mut impl Executor, batch: &Batch) -> Vec<Hit> {
    let mut hits = executor.find(batch).expect("an executor that was made can search");
    hits.sort_unstable();
    hits
}

/// Sample `k` of a batch as a batch.
fn only(batch: &Batch, k: usize) -> Batch {
    Batch {
        names: vec![batch.names[k].clone()],
        starts: vec![0, batch.sample(k).len() as u64],
        bases: batch.sample(k).to_vec(),
        qualities: batch.quality(k).map(<[u8]>::to_vec),
    }
}

/// Names the first difference; the lists are too long to print.
fn compare<T: PartialEq + std::fmt::Debug>(name: &str, found: &[T], expected: &[T]) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
        let (found_len, expected_len) = (found.len(), expected.len());
        let (found, expected) = (found.get(at), expected.get(at));
        panic!("{name}: {found_len} found, {expected_len} expected; number {at} is {found:?}, expected {expected:?}");
    }
}

macro_rules! conformance {
    ($executor:ident, $size:expr, $make:expr) => {
        mod $executor {
            use super::*;

            #[test]
            fn every_case() {
                suite($size).iter().for_each(|case| check(case, $make));
            }

            #[test]
            fn pieces_of_real_viruses() {
                genomes::pieces($size).iter().for_each(|case| check(case, $make));
            }

            #[test]
            fn genomes_deposited_as_the_other_strand() {
                genomes::other_strand($size).iter().for_each(|case| check(case, $make));
            }
        }
    };
}

conformance!(naive, Size::Small, |options: &Options, patterns: &[Pattern]| Reference::new(options, patterns.to_vec()));
conformance!(cpu, Size::Full, Cpu::new);
