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
mod input;
mod search;
mod significance;

use super::engine::Aligner;
use super::filter::{Filter, Thresholds};
use super::format::{CigarStyle, Format, Layout, sam, sam::Targets};
use super::input::{File, NameCheck, Piece, Reading};
use super::pairing::{Limits, Pairing, RECORD_BYTES, Works};
use super::scoring::{Residues, Rules};
use super::search::serves;
use super::statistics::Statistics;
use super::{Scoring, Want};
use batch::Aligned;
pub use batch::choice::{choose, of_queries};
use input::Input;
use search::Searched;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::memory::Memory;
use warpseq_engine::options::RunOptions;
use warpseq_engine::room::Room;
use warpseq_engine::run::{Computed, Setup, run as run_batches};
use warpseq_io::fastx::{Unit, refuse_one_stream};
use warpseq_io::output::Output;
use warpseq_io::progress::Progress;
use warpseq_io::shard::Shard;
use warpseq_io::standard::size_of_input;
use warpseq_io::table::View;
use warpseq_seq::{PhredOffset, Strands};

/// Bytes of inputs whose pairs take the CPU longer than opening a GPU, however short they are.
const LARGE_INPUT: u64 = 128 << 20;

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
    /// The part of the queries that is aligned; `None`: all.
    pub shard: Option<Shard>,
    /// FASTA or FASTQ, or a database file; `-` is standard input.
    pub targets: PathBuf,
    /// Whether the targets are a database file.
    pub stored: bool,
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
    /// What is shown of [`Format::Tsv`]; no header is one of any format.
    pub view: View,
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
    let searches = serves(request.pairing, scoring.mode, request.top, &request.thresholds);
    let options = if searches { request.searching() } else { request.run };
    let mut gpus = Gpus::start_opening(options, "align_");
    if inputs.into_iter().filter_map(size_of_input).sum::<u64>() >= LARGE_INPUT {
        gpus.iter_mut().for_each(Gpus::ask);
    }
    let (want, unit) = match request.score_only {
        true => (Want::Score, BYTES_WITHOUT_PATH),
        false => (Want::Path, BYTES_WITH_PATH),
    };
    let memory = Memory::for_pairs(host_memory, rayon::current_num_threads(), options.processor.expects_gpu(), unit);
    let ranked = !searches && (request.top.is_some() || request.format == Format::Sam);
    let mut input = open(request, residues, memory, (searches, options.processor.expects_gpu()))?;
    let sizes = parameters.is_some().then(|| input.sizes()).transpose()?;
    let statistics = parameters.zip(sizes).map(|(parameters, sizes)| Statistics::new(parameters, sizes));
    let layout = Layout { statistics: statistics.as_ref(), ..layout };
    let view = request.view.of_shard(request.shard);
    let is_table = request.format == Format::Tsv;
    if is_table {
        output.show(&view);
    }
    if is_table || !view.no_header {
        output.begin_with(header(&layout, &input)?)?;
    }
    console.detail(format_args!("{statement}"));
    let (total, read) = input.streamed().progress();
    let progress = Progress::new(console, total, read);

    let folder = &output.folder();
    let filter = Filter { thresholds: request.thresholds, scoring: &scoring, statistics: statistics.as_ref() };
    let run = &Run { request, scoring: &scoring, layout: &layout, want, memory, folder, ranked, filter };
    let mut seen = Seen::default();
    let setup = Setup { options, gpus, in_flight: memory.in_flight, progress };
    let computed = match &mut input {
        Input::Search(searched) => run.search(searched, setup, &mut output, &mut seen)?,
        Input::Pairs(works) => run.align_all(works, setup, &mut output, &mut seen)?,
    };
    input.warn(console);
    input.targets().require_unchanged()?;
    computed.clock.tell_verified(request.run);
    output.finish()?;
    let (queries, engine) = (input.queries().count(), computed.devices.join(", "));
    let [call_seconds, busy_seconds] = [computed.clock, computed.longest].map(|clock| clock.call.as_secs_f64());
    Ok(Summary { queries, call_seconds, busy_seconds, seconds: start.elapsed().as_secs_f64(), engine, ..seen.summary })
}

impl Run<'_> {
    /// Aligns all pairs and writes those that are to be reported.
    fn align_all(&self, works: &mut Works, setup: Setup, output: &mut Output, seen: &mut Seen) -> Result<Computed> {
        let (room, spare) = (Room::new(self.memory.room), works.spare().clone());
        run_batches(
            &Aligner { console: self.request.run.console },
            setup,
            || {
                room.wait_for(self.memory.batch);
                Ok(works.next_work()?.map(|work| (room.take(work.weight), work)))
            },
            |worker, (_guard, work)| {
                let aligned = self.align(worker, &work);
                work.give_back(&spare, self.memory.batch);
                aligned
            },
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

fn open(request: &Request, residues: Residues, memory: Memory, (searches, for_gpu): (bool, bool)) -> Result<Input> {
    let (sam, residues) = (request.format == Format::Sam, Arc::new(residues));
    let [of_queries, of_targets] = [sam::check_query as NameCheck, sam::check_target].map(|check| Reading {
        residues: Some(Arc::clone(&residues)),
        quality: None,
        name: sam.then_some(check),
    });
    let quality = sam.then_some(request.phred);
    let held = memory.held.min(HELD_MAX);
    let piece = if searches { search::piece(held, for_gpu) } else { Piece::ALL };
    // What is wrong with a database is said before queries are waited for.
    let stored = request.stored.then(|| File::stored(&request.targets, &of_targets, piece)).transpose()?;
    let of_queries = Reading { quality, ..of_queries };
    let open_targets = || match stored {
        Some(stored) => Ok(stored),
        None => File::open(&request.targets, of_targets, memory.reading),
    };
    let (queries, targets) = match request.shard {
        None => (File::open(&request.queries, of_queries, memory.reading)?, open_targets()?),
        Some(shard) => {
            let targets = open_targets()?;
            (share(request, shard, of_queries, memory, targets.is_single())?, targets)
        }
    };
    if searches {
        return Searched::new(queries, targets, piece).map(Input::Search);
    }
    let ranked = request.top.is_some() || sam;
    let limits = Limits { weight: memory.batch, held, whole_queries: ranked };
    Works::new(queries, targets, request.pairing, limits).map(Input::Pairs)
}

/// The queries of a shard.
fn share(request: &Request, shard: Shard, reading: Reading, memory: Memory, one_target: bool) -> Result<File> {
    let shares = shard.shares([request.queries.as_path()])?;
    // Of two files, a query has its target by its number.
    let unit = if request.pairing == Pairing::All || one_target { Unit::Record } else { Unit::Numbered };
    File::open_share(&request.queries, reading, memory.reading, &shares[0], unit)
}

fn check_request(request: &Request, residues: &Residues) -> Result<()> {
    let refuse = |message: &str| Err(Error::Usage(message.into()));
    refuse_one_stream(&[("queries", &request.queries), ("targets", &request.targets)])?;
    if request.stored && request.pairing == Pairing::Zip {
        return refuse(
            "a database holds targets for every query, not one for each: write --pairs all, or give the targets as sequences",
        );
    }
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

/// What comes before the first row.
///
/// # Errors
/// Those of [`Input::names`].
fn header(layout: &Layout, input: &Input) -> Result<Vec<u8>> {
    let targets = if layout.format.names_targets() { input.names()? } else { Targets::default() };
    let mut text = Vec::new();
    layout.write_header(&mut text, &targets).expect("writing to memory does not fail");
    Ok(text)
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
}
