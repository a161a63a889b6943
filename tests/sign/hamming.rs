//! One suite for all executors that compare signatures: neighbours are those of a full sort of naive distances.
//!
//! [`suite`] lists the cases, [`check`] runs one on an executor, and `comparers!` stamps all of it onto an executor, so that
//! a new one is one line here. Near-duplicates planted at known distances ([`planted`]) need no reference at all.

mod least;
mod planted;
mod searches;

use super::Size;
use std::sync::OnceLock;
use warpseq::sign::device::Searcher;
use warpseq::sign::hamming::Cpu;
use warpseq::sign::reference::NaiveHamming;
use warpseq::sign::{Comparer, Limits, Neighbour, Points, nearest};

/// Signatures to compare.
pub struct Search {
    pub name: String,
    pub bits: u32,
    pub queries: Vec<u8>,
    pub targets: Vec<u8>,
}

impl Search {
    pub fn queries(&self) -> Points<'_> {
        Points::new(self.bits, &self.queries)
    }

    pub fn targets(&self) -> Points<'_> {
        Points::new(self.bits, &self.targets)
    }

    pub fn nearest(&self, executor: &mut Comparer, limits: Limits) -> Vec<Neighbour> {
        let found = nearest(executor, self.queries(), self.targets(), limits);
        found.unwrap_or_else(|error| panic!("{}, {limits:?}: {error}", self.name))
    }

    /// The limits that are asked for: few, all and more than all neighbours; every small distance, the middle and all bits.
    fn limits(&self) -> Vec<Limits> {
        let (count, bits) = (self.targets().len() as u32, self.bits);
        let mut limits: Vec<_> = [0, 1, bits / 4, bits / 2 - 1, bits / 2, bits - 1, bits]
            .into_iter()
            .flat_map(|distance| [None, Some(1), Some(7)].map(|top| Limits { top, distance }))
            .collect();
        let tops = [2, 31, 32, 33, 100, 1024, count.saturating_sub(1).max(1), count.max(1), count + 1, count + 5];
        limits.extend(tops.map(|top| Limits { top: Some(top), distance: bits }));
        limits
    }
}

/// A search and every distance, by query, distance and target.
type Solved = (Search, Vec<Neighbour>);

/// Every case, solved once for all executors.
pub fn suite(size: Size) -> &'static [Solved] {
    static SUITES: [OnceLock<Vec<Solved>>; 2] = [const { OnceLock::new() }; 2];
    SUITES[usize::from(size == Size::Full)].get_or_init(|| {
        let solved = |search: Search| {
            let all = search.nearest(&mut NaiveHamming, Limits { top: None, distance: search.bits });
            (search, all)
        };
        searches::cases(size).into_iter().map(solved).collect()
    })
}

/// What is left of all distances under limits.
fn within(all: &[Neighbour], limits: Limits) -> Vec<Neighbour> {
    let most = limits.top.map_or(usize::MAX, |top| top as usize);
    let of_a_query = all.chunk_by(|a, b| a.query == b.query).map(|row| &row[..row.len().min(most)]);
    of_a_query.flatten().filter(|neighbour| neighbour.distance <= limits.distance).copied().collect()
}

/// Runs a search on an executor under all its limits.
///
/// # Panics
/// When a neighbour is missing, too many, or in another place.
pub fn check(executor: &mut Comparer, (search, all): &Solved) {
    for limits in search.limits() {
        compare(search, limits, &search.nearest(executor, limits), &within(all, limits));
    }
}

/// Names the first difference; the lists are too long to print.
pub fn compare(search: &Search, limits: Limits, found: &[Neighbour], expected: &[Neighbour]) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
        let (count, wanted) = (found.len(), expected.len());
        let (found, expected) = (found.get(at), expected.get(at));
        let name = &search.name;
        panic!("{name}, {limits:?}: {count} found, {wanted} expected; number {at} is {found:?}, expected {expected:?}");
    }
}

/// `comparers!(name, size, make)` stamps the suite onto an executor; `comparers!(name, size, make, on gpu)` onto one that
/// `make` builds from a GPU, which `gpu()` gives if there is one.
macro_rules! comparers {
    ($executor:ident, $size:expr, $make:expr) => {
        comparers!($executor, $size, |()| $make, on || Some(()));
    };
    ($executor:ident, $size:expr, $make:expr, on $gpu:expr) => {
        mod $executor {
            use super::*;

            fn run(test: impl Fn(&mut Comparer, Size)) {
                let Some(gpu) = $gpu() else { return };
                test(&mut $make(gpu), $size);
            }

            #[test]
            fn every_search() {
                run(|executor, size| suite(size).iter().for_each(|solved| check(executor, solved)));
            }

            #[test]
            fn planted_near_duplicates() {
                run(planted::check);
            }

            #[test]
            fn every_top_and_every_distance() {
                run(|executor, _| searches::check_limits(executor));
            }

            #[test]
            fn least_distances_to_groups() {
                run(least::check);
            }
        }
    };
}

comparers!(naive, Size::Small, NaiveHamming);
comparers!(cpu, Size::Full, Cpu::new());
comparers!(cpu_portable, Size::Small, Cpu::with_instructions, on || crate::conformance::instructions("portable"));
comparers!(cpu_avx2, Size::Small, Cpu::with_instructions, on || crate::conformance::instructions("avx2"));
comparers!(cpu_avx512, Size::Small, Cpu::with_instructions, on || crate::conformance::instructions("avx512"));
comparers!(
    cpu_avx512_popcnt,
    Size::Small,
    Cpu::with_instructions,
    on || crate::conformance::instructions("avx512-popcnt")
);
comparers!(emulator, Size::Small, |gpu| Searcher::new(gpu, 64 << 20).expect("a stream"), on crate::conformance::emulated);
comparers!(cuda, Size::Full, |gpu| Searcher::new(gpu, 1 << 30).expect("a stream"), on crate::conformance::cuda);
comparers!(cuda_in_parts, Size::Small, |gpu| Searcher::new(gpu, 1 << 12).expect("a stream"), on crate::conformance::cuda);
