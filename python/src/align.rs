//! `Engine.align`: the rows of `warpseq align`.
//!
//! ```text
//! arguments   what is asked for
//! search      the best targets of each query, where scores alone tell which pairs are reported
//! rows        columns of Arrow
//! ```
//!
//! All other pairs are aligned one and all, here.

mod arguments;
mod rows;
mod search;

use crate::call::Call;
use crate::engine::{Kept, Machine, compute};
use crate::input::{Input, require};
use crate::table::{Table, arrow};
use arguments::Request;
pub use arguments::{Arguments, STRANDS};
use pyo3::prelude::*;
use rayon::prelude::*;
use rows::{Row, Rows, SHARE};
use search::Searchers;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use warpseq::align::engine::Aligner;
use warpseq::align::input::{File, Reading};
use warpseq::align::pairing::{Limits, Pairing, Work, Works};
use warpseq::align::run::{choose, of_queries};
use warpseq::align::statistics::Statistics;
use warpseq::align::strands::{Directions, Stranded};
use warpseq::align::{Batch, Job, Pair, Want};
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::memory::Memory;
use warpseq::seq::Records;

/// What aligns for all calls of an engine.
type Aligners = Kept<Aligner>;
/// How pairs are aligned in a process, which no call changes.
static ALIGNER: Aligner = Aligner { console: Console::Silent };

/// What an engine keeps for calls of `align`.
pub struct Executors {
    aligners: Aligners,
    /// For brief calls, which need not wait for a GPU: the results are the same.
    on_cpu: Aligners,
    searchers: Searchers,
}

impl Executors {
    /// Nothing has been aligned.
    pub const fn new() -> Self {
        Self { aligners: Kept::new(&ALIGNER), on_cpu: Kept::on_cpu(&ALIGNER), searchers: Searchers::new() }
    }
}

/// Bytes that a unit of weight takes, as of a run of the program with paths.
const UNIT: usize = 4;
/// The most cells of a brief call. One thread computes them in some milliseconds, about as long as a call takes on a GPU; several are
/// done sooner.
const BRIEF: u64 = 1 << 24;
/// Cells that take as long as all else that a pair takes.
const PAIR: u64 = 1 << 12;

/// Aligns and returns the rows.
///
/// # Errors
/// Those of the arguments, the files, the device, and of `progress`.
pub fn align(
    py: Python,
    (machine, kept): (&Machine, &Executors),
    [queries, targets]: [&Bound<PyAny>; 2],
    arguments: &Arguments,
    progress: Option<&Bound<PyAny>>,
) -> PyResult<Table> {
    machine.check_process(py)?;
    let request = arguments.request(py)?;
    let memory = machine.memory_for_pairs(UNIT);
    let sources = [Source::of("<queries>", queries)?, Source::of("<targets>", targets)?];
    let on_cpu = if request.searches() { machine.is_on_cpu() } else { machine.may_use_cpu() };
    let is_brief = on_cpu && cells(&sources, request.pairing).is_some_and(|cells| cells <= BRIEF);
    let aligners = if is_brief { &kept.on_cpu } else { &kept.aligners };
    let work = |call: &Call| {
        let aligning = Aligning { machine, aligners, searchers: &kept.searchers, call, request: &request, memory };
        let mut rows = Rows::new(&request);
        if request.searches() {
            aligning.search(sources, &mut rows)?
        } else {
            aligning.run(sources, &mut rows)?
        }
        Ok(rows.table())
    };
    let table = match is_brief {
        // To hand work to the threads and to be woken up costs as much as aligning a hundred pairs, so that is done once. On the CPU there
        // is an executor for each call, and no thread waits for one.
        true => Call::run_here(py, progress, |call| machine.pool.install(|| work(call))),
        false => Call::run(py, progress, work),
    };
    table?.map_err(arrow)
}

/// The cells that all pairs take, where everything is in memory.
fn cells(sources: &[Source; 2], pairing: Pairing) -> Option<u64> {
    let [Source::Held(_, queries), Source::Held(_, targets)] = sources else { return None };
    let [queries, targets] = [queries, targets].map(Records::sequences);
    let product = |[query, target]: [usize; 2]| (query as u64).saturating_mul(target as u64);
    let counts = [queries.len(), targets.len()];
    Some(match pairing {
        Pairing::Zip if counts[0] == counts[1] => {
            let both = queries.lengths().zip(targets.lengths());
            both.fold(0, |sum: u64, (query, target)| {
                sum.saturating_add(query.saturating_mul(target)).saturating_add(PAIR)
            })
        }
        _ => {
            let residues = [queries, targets].map(|of| of.residues().len());
            product(residues).saturating_add(product(counts).saturating_mul(PAIR))
        }
    })
}

/// Where queries or targets come from.
enum Source {
    Path(PathBuf),
    Held(&'static str, Records),
}

impl Source {
    fn of(what: &'static str, value: &Bound<PyAny>) -> PyResult<Self> {
        match Input::of(what, value)? {
            Input::Files(files) => Input::file(value.py(), what, files).map(Self::Path),
            Input::Held(records) => Ok(Self::Held(what, records)),
        }
    }

    /// How many records there are in memory.
    fn held(&self) -> Option<u64> {
        match self {
            Self::Held(_, records) => Some(records.len() as u64),
            Self::Path(_) => None,
        }
    }
}

/// A call at work.
struct Aligning<'a> {
    machine: &'a Machine,
    aligners: &'a Aligners,
    searchers: &'a Searchers,
    call: &'a Call,
    request: &'a Request,
    memory: Memory,
}

impl Aligning<'_> {
    fn open(&self, source: Source) -> Result<File> {
        let reading = Reading { residues: Some(self.request.residues.clone()), ..Reading::default() };
        match source {
            Source::Held(name, records) => {
                require(name, &records, &reading.demands())?;
                Ok(File::held(name, records))
            }
            Source::Path(path) => File::open(&path, reading, self.memory.reading),
        }
    }

    /// Reads, or looks at what is in memory, in the machine's threads.
    fn reading<T: Send>(&self, read: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        self.machine.pool.install(read)
    }

    /// Aligns all pairs.
    fn run(&self, [queries, targets]: [Source; 2], rows: &mut Rows) -> Result<()> {
        let Self { call, request, memory, .. } = *self;
        let held = queries.held();
        let limits = Limits { weight: memory.batch, held: memory.held, whole_queries: request.top.is_some() };
        let open = || Works::new(self.open(queries)?, self.open(targets)?, request.pairing, limits);
        let mut works = self.reading(open)?;
        let statistics = works.held_targets().and_then(|targets| request.statistics(targets.sequences()));
        while let Some(work) = self.reading(|| works.next_work())? {
            self.work(&work, statistics.as_ref(), rows)?;
            call.go_on()?;
            match held {
                Some(_) => self.tell(held, works.queries()),
                None => self.tell(None, works.streamed()),
            }
        }
        Ok(())
    }

    /// Tells how far a file is: of how many records, or bytes.
    fn tell(&self, held: Option<u64>, file: &File) {
        match (held, file.progress()) {
            (Some(total), _) => self.call.tell(file.count(), Some(total)),
            (None, (total, read)) => self.call.tell(read.load(Ordering::Relaxed), total),
        }
    }

    /// The rows of a piece of work: of each query all its pairs in order, or its best.
    fn work(&self, work: &Work, statistics: Option<&Statistics>, rows: &mut Rows) -> Result<()> {
        let Request { top, want, .. } = self.request;
        let filter = self.request.filter(statistics);
        let directions = Directions::new(work.queries.sequences(), self.request.strands);
        let chosen = if top.is_some() || filter.looks_at_scores() && *want == Want::Path {
            let scored = self.align(work, &directions, &work.pairs, Want::Score)?;
            let scores: Vec<i64> = scored.into_iter().map(|(alignment, _)| alignment.score).collect();
            let chosen = of_queries(&work.pairs).flat_map(|places| {
                let start = places.start;
                choose(&scores[places], *top).into_iter().map(move |place| start + place)
            });
            let passing = chosen.filter(|&k| filter.passes_by_score(scores[k], lengths(work, work.pairs[k])));
            Some(passing.map(|k| work.pairs[k]).collect::<Vec<_>>())
        } else {
            None
        };
        let pairs = chosen.as_ref().unwrap_or(&work.pairs);
        let aligned = self.align(work, &directions, pairs, *want)?;
        let all = pairs.iter().zip(&aligned).map(|(pair, (alignment, reverse))| Row {
            records: [(&*work.queries, pair.query as usize), (&*work.targets, pair.target as usize)],
            alignment,
            reverse: *reverse,
        });
        let some: Vec<_> = all.filter(|row| filter.passes(row.alignment, row.lengths())).collect();
        rows.extend(&self.machine.pool, &some, statistics);
        // To give back a path takes as long as to write it.
        self.machine.pool.install(|| aligned.into_par_iter().with_min_len(SHARE).for_each(drop));
        Ok(())
    }

    fn align(&self, work: &Work, directions: &Directions, pairs: &[Pair], want: Want) -> Result<Vec<Stranded>> {
        directions.align(|queries| {
            let batch = Batch::new(queries, work.targets.sequences(), pairs);
            let names = Some([work.queries.names(), work.targets.names()]);
            let job = Job { batch, scoring: &self.request.scoring, want, names };
            let (mut alignments, call) = (Vec::new(), self.call);
            self.aligners.with(self.machine, call, |executor| compute(executor, call, job, &mut alignments))?;
            Ok(alignments)
        })
    }
}

/// The lengths of a pair's query and target.
fn lengths(work: &Work, Pair { query, target }: Pair) -> [usize; 2] {
    [(&work.queries, query), (&work.targets, target)].map(|(records, k)| records.sequences().length(k as usize))
}
