//! From scores to hits: what every fast executor of a search has in common.
//!
//! ```text
//! queries, database -> Rank: the targets worth keeping -> least score, order -> pairs -> aligner, each strand -> hits
//! ```
//!
//! Only targets that were chosen go to the aligner, gathered into a list of their own.

use super::{Database, Gathered, Hit, Job, Keep, Passes, Searching};
use crate::strands::{Directions, Stranded};
use crate::{Aligning, Batch, Job as PairsJob, Pair, Scoring};
use rayon::prelude::*;
use std::cmp::Reverse;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Asked, Executor, Patient, Watch};
use warpseq_engine::profile;
use warpseq_seq::Sequences;

/// A target, and its score with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// Its number in the database.
    pub target: u32,
    /// In scaled units.
    pub score: i64,
}

/// What is to be ranked.
#[derive(Clone, Copy)]
pub struct Ranking<'j> {
    /// The queries as they are and their reverse complements, as many; not both are `None`.
    pub strands: [Option<&'j Sequences>; 2],
    /// What they are searched in.
    pub database: &'j Database<'j>,
    /// How alignments are scored. Local ones alone.
    pub scoring: &'j Scoring,
    /// The most targets of a query.
    pub top: usize,
    /// For each query, the least score that is of interest; at least 0.
    pub least: &'j [i64],
    /// Where all targets are wanted (`top`): what of them is of interest. Others may be left out, and none that is may be.
    pub passes: Option<Passes<'j>>,
}

impl Ranking<'_> {
    /// How many queries there are.
    pub fn queries(&self) -> usize {
        self.least.len()
    }

    /// Residues of a query.
    pub fn length(&self, query: usize) -> usize {
        self.strands.iter().flatten().map(|queries| queries.length(query)).next().unwrap_or(0)
    }

    /// Whether a query's target with this score, which is not below its least one, is of interest.
    pub fn wants(&self, query: usize, Scored { target, score }: Scored) -> bool {
        let target = || self.database.targets().length(target as usize);
        self.passes.is_none_or(|passes| passes(score, [self.length(query), target()]))
    }
}

/// Scores targets and chooses among them.
pub trait Rank: Send {
    /// For each query the targets that are searched with at least its `least` score and [wanted](Ranking::wants), the better of the strands'
    /// scores counting, and of those the `top` of the highest scores, of equal ones the first; in the order of the database.
    /// Some may be missing where `watch` does not want them any more.
    ///
    /// # Errors
    /// Those of a device.
    fn rank(&mut self, ranking: &Ranking, watch: &dyn Watch) -> Result<Vec<Vec<Scored>>>;
}

/// An executor made of one that ranks and one that aligns.
pub struct Finder<R, A> {
    /// Scores and chooses.
    pub rank: R,
    /// Aligns what was chosen.
    pub aligner: A,
}

impl<R: Rank, A: Executor<Aligning>> Executor<Searching> for Finder<R, A> {
    fn compute(&mut self, job: Job, output: &mut Vec<Vec<Hit>>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Vec<Vec<Hit>>, watch: &dyn Watch) -> Result<bool> {
        let Job { queries, database, scoring, strands, keep, .. } = job;
        let directions = Directions::new(queries, strands);
        let least = keep.least(queries, database);
        let top = keep.top.unwrap_or(usize::MAX);
        let passes = keep.passes.filter(|_| keep.top.is_none());
        let watch = &Asked::new(watch);
        output.clear();
        let mut chosen = {
            let _range = profile::range("rank");
            let strands = directions.each();
            self.rank.rank(&Ranking { strands, database, scoring, top, least: &least, passes }, watch)?
        };
        if !watch.is_wanted() {
            return Ok(false);
        }
        for (k, chosen) in chosen.iter_mut().enumerate() {
            keep.apply(queries.length(k), database, chosen);
        }
        let _range = profile::range("align");
        let mut aligned = self.align(&job, &directions, &chosen, watch)?.into_iter();
        if !watch.is_wanted() {
            return Ok(false);
        }
        output.extend(chosen.iter().map(|chosen| {
            let hit = |(scored, (alignment, reverse)): (&Scored, Stranded)| {
                debug_assert_eq!(scored.score, alignment.score);
                Hit { target: scored.target, reverse, alignment }
            };
            chosen.iter().zip(aligned.by_ref()).map(hit).collect()
        }));
        Ok(true)
    }
}

impl<R, A: Executor<Aligning>> Finder<R, A> {
    /// The better alignment of each chosen target, query by query; forward where both strands are as good. Some may be missing where
    /// `watch` does not want them any more.
    fn align(
        &mut self,
        job: &Job,
        directions: &Directions,
        chosen: &[Vec<Scored>],
        watch: &Asked,
    ) -> Result<Vec<Stranded>> {
        let gathered = Gathered::new(job.database, chosen.iter().flatten().map(|scored| scored.target));
        let gathered = &gathered;
        let of_query = |(query, chosen): (u32, &Vec<Scored>)| -> Vec<Pair> {
            chosen.iter().map(|scored| Pair { query, target: gathered.number(scored.target) }).collect()
        };
        let pairs: Vec<Pair> = (0..).zip(chosen).flat_map(of_query).collect();
        directions.align(|queries| {
            let batch = Batch::new(queries, gathered.targets(), &pairs);
            let mut alignments = Vec::new();
            let pairs = PairsJob { batch, scoring: job.scoring, want: job.want, names: None };
            self.aligner.compute_watched(pairs, &mut alignments, &Asked::quiet(watch))?;
            Ok(alignments)
        })
    }
}

impl Keep<'_> {
    /// The least score that each query keeps with any target: the same for queries of the same length.
    fn least(&self, queries: &Sequences, database: &Database) -> Vec<i64> {
        let mut lengths: Vec<usize> = queries.lengths().map(|length| length as usize).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let least: Vec<i64> = lengths.par_iter().map(|&length| self.least_of(length, database)).collect();
        let of_length = |length: u64| lengths.binary_search(&(length as usize)).expect("every query's length is there");
        queries.lengths().map(|length| least[of_length(length)]).collect()
    }

    /// The least score that a query of this length keeps with any target.
    fn least_of(&self, query: usize, database: &Database) -> i64 {
        let Some(passes) = self.passes else { return 0 };
        let (mut low, mut least) = (0, LEAST_MAX);
        let Some(first) = database.lengths().next() else { return 0 };
        while low < least {
            let middle = low.midpoint(least);
            if passes(middle, [query, first]) { least = middle } else { low = middle + 1 }
        }
        for target in database.lengths() {
            while least > 0 && passes(least - 1, [query, target]) {
                least -= 1;
            }
        }
        least
    }

    /// Leaves of a query's best targets what it keeps, in the order of hits.
    fn apply(&self, query: usize, database: &Database, chosen: &mut Vec<Scored>) {
        if let Some(passes) = self.passes {
            let target = |scored: &Scored| database.targets().length(scored.target as usize);
            chosen.retain(|scored| passes(scored.score, [query, target(scored)]));
        }
        if self.top.is_some() {
            chosen.sort_by_key(|scored| Reverse(scored.score));
        }
    }
}

/// No score is as high.
const LEAST_MAX: i64 = 1 << 48;
