//! A run that searches: the best targets of each query, without a pair of any other ([`crate::search`]).
//!
//! ```text
//! targets -> Database    queries -> batches -> workers: search, text -> calling thread: output, in order
//! ```
//!
//! Targets that memory cannot hold are searched part by part ([`parts`]), and what was found is put together ([`merged`]).
//!
//! Where a batch has one long query, or few targets fit a batch, GPUs divide its targets by their residues: a *share* is a job of its own,
//! and the calling thread puts the hits of all shares together and writes the rows.
//!
//! Under `auto` the sizes of the files say who searches: a GPU is worth opening for what would take the CPU longer than that.
//!
//! Memory: a batch has about as many queries as whose hits fit. With `top` it is known how many those are. Without, a query may keep all
//! targets: so batches are counted as if they did, until some have been searched; then as if no query keeps more than any before.

mod merged;
mod parts;
mod rows;

pub(super) use parts::piece;

use super::batch::Aligned;
use super::{Request, Run, Seen};
use crate::input::{File, Piece};
use crate::search::{Database, Hit, Job, Keep, Passes, Searcher};
use merged::{Found, Merged};
use parts::{Part, Parts, Place, Rounds, gather};
use rayon::prelude::*;
use rows::{Hits, QUERIES};
use std::collections::VecDeque;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpseq_engine::error::{Error, FileError, Result};
use warpseq_engine::executor::Executor;
use warpseq_engine::options::{Processor, RunOptions};
use warpseq_engine::profile;
use warpseq_engine::room::{Guard, Room};
use warpseq_engine::run::{Computed, Setup, run as run_batches};
use warpseq_engine::worker::Worker;
use warpseq_io::output::Output;
use warpseq_io::output::spool::Spool;
use warpseq_seq::{Records, Strands};

/// Cells that a thread of the CPU computes in about a third of a second, in which a GPU is opened.
const CELLS_OF_THREAD: u64 = 2_000_000_000;
/// Cells of a batch with a GPU, which are a tenth of a second there, without, and on the emulator.
const CELLS_FOR_GPU: u64 = 500_000_000_000;
const CELLS_FOR_CPU: u64 = 20_000_000_000;
const CELLS_FOR_EMULATOR: u64 = 10_000;
/// Bytes that a hit takes beside its path, and that it may take with one.
const HIT: usize = 128;

impl Request {
    /// What the search computes on.
    pub(super) fn searching(&self) -> RunOptions {
        let size = |path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
        let cells =
            size(&self.queries).zip(size(&self.targets)).map(|(queries, targets)| queries.saturating_mul(targets));
        let few = CELLS_OF_THREAD * rayon::current_num_threads() as u64;
        let processor = match self.run.processor {
            Processor::Auto if cells.is_some_and(|cells| cells < few) => Processor::Cpu,
            Processor::Auto => Processor::CudaOrCpu,
            chosen => chosen,
        };
        RunOptions { processor, ..self.run }
    }
}

/// What is searched, and what for.
pub(super) struct Searched {
    pub queries: File,
    pub parts: Parts,
    /// The first part of the targets, and whether that is all.
    pub first: Arc<Records>,
    pub whole: bool,
}

impl Searched {
    /// Reads the first part.
    ///
    /// # Errors
    /// Those of reading; no targets.
    pub fn new(queries: File, targets: File, piece: Piece) -> Result<Self> {
        let mut parts = Parts::new(targets, piece);
        let Some(first) = parts.next_records()? else { return Err(no_targets(parts.file())) };
        let whole = parts.is_at_end()?;
        Ok(Self { queries, parts, first, whole })
    }
}

/// Where the next queries come from, and what they are searched in.
enum Source<'a> {
    /// All targets.
    Whole(&'a mut File, Arc<Part>),
    /// One part of the targets after another.
    Rounds(Rounds<'a>),
}

/// Queries, and what they are searched in.
#[derive(Clone)]
struct Batch {
    part: Arc<Part>,
    queries: Arc<Records>,
    /// `None`: the part is all that there is.
    place: Option<Place>,
    /// The share of the part that is searched; `None`: all of it.
    share: Option<Share>,
    _guard: Arc<Guard>,
}

#[derive(Clone)]
struct Share {
    database: Database<'static>,
    is_last: bool,
}

/// What became of a batch.
enum Outcome {
    Whole(Written),
    /// The hits of each query in a share, and the batch after the last one.
    Share(Vec<Vec<Hit>>, Option<Batch>),
}

/// The rows of a batch; of one in a part of the targets, what is to be put together with those in other parts.
struct Written {
    aligned: Aligned,
    found: Option<(Found, Place)>,
}

/// A search, and what all its workers share.
struct Search<'a> {
    run: &'a Run<'a>,
    /// Whether targets are searched part by part.
    in_parts: bool,
    /// The most targets that a query may keep, or without `top` has kept so far; 0: not known.
    kept: AtomicUsize,
    /// Cells of a batch.
    cells: u64,
    /// Whether a batch of twice as many is divided.
    divides: bool,
}

impl Run<'_> {
    /// Searches all targets for the queries and writes what they keep.
    ///
    /// # Errors
    /// Those of reading, of the executors and of the output; a difference between executors.
    pub(super) fn search(
        &self,
        searched: &mut Searched,
        setup: Setup,
        output: &mut Output,
        seen: &mut Seen,
    ) -> Result<Computed> {
        let Searched { queries, parts, first, whole } = searched;
        // Nothing else holds the first part when the next one is read.
        let first = parts.part(std::mem::take(first));
        let mut source = match whole {
            true => Source::Whole(queries, Arc::new(first)),
            false => Source::Rounds(Rounds::new(queries, parts, first, self.memory.room)?),
        };
        let search = Search::new(self, setup.options.processor, !*whole);
        let room = Room::new(self.memory.room);
        let searcher = Searcher { console: self.request.run.console };
        let (mut shares, mut hits, mut merged) = (VecDeque::new(), Vec::new(), Merged::new(self.folder));
        run_batches(
            &searcher,
            setup,
            || {
                if shares.is_empty() {
                    shares = search.next(&mut source, &room)?.map_or_else(VecDeque::new, |batch| search.divide(batch));
                }
                Ok(shares.pop_front())
            },
            |worker, batch| search.compute(worker, batch),
            |outcome| {
                let Some(Written { aligned, found }) = search.put_together(outcome, &mut hits)? else { return Ok(()) };
                seen.put(aligned, output)?;
                found.map_or(Ok(()), |(found, place)| self.merge(&mut merged, found, place, output))
            },
        )
    }

    /// Adds what was found to what was found in the parts before; writes it when no part is left.
    fn merge(&self, merged: &mut Merged, found: Found, place: Place, output: &mut Output) -> Result<()> {
        if place.begins_part {
            merged.begin_part();
        }
        merged.add(found)?;
        if let Some(queries) = place.ends_round {
            std::mem::replace(merged, Merged::new(self.folder)).write(queries, self.request.top, output)?;
        }
        Ok(())
    }
}

impl<'a> Search<'a> {
    fn new(run: &'a Run<'a>, processor: Processor, in_parts: bool) -> Self {
        let (cells, divides) = match processor {
            Processor::Emulator => (CELLS_FOR_EMULATOR, true),
            _ if processor.expects_gpu() => (CELLS_FOR_GPU, true),
            _ => (CELLS_FOR_CPU, false),
        };
        Self { run, in_parts, kept: AtomicUsize::new(run.request.top.unwrap_or(0)), cells, divides }
    }

    /// The next queries and what they are searched in.
    fn next(&self, source: &mut Source, room: &Room) -> Result<Option<Batch>> {
        let memory = &self.run.memory;
        room.wait_for(memory.batch);
        let part = match source {
            Source::Whole(_, part) => Some(part.clone()),
            Source::Rounds(rounds) => rounds.part()?,
        };
        let Some(part) = part else { return Ok(None) };
        let residues = (self.cells / part.targets.sequences().residues().len().max(1) as u64).max(1) as usize;
        let (limits, weight) = ((residues, memory.batch), |query: usize| self.weight(query, &part));
        let next = match source {
            Source::Whole(queries, _) => {
                gather(|some| queries.next(some), limits, weight)?.map(|(queries, weight)| (queries, weight, None))
            }
            Source::Rounds(rounds) => {
                rounds.next(limits, weight)?.map(|(queries, weight, place)| (queries, weight, Some(place)))
            }
        };
        Ok(next.map(|(queries, weight, place)| {
            let (queries, guard) = (Arc::new(queries), Arc::new(room.take(weight)));
            Batch { part, queries, place, share: None, _guard: guard }
        }))
    }

    /// The shares of a batch, each of about as many cells as a batch; the batch itself where that is one.
    fn divide(&self, batch: Batch) -> VecDeque<Batch> {
        let count = self.cells(&batch) / self.cells;
        if !self.divides || count < 2 {
            return [batch].into();
        }
        let shares = batch.part.database.shares(count as usize);
        let last = shares.len() - 1;
        let share = |(k, database)| Batch { share: Some(Share { database, is_last: k == last }), ..batch.clone() };
        shares.into_iter().enumerate().map(share).collect()
    }

    /// Cells that a batch takes.
    fn cells(&self, Batch { part, queries, .. }: &Batch) -> u64 {
        let directions = if self.run.request.strands == Strands::Both { 2 } else { 1 };
        let [queries, targets] = [queries, &part.targets].map(|records| records.sequences().residues().len() as u64);
        queries * targets * directions
    }

    /// What a query with so many residues weighs: itself, and what it may keep.
    fn weight(&self, query: usize, part: &Part) -> usize {
        let hit = HIT + if self.run.request.score_only { 0 } else { 2 * query };
        let kept = match self.kept.load(Ordering::Relaxed) {
            0 => part.targets.len(),
            known => known.min(part.targets.len()),
        };
        kept.saturating_mul(hit).saturating_add(query)
    }

    /// Which targets a query keeps, where `passes` are the scores that do not fall short.
    fn keep<'p>(&self, passes: Passes<'p>) -> Keep<'p> {
        let Run { request, filter, .. } = self.run;
        // What falls short in a part may keep out of the best of all what does not in another.
        let by_score = filter.looks_at_scores() && !(self.in_parts && request.top.is_some());
        Keep { top: request.top, passes: by_score.then_some(passes) }
    }

    fn compute(&self, worker: &mut Worker<Searcher>, batch: Batch) -> Result<Outcome> {
        let Batch { part, queries, share, .. } = &batch;
        let Run { request, scoring, filter, want, .. } = *self.run;
        let passes = |score, lengths: [usize; 2]| filter.passes_by_score(score, lengths);
        let keep = self.keep(&passes);
        let (database, keep) = match share {
            Some(share) => (&share.database, keep.of_share()),
            None => (&part.database, keep),
        };
        let names = Some([queries.names(), part.targets.names()]);
        let (queries, strands) = (queries.sequences(), request.strands);
        let mut hits = Vec::new();
        worker.compute(Job { queries, database, scoring, strands, keep, want, names }, &mut hits)?;
        match share.as_ref().map(|share| share.is_last) {
            None => Ok(Outcome::Whole(self.write(&batch, &hits)?)),
            Some(is_last) => Ok(Outcome::Share(hits, is_last.then_some(batch))),
        }
    }

    /// Takes note of the hits of a share, and writes the rows after the last one.
    fn put_together(&self, outcome: Outcome, hits: &mut Vec<Vec<Hit>>) -> Result<Option<Written>> {
        let (found, batch) = match outcome {
            Outcome::Whole(written) => return Ok(Some(written)),
            Outcome::Share(found, batch) => (found, batch),
        };
        hits.resize_with(found.len(), Vec::new);
        hits.iter_mut().zip(found).for_each(|(hits, found)| hits.extend(found));
        let Some(batch) = batch else { return Ok(None) };
        let passes = |score, lengths: [usize; 2]| self.run.filter.passes_by_score(score, lengths);
        let (keep, mut hits) = (self.keep(&passes), std::mem::take(hits));
        let (queries, database) = (batch.queries.sequences(), &batch.part.database);
        hits.par_iter_mut().enumerate().for_each(|(k, hits)| keep.put_together(queries.length(k), database, hits));
        self.write(&batch, &hits).map(Some)
    }

    /// Writes the rows of a batch.
    fn write(&self, batch: &Batch, hits: &[Vec<Hit>]) -> Result<Written> {
        self.learn(hits);
        let (Batch { part, queries, place, .. }, Run { memory, folder, .. }) = (batch, self.run);
        let _range = profile::range("text");
        let found = Hits { run: self.run, part, queries, hits, begins: place.is_some_and(|place| place.begins_round) };
        let mut rows = Spool::new(memory.rows, folder);
        let starts: Vec<usize> = (0..queries.len()).step_by(QUERIES).collect();
        let mut keys = Vec::new();
        for starts in starts.chunks(2 * rayon::current_num_threads()) {
            let texts: Vec<[Vec<u8>; 2]> = starts.par_iter().map(|&start| found.some(start, place.is_some())).collect();
            for [some_keys, some_rows] in texts {
                keys.extend(some_keys);
                rows.put(&some_rows)?;
            }
        }
        let (pairs, cells) = (queries.len() as u64 * part.targets.len() as u64, self.cells(batch));
        let aligned = |text| Aligned { text, pairs, cells };
        Ok(match place {
            None => Written { aligned: aligned(rows), found: None },
            Some(place) => {
                Written { aligned: aligned(Spool::new(0, folder)), found: Some((Found { keys, rows }, *place)) }
            }
        })
    }

    /// Takes note of what queries keep.
    fn learn(&self, hits: &[Vec<Hit>]) {
        if self.run.request.top.is_none()
            && let Some(most) = hits.iter().map(Vec::len).max()
        {
            self.kept.fetch_max(most.max(1), Ordering::Relaxed);
        }
    }
}

fn no_targets(targets: &File) -> Error {
    FileError::Unusable { path: targets.path().into(), message: "there are no targets in it".into() }.into()
}
