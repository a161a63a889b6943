//! The targets that align best with each query: the search of `warpseq align --pairs all --top`, which aligns no other pair.
//!
//! ```text
//! targets -> those of the search before, or new ones
//! queries -> batches -> hits -> rows
//! ```
//!
//! # The targets of the last search
//!
//! They stay with the engine. Those of the next search are compared with them, byte by byte, so that what was made of them, their
//! order and their copy on a GPU, serves again where they are the same. That arrays are the same objects would not tell: they may be
//! written to.

use super::rows::{Row, Rows};
use super::{Aligning, Source};
use crate::engine::{Kept, compute};
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
/// Those of a batch without one, for each thread: less than half a second.
const CELLS_OF_THREAD: u64 = 1 << 31;
/// Bytes that a hit takes beside its path.
const HIT: usize = 128;

/// What searches for all calls of an engine.
pub struct Searchers {
    kept: Kept<Searcher>,
    /// The targets of the last search.
    last: Mutex<Option<Arc<Targets>>>,
}

/// What is searched.
struct Targets {
    records: Arc<Records>,
    database: Database<'static>,
}

impl Searchers {
    /// Nothing has been searched.
    pub const fn new() -> Self {
        Self { kept: Kept::new(&SEARCHER), last: Mutex::new(None) }
    }

    /// These records as targets: those of the last search if they are the same.
    fn targets(&self, records: Records) -> Arc<Targets> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last
            && *last.records == records
        {
            return last.clone();
        }
        // What nobody searches any more is gone before there is more.
        *last = None;
        last.insert(Arc::new(Targets::new(records))).clone()
    }
}

impl Targets {
    fn new(records: Records) -> Self {
        let records = Arc::new(records);
        Self { database: Database::of_records(Arc::clone(&records)), records }
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
        let statistics = self.request.statistics(records.sequences());
        let targets = self.machine.pool.install(|| self.searchers.targets(records));
        let filter = self.request.filter(statistics.as_ref());
        let mut most = self.request.top;
        while let Some(some) = self.reading(|| self.some_queries(&mut queries, &targets, most))? {
            let found = self.find(&some, &targets, &filter)?;
            if self.request.top.is_none() {
                most = most.max(found.iter().map(|found| found.len().max(1)).max());
            }
            let all = (0..).zip(&found).flat_map(|(k, hits)| hits.iter().map(move |hit| (k, hit)));
            let all = all.map(|(k, hit)| Row {
                records: [(&some, k), (&*targets.records, hit.target as usize)],
                alignment: &hit.alignment,
                reverse: hit.reverse,
            });
            let passing = all.filter(|row| filter.passes(row.alignment, row.lengths()));
            rows.extend(&self.machine.pool, &passing.collect::<Vec<_>>(), statistics.as_ref());
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
        let cells = if self.machine.is_on_gpu()? { CELLS_FOR_GPU } else { CELLS_OF_THREAD * threads };
        let residues = (cells / targets.records.sequences().residues().len().max(1) as u64).max(1) as usize;
        let hits = most.unwrap_or(usize::MAX).min(targets.records.len());
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
    fn find(&self, queries: &Records, targets: &Targets, filter: &Filter) -> Result<Vec<Vec<Hit>>> {
        let Self { machine, call, request, .. } = *self;
        call.go_on()?;
        let passes = |score: i64, lengths: [usize; 2]| filter.passes_by_score(score, lengths);
        let keep = Keep { top: request.top, passes: filter.looks_at_scores().then_some(&passes) };
        let job = Job {
            queries: queries.sequences(),
            database: &targets.database,
            scoring: &request.scoring,
            strands: request.strands,
            keep,
            want: request.want,
            names: Some([queries.names(), targets.records.names()]),
        };
        let mut hits = Vec::new();
        self.searchers.kept.with(machine, call, |executor| compute(executor, call, job, &mut hits))?;
        Ok(hits)
    }
}
