//! A whole run of `sign dist`: from one file or two to a table.

use super::table::{self, Format, Table};
use crate::caveats::Caveats;
use crate::collection::Collection;
use crate::comparisons::Comparisons;
use crate::metric::Metric;
use crate::open;
use crate::signing::SignOptions;
use std::path::{Path, PathBuf};
use warpseq_engine::error::{Error, Result};
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::output::{Output, beside};
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
    /// Where the names of [`Format::PhylipStrict`] go, with the sequences' own; that format needs it, and no other has it.
    pub names: Option<PathBuf>,
    /// What is written in their place, [`Metric::Hamming`] alone in a matrix.
    pub metric: Metric,
    /// What is shown of a table.
    pub view: View,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// Runs `sign dist`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`] for a square matrix of two files or of another metric;
/// [`FileError::Unusable`](warpseq_io::error::FileError::Unusable) when the second file has no sequences or was made with
/// other parameters, or the metric is not that of such signatures; [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request) -> Result<()> {
    let Request { rows: path, columns: second, output, format, names, metric, view, signing } = request;
    if let Some(second) = second {
        refuse_one_stream(&[("A", path), ("B", second)])?;
        if format.is_matrix() {
            let message = "a PHYLIP matrix compares one file with itself: leave B out, or use --format tsv";
            return Err(Error::Usage(message.into()));
        }
    }
    if format.is_matrix() && *metric != Metric::Hamming {
        let message =
            "a PHYLIP matrix holds distances, and programs take them for that: leave --metric out, or use --format tsv";
        return Err(Error::Usage(message.into()));
    }
    match (names, format) {
        (None, Format::PhylipStrict) => {
            let message = "--format phylip-strict shortens names to ten characters: add --names FILE, which tells them";
            return Err(Error::Usage(message.into()));
        }
        (Some(_), Format::Tsv | Format::Phylip) => {
            return Err(Error::Usage("--names is for --format phylip-strict: other formats have the names".into()));
        }
        _ => {}
    }
    let inputs: Vec<&Path> = std::iter::once(path).chain(second).map(PathBuf::as_path).collect();
    let (mut output, mut short) = beside::open(output.as_deref(), ("--names", names.as_deref()), &inputs)?;
    if *format == Format::Tsv {
        output.show(view);
    }
    let rows = match second {
        Some(second) => open::open_first(path, second, signing)?,
        None => open::open(path, signing)?,
    };
    let columns = second.as_deref().map(|second| open::open_some(second, (path, &rows), signing)).transpose()?;
    let compared = columns.as_ref().unwrap_or(&rows);
    metric.require(path, &rows, true)?;
    metric.require(second.as_deref().unwrap_or(path), compared, true)?;
    let mut caveats = Caveats::new(compared);
    caveats.see(&rows);
    let mut comparer = Comparisons::start(signing.run)?;
    let table = Table { rows: &rows, columns: columns.as_ref(), format: *format, metric: *metric };
    table.write(&mut comparer, signing.run.host_memory, &mut output)?;
    std::iter::once(&rows).chain(&columns).try_for_each(Collection::require_unchanged)?;
    if let Some(short) = &mut short {
        table::write_names(&rows, short)?;
    }
    Output::finish_all(std::iter::once(output).chain(short))?;
    comparer.tell()?;
    caveats.warn(signing.run.console);
    Ok(())
}
