//! A run that searches: the best targets of each query, without a pair of any other ([`crate::search`]).
//!
//! ```text
//! targets -> Database    queries -> batches -> workers: search, text -> calling thread: output, in order
//! ```
//!
//! Under `auto` the sizes of the files say who searches: a GPU is worth opening for what would take the CPU longer than that.
//!
//! Memory: a batch has about as many queries as whose hits fit. With `top` it is known how many those are. Without, a query may keep all
//! targets: so batches are counted as if they did, until some have been searched; then as if no query keeps more than any before.

use super::batch::choice::primary;
use super::batch::{Aligned, NO_ALIGNMENT, record};
use super::{Request, Run, Seen};
use crate::format::sam::is_placed;
use crate::format::{Format, Line};
use crate::pairing::{Pairing, Works};
use crate::search::{Database, Hit, Job, Keep, Searcher};
use crate::{Mode, Scoring};
use rayon::prelude::*;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_engine::options::{Processor, RunOptions};
use warpseq_engine::profile;
use warpseq_engine::room::Room;
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

/// A search, and what all its workers share.
struct Search<'a> {
    run: &'a Run<'a>,
    database: &'a Database<'a>,
    targets: &'a Records,
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
        works: &mut Works,
        setup: Setup,
        output: &mut Output,
        seen: &mut Seen,
    ) -> Result<Computed> {
        let targets = works.held_targets().cloned().expect("the targets of --pairs all are held");
        let database = Database::new(targets.sequences());
        let most = self.request.top.map_or(0, |top| top.clamp(1, targets.len().max(1)));
        let search = Search { run: self, database: &database, targets: &targets, kept: AtomicUsize::new(most) };
        let (room, for_gpu) = (Room::new(self.memory.room), setup.options.processor.expects_gpu());
        let cells = if for_gpu { CELLS_FOR_GPU } else { CELLS_FOR_CPU };
        let searcher = Searcher { console: self.request.run.console };
        run_batches(
            &searcher,
            setup,
            || {
                room.wait_for(self.memory.batch);
                let residues = (cells / targets.sequences().residues().len().max(1) as u64).max(1) as usize;
                let queries = works.next_queries(residues, |query| search.weight(query), self.memory.batch)?;
                Ok(queries.map(|(queries, weight)| (room.take(weight), queries)))
            },
            |worker, (_guard, queries)| search.compute(worker, &queries),
            |aligned| seen.put(aligned, output),
        )
    }
}

impl Search<'_> {
    /// What a query with so many residues weighs: itself, and what it may keep.
    fn weight(&self, query: usize) -> usize {
        let hit = HIT + if self.run.request.score_only { 0 } else { 2 * query };
        let kept = match self.kept.load(Ordering::Relaxed) {
            0 => self.targets.len(),
            known => known,
        };
        kept.saturating_mul(hit).saturating_add(query)
    }

    fn compute(&self, worker: &mut Worker<Searcher>, queries: &Records) -> Result<Aligned> {
        let Run { request, scoring, filter, want, memory, folder, .. } = *self.run;
        let passes = |score, lengths: [usize; 2]| filter.passes_by_score(score, lengths);
        let keep = Keep { top: request.top, passes: if filter.looks_at_scores() { Some(&passes) } else { None } };
        let names = Some([queries.names(), self.targets.names()]);
        let (sequences, database, strands) = (queries.sequences(), self.database, request.strands);
        let mut hits = Vec::new();
        worker.compute(Job { queries: sequences, database, scoring, strands, keep, want, names }, &mut hits)?;
        self.learn(&hits);
        let _range = profile::range("text");
        let mut text = Spool::new(memory.rows, folder);
        let starts: Vec<usize> = (0..queries.len()).step_by(QUERIES).collect();
        for starts in starts.chunks(2 * rayon::current_num_threads()) {
            let texts: Vec<Vec<u8>> = starts.par_iter().map(|&start| self.rows(queries, &hits, start)).collect();
            texts.iter().try_for_each(|some| text.put(some))?;
        }
        let pairs = queries.len() as u64 * self.targets.len() as u64;
        let directions = if strands == Strands::Both { 2 } else { 1 };
        let cells = sequences.residues().len() as u64 * database.targets().residues().len() as u64 * directions;
        Ok(Aligned { text, pairs, cells })
    }

    /// Takes note of what queries keep.
    fn learn(&self, hits: &[Vec<Hit>]) {
        if self.run.request.top.is_none()
            && let Some(most) = hits.iter().map(Vec::len).max()
        {
            self.kept.fetch_max(most.max(1), Ordering::Relaxed);
        }
    }

    /// The rows of some queries.
    fn rows(&self, queries: &Records, hits: &[Vec<Hit>], start: usize) -> Vec<u8> {
        let mut text = Vec::new();
        for (query, hits) in hits.iter().enumerate().skip(start).take(QUERIES) {
            for line in self.lines(queries, query, hits) {
                self.run.layout.write_line(&mut text, &line).expect("writing to memory does not fail");
            }
        }
        text
    }

    /// The lines of a query: one for each hit that does not fall short; in SAM at least one.
    fn lines<'a>(&'a self, queries: &'a Records, query: usize, hits: &'a [Hit]) -> Vec<Line<'a>> {
        let lengths =
            |hit: &Hit| [queries.sequences().length(query), self.targets.sequences().length(hit.target as usize)];
        let passing: Vec<&Hit> =
            hits.iter().filter(|hit| self.run.filter.passes(&hit.alignment, lengths(hit))).collect();
        let primary = primary(passing.iter().map(|hit| (is_placed(&hit.alignment), hit.alignment.score)));
        let query = record(queries, query);
        let line = |(k, hit): (usize, &&'a Hit)| Line {
            query,
            target: record(self.targets, hit.target as usize),
            reverse: hit.reverse,
            primary: Some(k) == primary,
            alignment: &hit.alignment,
        };
        let mut lines: Vec<Line> = passing.iter().enumerate().map(line).collect();
        if lines.is_empty() && self.run.request.format == Format::Sam {
            let target = record(self.targets, 0);
            lines.push(Line { query, target, reverse: false, primary: true, alignment: &NO_ALIGNMENT });
        }
        lines
    }
}
