//! The *process* clock of `warpseq scan`.

use super::work::{Preset, Work};
use crate::bench::process::{self, Folder, RESULT, Took};
use crate::bench::spread::Repeat;
use crate::error::{Error, Result};
use crate::simulate::samples::Samples;
use crate::simulate::signatures::Signatures;
use std::path::Path;
use std::process::Command;

const SAMPLES: &str = "samples.fastq";
const SIGNATURES: &str = "signatures.fasta";

/// Writes the inputs of a workload to a new folder in `scratch`.
///
/// # Errors
/// [`FileError::File`](crate::error::FileError::File) if that fails.
pub fn files(work: &Work, scratch: &Path) -> Result<Folder> {
    let folder = Folder::new(scratch)?;
    let maker = Signatures::new(work.signature_recipe())?;
    folder.write(SIGNATURES, |output| maker.write(0, output))?;
    let signatures = maker.generate();
    let samples = Samples::new(work.sample_recipe(), &signatures)?;
    folder.write(SAMPLES, |output| samples.write(output, &mut std::io::sink()))?;
    Ok(folder)
}

/// A run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub program: &'a Path,
    pub preset: Preset,
    /// The value for `--device`.
    pub device: &'a str,
    /// The value for `--threads`.
    pub threads: usize,
    /// The expected number of rows.
    pub rows: usize,
}

/// Runs a program on the files, and checks its output.
///
/// # Errors
/// [`Error::Mismatch`] if it fails or writes another number of rows.
pub fn measure(files: &Folder, asked: Asked, repeat: Repeat) -> Result<Took> {
    let mut command = Command::new(asked.program);
    command.arg("scan").arg(files.file(SAMPLES)).arg(files.file(SIGNATURES));
    command.args(["--quiet", "--device", asked.device, "--threads", &asked.threads.to_string()]);
    command.args(asked.preset.argument().map(|name| format!("--preset={name}"))).arg("-o").arg(files.file(RESULT));
    process::measure(files, &mut command, repeat, || check_rows(files, asked))
}

fn check_rows(files: &Folder, asked: Asked) -> Result<()> {
    let header = usize::from(asked.preset.argument().is_none());
    let rows = memchr::memchr_iter(b'\n', &files.read(RESULT)?).count().saturating_sub(header);
    if rows != asked.rows {
        let (program, expected) = (asked.program.display(), asked.rows);
        return Err(Error::Mismatch(format!("{program}: expected {expected} rows, found {rows}")));
    }
    Ok(())
}
