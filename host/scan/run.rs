//! A whole run of `scan`: from two files to one.
//!
//! ```text
//! signatures -> patterns, in memory
//! samples -> reader thread -> Work -> engine threads: check, find, choose, text -> calling thread: output, in order
//!                ^--------- Pool ---------|
//! ```
//!
//! The reader fills the letters and qualities of a batch in memory that an engine has given back, and waits while those in
//! flight take too much together, so a run takes what its `Batches` take and the longest record, whatever the size of the
//! samples file. A batch with more matches than there is room for is searched in parts, and rows that are too many to wait in
//! memory wait in a file. GPUs are opened while the first batches are read ([`Processor::start_opening`]).
//!
//! Right at the edges: which engine searched a batch, and how the samples were cut into batches, cannot be seen in the
//! output, because every executor finds all matches and all else is done here, sample by sample. An error leaves no output
//! file: [`Output`] appears under its name only when complete.

mod crowded;
mod engines;
mod job;
mod verify;
mod warnings;

use super::format::Format;
use super::input::{self, Samples, Work};
use super::pattern::patterns;
use super::question::Question;
use super::{Algorithm, Options, Pattern, Signature};
use job::Answer;
use std::path::{Path, PathBuf};
use std::time::Instant;
use warnings::Seen;
use warpseq_engine::engines::Names;
use warpseq_engine::error::Result;
use warpseq_engine::pipeline;
use warpseq_engine::pipeline::batches::Batches;
use warpseq_engine::pipeline::pool::Pool;
use warpseq_engine::pipeline::room::Room;
use warpseq_engine::processor::Processor;
use warpseq_engine::profile;
use warpseq_engine::verify::Verify;
use warpseq_io::console::Console;
use warpseq_io::fastx::refuse_shared_stdin;
use warpseq_io::output::Output;
use warpseq_io::progress::Progress;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// FASTQ or FASTA; `-` is standard input.
    pub samples: PathBuf,
    /// FASTA; `-` is standard input.
    pub signatures: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    pub options: Options,
    pub format: Format,
    pub algorithm: Algorithm,
    pub processor: Processor,
    /// Bytes that the process may take, the longest record apart.
    pub host_memory: usize,
    /// Bytes of device memory that may be taken; `None`: what is free.
    pub device_memory: Option<usize>,
    /// Whether everything is searched a second time by another executor, and compared.
    pub verify: Option<Verify>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub samples: u64,
    /// Letters of all samples.
    pub letters: u64,
    pub rows: u64,
    /// Seconds spent searching, choosing and scoring, summed over engines: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
    /// What searched: `cpu`, or GPUs by name.
    pub engine: String,
}

/// What all engines of a run share.
struct Run<'a> {
    request: &'a Request,
    signatures: &'a [Signature],
    patterns: &'a [Pattern],
    console: Console,
    /// Batches that have been searched.
    pool: &'a Pool<Work>,
    batches: Batches,
    /// Where rows wait that are too many for memory.
    folder: &'a Path,
}

impl Run<'_> {
    /// What is asked of every batch; `hashed` when the integrity hashes are wanted.
    fn question(&self, hashed: bool) -> Question<'_> {
        let Self { request, signatures, patterns, .. } = *self;
        Question { options: &request.options, signatures, patterns, hashed }
    }
}

/// Runs `scan`.
///
/// # Errors
/// What the files, the GPU and the output may answer; [`Error::Usage`](warpseq_engine::error::Error::Usage) for two inputs on standard
/// input; [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify` finds a difference.
pub fn run(request: &Request, console: Console) -> Result<Summary> {
    let start = Instant::now();
    refuse_shared_stdin([("samples", &request.samples), ("signatures", &request.signatures)])?;
    let gpus = request.processor.start_opening();
    let signatures = input::signatures(&request.signatures, request.options.wildcards)?;
    warnings::about_signatures(&signatures, request.options.wildcards, console);
    let batches = Batches::new(request.host_memory, request.processor.expects_gpu());
    let mut samples = Samples::open(&request.samples, batches.bytes, Room::new(batches.room))?;
    let inputs = [request.samples.as_path(), &request.signatures].map(Path::to_path_buf);
    let mut output = Output::create(request.output.as_deref(), &inputs.each_ref().map(PathBuf::as_path))?;
    let progress = Progress::new(console, samples.reader().total_bytes(), samples.reader().bytes_read());

    let patterns = patterns(&signatures, &request.options);
    let (pool, folder) = (Pool::default(), &output.folder());
    let run = Run { request, signatures: &signatures, patterns: &patterns, console, pool: &pool, batches, folder };
    let read = || {
        let _range = profile::range("read");
        Ok(samples.next(|| pool.take())?)
    };
    let names = Names::default();
    let engines = || engines::start(&run, gpus, &names);
    let mut seen = Seen::default();
    let write = |mut answer: Answer| {
        let _range = profile::range("write");
        progress.update();
        if seen.summary.samples == 0 {
            write_header(request.format, &mut output)?;
        }
        seen.add(&answer);
        Ok(answer.text.each(|text| output.put(text))?)
    };
    pipeline::run(batches.in_flight, read, engines, write)?;
    drop(progress);
    if seen.summary.samples == 0 {
        write_header(request.format, &mut output)?;
    }
    seen.warn(&run);
    output.finish()?;
    let engine = names.into_inner().join(", ");
    Ok(Summary { engine, seconds: start.elapsed().as_secs_f64(), ..seen.summary })
}

/// Written with the first rows or at the end, so that a run that cannot search prints nothing.
fn write_header(format: Format, output: &mut Output) -> Result<()> {
    Ok(format.write_header(output).map_err(|error| output.fault(error))?)
}
