//! The CPU engine: the seeds of [`super::seeds`], on all cores, for any input.
//!
//! # Who does what
//!
//! ```text
//! Plan      built once, from the first batch: of which shape each pattern's spans are, and the tables of their tiles
//! Segment   a task: up to 256 Ki positions of the flat batch, encoded with what patterns can reach on either side
//! seek      looks up the tiles of the spans that may lie at each position, compares what is beside them, verifies what is left
//! follow    where patterns are the windows of a reference, one match is followed along it
//! kept      of these with mismatches, which matches are kept already
//! near      places where tiles have wild symbols
//! hard      patterns with several spans, where runs of wild symbols leave the first of them too few tiles
//! marks     windows of these at some places between the runs
//! rows      for patterns of which comparing hundreds at a time is faster: rows of bits say which may match at a position
//! brute     for patterns without tiles worth looking up, and those in parts near hard positions: 512 starts at a time
//! ```
//!
//! A task owns the positions of its segment, not sequences: one huge sequence is spread over all cores, and thousands of reads
//! share a task. A match belongs to the task that owns the place of the span that finds it (by brute force: its start; in rows: where its windows begin), so it is
//! found once; but several tiles of the span may, and several codes of a wild one: a task removes such doubles. Patterns in parts may be found
//! by several of these, in different tasks: doubles of them go at the end.
//!
//! # Why it is right at the edges
//!
//! Sequences follow one another without a gap. A tile may reach into the next sequence, or past the last into padding; that can
//! only make a candidate. Candidates are then checked to lie inside their sequence, and verified symbol by symbol. Whether a
//! position is hard depends on the symbols of the span there. Those of a match lie inside its sequence, and in what a task has
//! encoded: so all tasks agree. Offsets are `usize` into the batch: nothing here is limited to 32 bits but the numbers of
//! sequences and patterns.
//!
//! # Runs of N
//!
//! Wild symbols of the sequence count towards the limit whatever the pattern, so a position is passed over when its span has
//! more of them than any pattern allows. Where patterns are longer than that, and the first span of one may lie in a run and the rest of it
//! beside, some places in each thousand on both sides are looked up, which find a pattern wherever it begins: so what a run costs does
//! not depend on how many patterns there are. Only stretches without such places, as between runs that are close, are compared, after
//! their wild symbols are counted by a look at two sums.

mod alphabet;
mod brute;
mod follow;
mod hard;
mod kept;
mod marks;
mod near;
mod rows;
mod search;
mod seek;
mod segment;

use super::device::Shared;
use super::seats::{Rule, Seats};
use super::seeds::plan::{Machine, Plan, Queries};
use super::seeds::{Frequencies, TILE_MAX};
use super::{Algorithm, Hit, Job, Matching, Options, Pattern, Records, Streak, Wildcards};
pub(crate) use alphabet::Iupac;
use alphabet::{Alphabet, Bytes};
use kept::Kept;
use rayon::prelude::*;
use search::{Search, Sequences, Tally, Tried};
use segment::Segment;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, OnceLock, PoisonError};
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Parts, Patient, Watch};
use warpseq_io::pool::Pool;
#[cfg(target_arch = "x86_64")]
use warpseq_simd::{Avx2, Avx512};
use warpseq_simd::{InstructionSet, Task};

/// Positions of a task, unless patterns are so long that more are needed to make up for the overlap.
const SEGMENT: usize = 1 << 18;
/// The least positions of a task when a batch is small for the number of cores.
const LEAST_SEGMENT: usize = 1 << 14;

/// The CPU engine. Uses rayon's current thread pool. Clones share what is built once.
#[derive(Clone)]
pub struct Cpu {
    wildcards: Wildcards,
    algorithm: Algorithm,
    queries: Arc<Queries>,
    plan: Arc<OnceLock<Plan>>,
    segment: usize,
    set: InstructionSet,
    /// The memory of tasks that are done, for others.
    spare: Arc<Pool<Space>>,
}

/// What a task works in.
#[derive(Default)]
struct Space {
    segment: Segment,
    seek: seek::Scratch,
    brute: brute::Scratch,
    seats: Seats,
}

impl Cpu {
    /// An engine for these patterns.
    pub fn new(options: &Options, patterns: &[Pattern]) -> Self {
        Self::with_algorithm(options, patterns, Algorithm::Auto)
    }

    /// The same engine with the vector instructions of `set`, for tests.
    #[must_use]
    pub fn with_instructions(self, set: InstructionSet) -> Self {
        Self { set, ..self }
    }

    /// An engine that searches in one way only, to measure and to test.
    pub fn with_algorithm(options: &Options, patterns: &[Pattern], algorithm: Algorithm) -> Self {
        Self::sharing(options, patterns, algorithm, &Shared::default())
    }

    /// The same with what other engines of the run have made already.
    pub fn sharing(options: &Options, patterns: &[Pattern], algorithm: Algorithm, shared: &Shared) -> Self {
        let wildcards = options.wildcards;
        let queries = match wildcards {
            Wildcards::Iupac => shared.queries(patterns, false),
            Wildcards::N => Arc::new(Queries::of::<Bytes>(patterns)),
        };
        let (plan, spare) = Default::default();
        Self { wildcards, algorithm, queries, plan, segment: SEGMENT, set: InstructionSet::detect(), spare }
    }

    fn find_as<A: Alphabet>(&self, Job { batch, choice, streaks, .. }: Job, tally: &Tally) -> Option<Vec<Hit>> {
        let Self { algorithm, queries, plan, segment, set, spare, .. } = self;
        let plan = plan.get_or_init(|| {
            let machine = Machine { together: TILE_MAX, vector: Some(set.vector_bytes()), follows: true };
            let frequencies = Frequencies::of(batch.sequences().residues(), A::DIGITS);
            let plan = Plan::new(queries, &frequencies, *algorithm, machine);
            plan.make_all_windows(&frequencies, queries);
            plan
        });
        let total = batch.sequences().residues().len();
        let positions = positions(total, plan, *segment);
        let count = total.div_ceil(positions);
        let (parts, rule) = (Parts::new(tally.watch, count), Rule::new(choice, batch));
        let task = |k: usize| {
            if tally.is_full() {
                return Found::default();
            }
            let owned = k * positions..total.min((k + 1) * positions);
            let mut space = spare.take();
            let (alphabet, set) = (PhantomData, *set);
            let in_streaks = streaks.is_some();
            let part =
                Part::<A> { batch, owned, queries, plan, space: &mut space, rule, in_streaks, tally, set, alphabet };
            let found = set.run(part);
            spare.give_back(space);
            parts.add(1);
            found
        };
        let (lists, chained): (Vec<Vec<Hit>>, Vec<Vec<Streak>>) = (0..count).into_par_iter().map(task).unzip();
        let found = lists.iter().map(Vec::len).chain(chained.iter().map(Vec::len)).sum();
        let within = !tally.is_full() && tally.holds(found);
        let all = || {
            let mut all = lists.concat();
            if plan.scattered {
                all.par_sort_unstable();
                all.dedup();
            }
            if let Some(streaks) = streaks {
                let mut streaks = streaks.lock().unwrap_or_else(PoisonError::into_inner);
                chained.iter().for_each(|of_task| streaks.extend_from_slice(of_task));
            }
            all
        };
        within.then(all)
    }
}

/// What a task finds, all of it or all but what is in the streaks.
type Found = (Vec<Hit>, Vec<Streak>);

/// What a task does, with the vector instructions of this machine.
struct Part<'a, A> {
    batch: &'a Records,
    owned: Range<usize>,
    queries: &'a Queries,
    plan: &'a Plan,
    space: &'a mut Space,
    rule: Rule<'a>,
    /// Whether matches may be put together.
    in_streaks: bool,
    tally: &'a Tally<'a>,
    set: InstructionSet,
    alphabet: PhantomData<A>,
}

impl<A: Alphabet> Part<'_, A> {
    #[inline(always)]
    fn search(self) -> Found {
        let Self { batch, owned, queries, plan, space, rule, in_streaks, tally, set, .. } = self;
        let Space { segment, seek, brute, seats } = space;
        segment.encode::<A>(batch.sequences().residues(), owned, (plan, set));
        let sequences = Sequences::new(batch.sequences().starts());
        let mut search = Search {
            queries,
            plan,
            segment,
            sequences,
            hits: Vec::new(),
            streaks: in_streaks.then(Vec::new),
            rule,
            seats,
            followed: Vec::new(),
            kept: Kept::default(),
            tried: Tried::default(),
            tally,
            set,
        };
        seek::seek::<A>(&mut search, seek);
        if plan.doubles {
            search.hits.sort_unstable();
            search.hits.dedup();
        }
        brute::search::<A>(&mut search, brute);
        (search.hits, search.streaks.unwrap_or_default())
    }
}

impl<A: Alphabet> Task for Part<'_, A> {
    type Output = Found;

    #[inline(always)]
    fn portable(self) -> Found {
        self.search()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, _: Avx2) -> Found {
        self.search()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, _: Avx512) -> Found {
        self.search()
    }
}

impl Executor<Matching> for Cpu {
    fn compute(&mut self, job: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Option<Vec<Hit>>, watch: &dyn Watch) -> Result<bool> {
        let Job { batch, most, .. } = job;
        let tally = &Tally::new(most, watch);
        *output = match self.wildcards {
            _ if batch.sequences().residues().is_empty() || self.queries.all.is_empty() => Some(Vec::new()),
            Wildcards::Iupac => self.find_as::<Iupac>(job, tally),
            Wildcards::N => self.find_as::<Bytes>(job, tally),
        };
        Ok(!tally.has_given_up())
    }
}

/// Positions per task: enough tasks for all cores, but long against the overlap that each task encodes anew.
fn positions(total: usize, plan: &Plan, most: usize) -> usize {
    let share = total / (8 * rayon::current_num_threads());
    share.max(LEAST_SEGMENT).min(most).max(4 * (plan.before + plan.after))
}

#[cfg(test)]
mod tests;
