//! Where windows occur: in references of other groups, and in genomes to be avoided; one run of scan's engine for both.
//!
//! ```text
//! references, from memory --\
//!                            batches -> workers: every match -> of each window: seen in another group, seen in what is avoided
//! excluded files -----------/
//! ```
//!
//! Matches are looked at batch by batch, and of each window two bits are kept. So related references, whose windows match each other
//! a hundred million times, take no more memory than others; a batch with more matches than there is room for is searched in
//! parts.
//!
//! A window is searched for by the rules of scan with `--wildcards iupac`, on both strands, with at most a tenth of wild positions.

use super::{Groups, Options, Rule};
use crate::circular::FOLD;
use crate::device::Shared;
use crate::engine::Search;
use crate::genomes::Genomes;
use crate::passes::Division;
use crate::pattern::{Patterns, patterns};
use crate::report::Row;
use crate::run::crowded::{Bounds, Crowded, Taker};
use crate::{
    Algorithm, Choice, Fraction, Hit, Job, Mismatches, Options as SearchOptions, Records, Signature, find_within,
};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::Result;
use warpseq_engine::memory::Memory;
use warpseq_engine::options::{RunOptions, Verify};
use warpseq_engine::room::Room;
use warpseq_engine::run::{Computed, Setup, run as run_batches};
use warpseq_engine::worker::Worker;
use warpseq_io::fastx::Spare;
use warpseq_io::progress::Progress;

/// Bytes that a match takes while it is found and looked at, with the spare capacity of vectors.
const MATCH_BYTES: usize = 100;

/// The share of a window that may be wild where it occurs.
fn wild() -> Fraction {
    Fraction::printed(0.1)
}

/// What windows are looked up in.
pub struct Library<'a> {
    /// Genomes in memory.
    pub references: &'a Records,
    /// Which groups these are in.
    pub groups: &'a Groups,
    /// Files of genomes to be avoided.
    pub excluded: &'a [PathBuf],
}

/// What was found.
pub struct Found {
    /// The rule that drops each window, of [`Rule::Shared`] and [`Rule::Excluded`] the first.
    pub dropped: Vec<Option<Rule>>,
    /// What computed, and how long.
    pub computed: Computed,
    /// With [`Verify::Reference`], all sequences of the excluded files.
    pub excluded: Records,
}

/// Where a batch is from.
enum Origin {
    /// References: the number of the first.
    References(usize),
    Excluded(Spare),
}

/// What all workers of a run share.
struct Run<'a> {
    library: &'a Library<'a>,
    search: Search<'a>,
    /// The group of each window.
    groups: &'a [u32],
    memory: Memory,
    shared: Vec<AtomicBool>,
    excluded: Vec<AtomicBool>,
    /// Sequences of excluded files, if they are wanted.
    kept: Option<Mutex<Records>>,
}

/// Looks `windows` up. `groups` has the group of each.
///
/// # Errors
/// Those of the files and the GPU; a difference that `--verify cpu` finds.
pub fn look_up(
    windows: &[Signature],
    groups: &[u32],
    library: &Library,
    options: &Options,
    run: RunOptions,
) -> Result<Found> {
    let gpus = Gpus::start_opening(run, "scan_");
    let fold = if options.circular { FOLD } else { 1 };
    let search_options = &SearchOptions {
        choice: Choice::First,
        max_n_frac: wild(),
        max_mismatch: Mismatches::Count(options.max_mismatch),
        circular: options.circular,
        ..SearchOptions::default()
    };
    let one_by_one = Patterns::Of(windows, search_options);
    let Division { memory, tables } = Division::new((one_by_one, "probes"), search_options.wildcards, fold, run);
    let made = if tables.is_some() { Vec::new() } else { patterns(windows, search_options) };
    let patterns = if tables.is_some() { one_by_one } else { Patterns::Made(&made) };
    let (hashed, algorithm, shared) = (false, Algorithm::Auto, &Shared::default());
    let search = Search { options: search_options, algorithm, signatures: windows, patterns, tables, hashed, shared };
    let none = || windows.iter().map(|_| AtomicBool::new(false)).collect();
    let kept = (run.verify == Some(Verify::Reference)).then(Mutex::default);
    let work = &Run { library, search, groups, memory, shared: none(), excluded: none(), kept };

    let mut reader = Reader::open(library, options.unique, memory)?;
    let (room, progress) = (Room::new(memory.room), reader.progress(run));
    // The naive reference verifies all of it in the end.
    let verify = run.verify.filter(|&verify| verify == Verify::Cpu);
    let computed = run_batches(
        &search,
        Setup { options: RunOptions { verify, ..run }, gpus, in_flight: memory.in_flight, progress },
        || {
            room.wait_for(memory.batch);
            Ok(reader.next()?.map(|batch| (room.take(fold * batch.0.bytes()), batch)))
        },
        |worker, (_guard, (batch, origin))| work.look_up(worker, batch, origin),
        |()| Ok(()),
    )?;
    if let Some(genomes) = &reader.excluded {
        genomes.warn(run.console);
    }
    let dropped = work.shared.iter().zip(&work.excluded).map(|(shared, excluded)| {
        let excluded = excluded.load(Relaxed).then_some(Rule::Excluded);
        shared.load(Relaxed).then_some(Rule::Shared).or(excluded)
    });
    let kept = work.kept.as_ref().map(|kept| std::mem::take(&mut *kept.lock().expect("nobody panics with the lock")));
    Ok(Found { dropped: dropped.collect(), computed, excluded: kept.unwrap_or_default() })
}

impl Run<'_> {
    fn look_up<'s>(&self, worker: &mut Worker<'s, Search<'s>>, batch: Records, origin: Origin) -> Result<()> {
        // Verification compares whole batches.
        let most = if worker.verifies() { usize::MAX } else { (self.memory.matches / MATCH_BYTES).max(1) };
        let mut taker = Noting { run: self, origin: &origin };
        let job = Job { choice: taker.needs(), ..Job::new(&batch, most) };
        let found = worker.timed(|executor| find_within(executor, job))?;
        worker.verify(Job::new(&batch, most), &found)?;
        worker.timed(|executor| {
            let Some(hits) = found else {
                let bounds = Bounds { matches: most, bases: self.memory.batch };
                return Crowded::new(executor, self.search, &batch, bounds).search(&mut taker);
            };
            taker.see(&hits);
            Ok(())
        })?;
        if let Origin::Excluded(spare) = origin {
            if let Some(kept) = &self.kept {
                kept.lock().expect("nobody panics with the lock").extend(&batch, 0..batch.len());
            }
            spare.give_back(batch, self.memory.batch);
        }
        Ok(())
    }
}

/// Notes where windows occur.
struct Noting<'a> {
    run: &'a Run<'a>,
    origin: &'a Origin,
}

impl Taker for Noting<'_> {
    /// One match of a window in a sequence tells as much as all.
    fn needs(&self) -> Choice {
        Choice::First
    }

    fn see(&mut self, hits: &[Hit]) {
        let Run { library, search, groups, shared, excluded, .. } = self.run;
        for hit in hits {
            let window = search.patterns.signature(hit.pattern) as usize;
            match self.origin {
                Origin::Excluded(_) => excluded[window].store(true, Relaxed),
                Origin::References(first) => {
                    if library.groups.of[first + hit.sequence as usize] != groups[window] {
                        shared[window].store(true, Relaxed);
                    }
                }
            }
        }
    }

    fn wants_rows(&self) -> bool {
        false
    }

    fn tell(&mut self, _: &[Row], _: &[Option<u8>]) -> Result<()> {
        Ok(())
    }
}

/// References in batches, then the excluded files.
struct Reader<'a> {
    references: &'a Records,
    /// The first reference that has not been searched.
    next: usize,
    excluded: Option<Genomes<'a>>,
    batch: usize,
}

impl<'a> Reader<'a> {
    fn open(library: &Library<'a>, unique: bool, memory: Memory) -> Result<Self> {
        let Library { references, excluded, .. } = *library;
        let excluded = (!excluded.is_empty()).then(|| Genomes::open(excluded, None, memory.reading)).transpose()?;
        let next = if unique { 0 } else { references.len() };
        Ok(Self { references, next, excluded, batch: memory.batch })
    }

    fn progress(&self, run: RunOptions) -> Progress {
        let excluded = self.excluded.as_ref();
        let total = excluded.map_or(Some(0), Genomes::total_bytes);
        Progress::new(run.console, total, excluded.map(Genomes::bytes_read).unwrap_or_default())
    }

    fn next(&mut self) -> Result<Option<(Records, Origin)>> {
        let first = self.next;
        if first < self.references.len() {
            let starts = self.references.sequences().starts();
            let end = starts[first] + self.batch as u64;
            self.next = starts.partition_point(|&start| start <= end).saturating_sub(1).max(first + 1);
            let mut batch = Records::default();
            batch.extend(self.references, first..self.next);
            return Ok(Some((batch, Origin::References(first))));
        }
        let Some(genomes) = &mut self.excluded else { return Ok(None) };
        Ok(genomes.next()?.map(|genome| (genome.records, Origin::Excluded(genome.spare))))
    }
}
