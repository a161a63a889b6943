//! A whole run of `scan`: from files to files.
//!
//! ```text
//! signatures -> patterns, in memory; where they and their tables do not fit, a group at a time for each batch (`passes`)
//! sequences -> Fragments: read and checked on all threads -> workers: find, choose, text -> calling thread: output, in order
//!                  ^------------- Spare -------------------|
//! ```
//!
//! The bases and qualities of a batch go into memory that a worker has given back, and reading waits while the batches in
//! flight take too much together. So a run takes what its `Memory` says, and the longest record, however large the input is. A
//! batch with more matches than there is room for is searched in parts, and rows that are too many for memory wait in a file.
//!
//! Right at the edges: the output does not show which worker searched a batch, or how the sequences were cut into batches,
//! because every executor finds all matches, and all else is done here, sequence by sequence. An error leaves no output file:
//! outputs appear under their names only when all are complete.

mod batch;
pub(crate) mod crowded;
pub mod fragments;
mod outlook;
mod outputs;
pub mod reads;
mod repeats;
mod tally;
mod text;
mod warnings;

use super::circular::FOLD;
use super::device::Shared;
use super::engine::Search;
use super::facts::{Facts, Warnings};
use super::format::Format;
use super::input;
use super::inputs::Inputs;
use super::passes::Division;
use super::pattern::{Patterns, patterns};
use super::{Algorithm, Mismatches, Options, Pattern, Signature};
use crate::summary::{Summary as Calls, Thresholds};
use batch::Searched;
use fragments::Reader;
use outlook::{Meanwhile, Outlook};
use outputs::Outputs;
use rayon::prelude::*;
use reads::ReadsOut;
use std::ffi::OsString;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tally::Tallies;
use warnings::Seen;
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::Result;
use warpseq_engine::memory::Memory;
use warpseq_engine::options::{Process, RunOptions};
use warpseq_engine::room::Room;
use warpseq_engine::run::{Setup, run as run_batches};
use warpseq_engine::worker::Kept;
use warpseq_io::error::{FileError, Result as FileResult};
use warpseq_io::fastx::{Demands, Qualities, Spare, refuse_one_stream};
use warpseq_io::progress::Progress;
use warpseq_io::shard::Shard;
use warpseq_io::table::View;

/// What to search, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What is searched.
    pub inputs: Inputs,
    /// The part of that which is searched; `None`: all.
    pub shard: Option<Shard>,
    /// FASTA; `-` is standard input.
    pub signatures: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What matches, and what is reported.
    pub options: Options,
    /// How rows are written; `None`: there are none.
    pub format: Option<Format>,
    /// What is shown of [`Format::Tsv`].
    pub view: View,
    /// What is counted.
    pub counting: Counting,
    /// The reads that are written.
    pub reads_out: ReadsOut,
    /// How matches are searched.
    pub algorithm: Algorithm,
    /// What the run computes on, and what it may take.
    pub run: RunOptions,
}

/// What is counted of the samples, and where it goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counting {
    /// The [counts](crate::counts).
    pub counts: Option<PathBuf>,
    /// Whether fragments that begin alike count once.
    pub dedup: bool,
    /// The [summary](crate::summary).
    pub summary: Option<PathBuf>,
    /// Its matrix.
    pub matrix: Option<PathBuf>,
    /// The [figures of the run](crate::stats).
    pub stats: Option<PathBuf>,
    /// The [page](crate::page).
    pub html: Option<PathBuf>,
    /// The words of the command line behind the program's name, which they show.
    pub command: Vec<OsString>,
    /// What was warned of on the way to this run, for the page and the figures.
    pub warned: Vec<String>,
    /// A table of genomes and groups.
    pub groups: Option<PathBuf>,
    /// When a group is called.
    pub thresholds: Thresholds,
    /// The label of the negative control.
    pub control: Option<Vec<u8>>,
}

impl Request {
    /// Refuses inputs that are missing, two that are one stream, and what is made of all shards together.
    fn require_inputs(&self) -> FileResult<()> {
        if let Some(option) = self.counting.of_all().filter(|_| self.shard.is_some()) {
            return Err(FileError::Usage(format!(
                "{option} needs all shards together: write --counts FILE of each shard, and have `warpseq summary` make it of these"
            )));
        }
        if self.counting.dedup && self.shard.is_some() {
            return Err(FileError::Usage(
                "--dedup looks for repeats in all shards together: leave it or --shard out".into(),
            ));
        }
        let roles: Vec<String> = match self.inputs.paths().count() {
            1 => vec!["sequences".into()],
            more => (1..=more).map(|number| format!("input {number}")).collect(),
        };
        let mut streams: Vec<(&str, &Path)> = roles.iter().map(String::as_str).zip(self.inputs.paths()).collect();
        streams.push(("signatures", &self.signatures));
        refuse_one_stream(&streams)?;
        Calls::require_control(self.counting.control.as_deref(), self.inputs.samples().iter().map(Vec::as_slice))?;
        self.inputs.require_files()
    }

    /// What a batch takes, as a multiple of its text: pairs are put together in memory of their own, and so are texts.
    fn fold(&self) -> usize {
        let texts = if self.reads_out.is_empty() { 0 } else { 2 };
        let circles = if self.options.circular { FOLD } else { 1 };
        circles + usize::from(self.inputs.have_pairs()) + texts
    }

    /// What is demanded of sequences. Where there are no rows, nobody looks at qualities.
    fn demands(&self) -> Demands {
        let demands = input::demands(&self.options);
        let qualities = if self.format.is_some() { demands.qualities } else { Qualities::Drop };
        Demands { qualities, texts: !self.reads_out.is_empty(), ..demands }
    }
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Sequences that were searched.
    pub sequences: u64,
    /// Bases of all sequences.
    pub bases: u64,
    /// Rows that were written.
    pub rows: u64,
    /// Seconds spent searching, choosing and scoring, summed over workers: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
    /// What searched: `cpu`, GPUs by name, or both.
    pub engine: String,
}

/// What all workers of a run share.
struct Run<'a> {
    request: &'a Request,
    search: Search<'a>,
    /// The signature of each pattern, where something is counted; none where signatures have two each.
    signature_of: Vec<u32>,
    /// What is counted in.
    tallies: &'a Option<Tallies>,
    /// Where the memory of records goes that were put together and have been searched.
    spare: Spare,
    memory: Memory,
    /// Where rows wait that are too many for memory.
    folder: &'a Path,
}

/// Asks for a GPU where that is known to be worth it. Whether the CPU waits for it, all signatures tell.
fn ask_if_long(
    gpus: &mut Option<Gpus>,
    outlook: Option<&Outlook>,
    request: &Request,
    signatures: Option<&[Signature]>,
) {
    let (Some(gpus), Some(outlook)) = (gpus, outlook) else { return };
    let Some(meanwhile) = outlook.asks(request, signatures) else { return };
    if gpus.is_held() {
        request.run.console.detail(format_args!("a GPU is asked for at once"));
    }
    match meanwhile {
        Meanwhile::Waits if signatures.is_some() => gpus.ask_alone(),
        _ => gpus.ask(),
    }
}

/// Runs `scan`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`](warpseq_engine::error::Error::Usage) for two inputs on
/// standard input; [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let Request { options, format, algorithm, run: RunOptions { processor, host_memory, console, .. }, .. } = *request;
    request.require_inputs()?;
    let mut gpus = Gpus::start_opening(request.run, "scan_");
    let fold = request.fold();
    let memory = Memory::for_batches(host_memory, rayon::current_num_threads(), processor, fold);
    let mut outlook = None;
    let signatures = rayon::in_place_scope(|tasks| {
        if processor.expects_gpu() && gpus.as_ref().is_some_and(Gpus::is_held) {
            // To look into an input takes a few milliseconds.
            tasks.spawn(|_| {
                outlook = Outlook::of(request);
                ask_if_long(&mut gpus, outlook.as_ref(), request, None);
            });
        }
        input::signatures(&request.signatures, &options, memory.reading)
    })?;
    // Millions of signatures, and what is made of them, take a while to drop.
    let to_the_end = request.run.process == Process::EndsWithRun;
    let mut signatures = Kept::new(signatures, to_the_end);
    let signatures: &[Signature] = signatures.get();
    ask_if_long(&mut gpus, outlook.as_ref(), request, Some(signatures));
    let mut warnings = Warnings::new(console, request.counting.warned.clone());
    warnings::about_signatures(signatures, options.wildcards, &mut warnings);
    let one_by_one = Patterns::Of(signatures, &options);
    let Division { memory, tables } = Division::new((one_by_one, "signatures"), options.wildcards, fold, request.run);

    // Before texts are read ahead, for which these would wait, and the first batch for them.
    let made = if tables.is_some() { Vec::new() } else { patterns(signatures, &options) };
    let (mut made, mut shared) = (Kept::new(made, to_the_end), Kept::new(Shared::default(), to_the_end));
    let (made, shared) = (&*made.get(), shared.get());
    shared.late = outlook.map(|outlook| outlook.late).unwrap_or_default();
    let shared = &*shared;
    let patterns = if tables.is_some() { one_by_one } else { Patterns::Made(made) };
    let hashed = format.is_some_and(Format::has_hash);
    let search = Search { options: &options, algorithm, signatures, patterns, tables, hashed, shared };
    search.prepare();
    let demands = request.demands();
    let mut reader = Reader::new(request.inputs.all(), request.shard, demands, memory.reading, request.counting.dedup)?;
    let (mismatches, counting) = (options.max_mismatch != Mismatches::NONE, &request.counting);
    let tallies = &counting.is_wanted().then(|| Tallies::new(signatures.len(), mismatches));
    let mut outputs = Outputs::open(request, signatures, tallies.as_ref(), &mut warnings)?;
    let progress = Progress::new(console, reader.total_bytes(), reader.bytes_read());
    let have_two = tables.is_some() || made.len() == 2 * signatures.len();
    let signature_of =
        if tallies.is_some() && !have_two { made.par_iter().map(Pattern::signature).collect() } else { Vec::new() };
    let (room, spare, folder) = (Room::new(memory.room), Spare::default(), &outputs.folder.clone());
    let run = &Run { request, search, signature_of, tallies, spare, memory, folder };
    let mut seen = Seen::default();
    let mut gpu_is_coming = processor.expects_gpu() && gpus.as_ref().is_some_and(|gpus| !gpus.is_held());
    let computed = run_batches(
        &search,
        Setup { options: request.run, gpus, in_flight: memory.in_flight, progress },
        || {
            room.wait_for(memory.batch);
            let Some(fragments) = reader.next_fragments()? else { return Ok(None) };
            if take(&mut gpu_is_coming) {
                // While the driver starts, and before the CPU makes its tables: both at a time take longer.
                search.decide(&fragments.bases());
            }
            Ok(Some((room.take(fold * fragments.bytes()), fragments)))
        },
        |worker, (_guard, fragments)| run.search(worker, fragments),
        |mut searched: Searched| {
            seen.add(&searched);
            outputs.put(&mut searched, request.wants_more())
        },
    )?;
    seen.warn(run, &reader.held, &mut warnings);
    computed.clock.tell_verified(request.run);
    let (engine, call_seconds) = (computed.devices.join(", "), computed.clock.call.as_secs_f64());
    let facts = Facts::new(&request.counting.command, start, warnings).of_scan(&engine, call_seconds);
    outputs.finish(facts)?;
    Ok(Summary { engine, call_seconds, seconds: start.elapsed().as_secs_f64(), ..seen.summary })
}
