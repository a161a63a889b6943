//! A run that searches: the best targets of each query, without a pair of any other ([`crate::search`]).
//!
//! ```text
//! targets -> Database    queries -> batches -> workers: search, text -> calling thread: output, in order
//! ```
//!
//! Targets that memory cannot hold are searched part by part ([`parts`]), and what was found is put together ([`merged`]).
//!
//! Under `auto` the sizes of the files say who searches: a GPU is worth opening for what would take the CPU longer than that.
//!
//! Memory: a batch has about as many queries as whose hits fit. With `top` it is known how many those are. Without, a query may keep all
//! targets: so batches are counted as if they did, until some have been searched; then as if no query keeps more than any before.

mod merged;
mod parts;

pub(super) use parts::piece;

use super::batch::choice::primary;
use super::batch::{Aligned, NO_ALIGNMENT, record};
use super::{Request, Run, Seen};
use crate::format::sam::is_placed;
use crate::format::{Format, Line};
use crate::input::{File, Piece};
use crate::pairing::Pairing;
use crate::search::{Hit, Job, Keep, Searcher};
use crate::{Mode, Scoring};
use merged::{Found, Key, Merged};
use parts::{Part, Parts, Place, Rounds, gather};
use rayon::prelude::*;
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
/// Cells of a batch with a GPU, which are a tenth of a second there, and without.
const CELLS_FOR_GPU: u64 = 500_000_000_000;
const CELLS_FOR_CPU: u64 = 20_000_000_000;
/// Bytes that a hit takes beside its path, and that it may take with one.
const HIT: usize = 128;
/// Queries of which a thread writes the rows at a time.
const QUERIES: usize = 16;

impl Request {
    /// Whether pairs fall away by their scores alone, so that there is no need to align all.
    pub(super) fn searches(&self, scoring: &Scoring) -> bool {
        let falls_away = self.top.is_some() || self.thresholds.score.is_some() || self.thresholds.evalue.is_some();
        self.pairing == Pairing::All && scoring.mode == Mode::Local && falls_away
    }

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
struct Batch {
    part: Arc<Part>,
    queries: Records,
    /// `None`: the part is all that there is.
    place: Option<Place>,
    _guard: Guard,
}

/// What became of a batch.
enum Outcome {
    Rows(Aligned),
    Part(Found, Place, Aligned),
}

/// A search, and what all its workers share.
struct Search<'a> {
    run: &'a Run<'a>,
    /// Whether targets are searched part by part.
    in_parts: bool,
    /// The most targets that a query may keep, or without `top` has kept so far; 0: not known.
    kept: AtomicUsize,
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
        let search = Search { run: self, in_parts: !*whole, kept: AtomicUsize::new(self.request.top.unwrap_or(0)) };
        let (room, for_gpu) = (Room::new(self.memory.room), setup.options.processor.expects_gpu());
        let cells = if for_gpu { CELLS_FOR_GPU } else { CELLS_FOR_CPU };
        let searcher = Searcher { console: self.request.run.console };
        let mut merged = Merged::new(self.folder);
        run_batches(
            &searcher,
            setup,
            || search.next(&mut source, &room, cells),
            |worker, batch| search.compute(worker, &batch),
            |outcome| match outcome {
                Outcome::Rows(aligned) => seen.put(aligned, output),
                Outcome::Part(found, place, aligned) => {
                    seen.put(aligned, output)?;
                    self.merge(&mut merged, found, place, output)
                }
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

impl Search<'_> {
    /// The next queries and what they are searched in.
    fn next(&self, source: &mut Source, room: &Room, cells: u64) -> Result<Option<Batch>> {
        let memory = &self.run.memory;
        room.wait_for(memory.batch);
        let part = match source {
            Source::Whole(_, part) => Some(part.clone()),
            Source::Rounds(rounds) => rounds.part()?,
        };
        let Some(part) = part else { return Ok(None) };
        let residues = (cells / part.targets.sequences().residues().len().max(1) as u64).max(1) as usize;
        let (limits, weight) = ((residues, memory.batch), |query: usize| self.weight(query, &part));
        let next = match source {
            Source::Whole(queries, _) => {
                gather(|some| queries.next(some), limits, weight)?.map(|(queries, weight)| (queries, weight, None))
            }
            Source::Rounds(rounds) => {
                rounds.next(limits, weight)?.map(|(queries, weight, place)| (queries, weight, Some(place)))
            }
        };
        Ok(next.map(|(queries, weight, place)| Batch { part, queries, place, _guard: room.take(weight) }))
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

    fn compute(&self, worker: &mut Worker<Searcher>, batch: &Batch) -> Result<Outcome> {
        let Batch { part, queries, place, .. } = batch;
        let Run { request, scoring, filter, want, memory, folder, .. } = *self.run;
        let passes = |score, lengths: [usize; 2]| filter.passes_by_score(score, lengths);
        // What falls short in a part may keep out of the best of all what does not in another.
        let by_score = filter.looks_at_scores() && !(self.in_parts && request.top.is_some());
        let keep = Keep { top: request.top, passes: if by_score { Some(&passes) } else { None } };
        let names = Some([queries.names(), part.targets.names()]);
        let (sequences, database, strands) = (queries.sequences(), &part.database, request.strands);
        let mut hits = Vec::new();
        worker.compute(Job { queries: sequences, database, scoring, strands, keep, want, names }, &mut hits)?;
        self.learn(&hits);
        let _range = profile::range("text");
        let found =
            Hits { search: self, part, queries, hits: &hits, begins: place.is_some_and(|place| place.begins_round) };
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
        let pairs = queries.len() as u64 * part.targets.len() as u64;
        let directions = if strands == Strands::Both { 2 } else { 1 };
        let cells = sequences.residues().len() as u64 * database.targets().residues().len() as u64 * directions;
        Ok(match place {
            None => Outcome::Rows(Aligned { text: rows, pairs, cells }),
            Some(place) => {
                let nothing = Aligned { text: Spool::new(0, folder), pairs, cells };
                Outcome::Part(Found { keys, rows }, *place, nothing)
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

/// What queries found in a part.
struct Hits<'a> {
    search: &'a Search<'a>,
    part: &'a Part,
    queries: &'a Records,
    hits: &'a [Vec<Hit>],
    /// Whether the part is the first one.
    begins: bool,
}

impl Hits<'_> {
    /// Keys, where they are wanted, and rows of some queries.
    fn some(&self, start: usize, with_keys: bool) -> [Vec<u8>; 2] {
        let (mut keys, mut rows) = (Vec::new(), Vec::new());
        for query in start..self.queries.len().min(start + QUERIES) {
            if with_keys { self.put_keys(query, &mut keys, &mut rows) } else { self.put_rows(query, &mut rows) }
        }
        [keys, rows]
    }

    /// Whether a hit does not fall short.
    fn passes(&self, query: usize, hit: &Hit) -> bool {
        let target = self.part.targets.sequences().length(hit.target as usize);
        self.search.run.filter.passes(&hit.alignment, [self.queries.sequences().length(query), target])
    }

    fn put(&self, rows: &mut Vec<u8>, query: usize, hit: Option<&Hit>, primary: bool) {
        let query = record(self.queries, query);
        let target = record(&self.part.targets, hit.map_or(0, |hit| hit.target as usize));
        let (reverse, alignment) = hit.map_or((false, &NO_ALIGNMENT), |hit| (hit.reverse, &hit.alignment));
        let line = Line { query, target, reverse, primary, alignment };
        self.search.run.layout.write_line(rows, &line).expect("writing to memory does not fail");
    }

    /// A row for each hit that does not fall short; in SAM at least one.
    fn put_rows(&self, query: usize, rows: &mut Vec<u8>) {
        let passing: Vec<&Hit> = self.hits[query].iter().filter(|hit| self.passes(query, hit)).collect();
        let primary = primary(passing.iter().map(|hit| (is_placed(&hit.alignment), hit.alignment.score)));
        for (k, &hit) in passing.iter().enumerate() {
            self.put(rows, query, Some(hit), Some(k) == primary);
        }
        if passing.is_empty() && self.is_sam() {
            self.put(rows, query, None, true);
        }
    }

    fn is_sam(&self) -> bool {
        self.search.run.request.format == Format::Sam
    }

    /// A key for each hit, and its rows if it does not fall short: as one of several and, in SAM, as the primary one.
    fn put_keys(&self, query: usize, keys: &mut Vec<u8>, rows: &mut Vec<u8>) {
        let before = rows.len();
        if self.begins && self.is_sam() {
            self.put(rows, query, None, true);
        }
        Key::beginning(self.hits[query].len(), rows.len() - before).encode(keys);
        for hit in &self.hits[query] {
            let (passes, start) = (self.passes(query, hit), rows.len());
            if passes {
                self.put(rows, query, Some(hit), false);
            }
            let middle = rows.len();
            if passes && self.is_sam() {
                self.put(rows, query, Some(hit), true);
            }
            let lengths = [middle - start, rows.len() - middle].map(|length| length as u64);
            let (score, is_placed) = (hit.alignment.score, is_placed(&hit.alignment));
            Key { score, passes, is_placed, lengths }.encode(keys);
        }
    }
}

fn no_targets(targets: &File) -> Error {
    FileError::Unusable { path: targets.path().into(), message: "there are no targets in it".into() }.into()
}
