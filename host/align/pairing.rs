//! Which record is aligned with which, and how pairs are cut into work.
//!
//! # Definition
//!
//! ```text
//! zip   record k of the queries with record k of the targets; a file of one record with every record of the other
//! all   each query with each target, query by query
//! ```
//!
//! # Who holds what
//!
//! ```text
//! zip, many and many       both files are streamed, record by record
//! zip, one query           the query is held, the targets are streamed
//! all, or one target       the targets are held, the queries are streamed
//! ```
//!
//! A piece of work is complete when the *weight* of its pairs, which bounds what aligning them takes, reaches a limit, so
//! memory is that of the pieces in flight and of what is held. Where all pairs of a query must be seen together (the best
//! of them is wanted), a piece holds whole queries and the targets are always held; otherwise the pairs of one query may be
//! spread over pieces. Pairs come in the same order however they are cut.
//!
//! # Right at the edges
//!
//! Without queries there are no pairs, however many targets there are; without targets there is an error. Unequal counts show
//! only at the end of the shorter file; the longer one is then read to its end, so that the error names both counts.

use super::Pair;
use super::input::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use warpseq_engine::error::{Error, FileError, Result};
use warpseq_io::fastx::Spare;
use warpseq_seq::Records;

/// The most streamed records of a piece of work.
pub const RECORDS_MAX: usize = 1 << 20;
/// Bytes that a record takes besides its residues and qualities: for a name and a start.
pub const RECORD_BYTES: usize = 64;
/// What a pair weighs besides its residues and names: its alignment and row.
const PAIR_WEIGHT: usize = 128;
/// Bytes that a target's pair with a query takes while all pairs of the query wait for the best of them: as a pair in work and
/// among those to be reported, as a score, and in the order of scores.
const RANKED_BYTES: usize = 96;

/// Which record is aligned with which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Record k with record k; a file of one record with every record of the other.
    #[default]
    Zip,
    /// Each query with each target.
    All,
}

/// Pairs, and the records they are made of.
#[derive(Clone, Debug)]
pub struct Work {
    /// Queries that the pairs are of.
    pub queries: Arc<Records>,
    /// Targets that the pairs are of.
    pub targets: Arc<Records>,
    /// In the order of the output: query by query.
    pub pairs: Vec<Pair>,
    /// What it weighs.
    pub weight: usize,
}

impl Work {
    /// Gives its memory, but for what others hold and what is beyond the needs of work that weighs `limit`, to work that is to come: to take new
    /// memory takes longer than to fill it.
    pub fn give_back(self, spare: &Spare, limit: usize) {
        let of_both = [self.queries, self.targets].into_iter().filter_map(Arc::into_inner);
        of_both.for_each(|records| spare.give_back(records, limit));
    }
}

/// Bounds on the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The weight that completes a piece of work.
    pub weight: usize,
    /// Bytes of the targets that may be held, the longest target apart.
    pub held: usize,
    /// Whether all pairs of a query are in one piece of work.
    pub whole_queries: bool,
}

/// What a pair weighs: a bound on the columns of its alignment, its names, and what any pair takes.
pub fn weight(queries: &Records, query: usize, targets: &Records, target: usize) -> usize {
    record_weight(queries, query) + record_weight(targets, target) + PAIR_WEIGHT
}

/// Residues of record `k`, and characters of its name.
fn record_weight(records: &Records, k: usize) -> usize {
    records.sequences().length(k) + records.name(k).len()
}

/// About how many bytes of memory records take.
fn bytes(records: &Records) -> usize {
    records.sequences().residues().len() + records.qualities().len() + RECORD_BYTES * records.len()
}

/// The pairs of two files, piece by piece.
pub struct Works {
    queries: File,
    targets: File,
    limits: Limits,
    source: Source,
    order: Order,
    spare: Spare,
}

/// Where pairs come from.
enum Source {
    Zip,
    /// The only query.
    OneQuery(Arc<Records>),
    /// All targets, and the pairs that have been cut off the last queries.
    Held {
        targets: Arc<Records>,
        rest: Option<Grid>,
    },
}

/// Queries, of whose pairs with all targets the first `done` have been handed out.
struct Grid {
    queries: Arc<Records>,
    done: usize,
}

impl Works {
    /// The pairs of the records of two files.
    ///
    /// # Errors
    /// Those of reading; no targets; targets that have to be held and take more than [`Limits::held`].
    pub fn new(queries: File, targets: File, pairing: Pairing, limits: Limits) -> Result<Self> {
        if targets.is_empty() {
            return Err(FileError::Unusable {
                path: targets.path().into(),
                message: "there are no targets in it".into(),
            }
            .into());
        }
        let mut works =
            Self { queries, targets, limits, source: Source::Zip, order: Order::default(), spare: Spare::default() };
        let one_query = works.queries.is_single();
        if pairing == Pairing::All || works.targets.is_single() || one_query && limits.whole_queries {
            works.source = Source::Held { targets: Arc::new(works.hold_targets()?), rest: None };
        } else if one_query {
            let mut query = Records::default();
            works.source = match works.queries.next(&mut query)? {
                true => Source::OneQuery(Arc::new(query)),
                // Another shard has it.
                false => Source::Held { targets: Arc::default(), rest: None },
            };
        }
        Ok(works)
    }

    fn hold_targets(&mut self) -> Result<Records> {
        let (mut all, mut longest, limit) = (Records::default(), 0, self.limits.held);
        let ranked = if self.limits.whole_queries { RANKED_BYTES } else { 0 };
        loop {
            let (some, range) = self.targets.ready()?;
            if range.is_empty() {
                return Ok(all);
            }
            let record =
                |k| some.sequences().length(k) + some.quality(k).map_or(0, <[u8]>::len) + RECORD_BYTES + ranked;
            longest = range.clone().map(record).fold(longest, usize::max);
            self.targets.take(range.len(), &mut all);
            if bytes(&all) + all.len() * ranked - longest > limit {
                let message = format!(
                    "the targets are held in memory and take more than the {limit} bytes that --max-memory leaves them: \
                     raise --max-memory, or align with parts of the file"
                );
                return Err(FileError::Unusable { path: self.targets.path().into(), message }.into());
            }
        }
    }

    /// The queries being read, to follow their progress.
    pub fn queries(&self) -> &File {
        &self.queries
    }

    /// The targets being read.
    pub fn targets(&self) -> &File {
        &self.targets
    }

    /// Where the memory of work goes that is done, and from where that of the next is taken.
    pub fn spare(&self) -> &Spare {
        &self.spare
    }

    /// All targets, when they are in memory.
    pub fn held_targets(&self) -> Option<&Arc<Records>> {
        match &self.source {
            Source::Held { targets, .. } => Some(targets),
            _ => None,
        }
    }

    /// The file whose reading shows how far the run has come.
    pub fn streamed(&self) -> &File {
        if matches!(self.source, Source::OneQuery(_)) { &self.targets } else { &self.queries }
    }

    /// Whether the two files have had the same names so far, but not in the same order.
    pub fn names_in_another_order(&self) -> bool {
        self.order.differs && self.order.difference == 0
    }

    /// The next piece of work, never without pairs; `None` at the end.
    ///
    /// # Errors
    /// Those of reading; files of unequal counts.
    pub fn next_work(&mut self) -> Result<Option<Work>> {
        let work = match &mut self.source {
            Source::Zip => self.next_zipped()?,
            Source::OneQuery(query) => {
                let query = query.clone();
                self.next_of_one(query)?
            }
            Source::Held { targets, rest } => {
                let (targets, rest) = (targets.clone(), rest.take());
                self.next_held(targets, rest)?
            }
        };
        Ok(Some(work).filter(|work| !work.pairs.is_empty()))
    }

    fn next_zipped(&mut self) -> Result<Work> {
        let (mut queries, mut targets, mut weighs) = (self.spare.take(), self.spare.take(), 0);
        let none = self.queries.is_empty();
        while !none && weighs < self.limits.weight && queries.len() < RECORDS_MAX {
            if self.queries.ready()?.1.is_empty() && self.queries.is_cut() {
                break;
            }
            self.targets.skip_to(self.queries.skipped())?;
            let ((some, of_queries), (others, of_targets)) = (self.queries.ready()?, self.targets.ready()?);
            if of_queries.is_empty() != of_targets.is_empty() {
                return Err(self.unequal()?);
            }
            let room = RECORDS_MAX - queries.len();
            let mut count = 0;
            for (query, target) in of_queries.zip(of_targets).take(room) {
                self.order.add(some.name(query), others.name(target));
                weighs += weight(some, query, others, target);
                count += 1;
                if weighs >= self.limits.weight {
                    break;
                }
            }
            if count == 0 {
                break;
            }
            self.queries.take(count, &mut queries);
            self.targets.take(count, &mut targets);
        }
        let pairs = (0..queries.len() as u32).map(|k| Pair { query: k, target: k }).collect();
        Ok(Work { queries: Arc::new(queries), targets: Arc::new(targets), pairs, weight: weighs })
    }

    fn unequal(&mut self) -> Result<Error> {
        let [queries, targets] = [self.queries.count_all()?, self.targets.count_all()?];
        let message = format!(
            "its {queries} records do not pair one with one with the {targets} of {}: \
             for each query with each target, say --pairs all",
            self.targets.path().display()
        );
        Ok(FileError::Unusable { path: self.queries.path().into(), message }.into())
    }

    fn next_of_one(&mut self, queries: Arc<Records>) -> Result<Work> {
        let (mut targets, mut weighs) = (self.spare.take(), 0);
        while weighs < self.limits.weight && targets.len() < RECORDS_MAX && self.targets.next(&mut targets)? {
            weighs += weight(&queries, 0, &targets, targets.len() - 1);
        }
        let pairs = (0..targets.len() as u32).map(|target| Pair { query: 0, target }).collect();
        Ok(Work { queries, targets: Arc::new(targets), pairs, weight: weighs })
    }

    fn next_held(&mut self, targets: Arc<Records>, rest: Option<Grid>) -> Result<Work> {
        let mut grid = match rest {
            Some(grid) => grid,
            None => Grid { queries: Arc::new(self.some_queries(&targets)?), done: 0 },
        };
        let limit = if self.limits.whole_queries { usize::MAX } else { self.limits.weight };
        let (queries, (pairs, weight)) = (grid.queries.clone(), grid.cut(&targets, limit));
        if grid.done < queries.len() * targets.len() {
            self.source = Source::Held { targets: targets.clone(), rest: Some(grid) };
        }
        Ok(Work { queries, targets, pairs, weight })
    }

    /// As many queries as complete a piece of work.
    fn some_queries(&mut self, targets: &Records) -> Result<Records> {
        let (mut queries, mut weighs) = (self.spare.take(), 0_usize);
        while weighs < self.limits.weight && queries.len() < RECORDS_MAX && self.queries.next(&mut queries)? {
            let each = record_weight(&queries, queries.len() - 1) + PAIR_WEIGHT;
            let row = each.saturating_mul(targets.len()).saturating_add(targets.sequences().residues().len());
            weighs = weighs.saturating_add(row);
        }
        Ok(queries)
    }
}

impl Grid {
    /// Cuts off pairs that weigh `limit`, at least one if any is left; and what they weigh.
    fn cut(&mut self, targets: &Records, limit: usize) -> (Vec<Pair>, usize) {
        let (mut pairs, mut weighs, end) = (Vec::new(), 0_usize, self.queries.len() * targets.len());
        while weighs < limit && self.done < end {
            let (query, target) = (self.done / targets.len(), self.done % targets.len());
            weighs = weighs.saturating_add(weight(&self.queries, query, targets, target));
            pairs.push(Pair { query: query as u32, target: target as u32 });
            self.done += 1;
        }
        (pairs, weighs)
    }
}

/// Whether two files hold the same names in different orders, from sums of hashes, which no order changes.
#[derive(Default)]
struct Order {
    /// The hashes of the queries less those of the targets.
    difference: u64,
    differs: bool,
}

impl Order {
    fn add(&mut self, query: &[u8], target: &[u8]) {
        if query == target {
            return;
        }
        let hash = |name: &[u8]| {
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            hasher.finish()
        };
        self.difference = self.difference.wrapping_add(hash(query)).wrapping_sub(hash(target));
        self.differs = true;
    }
}

#[cfg(test)]
mod tests;
