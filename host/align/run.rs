//! A whole run of `align`: from two files to one.
//!
//! ```text
//! queries, targets -> reader thread -> Work -> engine threads: align, choose, text -> calling thread: output, in order
//! ```
//!
//! [`super::pairing`] says what a piece of work is and what of the files is in memory. Letters are checked as they are read:
//! that takes nothing against aligning them. GPUs are opened while the first records are read.
//!
//! Two passes: where the best targets of a query are wanted (`--top`, and SAM, whose best record is primary), all its pairs
//! are aligned for their scores first, and those to be reported once more. Only scores are kept in between.
//!
//! Memory: work in flight has a bounded weight, the heaviest pair apart, and rows that are too many to wait in memory wait in a
//! file.
//!
//! Right at the edges: which engine aligned a pair, and how pairs were cut into work, cannot be seen in the output, because
//! every executor gives the same alignments and all else is done here, query by query. An error leaves no output file:
//! [`Output`] appears under its name only when complete.

mod aligner;
mod batches;
mod choose;
mod engines;
mod header;
mod job;
mod verify;
mod warnings;

use super::format::{CigarStyle, Format, Layout, sam};
use super::input::{File, NameCheck, Reading};
use super::pairing::{Limits, Pairing, Works};
use super::scoring::{Letters, Rules};
use super::{Scoring, Want};
use batches::Batches;
use job::Answer;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use warnings::Seen;
use warpseq_engine::engines::Names;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::pipeline;
use warpseq_engine::pipeline::room::Room;
use warpseq_engine::processor::Processor;
use warpseq_engine::profile;
use warpseq_engine::verify::Verify;
use warpseq_io::console::Console;
use warpseq_io::fastx::refuse_shared_stdin;
use warpseq_io::output::Output;
use warpseq_io::progress::Progress;
use warpseq_seq::{PhredOffset, Strands};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// FASTA or FASTQ; `-` is standard input.
    pub queries: PathBuf,
    /// FASTA or FASTQ; `-` is standard input.
    pub targets: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    pub rules: Rules,
    pub pairing: Pairing,
    /// The most targets reported for a query, best first; `None`: all, in their order.
    pub top: Option<usize>,
    /// Strands of the queries that are aligned. Both: the better one is reported, forward where both are as good.
    pub strands: Strands,
    pub format: Format,
    /// Only scores and ends are wanted, in [`Format::Tsv`].
    pub score_only: bool,
    pub cigar: CigarStyle,
    /// The command line for SAM's @PG; `None`: without that line.
    pub command: Option<String>,
    /// How the queries' qualities are encoded.
    pub phred: PhredOffset,
    pub processor: Processor,
    /// Bytes that the process may take, the longest record apart.
    pub host_memory: usize,
    /// Bytes of device memory that may be taken; `None`: what is free.
    pub device_memory: Option<usize>,
    /// Whether everything is aligned a second time by another executor, and compared.
    pub verify: Option<Verify>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub queries: u64,
    pub pairs: u64,
    /// Cells computed, summed over pairs, strands and passes: query length times target length.
    pub cells: u64,
    /// Seconds spent aligning, summed over engines: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
    /// What aligned: `cpu`, or GPUs by name.
    pub engine: String,
    /// How many engines there were.
    pub engines: usize,
}

impl Summary {
    /// Billions of cells per second while all engines were aligning.
    pub fn gcups(&self) -> f64 {
        let busy = self.call_seconds / self.engines.max(1) as f64;
        if busy > 0.0 { self.cells as f64 / busy / 1e9 } else { 0.0 }
    }
}

/// What all engines of a run share.
struct Run<'a> {
    request: &'a Request,
    scoring: &'a Scoring,
    layout: &'a Layout<'a>,
    want: Want,
    batches: Batches,
    /// Where rows wait that are too many for memory.
    folder: &'a Path,
    /// Whether the best pair of a query has to be known.
    ranked: bool,
    console: Console,
}

/// Runs `align`.
///
/// # Errors
/// What the files, the GPU and the output may answer; [`Error::Usage`] for scores or options that make no sense;
/// [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request, console: Console) -> Result<Summary> {
    let start = Instant::now();
    let scoring = request.rules.scoring()?;
    let statement = request.rules.statement(&scoring);
    let layout = request.layout(&scoring, &statement);
    layout.check()?;
    let letters = request.rules.alphabet.letters();
    refuse_nonsense(request, &letters)?;
    let inputs = [request.queries.as_path(), &request.targets];
    let mut output = Output::create(request.output.as_deref(), &inputs)?;
    let gpus = request.processor.start_opening();
    let want = if request.score_only { Want::Score } else { Want::Path };
    let batches = Batches::new(request.host_memory, request.processor.expects_gpu(), want);
    let ranked = request.top.is_some() || request.format == Format::Sam;
    let mut works = open(request, letters, batches, ranked)?;
    let header = header::text(&layout, &works)?;
    let streamed = works.streamed().reader();
    let progress = Progress::new(console, streamed.total_bytes(), streamed.bytes_read());

    let (room, folder) = (Room::new(batches.room), &output.folder());
    let run = Run { request, scoring: &scoring, layout: &layout, want, batches, folder, ranked, console };
    let read = || {
        let _range = profile::range("read");
        room.wait_for(batches.weight);
        Ok(works.next_work()?.map(|work| (room.take(work.weight), work)))
    };
    let names = Names::default();
    let engines = || engines::start(&run, gpus, &names);
    let (mut seen, mut header) = (Seen::default(), Some(header));
    let write = |mut answer: Answer| {
        let _range = profile::range("write");
        progress.update();
        // Written with the first rows or at the end, so that a run that cannot align prints nothing.
        header.take().map_or(Ok(()), |header| output.put(&header))?;
        seen.add(&answer);
        Ok(answer.text.each(|text| output.put(text))?)
    };
    pipeline::run(batches.in_flight, read, engines, write)?;
    drop(progress);
    header.map_or(Ok(()), |header| output.put(&header))?;
    seen.warn(&run, &works);
    output.finish()?;
    let names = names.into_inner();
    let (queries, engine, engines) = (works.queries().count(), names.join(", "), names.len());
    Ok(Summary { queries, seconds: start.elapsed().as_secs_f64(), engine, engines, ..seen.summary })
}

impl Request {
    fn layout<'a>(&'a self, scoring: &'a Scoring, statement: &'a str) -> Layout<'a> {
        let Self { format, cigar, score_only, phred, .. } = *self;
        Layout { format, cigar, score_only, scoring, statement, phred, command: self.command.as_deref() }
    }
}

fn open(request: &Request, letters: Letters, batches: Batches, ranked: bool) -> Result<Works> {
    let limits = Limits { weight: batches.weight, held: batches.held, whole_queries: ranked };
    let sam = request.format == Format::Sam;
    let of_targets = Reading { letters: Some(Arc::new(letters)), quality: None, name: None };
    let (quality, name) = (sam.then_some(request.phred), sam.then_some(sam::check_query as NameCheck));
    let queries = File::open(&request.queries, Reading { quality, name, ..of_targets.clone() })?;
    let targets = File::open(&request.targets, of_targets)?;
    Works::new(queries, targets, request.pairing, limits)
}

fn refuse_nonsense(request: &Request, letters: &Letters) -> Result<()> {
    let refuse = |message: &str| Err(Error::Usage(message.into()));
    refuse_shared_stdin([("queries", &request.queries), ("targets", &request.targets)])?;
    if request.top.is_some() && request.pairing == Pairing::Zip {
        return refuse(
            "--top keeps the best targets of each query, which has one without --pairs all: write --pairs all",
        );
    }
    match request.strands {
        Strands::Forward => Ok(()),
        Strands::Both | Strands::Reverse => letters.check_strands(),
    }
}
