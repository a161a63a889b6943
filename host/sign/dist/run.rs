//! A whole run of `sign dist`: from one file or two to a table.

use super::table::{Format, Table};
use crate::collection::Collection;
use crate::engine::Comparisons;
use crate::open;
use crate::signing::SignOptions;
use std::path::{Path, PathBuf};
use warpseq_engine::error::{Error, Result};
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::output::Output;
use warpseq_io::table::View;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Signatures, or sequences to be signed; `-` is standard input.
    pub rows: PathBuf,
    /// The same for the columns; `None`: the sequences of the rows.
    pub columns: Option<PathBuf>,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// How distances are written.
    pub format: Format,
    /// What is shown of a table.
    pub view: View,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// Runs `sign dist`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`] for a square matrix of two files;
/// [`FileError::Unusable`](warpseq_io::error::FileError::Unusable) when the second file has no sequences or was made with
/// other parameters; [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request) -> Result<()> {
    let Request { rows: path, columns: second, output, format, view, signing } = request;
    if let Some(second) = second {
        refuse_one_stream(&[("A", path), ("B", second)])?;
        if *format == Format::Phylip {
            let message = "a PHYLIP matrix compares one file with itself: leave B out, or use --format tsv";
            return Err(Error::Usage(message.into()));
        }
    }
    let inputs: Vec<&Path> = std::iter::once(path).chain(second).map(PathBuf::as_path).collect();
    let mut output = Output::create(output.as_deref(), &inputs)?;
    if *format == Format::Tsv {
        output.show(view);
    }
    let rows = match second {
        Some(second) => open::open_first(path, second, signing)?,
        None => open::open(path, signing)?,
    };
    let columns = second.as_deref().map(|second| open::open_some(second, (path, &rows), signing)).transpose()?;
    let mut comparer = Comparisons::start(signing.run)?;
    let table = Table { rows: &rows, columns: columns.as_ref(), format: *format };
    table.write(&mut comparer, signing.run.host_memory, &mut output)?;
    std::iter::once(&rows).chain(&columns).try_for_each(Collection::require_unchanged)?;
    output.finish()?;
    comparer.tell();
    Ok(())
}
