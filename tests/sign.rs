//! One suite for all executors of `sign`: every signature and every neighbour is compared with those of the naive reference.
//!
//! [`suite`] lists the cases for signers, [`check`] runs one on an executor, and `signers!` stamps all of it onto an executor,
//! so that a new one is one line here; [`hamming`] does the same for executors that compare signatures. [`Size`] shortens the
//! cases for slow executors.
//!
//! The reference itself is tested with vectors drawn by hand and published numbers ([`hand`]), with the bytes of the report
//! ([`report`]) and with laws ([`laws`]). The program is tested with a second implementation of the rules, in Python
//! ([`oracle`]).

mod batches;
mod files;
mod hamming;
mod hand;
mod laws;
mod lengths;
mod long;
mod oracle;
mod parameters;
mod random;
mod report;
mod symbols;

use std::sync::OnceLock;
use warpseq::console::Console;
use warpseq::executor::Executor;
use warpseq::sign::cpu::Cpu;
use warpseq::sign::device::{Device, Settings};
use warpseq::sign::reference::Reference;
use warpseq::sign::{Parameters, Records, Signatures, Signing};

const CONSOLE: Console = Console::Usual;
/// Signs no windows by halves.
const PIECES: Settings =
    Settings { memory: 1 << 30, slice: 16 << 20, pinned: false, timed: false, pieces: true, console: CONSOLE };
/// Cuts batches into many slices.
const SMALL_SLICES: Settings = Settings { slice: 3000, pieces: false, ..PIECES };

/// How much work the cases are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For executors that take microseconds per residue.
    Small,
    Full,
}

impl Size {
    /// The number of cases, of which the full suite has `full`.
    fn of(self, small: usize, full: usize) -> usize {
        match self {
            Self::Small => small,
            Self::Full => full,
        }
    }
}

/// An input of `sign build`.
pub struct Case {
    pub name: String,
    pub parameters: Parameters,
    pub batch: Records,
}

impl Case {
    /// # Panics
    /// When the program would refuse the parameters.
    pub fn new<S: AsRef<[u8]>>(name: &str, parameters: Parameters, sequences: &[S]) -> Self {
        parameters.check().unwrap_or_else(|error| panic!("{name}, {parameters}: {error}"));
        Self { name: format!("{name}, {parameters}"), parameters, batch: batch(sequences) }
    }

    /// The signatures by the reference.
    pub fn solve(&self) -> Signatures {
        sign(&mut Reference::new(self.parameters), &self.batch)
    }

    /// Window `index` of the batch, by its sequence and its residues.
    fn describe(&self, index: usize) -> String {
        let (mut sequence, mut window) = (0, index);
        let windows = |k| self.parameters.window.count(self.batch.sequence(k).len() as u64) as usize;
        while window >= windows(sequence) {
            window -= windows(sequence);
            sequence += 1;
        }
        let residues = self.batch.sequence(sequence);
        let range = self.parameters.window.range(window as u64, residues.len() as u64);
        let shown = match range.end - range.start {
            0..=80 => residues[range.start as usize..range.end as usize].escape_ascii().to_string(),
            length => format!("{length} residues"),
        };
        format!("{}: sequence {sequence}, window {window}: {shown}", self.name)
    }
}

/// Sequences named by their numbers.
pub fn batch<S: AsRef<[u8]>>(sequences: &[S]) -> Records {
    let mut batch = Records::default();
    for (k, residues) in sequences.iter().enumerate() {
        batch.push(k.to_string().as_bytes(), residues.as_ref());
    }
    batch
}

/// Signs into new memory.
pub fn sign(signer: &mut dyn Executor<Signing>, batch: &Records) -> Signatures {
    let mut signatures = Signatures::default();
    signer.compute(batch, &mut signatures).expect("a signer that was made can sign");
    signatures
}

/// A case and the reference's signatures of it.
type Solved = (Case, Signatures);

/// Makes an executor for given parameters.
pub type Make<'a> = dyn Fn(Parameters) -> Box<dyn Executor<Signing>> + 'a;

/// Every case, solved once for all executors.
pub fn suite(size: Size) -> &'static [Solved] {
    static SUITES: [OnceLock<Vec<Solved>>; 2] = [const { OnceLock::new() }; 2];
    SUITES[usize::from(size == Size::Full)].get_or_init(|| {
        let mut cases = hand::cases();
        cases.extend(lengths::cases());
        cases.extend(symbols::cases());
        cases.extend(batches::cases(size));
        cases.extend(long::cases(size));
        cases.extend(random::cases(size));
        let solved = |case: Case| {
            let expected = case.solve();
            (case, expected)
        };
        cases.into_iter().map(solved).collect()
    })
}

/// Runs a case on an executor, into memory that holds the signatures of the case before.
///
/// # Panics
/// When a signature is not the expected one, or is missing or too many.
pub fn check(make: &Make, (case, expected): &Solved, signatures: &mut Signatures) {
    make(case.parameters).compute(&case.batch, signatures).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    compare(case, signatures, expected);
}

/// Names the first difference; the lists are too long to print.
pub fn compare(case: &Case, found: &Signatures, expected: &Signatures) {
    assert_eq!(found.len(), expected.len(), "{}: windows", case.name);
    assert_eq!(found.bytes.len(), expected.bytes.len(), "{}: bytes", case.name);
    let width = case.parameters.width();
    let both = found.bytes.chunks(width).zip(expected.bytes.chunks(width));
    for (window, (found_bytes, expected_bytes)) in both.enumerate() {
        let place = || case.describe(window);
        assert_eq!(found.present[window], expected.present[window], "{}: whether it has a k-mer", place());
        let at = found_bytes.iter().zip(expected_bytes).position(|(found, expected)| found != expected);
        if let Some(at) = at {
            panic!("{}: byte {at} is {:08b}, expected {:08b}", place(), found_bytes[at], expected_bytes[at]);
        }
    }
}

/// `signers!(name, size, make)` stamps the suite onto an executor that `make` builds from parameters;
/// `signers!(name, size, make, on gpu)` onto one that it builds from a GPU, too, which `gpu()` gives if there is one.
macro_rules! signers {
    ($executor:ident, $size:expr, $make:expr) => {
        signers!($executor, $size, |(), parameters| $make(parameters), on || Some(()));
    };
    ($executor:ident, $size:expr, $make:expr, on $gpu:expr) => {
        mod $executor {
            use super::*;

            fn run(test: impl Fn(&Make, Size)) {
                let Some(gpu) = $gpu() else { return };
                test(&|parameters| Box::new($make(gpu.clone(), parameters)), $size);
            }

            #[test]
            fn every_case() {
                run(|make, size| {
                    let mut signatures = Signatures::default();
                    suite(size).iter().for_each(|solved| check(make, solved, &mut signatures));
                });
            }

            #[test]
            fn order_and_size_of_a_batch_do_not_matter() {
                run(batches::check);
            }

            #[test]
            fn laws_hold() {
                run(|make, _| laws::check(make));
            }

            #[test]
            fn files_are_records() {
                run(|make, _| files::check(make));
            }

            #[test]
            fn proteins_of_the_report() {
                run(|make, _| report::check(make));
            }
        }
    };
}

signers!(naive, Size::Full, Reference::new);
signers!(naive_small, Size::Small, Reference::new);
signers!(cpu, Size::Full, Cpu::new);
signers!(
    cpu_portable,
    Size::Small,
    |set, parameters| Cpu::with_instructions(parameters, set),
    on || crate::conformance::instructions("portable")
);
signers!(
    cpu_avx2,
    Size::Small,
    |set, parameters| Cpu::with_instructions(parameters, set),
    on || crate::conformance::instructions("avx2")
);
signers!(
    cpu_avx512,
    Size::Small,
    |set, parameters| Cpu::with_instructions(parameters, set),
    on || crate::conformance::instructions("avx512")
);
signers!(emulator, Size::Small, |gpu, parameters| Device::new(gpu, parameters, Settings::default()), on crate::conformance::emulated);
signers!(emulator_in_pieces, Size::Small, |gpu, parameters| Device::new(gpu, parameters, PIECES), on crate::conformance::emulated);
signers!(cuda, Size::Full, |gpu, parameters| Device::new(gpu, parameters, Settings::default()), on crate::conformance::cuda);
signers!(cuda_in_pieces, Size::Full, |gpu, parameters| Device::new(gpu, parameters, PIECES), on crate::conformance::cuda);
signers!(cuda_small_slices, Size::Small, |gpu, parameters| Device::new(gpu, parameters, SMALL_SLICES), on crate::conformance::cuda);
