//! A whole run of `align`: from two files to one.
//!
//! ```text
//! queries, targets -> reader thread -> Work -> workers: align, choose, text -> calling thread: output, in order
//! ```
//!
//! [`super::pairing`] says what a piece of work is, and what of the files is in memory. Residues are checked as they are read,
//! which costs next to nothing beside aligning them.
//!
//! Two passes: where the best targets of a query are wanted (`--top`, and SAM, whose best record is primary), all its pairs
//! are aligned for their scores first, and those to be reported once more. Only scores are kept in between. The same where some
//! pairs may fall short by their scores ([`super::filter`]).
//!
//! Memory: work in flight has a bounded weight, but for a single pair that is heavier, and rows that are too many for memory
//! wait in a file.
//!
//! Right at the edges: the output does not show which worker aligned a pair, or how pairs were cut into work, because every
//! executor gives the same alignments, and all else is done here, query by query. An error leaves no output file: [`Output`]
//! appears under its name only when it is complete.

mod batch;
mod search;
mod significance;

use super::engine::Aligner;
use super::filter::{Filter, Thresholds};
use super::format::{CigarStyle, Format, Layout, sam, sam::Targets};
use super::input::{File, NameCheck, Reading};
use super::pairing::{Limits, Pairing, RECORD_BYTES, Works};
use super::scoring::{Residues, Rules};
use super::{Scoring, Want};
use batch::Aligned;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::memory::Memory;
use warpseq_engine::options::RunOptions;
use warpseq_engine::room::Room;
use warpseq_engine::run::{Computed, Setup, run as run_batches};
use warpseq_io::console::Console;
use warpseq_io::fastx::{Sizes, refuse_one_stream};
use warpseq_io::output::Output;
use warpseq_io::progress::Progress;
use warpseq_seq::{PhredOffset, Records, Strands};

/// Bytes per unit of weight: residues, and text of a path that is longer than what it aligns.
const BYTES_WITHOUT_PATH: usize = 2;
/// With paths: columns that share an 8-byte run with others, in related sequences with very many.
const BYTES_WITH_PATH: usize = 4;
/// Bytes of targets that may be held: indices of records have 32 bits.
const HELD_MAX: usize = u32::MAX as usize * RECORD_BYTES;

/// What to align, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// FASTA or FASTQ; `-` is standard input.
    pub queries: PathBuf,
    /// FASTA or FASTQ; `-` is standard input.
    pub targets: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// How pairs are scored.
    pub rules: Rules,
    /// Which queries are aligned with which targets.
    pub pairing: Pairing,
    /// The most targets reported for a query, best first; `None`: all, in their order.
    pub top: Option<usize>,
    /// What an alignment must have to be reported.
    pub thresholds: Thresholds,
    /// Strands of the queries that are aligned. Both: the better one is reported, forward where both are as good.
    pub strands: Strands,
    /// How rows are written.
    pub format: Format,
    /// Only scores and ends are wanted, in [`Format::Tsv`].
    pub score_only: bool,
    /// How a CIGAR writes matches.
    pub cigar: CigarStyle,
    /// The command line for SAM's @PG; `None`: without that line.
    pub command: Option<String>,
    /// How the queries' qualities are encoded.
    pub phred: PhredOffset,
    /// What the run computes on, and what it may take.
    pub run: RunOptions,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Records of the queries file.
    pub queries: u64,
    /// Pairs that were aligned.
    pub pairs: u64,
    /// Cells computed, summed over pairs, strands and passes: query length times target length.
    pub cells: u64,
    /// Seconds spent aligning, summed over workers: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
    /// What aligned: `cpu`, GPUs by name, or both.
    pub engine: String,
    /// Seconds that the busiest engine spent aligning.
    pub busy_seconds: f64,
}

impl Summary {
    /// Billions of cells per second while engines were aligning, taken as if all began and ended with the busiest one.
    pub fn gcups(&self) -> f64 {
        if self.busy_seconds > 0.0 { self.cells as f64 / self.busy_seconds / 1e9 } else { 0.0 }
    }
}

/// What all workers of a run share.
struct Run<'a> {
    request: &'a Request,
    scoring: &'a Scoring,
    layout: &'a Layout<'a>,
    want: Want,
    memory: Memory,
    /// Where rows wait that are too many for memory.
    folder: &'a Path,
    /// Whether the best pair of a query has to be known.
    ranked: bool,
    /// What falls short.
    filter: Filter<'a>,
}

/// Runs `align`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`] for scores or options that make no sense;
/// [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let RunOptions { host_memory, console, .. } = request.run;
    let scoring = request.rules.scoring()?;
    let statement = request.rules.statement(&scoring);
    let layout = request.layout(&scoring, &statement);
    layout.check()?;
    let residues = request.rules.alphabet.residues();
    check_request(request, &residues)?;
    let parameters = significance::parameters(request, &scoring)?;
    let inputs = [request.queries.as_path(), &request.targets];
    let mut output = Output::create(request.output.as_deref(), &inputs)?;
    let searches = request.searches(&scoring);
    let options = if searches { request.searching() } else { request.run };
    let gpus = Gpus::start_opening(options, "align_");
    let (want, unit) = match request.score_only {
        true => (Want::Score, BYTES_WITHOUT_PATH),
        false => (Want::Path, BYTES_WITH_PATH),
    };
    let memory = Memory::for_pairs(host_memory, rayon::current_num_threads(), options.processor.expects_gpu(), unit);
    let ranked = !searches && (request.top.is_some() || request.format == Format::Sam);
    let mut works = open(request, residues, memory, ranked)?;
    let statistics = parameters
        .zip(works.held_targets())
        .map(|(parameters, targets)| significance::over(parameters, targets.sequences()));
    let layout = Layout { statistics: statistics.as_ref(), ..layout };
    output.begin_with(header(&layout, &works, memory.reading)?);
    let streamed = works.streamed().reader();
    let progress = Progress::new(console, streamed.total_bytes(), streamed.bytes_read());

    let folder = &output.folder();
    let filter = Filter { thresholds: request.thresholds, scoring: &scoring, statistics: statistics.as_ref() };
    let run = &Run { request, scoring: &scoring, layout: &layout, want, memory, folder, ranked, filter };
    let mut seen = Seen::default();
    let setup = Setup { options, gpus, in_flight: memory.in_flight, progress };
    let computed = match searches {
        true => run.search(&mut works, setup, &mut output, &mut seen)?,
        false => run.align_all(&mut works, setup, &mut output, &mut seen)?,
    };
    seen.warn(&works, console);
    computed.clock.tell_verified(request.run);
    output.finish()?;
    let (queries, engine) = (works.queries().count(), computed.devices.join(", "));
    let [call_seconds, busy_seconds] = [computed.clock, computed.longest].map(|clock| clock.call.as_secs_f64());
    Ok(Summary { queries, call_seconds, busy_seconds, seconds: start.elapsed().as_secs_f64(), engine, ..seen.summary })
}

impl Run<'_> {
    /// Aligns all pairs and writes those that are to be reported.
    fn align_all(&self, works: &mut Works, setup: Setup, output: &mut Output, seen: &mut Seen) -> Result<Computed> {
        let room = Room::new(self.memory.room);
        run_batches(
            &Aligner { console: self.request.run.console },
            setup,
            || {
                room.wait_for(self.memory.batch);
                Ok(works.next_work()?.map(|work| (room.take(work.weight), work)))
            },
            |worker, (_guard, work)| self.align(worker, &work),
            |aligned| seen.put(aligned, output),
        )
    }
}

impl Request {
    fn layout<'a>(&'a self, scoring: &'a Scoring, statement: &'a str) -> Layout<'a> {
        let Self { format, cigar, score_only, phred, .. } = *self;
        let (command, statistics) = (self.command.as_deref(), None);
        Layout { format, cigar, score_only, scoring, statement, statistics, phred, command }
    }
}

fn open(request: &Request, residues: Residues, memory: Memory, ranked: bool) -> Result<Works> {
    let limits = Limits { weight: memory.batch, held: memory.held.min(HELD_MAX), whole_queries: ranked };
    let (sam, residues) = (request.format == Format::Sam, Arc::new(residues));
    let [of_queries, of_targets] = [sam::check_query as NameCheck, sam::check_target].map(|check| Reading {
        residues: Some(Arc::clone(&residues)),
        quality: None,
        name: sam.then_some(check),
    });
    let quality = sam.then_some(request.phred);
    let queries = File::open(&request.queries, Reading { quality, ..of_queries }, memory.reading)?;
    let targets = File::open(&request.targets, of_targets, memory.reading)?;
    Works::new(queries, targets, request.pairing, limits)
}

fn check_request(request: &Request, residues: &Residues) -> Result<()> {
    let refuse = |message: &str| Err(Error::Usage(message.into()));
    refuse_one_stream(&[("queries", &request.queries), ("targets", &request.targets)])?;
    if request.top.is_some() && request.pairing == Pairing::Zip {
        return refuse(
            "--top keeps the best targets of each query, which has one without --pairs all: write --pairs all",
        );
    }
    if request.score_only {
        request.thresholds.check_without_paths()?;
    }
    match request.strands {
        Strands::Forward => Ok(()),
        Strands::Both | Strands::Reverse => residues.check_strands(),
    }
}

/// What comes before the first row. SAM's header names every target, so a file of targets that is not held is read once
/// beforehand.
///
/// # Errors
/// Those of reading; targets that the format cannot name; [`Error::Usage`] for targets that can be read only once.
fn header(layout: &Layout, works: &Works, sizes: Sizes) -> Result<Vec<u8>> {
    let (mut targets, path) = (Targets::default(), works.targets().path());
    if layout.format.names_targets() {
        match works.held_targets() {
            Some(held) => (0..held.len()).try_for_each(|k| targets.add(path, held.name(k), held.sequence(k)))?,
            None => add_all(&mut targets, path, sizes)?,
        }
    }
    let mut text = Vec::new();
    layout.write_header(&mut text, &targets).expect("writing to memory does not fail");
    Ok(text)
}

fn add_all(targets: &mut Targets, path: &Path, sizes: Sizes) -> Result<()> {
    if !path.is_file() {
        return Err(Error::Usage(format!(
            "{}: sam names all targets before the first query, so they are read twice: give the targets as a file, or \
             write --format paf",
            path.display()
        )));
    }
    let mut file = File::open(path, Reading { name: Some(sam::check_target), ..Reading::default() }, sizes)?;
    let mut record = Records::default();
    while file.next(&mut record)? {
        targets.add(path, record.name(0), record.sequence(0))?;
        record.clear();
    }
    Ok(())
}

/// What a run has seen: sums over all pieces of work.
#[derive(Default)]
struct Seen {
    summary: Summary,
}

impl Seen {
    /// Counts what became of a piece of work, and writes its rows.
    fn put(&mut self, mut aligned: Aligned, output: &mut Output) -> Result<()> {
        self.summary.pairs += aligned.pairs;
        self.summary.cells = self.summary.cells.saturating_add(aligned.cells);
        Ok(aligned.text.each(|text| output.put(text))?)
    }

    /// Warns, once, of what the whole input shows.
    fn warn(&self, works: &Works, console: Console) {
        let (queries, targets) = (works.queries(), works.targets());
        if queries.is_empty() {
            console.warn(format_args!("{}: there are no queries in it", queries.path().display()));
        }
        if works.names_in_another_order() {
            console.warn(format_args!(
                "{} has the same names in another order than {}: records are paired by their order, not by name",
                targets.path().display(),
                queries.path().display()
            ));
        }
        let as_x = queries.scored_as_x() + targets.scored_as_x();
        if as_x > 0 {
            console.warn(format_args!("{as_x} residues are J, O or U, which the matrix lacks: they score as X"));
        }
    }
}
