//! One suite for all executors of `align`: every alignment is compared with the naive reference's, and its path scored again.
//!
//! [`suite`] lists the cases, [`check`] runs one on an executor, and `conformance!` stamps all of it onto an executor, so
//! that a new executor is one line here. [`Size`] shortens the sequences for the slow ones.
//!
//! The reference itself is held against matrices drawn by hand ([`hand`]), against two others that share nothing with it
//! ([`linear`], [`rows`]), and against EMBOSS ([`emboss`]); the program against parasail ([`oracle`]). Pairs too large for
//! whole matrices have closed forms ([`long`]) or are compared with [`rows`] ([`mitochondria`]).

mod batches;
mod emboss;
mod gpu101;
mod hand;
mod laws;
mod linear;
mod long;
mod mitochondria;
pub mod oracle;
pub mod random;
mod range;
mod rows;
pub mod scorings;
mod statistics;

use std::sync::{Arc, OnceLock};
use warpseq::align::cpu::Cpu;
use warpseq::align::device::{Device, Settings};
use warpseq::align::reference::{Reference, rescore};
use warpseq::align::{Aligning, Alignment, Batch, Pair, Runs, Scoring, Sequences, Want, align};
use warpseq::executor::Executor;
use warpseq::gpu::Gpu;

/// How much work the cases are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For executors that take microseconds per cell.
    Small,
    /// For executors that keep whole matrices: the small suite, and pairs as long as such matrices may be.
    Matrices,
    Full,
}

/// An input of `align`.
pub struct Case {
    pub name: String,
    pub queries: Sequences,
    pub targets: Sequences,
    pub pairs: Vec<Pair>,
    pub scoring: Scoring,
}

impl Case {
    /// Query k with target k.
    pub fn zip<Q: AsRef<[u8]>, T: AsRef<[u8]>>(name: &str, scoring: Scoring, pairs: &[(Q, T)]) -> Self {
        Self {
            name: name.to_owned(),
            queries: pairs.iter().map(|(query, _)| query).collect(),
            targets: pairs.iter().map(|(_, target)| target).collect(),
            pairs: (0..pairs.len() as u32).map(|k| Pair { query: k, target: k }).collect(),
            scoring,
        }
    }

    pub fn batch(&self) -> Batch<'_> {
        Batch::new(&self.queries, &self.targets, &self.pairs)
    }

    pub fn align(&self, executor: &mut dyn Executor<Aligning>, want: Want) -> Vec<Alignment> {
        align(executor, &self.batch(), &self.scoring, want).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Which pair of which case, its residues where they are few.
    fn describe(&self, pair: usize) -> String {
        let (query, target) = self.batch().residues(pair);
        let shown = |residues: &[u8]| match residues.len() {
            0..=80 => residues.escape_ascii().to_string(),
            length => format!("{length} symbols"),
        };
        format!("{}, pair {pair}: {} x {}", self.name, shown(query), shown(target))
    }
}

/// A case and the reference's alignments of it.
type Solved = (Case, Vec<Alignment>);

/// Every case, solved once for all executors.
pub fn suite(size: Size) -> &'static [Solved] {
    static SUITES: [OnceLock<Vec<Solved>>; 2] = [const { OnceLock::new() }; 2];
    let size = if size == Size::Matrices { Size::Small } else { size };
    SUITES[usize::from(size == Size::Full)].get_or_init(|| {
        let mut cases = hand::cases();
        cases.extend(random::cases(size));
        cases.extend(range::cases(size));
        cases.extend(batches::cases(size));
        cases.extend(emboss::cases(size));
        cases.push(gpu101::case(size));
        let solved = |case: Case| {
            let expected = case.align(&mut Reference, Want::Path);
            (case, expected)
        };
        cases.into_iter().map(solved).collect()
    })
}

/// Runs a case on an executor, with and without paths.
///
/// # Panics
/// When an alignment is not the expected one, or its path has another score.
pub fn check(executor: &mut dyn Executor<Aligning>, case: &Case, expected: &[Alignment]) {
    let found = case.align(executor, Want::Path);
    compare(case, &found, expected);
    add_up(case, &found);
    let ends: Vec<_> = expected.iter().map(end_of).collect();
    compare(case, &case.align(executor, Want::Score), &ends);
}

/// What `Want::Score` makes of an alignment: its score and its end.
pub fn end_of(alignment: &Alignment) -> Alignment {
    let Alignment { score, query, target, .. } = alignment;
    Alignment { score: *score, query: query.end..query.end, target: target.end..target.end, path: Runs::NONE }
}

/// Names the first difference; the lists are too long to print.
pub fn compare(case: &Case, found: &[Alignment], expected: &[Alignment]) {
    assert_eq!(found.len(), expected.len(), "{}: alignments", case.name);
    for (pair, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found == expected, "{}: found {found:?}, expected {expected:?}", case.describe(pair));
    }
}

/// Every path has the score that comes with it, and lies where its mode allows.
pub fn add_up(case: &Case, found: &[Alignment]) {
    for (pair, alignment) in found.iter().enumerate() {
        let (query, target) = case.batch().residues(pair);
        let score = rescore(query, target, alignment, &case.scoring);
        assert_eq!(score, Ok(alignment.score), "{}: {alignment:?}", case.describe(pair));
    }
}

/// `conformance!(name, size, make)` stamps the suite onto an executor; `conformance!(name, size, make, on gpu)` onto one that
/// `make` builds from a GPU, which `gpu()` gives if there is one.
macro_rules! conformance {
    ($executor:ident, $size:expr, $make:expr) => {
        conformance!($executor, $size, |()| $make, on || Some(()));
    };
    ($executor:ident, $size:expr, $make:expr, on $gpu:expr) => {
        mod $executor {
            use super::*;

            fn run(test: impl Fn(&mut dyn Executor<Aligning>, Size)) {
                let Some(gpu) = $gpu() else { return };
                test(&mut $make(gpu), $size);
            }

            #[test]
            fn every_case() {
                run(|executor, size| suite(size).iter().for_each(|(case, expected)| check(executor, case, expected)));
            }

            #[test]
            fn order_and_size_of_a_batch_do_not_matter() {
                run(batches::check);
            }

            #[test]
            fn laws_hold() {
                run(laws::check);
            }

            #[test]
            fn long_pairs_have_their_closed_form() {
                run(long::check);
            }

            #[test]
            fn mitochondria_of_two_species() {
                run(mitochondria::check);
            }
        }
    };
}

conformance!(naive, Size::Matrices, Reference);
conformance!(cpu, Size::Full, Cpu::new());
conformance!(cpu_portable, Size::Small, Cpu::with_instructions, on || crate::conformance::instructions("portable"));
conformance!(cpu_avx2, Size::Small, Cpu::with_instructions, on || crate::conformance::instructions("avx2"));
conformance!(cpu_avx512, Size::Small, Cpu::with_instructions, on || crate::conformance::instructions("avx512"));

/// A device engine with 32-bit scores, with slices of a few pairs, or neither.
fn device<G: Gpu>(gpu: Arc<G>, packed: bool, memory: usize) -> Device<G> {
    Device::new(gpu, Settings { packed, memory, ..Settings::default() })
}

/// Checkpoints of a few pairs.
const LITTLE: usize = 4 << 20;

conformance!(emulator, Size::Small, |gpu| device(gpu, true, LITTLE), on crate::conformance::emulated);
conformance!(emulator_wide, Size::Small, |gpu| device(gpu, false, LITTLE), on crate::conformance::emulated);
conformance!(cuda, Size::Full, |gpu| device(gpu, true, 4 << 30), on crate::conformance::cuda);
conformance!(cuda_wide, Size::Full, |gpu| device(gpu, false, 8 << 30), on crate::conformance::cuda);
conformance!(cuda_small_slices, Size::Small, |gpu| device(gpu, true, LITTLE), on crate::conformance::cuda);
