//! A whole run of `sign build`: from files of sequences to one of signatures.
//!
//! [`signing`](super::signing) reads and signs; what is written is either [`file`](super::file), which says what it holds, or
//! [`raw`], the bare signatures. An error leaves no output file: [`Output`] appears under its name only when
//! complete.

use super::file::Writer;
use super::input::Inputs;
use super::signing::{SignOptions, Signed, Summary, Unsigned};
use super::{Parameters, raw};
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

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// FASTA or FASTQ, at least one file; `-` is standard input.
    pub sequences: Vec<PathBuf>,
    /// Whether each file is one record.
    pub per_file: bool,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What is written.
    pub format: Format,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// Runs `sign build`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`] for parameters that make no sense and for an output
/// that is a terminal; [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let path = request.output.as_deref();
    refuse_terminal(path, std::io::stdout().is_terminal())?;
    let inputs = Inputs { paths: &request.sequences, per_file: request.per_file };
    let output = Output::create(path, &request.sequences.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let unsigned = request.signing.open_all(inputs)?;
    let mut destination = Destination::new(request.format, &unsigned, output);
    let summary = unsigned.sign(|signed| destination.write(signed))?;
    destination.finish()?;
    Ok(summary)
}

/// Refuses to write signatures to a terminal.
///
/// # Errors
/// [`Error::Usage`].
pub(crate) fn refuse_terminal(output: Option<&Path>, stdout_is_terminal: bool) -> Result<()> {
    let to_stdout = output.is_none_or(|path| path.as_os_str() == "-");
    if to_stdout && stdout_is_terminal {
        let message =
            "signatures are binary, and the output is a terminal: write them to a file with -o FILE, or into a pipe";
        return Err(Error::Usage(message.into()));
    }
    Ok(())
}

/// Where signatures go: into a signature file, or bare.
struct Destination {
    format: Format,
    parameters: Parameters,
    /// Bytes that may be held until the end.
    held: usize,
    /// Until the first signatures come, or none do, so that a run that cannot sign prints nothing.
    waiting: Option<Output>,
    begun: Option<Begun>,
}

enum Begun {
    File(Box<Writer<Output>>),
    /// With the number of the next sequence, when numbers are wanted.
    Raw(Output, Option<u64>),
}

impl Destination {
    /// The signatures of what is still unsigned go to `output`.
    fn new(format: Format, unsigned: &Unsigned, output: Output) -> Self {
        let (parameters, held) = (unsigned.parameters(), unsigned.held());
        Self { format, parameters, held, waiting: Some(output), begun: None }
    }

    fn begin(&mut self) -> Result<()> {
        if let Some(output) = self.waiting.take() {
            self.begun = Some(match self.format {
                Format::File => Begun::File(Box::new(Writer::new(output, &self.parameters)?.keeping(self.held))),
                Format::Raw { ids } => Begun::Raw(output, ids.then_some(0)),
            });
        }
        Ok(())
    }

    /// Writes the signatures of the next sequences.
    ///
    /// # Errors
    /// Those of the output, after which there is nothing more to write; a number of a sequence that does not fit.
    fn write(&mut self, signed: &mut Signed) -> Result<()> {
        self.begin()?;
        let Signed { batch, signatures, words, .. } = signed;
        match &mut self.begun {
            Some(Begun::File(writer)) => Ok(writer.write(batch, signatures, words)?),
            Some(Begun::Raw(output, next)) => {
                raw::write(output, &self.parameters, batch, signatures, *next)?;
                next.iter_mut().for_each(|next| *next += batch.len() as u64);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes what comes at the end, and gives the output its name.
    ///
    /// # Errors
    /// Those of the output.
    fn finish(mut self) -> Result<()> {
        self.begin()?;
        match self.begun {
            Some(Begun::File(writer)) => Ok(writer.finish()?.finish()?),
            Some(Begun::Raw(output, _)) => Ok(output.finish()?),
            None => Ok(()),
        }
    }
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
