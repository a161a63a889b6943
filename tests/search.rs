//! One suite for all executors of a search: hits are compared with the naive reference's, which aligns every pair and sorts.
//!
//! [`cases`] lists what is searched, [`check`] runs one case on an executor, and `conformance!` stamps all of it onto an
//! executor, so that a new executor is one line here. [`Size`] shortens the sequences for the slow ones. The reference is held
//! against hits counted by hand in its own tests, and scores against parasail ([`oracle`]).

mod cases;
mod oracle;

use crate::align::Size;
use std::sync::{Arc, OnceLock};
use warpseq::align::cpu::Cpu as Aligner;
use warpseq::align::reference::rescore;
use warpseq::align::search::cpu::Cpu;
use warpseq::align::search::device::{Device, Settings};
use warpseq::align::search::reference::Reference;
use warpseq::align::search::{Database, Finder, Hit, Job, Keep, Searching};
use warpseq::align::{Scoring, Sequences, Want};
use warpseq::executor::Executor;
use warpseq::gpu::Gpu;
use warpseq::seq::strand::reverse_complement;
use warpseq::seq::{Strands, Wildcards};
use warpseq_simd::InstructionSet;

/// A search.
pub struct Case {
    pub name: String,
    pub queries: Sequences,
    pub targets: Sequences,
    pub scoring: Scoring,
    pub strands: Strands,
    pub top: Option<usize>,
    pub least: Option<fn(usize, usize) -> i64>,
    pub want: Want,
}

impl Case {
    /// The hits of some queries.
    fn hits(&self, executor: &mut dyn Executor<Searching>, queries: &Sequences) -> Vec<Vec<Hit>> {
        let database = &Database::new(&self.targets);
        self.kept(|keep| self.found(executor, queries, (database, keep)))
    }

    /// The hits in so many shares of the targets, put together. Each share's are the reference's.
    fn hits_of_shares(&self, executor: &mut dyn Executor<Searching>, count: usize) -> Vec<Vec<Hit>> {
        let (queries, database) = (&self.queries, Database::new(&self.targets));
        let mut hits = vec![Vec::new(); queries.len()];
        self.kept(|keep| {
            for share in database.shares(count) {
                let found = self.found(executor, queries, (&share, keep.of_share()));
                let expected = self.found(&mut Reference, queries, (&share, keep.of_share()));
                assert!(found == expected, "{}: a share of {count}", self.name);
                hits.iter_mut().zip(found).for_each(|(hits, found)| hits.extend(found));
            }
            let lengths = queries.lengths().map(|length| length as usize);
            hits.iter_mut().zip(lengths).for_each(|(hits, length)| keep.put_together(length, &database, hits));
        });
        hits
    }

    /// What `search` returns for what queries keep.
    fn kept<R>(&self, search: impl FnOnce(Keep) -> R) -> R {
        let passes = |score, [query, target]: [usize; 2]| self.least.is_none_or(|least| score >= least(query, target));
        search(Keep { top: self.top, passes: if self.least.is_some() { Some(&passes) } else { None } })
    }

    fn found(
        &self,
        executor: &mut dyn Executor<Searching>,
        queries: &Sequences,
        (database, keep): (&Database, Keep),
    ) -> Vec<Vec<Hit>> {
        let Self { scoring, strands, want, .. } = self;
        let job = Job { queries, database, scoring, strands: *strands, keep, want: *want, names: None };
        let mut hits = Vec::new();
        executor.compute(job, &mut hits).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        hits
    }
}

/// A case and the reference's hits.
type Solved = (Case, Vec<Vec<Hit>>);

/// Every case, solved once for all executors.
fn suite(size: Size) -> &'static [Solved] {
    static SUITES: [OnceLock<Vec<Solved>>; 2] = [const { OnceLock::new() }; 2];
    SUITES[usize::from(size == Size::Full)].get_or_init(|| {
        let solved = |case: Case| {
            let hits = case.hits(&mut Reference, &case.queries);
            (case, hits)
        };
        cases::all(size).into_iter().map(solved).collect()
    })
}

/// Runs a case on an executor.
///
/// # Panics
/// When a hit is not the expected one, or its path has another score.
fn check(executor: &mut dyn Executor<Searching>, case: &Case, expected: &[Vec<Hit>]) {
    let found = case.hits(executor, &case.queries);
    assert_eq!(found.len(), expected.len(), "{}: queries", case.name);
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let numbers = |hits: &[Hit]| hits.iter().map(|hit| (hit.target, hit.alignment.score)).collect::<Vec<_>>();
        let lists = || format!("{:?}, expected {:?}", numbers(found), numbers(expected));
        assert_eq!(found.len(), expected.len(), "{}, query {k}: hits {}", case.name, lists());
        for (found, expected) in found.iter().zip(expected) {
            assert!(found == expected, "{}, query {k}: found {found:?}, expected {expected:?}", case.name);
            let query = case.queries.get(k);
            let query = if found.reverse { reverse_complement(query, Wildcards::Iupac) } else { query.to_vec() };
            if case.want == Want::Path {
                let target = case.targets.get(found.target as usize);
                let score = rescore(&query, target, &found.alignment, &case.scoring);
                assert_eq!(score, Ok(found.alignment.score), "{}, query {k}: {found:?}", case.name);
            }
        }
    }
}

/// Each query alone, the last one first, has the hits that it has among others.
fn check_alone(executor: &mut dyn Executor<Searching>, case: &Case, expected: &[Vec<Hit>]) {
    for (k, expected) in expected.iter().enumerate().rev() {
        let alone = case.hits(executor, &Sequences::from_iter([case.queries.get(k)]));
        assert!(alone == std::slice::from_ref(expected), "{}, query {k} alone", case.name);
    }
}

/// The targets may be searched share by share.
fn check_shares(executor: &mut dyn Executor<Searching>, case: &Case, expected: &[Vec<Hit>]) {
    for count in [2, 5] {
        assert!(case.hits_of_shares(executor, count) == expected, "{}: {count} shares", case.name);
    }
}

/// `conformance!(name, size, make)` stamps the suite onto an executor; `conformance!(name, size, make, on gpu)` onto one that
/// `make` builds of what `gpu()` gives, if there is one.
macro_rules! conformance {
    ($executor:ident, $size:expr, $make:expr) => {
        conformance!($executor, $size, |()| $make, on || Some(()));
    };
    ($executor:ident, $size:expr, $make:expr, on $gpu:expr) => {
        mod $executor {
            use super::*;

            fn run(test: impl Fn(&mut dyn Executor<Searching>, &Case, &[Vec<Hit>])) {
                let Some(gpu) = $gpu() else { return };
                let mut executor = $make(gpu);
                suite($size).iter().for_each(|(case, expected)| test(&mut executor, case, expected));
            }

            #[test]
            fn every_case() {
                run(check);
            }

            #[test]
            fn shares_of_the_targets_are_put_together() {
                run(check_shares);
            }

            #[test]
            fn queries_do_not_depend_on_each_other() {
                run(check_alone);
            }
        }
    };
}

/// A CPU engine that ranks with no wider vectors than these.
fn cpu(set: InstructionSet) -> Finder<Cpu, Aligner> {
    Finder { rank: Cpu::with_instructions(set), aligner: Aligner::with_instructions(set) }
}

conformance!(naive, Size::Small, Reference);
conformance!(cpu_widest, Size::Full, cpu(InstructionSet::detect()));
conformance!(cpu_portable, Size::Small, cpu, on || crate::conformance::instructions("portable"));
conformance!(cpu_avx2, Size::Small, cpu, on || crate::conformance::instructions("avx2"));
conformance!(cpu_avx512, Size::Small, cpu, on || crate::conformance::instructions("avx512"));

/// A device that ranks with 32-bit scores, with room for a few queries at a time, or neither.
fn device<G: Gpu>(gpu: Arc<G>, packed: bool, memory: usize) -> Finder<Device<G>, Aligner> {
    let settings = Settings { packed, memory, ..Settings::default() };
    let rank = Device::new(gpu, settings, Box::new(Cpu::new())).expect("a stream can be made");
    Finder { rank, aligner: Aligner::new() }
}

/// Scores of a few queries, and parts of a few targets.
const LITTLE: usize = 1 << 20;

conformance!(emulator, Size::Small, |gpu| device(gpu, true, LITTLE), on crate::conformance::emulated);
conformance!(emulator_wide, Size::Small, |gpu| device(gpu, false, LITTLE), on crate::conformance::emulated);
conformance!(cuda, Size::Full, |gpu| device(gpu, true, 4 << 30), on crate::conformance::cuda);
conformance!(cuda_wide, Size::Full, |gpu| device(gpu, false, 4 << 30), on crate::conformance::cuda);
conformance!(cuda_in_parts, Size::Full, |gpu| device(gpu, true, LITTLE), on crate::conformance::cuda);
