//! A whole run of `amplicon`: from genomes and tables of primer pairs to one file.
//!
//! ```text
//! tables -> pairs -> patterns, in memory
//! genomes -> Genomes: file by file, read and checked on all threads -> workers: find, pair, text -> output, in order
//! ```
//!
//! Memory is divided as in a run of scan, with passes over primers whose tables do not fit together, and a batch with more matches than there is room for is searched in parts. Of a
//! crowded sequence, the matches of a stretch of twice the greatest length of a product are held, at least.
//!
//! Right at the edges: the output does not show how the genomes were cut into batches, because products lie in one sequence, and
//! every executor finds all matches. An error leaves no output file.

mod batch;

use super::Options;
use super::engine::Amplification;
use super::format::Format;
use super::pairs::{self, Pair};
use super::primers::Primers;
use super::products::Products;
use crate::circular::FOLD;
use crate::device::Shared;
use crate::engine::Search;
use crate::genomes::Genomes;
use crate::passes::Division;
use crate::pattern::Patterns;
use crate::{Algorithm, Options as SearchOptions};
use batch::{Amplified, PRODUCT_BYTES};
use std::path::{Path, PathBuf};
use std::time::Instant;
use warpseq_engine::devices::Gpus;
use warpseq_engine::error::Result;
use warpseq_engine::memory::Memory;
use warpseq_engine::options::RunOptions;
use warpseq_engine::room::Room;
use warpseq_engine::run::{Setup, run as run_batches};
use warpseq_io::console::Console;
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::output::Output;
use warpseq_io::progress::Progress;
use warpseq_io::shard::Shard;
use warpseq_io::table::View;
use warpseq_seq::Wildcards;
use warpseq_seq::iupac::count_wild;

/// What amplifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Tables of pairs; `-` is standard input.
    Tables(Vec<PathBuf>),
    /// At least one pair, made for the options of the run.
    Pairs(Vec<Pair>),
}

/// What to amplify, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// FASTA or FASTQ, at least one; `-` is standard input.
    pub genomes: Vec<PathBuf>,
    /// The part of them that is searched; `None`: all.
    pub shard: Option<Shard>,
    /// The primer pairs.
    pub source: Source,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// Which products there are.
    pub options: Options,
    /// How products are written.
    pub format: Format,
    /// What is shown of [`Format::Tsv`].
    pub view: View,
    /// What the run computes on, and what it may take.
    pub run: RunOptions,
}

impl Request {
    fn tables(&self) -> &[PathBuf] {
        match &self.source {
            Source::Tables(tables) => tables,
            Source::Pairs(_) => &[],
        }
    }

    /// Refuses two inputs that are one stream.
    fn refuse_one_stream(&self) -> warpseq_io::error::Result<()> {
        let named = |kind: &'static str| move |(k, path)| (format!("{kind} file {}", k + 1), path);
        let genomes = self.genomes.iter().enumerate().map(named("genome"));
        let roles: Vec<(String, &PathBuf)> =
            genomes.chain(self.tables().iter().enumerate().map(named("primer"))).collect();
        refuse_one_stream(&roles.iter().map(|(role, path)| (role.as_str(), path.as_path())).collect::<Vec<_>>())
    }
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Primer pairs.
    pub pairs: u64,
    /// Sequences that were searched.
    pub sequences: u64,
    /// Bases of all sequences.
    pub bases: u64,
    /// Products that were written.
    pub products: u64,
    /// Seconds spent searching and pairing, summed over workers: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
    /// What searched: `cpu`, GPUs by name, or both.
    pub engine: String,
}

/// What all workers of a run share.
struct Run<'a> {
    amplification: Amplification<'a>,
    format: Format,
    memory: Memory,
    /// Where products wait that are too many for memory.
    folder: &'a Path,
}

/// Runs `amplicon`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`](warpseq_engine::error::Error::Usage) for two inputs on
/// standard input; [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let Request { options, format, run: RunOptions { console, .. }, .. } = *request;
    request.refuse_one_stream()?;
    let gpus = Gpus::start_opening(request.run, "scan_");
    let fold = if options.circular { FOLD } else { 1 };
    let pairs = match &request.source {
        Source::Tables(tables) => pairs::read(tables, &options)?,
        Source::Pairs(pairs) => pairs.clone(),
    };
    warn_of_ambiguous(&pairs, console);
    let primers = &Primers::new(&pairs, options.max_mismatch);
    let search_options = &SearchOptions { circular: options.circular, ..SearchOptions::default() };
    let patterns = Patterns::Made(primers.patterns());
    let Division { memory, tables } = Division::new((patterns, "primers"), search_options.wildcards, fold, request.run);
    let mut genomes = Genomes::open(&request.genomes, request.shard, memory.reading)?;
    let inputs: Vec<&Path> = request.genomes.iter().chain(request.tables()).map(PathBuf::as_path).collect();
    let mut output = Output::create(request.output.as_deref(), &inputs)?;
    if format == Format::Tsv {
        output.show(&request.view.of_shard(request.shard));
    }
    output.begin_with(format.header())?;
    let progress = Progress::new(console, genomes.total_bytes(), genomes.bytes_read());

    let search = Search {
        options: search_options,
        algorithm: Algorithm::Auto,
        signatures: &[],
        patterns,
        tables,
        hashed: false,
        shared: &Shared::default(),
    };
    let most = (memory.matches / 2 / PRODUCT_BYTES).max(1);
    let products = Products { options: &options, primers, most };
    let amplification = Amplification { search, options: &options, pairs: &pairs, products };
    let (room, folder) = (Room::new(memory.room), &output.folder());
    let run = &Run { amplification, format, memory, folder };
    let mut summary = Summary { pairs: pairs.len() as u64, ..Summary::default() };
    let computed = run_batches(
        &amplification,
        Setup { options: request.run, gpus, in_flight: memory.in_flight, progress },
        || {
            room.wait_for(memory.batch);
            Ok(genomes.next()?.map(|batch| (room.take(fold * batch.records.bytes()), batch)))
        },
        |worker, (_guard, batch)| run.amplify(worker, batch),
        |mut amplified: Amplified| {
            summary.sequences += amplified.sequences;
            summary.bases += amplified.bases;
            summary.products += amplified.products;
            Ok(amplified.text.each(|text| output.put(text))?)
        },
    )?;
    genomes.warn(console);
    computed.clock.tell_verified(request.run);
    output.finish()?;
    let (engine, call_seconds) = (computed.devices.join(", "), computed.clock.call.as_secs_f64());
    Ok(Summary { engine, call_seconds, seconds: start.elapsed().as_secs_f64(), ..summary })
}

/// Warns of primers that bind anywhere.
fn warn_of_ambiguous(pairs: &[Pair], console: Console) {
    let ambiguous = |bases: &[u8]| count_wild(bases, Wildcards::Iupac) == bases.len();
    let mut found = pairs.iter().filter(|pair| ambiguous(pair.forward()) || ambiguous(pair.reverse()));
    if let Some(first) = found.next() {
        let (name, more) = (String::from_utf8_lossy(first.name()), found.count());
        let others = if more > 0 { format!(", and of {more} other pairs") } else { String::new() };
        console.warn(format_args!("a primer of pair {name}{others} has no A, C, G or T: it binds anywhere"));
    }
}
