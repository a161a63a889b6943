//! The *process* clock of `warpseq sign build --raw --ids`, of whose output every byte is checked.

use super::answer::Answer;
use super::call::Call;
use super::signing::{Input, Signing};
use crate::bench::process::{self, Folder, RESULT, Took};
use crate::bench::spread::Repeat;
use crate::error::{Error, Result};
use crate::sign::raw;
use crate::sign::sink::Sink;
use std::path::Path;
use std::process::Command;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const SEQUENCES: &str = "sequences.fasta";

/// Writes the sequences to a new folder in `scratch`.
///
/// # Errors
/// [`FileError::File`](crate::error::FileError::File) if that fails.
pub fn files(signing: &Signing, seed: u64, scratch: &Path) -> Result<Folder> {
    let folder = Folder::new(scratch)?;
    folder.write(SEQUENCES, signing.writer(seed)?)?;
    Ok(folder)
}

/// The expected output of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub residues: u64,
    /// Number of windows.
    pub rows: usize,
    bytes: usize,
    /// XXH3-64 of the file, if all signatures are known.
    checksum: Option<u64>,
}

/// A writer that computes a checksum of the bytes.
struct Summed(Xxh3);

impl Sink for Summed {
    fn put(&mut self, bytes: &[u8]) -> warpseq_io::error::Result<()> {
        self.0.update(bytes);
        Ok(())
    }
}

impl Expected {
    /// The output for the signatures of the sequences, if they are known.
    ///
    /// # Errors
    /// [`Error::Usage`] for more sequences than can be numbered.
    pub fn new(input: &Input, answer: Option<Answer>) -> Result<Self> {
        let Input { parameters, batch } = input;
        let mut summed = Summed(Xxh3::new());
        let checksum = match answer.map(Answer::into_signatures) {
            Some(signatures) => {
                raw::write(&mut summed, parameters, batch, &signatures, Some(0))?;
                Some(summed.0.digest())
            }
            None => None,
        };
        let rows = input.windows();
        Ok(Self { residues: input.count(input.size()), rows, bytes: rows * (4 + parameters.width()), checksum })
    }
}

/// A run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub program: &'a Path,
    pub signing: &'a Signing,
    /// The value for `--device`.
    pub device: &'a str,
    pub expected: Expected,
}

/// Runs a program on the sequences, and checks its output.
///
/// # Errors
/// [`Error::Mismatch`] if it fails or writes other bytes.
pub fn measure(files: &Folder, asked: Asked, repeat: Repeat) -> Result<Took> {
    let threads = rayon::current_num_threads();
    let mut command = Command::new(asked.program);
    command.args(["sign", "build"]).arg(files.file(SEQUENCES));
    command.args(["--quiet", "--device", asked.device, "--threads", &threads.to_string(), "--raw", "--ids"]);
    command.args(asked.signing.parameters()?.to_string().split(' ')).arg("-o").arg(files.file(RESULT));
    process::measure(files, &mut command, repeat, || asked.check(&files.read(RESULT)?))
}

impl Asked<'_> {
    fn check(&self, written: &[u8]) -> Result<()> {
        let wrong = |what: String| Err(Error::Mismatch(format!("{}: {what}", self.program.display())));
        let (bytes, found) = (self.expected.bytes, written.len());
        if found != bytes {
            return wrong(format!("expected {bytes} bytes in the result, found {found}"));
        }
        match self.expected.checksum {
            Some(expected) if xxh3_64(written) != expected => {
                wrong("the bytes of the result differ from those of the engines".into())
            }
            _ => Ok(()),
        }
    }
}
