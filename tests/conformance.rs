//! One suite for all executors of `scan`: what each finds is compared with the naive reference, hit by hit.
//!
//! [`suite`] lists the cases, [`check`] runs one on an executor, and `conformance!` stamps all of it onto an executor, so
//! that a new executor is one line here. Cases are the same for all; [`Size`] shortens their sequences for the slow ones.
//!
//! The reference itself is held against pictures drawn by hand ([`hand`]) and against laws ([`laws`]), and sequences must not depend
//! on their batch for it, too. What it finds is [searched once](expected).

mod adversarial;
mod alphabets;
mod chosen;
mod circular;
pub mod dice;
mod edges;
mod expected;
mod genomes;
mod hand;
mod laws;
mod mismatches;
mod random;

use std::sync::Arc;
use warpseq::cuda::{Cuda, kernels};
use warpseq::emulated::Emulated;
use warpseq::executor::Executor;
use warpseq::gpu::Gpu;
use warpseq::scan::Algorithm;
use warpseq::scan::circular::Circular;
use warpseq::scan::cpu::Cpu;
use warpseq::scan::device::{Device, Settings};
use warpseq::scan::reference::{self, Reference};
use warpseq::scan::{
    Choice, Hit, Job, Matching, Options, Passes, Pattern, Patterns, Records, Signature, Turn, find_within, report,
};
use warpseq_simd::InstructionSet;

/// How much work the cases are.
#[derive(Clone, Copy)]
pub enum Size {
    /// For executors that take microseconds per symbol, and milliseconds for a launch.
    Small,
    /// A quarter of the small ones, for an executor that only chooses between two that are given all.
    Few,
    Full,
}

impl Size {
    /// Whether the sequences of case number `k` are searched one by one, too.
    fn is_split(self, k: usize) -> bool {
        match self {
            Self::Small => k.is_multiple_of(4),
            Self::Few | Self::Full => true,
        }
    }

    /// Symbols of a sequence that has `full` of them in the full suite.
    fn symbols(self, full: usize) -> usize {
        match self {
            Self::Small | Self::Few => full.min(600),
            Self::Full => full,
        }
    }
}

/// An input of `scan`.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub signatures: Vec<Signature>,
    pub batch: Records,
    pub options: Options,
}

impl Case {
    /// Signatures and sequences under the default options, with qualities that differ from symbol to symbol.
    pub fn new<S: AsRef<[u8]>, T: AsRef<[u8]>>(name: &str, signatures: &[S], sequences: &[T]) -> Self {
        let name_of = |kind: &str, k: usize| format!("{kind}{k}").into_bytes();
        let named = |(k, bases): (usize, &S)| Signature::new(name_of("q", k), bases.as_ref().to_vec());
        let batch = sequences.iter().enumerate().map(|(k, sequence)| (name_of("s", k), sequence)).collect();
        let signatures = signatures.iter().enumerate().map(named).collect();
        Self { name: name.to_owned(), signatures, batch, options: Options::default() }.under(Options::default())
    }

    /// The same under other options; the qualities are legal for their offset.
    pub fn under(mut self, options: Options) -> Self {
        let legal = u64::from(126 - options.phred.least() + 1).min(45);
        let quality =
            |at: u64| options.phred.least() + (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8 % legal as u8;
        let qualities = (0..self.batch.sequences().residues().len() as u64).map(quality).collect();
        self.batch = self.batch.with_qualities(qualities).unwrap();
        self.options = options;
        self
    }

    /// The same with FASTA sequences.
    pub fn without_qualities(mut self) -> Self {
        self.batch = self.batch.without_qualities();
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
    cases.extend(circular::cases(size));
    cases.extend(mismatches::cases(size));
    // Last, as `slots::scan` takes cases by their number.
    cases.extend(edges::in_runs());
    match size {
        Size::Few => cases.into_iter().step_by(4).collect(),
        Size::Small | Size::Full => cases,
    }
}

/// Runs a case on an executor: the whole batch at once, then, if it `is_split`, each sequence alone.
///
/// # Panics
/// When a hit is missing, too many, twice there, or has another count of wild positions or mismatches.
pub fn check<E: Executor<Matching>>(case: &Case, is_split: bool, make: impl Fn(&Options, &[Pattern]) -> E) {
    let patterns = reference::patterns(&case.signatures, &case.options);
    let linear = make(&Options { circular: false, ..case.options }, &patterns);
    match case.options.circular {
        true => check_executor(case, is_split, &patterns, Circular::new(linear, Patterns::Made(&patterns))),
        false => check_executor(case, is_split, &patterns, linear),
    }
}

fn check_executor(case: &Case, is_split: bool, patterns: &[Pattern], mut executor: impl Executor<Matching>) {
    let found = find(&mut executor, &case.batch);
    compare(&case.name, &found, &expected::hits(case, patterns));
    check_choice(case, patterns, &mut executor, &found);
    if !is_split {
        return;
    }
    let mut alone = Vec::new();
    for sequence in 0..case.batch.len() {
        let hits = find(&mut executor, &only(&case.batch, sequence));
        alone.extend(hits.into_iter().map(|hit| Hit { sequence: sequence as u32, ..hit }));
    }
    compare(&format!("{}, sequences one by one", case.name), &alone, &found);
}

/// Where some patterns match a sequence more than once: what is found for one choice is of all matches, which are sorted, and the rows
/// are the same.
fn check_choice(case: &Case, patterns: &[Pattern], executor: &mut impl Executor<Matching>, all: &[Hit]) {
    let has_several =
        all.chunk_by(|a, b| (a.sequence, a.pattern) == (b.sequence, b.pattern)).any(|hits| hits.len() > 1);
    if !has_several {
        return;
    }
    // One of the two: searching takes long on an emulated GPU.
    let choice = if all.len().is_multiple_of(2) { Choice::First } else { Choice::Best };
    let job = Job { choice, ..Job::new(&case.batch, usize::MAX) };
    let some = find_within(executor, job).expect("an executor that was made can search").expect("there is room");
    assert!(some.iter().all(|hit| all.binary_search(hit).is_ok()), "{}: {choice:?} has other matches", case.name);
    let rows = |hits: &[Hit]| {
        let options = Options { choice, ..case.options };
        report::choose(&options, &case.batch, Patterns::Made(patterns), hits.to_vec())
    };
    assert_eq!(rows(&some), rows(all), "{}: {choice:?}", case.name);
}

fn find(executor: &mut impl Executor<Matching>, batch: &Records) -> Vec<Hit> {
    let mut hits = warpseq::scan::find(executor, batch).expect("an executor that was made can search");
    hits.sort_unstable();
    hits
}

/// Sequence `k` of a batch as a batch.
fn only(batch: &Records, k: usize) -> Records {
    Records::from_iter([(batch.name(k), batch.sequence(k))])
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

/// `conformance!(name, size, make)` stamps the suite onto an executor; `conformance!(name, size, make, on gpu)` onto one that
/// `make` builds from a GPU, which `gpu()` gives if there is one.
macro_rules! conformance {
    ($executor:ident, $size:expr, $make:expr) => {
        conformance!($executor, $size, |(), options, patterns| $make(options, patterns), on || Some(()));
    };
    ($executor:ident, $size:expr, $make:expr, on $gpu:expr) => {
        mod $executor {
            use super::*;

            fn run<'a>(cases: impl IntoIterator<Item = &'a Case>) {
                let Some(gpu) = $gpu() else { return };
                let make = |options: &Options, patterns: &[Pattern]| $make(gpu.clone(), options, patterns);
                cases.into_iter().enumerate().for_each(|(k, case)| check(case, $size.is_split(k), make));
            }

            #[test]
            fn every_case() {
                run(&suite($size));
            }

            #[test]
            fn pieces_of_real_viruses() {
                run(&genomes::pieces($size));
            }

            #[test]
            fn genomes_deposited_as_the_other_strand() {
                run(&genomes::other_strand($size));
            }
        }
    };
}

/// As expected of all executors, whose batches are compared with what is found in each sequence alone.
#[test]
fn the_reference_finds_the_same_in_a_batch() {
    let real = genomes::pieces(Size::Full).into_iter().chain(genomes::other_strand(Size::Full));
    let make = |options: &Options, patterns: &[Pattern]| Reference::new(options, patterns.to_vec());
    suite(Size::Full).into_iter().chain(real).for_each(|case| check(&case, false, make));
}

conformance!(cpu, Size::Full, Cpu::new);
conformance!(cpu_anchor, Size::Full, |options: &Options, patterns: &[Pattern]| {
    Cpu::with_algorithm(options, patterns, Algorithm::Anchor)
});
conformance!(cpu_brute, Size::Full, |options: &Options, patterns: &[Pattern]| {
    Cpu::with_algorithm(options, patterns, Algorithm::Brute)
});

/// The CPU engine in passes over the patterns: few of them have their tables in memory at a time.
mod cpu_passes {
    use super::*;

    /// Bytes of tables at a time: those of some short patterns, and less than those of a long one.
    const TABLES: usize = 2000;

    fn run<'a>(cases: impl IntoIterator<Item = &'a Case>) {
        for (k, case) in cases.into_iter().enumerate() {
            let (options, turn) = (&case.options, Turn::default());
            let patterns = reference::patterns(&case.signatures, options);
            let make = |some: &[Pattern]| Ok(Cpu::new(options, some));
            let passes = Passes::new(options, Patterns::Made(&patterns), TABLES, &turn, make);
            check_executor(case, Size::Small.is_split(k), &patterns, passes);
        }
    }

    #[test]
    fn every_case() {
        run(&suite(Size::Small));
    }

    #[test]
    fn pieces_of_real_viruses() {
        run(&genomes::pieces(Size::Small));
    }
}

fn cpu_with(set: InstructionSet, options: &Options, patterns: &[Pattern]) -> Cpu {
    Cpu::new(options, patterns).with_instructions(set)
}

conformance!(cpu_portable, Size::Small, cpu_with, on || instructions("portable"));
conformance!(cpu_avx2, Size::Small, cpu_with, on || instructions("avx2"));
conformance!(cpu_avx512, Size::Small, cpu_with, on || instructions("avx512"));

/// A device engine: `slice` symbols at a time and `matches` a search, few enough to make it halve its ranges.
fn device<G: Gpu>(gpu: Arc<G>, options: &Options, patterns: &[Pattern], settings: Settings) -> Device<G> {
    Device::new(gpu, options, patterns, settings).expect("few and short patterns")
}

const EMULATED: Settings = Settings {
    algorithm: Algorithm::Auto,
    slice: 4096,
    matches: 8192,
    most_matches: 8192,
    memory: usize::MAX,
    pinned: false,
    timed: false,
};

pub fn emulated() -> Option<Arc<Emulated>> {
    Some(Arc::new(Emulated::default()))
}

conformance!(emulator, Size::Few, |gpu, o: &Options, p: &[Pattern]| device(gpu, o, p, EMULATED), on super::emulated);
conformance!(emulator_anchor, Size::Few, |gpu, o: &Options, p: &[Pattern]| {
    device(gpu, o, p, Settings { algorithm: Algorithm::Anchor, ..EMULATED })
}, on super::emulated);
conformance!(emulator_brute, Size::Small, |gpu, o: &Options, p: &[Pattern]| {
    device(gpu, o, p, Settings { algorithm: Algorithm::Brute, ..EMULATED })
}, on super::emulated);

/// The vector instructions of that name, if this machine has them.
pub fn instructions(name: &str) -> Option<InstructionSet> {
    let set = InstructionSet::named(name);
    if set.is_none() {
        println!("skipped: this machine has no {name}");
    }
    set
}

pub fn cuda() -> Option<Arc<Cuda>> {
    crate::cuda_host::open(kernels::MODULES)
}

conformance!(cuda, Size::Full, |gpu, o: &Options, p: &[Pattern]| device(gpu, o, p, Settings::default()), on super::cuda);
conformance!(cuda_anchor, Size::Full, |gpu, o: &Options, p: &[Pattern]| {
    device(gpu, o, p, Settings { algorithm: Algorithm::Anchor, ..Settings::default() })
}, on super::cuda);
conformance!(cuda_brute, Size::Full, |gpu, o: &Options, p: &[Pattern]| {
    device(gpu, o, p, Settings { algorithm: Algorithm::Brute, ..Settings::default() })
}, on super::cuda);
conformance!(cuda_small_slices, Size::Full, |gpu, o: &Options, p: &[Pattern]| device(gpu, o, p, EMULATED), on super::cuda);
