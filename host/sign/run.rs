//! A whole run of `sign build`: from a file of sequences to one of signatures.
//!
//! [`signing`](super::signing) reads and signs; what is written is either [`file`](super::file), which says what it holds, or
//! [`raw`](super::raw), the bare signatures. An error leaves no output file: [`Output`] appears under its name only when
//! complete.

mod destination;

use super::signing::{SignOptions, Signed, Summary};
use destination::Destination;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use warpseq_engine::error::{Error, Result};
use warpseq_io::output::Output;

/// What is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A signature file.
    #[default]
    File,
    /// Signatures and nothing else; with the number of its sequence before each when `ids`.
    Raw {
        /// Whether each is preceded by the number of its sequence.
        ids: bool,
    },
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// FASTA or FASTQ; `-` is standard input.
    pub sequences: PathBuf,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What is written.
    pub format: Format,
    /// How sequences are signed, and what the run may take.
    pub signing: SignOptions,
}

/// Runs `sign build`.
///
/// # Errors
/// Those of the file, the GPU and the output; [`Error::Usage`] for parameters that make no sense and for an output
/// that is a terminal; [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let path = request.output.as_deref();
    refuse_terminal(path, std::io::stdout().is_terminal())?;
    let unsigned = request.signing.open(&request.sequences)?;
    let output = Output::create(path, &[&request.sequences])?;
    let mut destination = Destination::new(request.format, unsigned.parameters(), output);
    let summary = unsigned.sign(|Signed { batch, signatures, .. }| destination.write(batch, signatures))?;
    destination.finish()?;
    Ok(summary)
}

fn refuse_terminal(output: Option<&Path>, stdout_is_terminal: bool) -> Result<()> {
    let to_stdout = output.is_none_or(|path| path.as_os_str() == "-");
    if to_stdout && stdout_is_terminal {
        let message =
            "signatures are binary, and the output is a terminal: write them to a file with -o FILE, or into a pipe";
        return Err(Error::Usage(message.into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_is_refused() {
        for output in [None, Some(Path::new("-"))] {
            assert!(refuse_terminal(output, false).is_ok());
            assert_eq!(refuse_terminal(output, true).unwrap_err().exit_code(), 2);
        }
        assert!(refuse_terminal(Some(Path::new("x.wsig")), true).is_ok());
    }
}
