//! The *process* clock: a whole program, from files in the page cache to a file of results.
//!
//! The files are written just before, so the page cache holds them; one run before the timed ones sees to that where memory
//! was short. Time is that from starting the program until it has ended; memory is the most it held resident.

use super::spread::{Repeat, Spread, since};
use super::work::{Preset, Work};
use crate::error::{Error, Result};
use crate::output::Output;
use crate::simulate::samples::Samples;
use crate::simulate::signatures::Signatures;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The inputs of a work as files, removed on drop.
pub struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    /// Writes the inputs to a new folder in `scratch`.
    ///
    /// # Errors
    /// [`Error::File`] when that cannot be done.
    pub fn write(work: &Work, scratch: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("warpseq-bench-")
            .tempdir_in(scratch)
            .map_err(|source| Error::File { path: scratch.to_path_buf(), action: "create a folder in", source })?;
        let files = Self { folder };
        let maker = Signatures::new(work.signature_recipe())?;
        let mut output = Output::create(Some(&files.signatures()), &[])?;
        maker.write(&mut output).map_err(|error| output.fault(error))?;
        output.finish()?;
        let signatures = maker.generate();
        let mut output = Output::create(Some(&files.samples()), &[])?;
        Samples::new(work.sample_recipe(), &signatures)?
            .write(&mut output, &mut std::io::sink())
            .map_err(|error| output.fault(error))?;
        output.finish()?;
        Ok(files)
    }

    fn samples(&self) -> PathBuf {
        self.folder.path().join("samples.fastq")
    }

    fn signatures(&self) -> PathBuf {
        self.folder.path().join("signatures.fasta")
    }

    fn result(&self) -> PathBuf {
        self.folder.path().join("result")
    }
}

/// What a program is asked to do.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub program: &'a Path,
    pub preset: Preset,
    /// The value for `--device`.
    pub device: &'a str,
    /// The value for `--threads`.
    pub threads: usize,
    /// Rows that the result must have.
    pub rows: usize,
}

/// What a program took.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    pub times: Spread,
    /// The most resident memory of any run, in MiB.
    pub peak_mib: f64,
}

/// Runs a program on the files.
///
/// # Errors
/// [`Error::Mismatch`] when it fails or gives another number of rows.
pub fn measure(files: &Files, asked: Asked, repeat: Repeat) -> Result<Took> {
    let (_, mut peak_mib) = run(files, asked)?;
    let times = repeat.measure(|| {
        let (took_ms, mib) = run(files, asked)?;
        peak_mib = peak_mib.max(mib);
        Ok::<_, Error>(took_ms)
    })?;
    Ok(Took { times, peak_mib })
}

/// Runs it once: milliseconds, and MiB at the peak.
fn run(files: &Files, asked: Asked) -> Result<(f64, f64)> {
    let mut command = Command::new(asked.program);
    command.arg("scan").arg(files.samples()).arg(files.signatures());
    command.args(["--quiet", "--device", asked.device, "--threads", &asked.threads.to_string()]);
    command.args(asked.preset.argument().map(|name| format!("--preset={name}"))).arg("-o").arg(files.result());
    let said = files.folder.path().join("said");
    let failed = |action, source| Error::File { path: asked.program.to_path_buf(), action, source };
    let errors = std::fs::File::create(&said).map_err(|source| failed("keep the messages of", source))?;
    let began = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn();
    let (status, peak_mib) =
        wait(child.map_err(|source| failed("run", source))?).map_err(|source| failed("wait for", source))?;
    let took_ms = since(began);
    if status != 0 {
        let said = std::fs::read_to_string(&said).unwrap_or_default();
        let said = said.trim().replace('\n', "; ");
        return Err(Error::Mismatch(format!("{} ended with status {status}: {said}", asked.program.display())));
    }
    check_rows(files, asked)?;
    Ok((took_ms, peak_mib))
}

/// Waits for a child: its exit code (128 + n for signal n), and the most memory that it held, in MiB.
fn wait(child: Child) -> std::io::Result<(i32, f64)> {
    let mut status = 0;
    // SAFETY: a rusage is plain integers, for which zeros are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both answers have a place; nobody else waits for this child, since `Child` is owned here.
    while unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) } < 0 {
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let code = if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 128 + libc::WTERMSIG(status) };
    // Linux counts in KiB.
    Ok((code, usage.ru_maxrss as f64 / 1024.0))
}

fn check_rows(files: &Files, asked: Asked) -> Result<()> {
    let path = files.result();
    let text = std::fs::read(&path).map_err(|source| Error::File { path, action: "read", source })?;
    let header = usize::from(asked.preset.argument().is_none());
    let rows = memchr::memchr_iter(b'\n', &text).count().saturating_sub(header);
    if rows != asked.rows {
        let (program, expected) = (asked.program.display(), asked.rows);
        return Err(Error::Mismatch(format!("{program} wrote {rows} rows, and there should be {expected}")));
    }
    Ok(())
}
