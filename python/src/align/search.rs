//! The targets that align best with each query: the search of `warpseq align --pairs all --top`, which aligns no other pair.
//!
//! ```text
//! targets -> those of the search before, or new ones: parts
//! queries -> batches -> each part: hits -> the best of all -> rows
//! ```
//!
//! # Parts
//!
//! A GPU searches all targets at once. A search on the CPU does not end before it is done, so it goes part by part, and looks for
//! signals in between. That changes no row: what is among the `top` of all targets is among the `top` of its part. It has to score
//! more than what a query has kept of the parts before when that is as much as it may keep, since of equal scores the first counts; so few
//! are aligned that do not stay.
//!
//! # The targets of the last search
//!
//! They stay with the engine. Those of the next search are compared with them, byte by byte, so that what was made of them, their
//! order and their copy on a GPU, serves again where they are the same. That arrays are the same objects would not tell: they may be
//! written to.

use super::arguments::Request;
use super::rows::{Row, Rows};
use super::{Aligning, CELLS, Source};
use crate::engine::{Kept, compute};
use crate::input::pieces;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use warpseq::align::Want;
use warpseq::align::filter::Filter;
use warpseq::align::input::File;
use warpseq::align::pairing::{RECORD_BYTES, RECORDS_MAX};
use warpseq::align::search::{Database, Hit, Job, Keep, Searcher, TARGET_BYTES};
use warpseq::console::Console;
use warpseq::error::{FileError, Result};
use warpseq::seq::Records;

/// How targets are searched in a process, which no call changes.
static SEARCHER: Searcher = Searcher { console: Console::Silent };

/// Cells of a batch with a GPU, which are a tenth of a second there.
const CELLS_FOR_GPU: u64 = 500_000_000_000;
/// Residues of a part on the CPU: with a query of 4,000, half a second on two cores at most.
const PART: usize = 1 << 20;
/// Bytes that a hit takes beside its path.
const HIT: usize = 128;

/// What searches for all calls of an engine.
pub struct Searchers {
    kept: Kept<Searcher>,
    /// The targets of the last search.
    last: Mutex<Option<Arc<Targets>>>,
}

/// What is searched, in parts.
struct Targets(Vec<Part>);

/// Targets that are searched together.
struct Part {
    records: Arc<Records>,
    database: Database<'static>,
}

/// A hit, and the part that it is in.
type Found = (usize, Hit);

impl Searchers {
    /// Nothing has been searched.
    pub const fn new() -> Self {
        Self { kept: Kept::new(&SEARCHER), last: Mutex::new(None) }
    }

    /// These records as targets: those of the last search if they are the same.
    fn targets(&self, records: Records, part: usize) -> Arc<Targets> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last
            && last.are(&records)
        {
            return last.clone();
        }
        // What nobody searches any more is gone before there is more.
        *last = None;
        last.insert(Arc::new(Targets::new(records, part))).clone()
    }
}

impl Targets {
    /// These records in parts of about so many residues.
    fn new(records: Records, residues: usize) -> Self {
        let part = |records| {
            let records = Arc::new(records);
            Part { database: Database::of_records(Arc::clone(&records)), records }
        };
        match records.sequences().residues().len() <= residues {
            true => Self(vec![part(records)]),
            false => Self(pieces(&records, residues).map(part).collect()),
        }
    }

    /// Whether they were made of these records.
    fn are(&self, records: &Records) -> bool {
        let own = || self.0.iter().flat_map(|Part { records, .. }| (0..records.len()).map(move |k| (records, k)));
        let is_same = |(k, (own, at)): (usize, (&Arc<Records>, usize))| {
            own.sequence(at) == records.sequence(k) && own.name(at) == records.name(k)
        };
        self.len() == records.len() && (0..).zip(own()).all(is_same)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|part| part.records.len()).sum()
    }

    /// Residues of the largest part.
    fn residues(&self) -> usize {
        self.0.iter().map(|part| part.records.sequences().residues().len()).max().unwrap_or(0)
    }
}

impl Aligning<'_> {
    /// The rows of what each query keeps.
    ///
    /// # Errors
    /// Those of the files and of the device; an interruption.
    pub fn search(&self, [queries, targets]: [Source; 2], rows: &mut Rows) -> Result<()> {
        let held = queries.held();
        let mut queries = self.reading(|| self.open(queries))?;
        let records = self.reading(|| self.open(targets).and_then(|targets| self.hold(targets)))?;
        let part = if self.machine.is_on_gpu()? { usize::MAX } else { PART };
        let statistics = self.request.statistics(records.sequences());
        let targets = self.machine.pool.install(|| self.searchers.targets(records, part));
        let filter = self.request.filter(statistics.as_ref());
        let mut most = self.request.top;
        while let Some(some) = self.reading(|| self.some_queries(&mut queries, &targets, most))? {
            let found = self.find(&some, &targets, &filter)?;
            if self.request.top.is_none() {
                most = most.max(found.iter().map(|found| found.len().max(1)).max());
            }
            for (k, (part, hit)) in (0..).zip(&found).flat_map(|(k, found)| found.iter().map(move |found| (k, found))) {
                let records = [(&some, k), (&*targets.0[*part].records, hit.target as usize)];
                let row = Row { records, alignment: &hit.alignment, reverse: hit.reverse };
                if filter.passes(&hit.alignment, row.lengths()) {
                    rows.push(&row, statistics.as_ref());
                }
            }
            rows.end_part();
            self.tell(held, &queries);
        }
        Ok(())
    }

    /// All targets.
    fn hold(&self, mut targets: File) -> Result<Records> {
        let (mut all, limit) = (Records::default(), self.memory.held);
        let unusable = |targets: &File, message| FileError::Unusable { path: targets.path().into(), message };
        while let count @ 1.. = targets.ready()?.1.len() {
            targets.take(count, &mut all);
            let bytes = all.sequences().residues().len() + all.len() * (RECORD_BYTES + TARGET_BYTES);
            // One target is searched whatever it takes.
            if bytes > limit && all.len() > 1 {
                let message = format!(
                    "the targets are held in memory and take more than the {limit} bytes that the engine has for them: give it \
                     more memory, or search some of them at a time"
                );
                return Err(unusable(&targets, message).into());
            }
        }
        if all.is_empty() { Err(unusable(&targets, "there are no targets in it".into()).into()) } else { Ok(all) }
    }

    /// The next queries: as many as a batch takes, where a query keeps no more than `most` hits, or all; `None` at the end.
    fn some_queries(&self, queries: &mut File, targets: &Targets, most: Option<usize>) -> Result<Option<Records>> {
        let threads = self.machine.pool.current_num_threads() as u64;
        let cells = if self.machine.is_on_gpu()? { CELLS_FOR_GPU } else { CELLS / 2 * threads };
        let residues = (cells / targets.residues().max(1) as u64).max(1) as usize;
        let hits = most.unwrap_or(usize::MAX).min(targets.len());
        let (mut some, mut weighs) = (Records::default(), 0_usize);
        while weighs < self.memory.batch && some.sequences().residues().len() < residues && some.len() < RECORDS_MAX {
            if !queries.next(&mut some)? {
                break;
            }
            let query = some.sequences().length(some.len() - 1);
            let hit = if self.request.want == Want::Score { HIT } else { HIT + 2 * query };
            weighs = weighs.saturating_add(hits.saturating_mul(hit)).saturating_add(query);
        }
        Ok(Some(some).filter(|some| !some.is_empty()))
    }

    /// What each query keeps of all targets.
    fn find(&self, queries: &Records, targets: &Targets, filter: &Filter) -> Result<Vec<Vec<Found>>> {
        let Request { top, .. } = *self.request;
        // What falls short may keep out of the best of all what does not in another part.
        let by_score = filter.looks_at_scores() && (top.is_none() || targets.0.len() == 1);
        let mut all = vec![Vec::new(); queries.len()];
        for (k, part) in targets.0.iter().enumerate() {
            self.call.go_on()?;
            let beaten = top.map(|top| beaten(queries, &all, top)).unwrap_or_default();
            let passes = |score: i64, lengths: [usize; 2]| {
                beaten.get(&lengths[0]).is_none_or(|&least| score > least)
                    && (!by_score || filter.passes_by_score(score, lengths))
            };
            for (found, hits) in all.iter_mut().zip(self.find_in(part, queries, Keep { top, passes: Some(&passes) })?) {
                found.extend(hits.into_iter().map(|hit| (k, hit)));
                if let Some(top) = top {
                    found.sort_by_key(|(_, hit)| Reverse(hit.alignment.score));
                    found.truncate(top);
                }
            }
        }
        Ok(all)
    }

    fn find_in(&self, part: &Part, queries: &Records, keep: Keep) -> Result<Vec<Vec<Hit>>> {
        let Self { machine, call, request, .. } = *self;
        let job = Job {
            queries: queries.sequences(),
            database: &part.database,
            scoring: &request.scoring,
            strands: request.strands,
            keep,
            want: request.want,
            names: Some([queries.names(), part.records.names()]),
        };
        let mut hits = Vec::new();
        self.searchers.kept.with(machine, call, |executor| compute(executor, call, job, &mut hits))?;
        Ok(hits)
    }
}

/// For queries of each length that have all found `top` targets, the score that a further one has to exceed with any of them.
fn beaten(queries: &Records, found: &[Vec<Found>], top: usize) -> HashMap<usize, i64> {
    let mut beaten = HashMap::new();
    for (k, found) in found.iter().enumerate() {
        let last = found.get(top - 1).map_or(i64::MIN, |(_, hit)| hit.alignment.score);
        let least = beaten.entry(queries.sequences().length(k)).or_insert(last);
        *least = last.min(*least);
    }
    beaten
}
