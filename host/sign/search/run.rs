//! A whole run of `sign search`: from queries and a database to a table.

use super::{By, Format, Question, Search};
use crate::caveats::Caveats;
use crate::comparisons::Comparisons;
use crate::open;
use crate::signing::SignOptions;
use std::path::PathBuf;
use std::time::Instant;
use warpseq_engine::error::Result;
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::output::Output;
use warpseq_io::table::View;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Signatures, or sequences to be signed as the database was; `-` is standard input.
    pub queries: PathBuf,
    /// Signatures, or sequences to be signed; `-` is standard input.
    pub database: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What is searched for.
    pub question: Question,
    /// What is shown of a table.
    pub view: View,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of query sequences.
    pub queries: u64,
    /// Number of rows written.
    pub rows: u64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
}

/// Runs `sign search`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`FileError::Unusable`](warpseq_engine::error::FileError::Unusable) when the
/// database has no sequences, the queries were signed with other parameters, or the metric is not that of such signatures;
/// [`Error::Usage`](warpseq_engine::error::Error::Usage) where every pair would be a hit;
/// [`Error::Mismatch`](warpseq_engine::error::Error::Mismatch) when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let Request { queries, database: path, output, question, view, signing } = request;
    refuse_one_stream(&[("queries", queries), ("database", path)])?;
    let mut output = Output::create(output.as_deref(), &[queries, path])?;
    if question.format == Format::Tsv {
        output.show(view);
    }
    let database = open::open_first(path, queries, signing)?;
    open::require_some(path, &database)?;
    question.require_limit(&database.parameters)?;
    let of_sequences = question.by == By::Sequence;
    question.metric.require(path, &database, of_sequences)?;
    let mut caveats = Caveats::new(&database);
    let mut comparer = Comparisons::start(signing.run)?;
    let mut search = Search::new(&database, *question, &mut comparer, signing.run.host_memory);
    search.write_header(&mut output)?;
    let queries = open::each(queries, (path, &database), signing, |part| {
        question.metric.require(queries, part, of_sequences)?;
        caveats.see(part);
        search.write(part, &mut output)
    })?;
    let rows = search.rows;
    database.require_unchanged()?;
    output.finish()?;
    comparer.tell()?;
    caveats.warn(signing.run.console);
    Ok(Summary { queries, rows, seconds: start.elapsed().as_secs_f64() })
}
