//! A whole run of `sign tree`: from a file of signatures or sequences to a tree.

use super::{MOST, join, newick};
use crate::comparisons::Comparisons;
use crate::map::{self, Distances, Mapped};
use crate::open;
use crate::signing::SignOptions;
use std::path::PathBuf;
use warpseq_engine::error::{Error, Result};
use warpseq_io::output::Output;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Signatures, or sequences to be signed; `-` is standard input.
    pub input: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// Runs `sign tree`.
///
/// # Errors
/// Those of the file, the GPU and the output; [`Error::Usage`] for more than [`MOST`] records.
pub fn run(Request { input, output, signing }: &Request) -> Result<()> {
    let mut output = Output::create(output.as_deref(), &[input])?;
    let collection = open::open(input, signing)?;
    let mut comparer = Comparisons::start(signing.run)?;
    let mut records = Mapped::new(&collection, &mut comparer, signing.run.host_memory / 2);
    let names = records.names();
    map::warn_of_missing(signing.run.console, input, (collection.len(), "in the tree"), names.len());
    require_few(names.len())?;
    let tree = join(matrix(&mut records)?, names.len());
    collection.require_unchanged()?;
    output.put(&newick(&tree, &names))?;
    output.finish()?;
    comparer.tell()?;
    Ok(())
}

fn require_few(records: usize) -> Result<()> {
    if records <= MOST {
        return Ok(());
    }
    let gigabytes = (records as f64).powi(2) * size_of::<f64>() as f64 / 1e9;
    Err(Error::Usage(format!(
        "a tree of {records} sequences: it takes all distances at once, {gigabytes:.1} GB, and at most {MOST} sequences are joined: \
         choose some, such as the medoids of `warpseq sign cluster --summary`"
    )))
}

/// The distances of all records to all, some rows at a time.
fn matrix(records: &mut dyn Distances) -> Result<Vec<f64>> {
    let all: Vec<usize> = (0..records.len()).collect();
    let mut matrix = Vec::with_capacity(all.len() * all.len());
    for rows in all.chunks((map::BLOCK / all.len().max(1)).max(1)) {
        matrix.extend(records.block(rows, &all)?);
    }
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_are_refused_with_what_they_would_take() {
        require_few(MOST).unwrap();
        let error = require_few(20_000).unwrap_err();
        assert!(
            error.exit_code() == 2
                && error.to_string().contains("20000 sequences: it takes all distances at once, 3.2 GB")
        );
    }
}
