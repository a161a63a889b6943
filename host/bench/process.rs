//! The *process* clock: a whole program, from files in the page cache to a file of results.
//!
//! The files are written just before, so the page cache holds them; one run before the timed ones sees to that where memory
//! was short. Time is that from starting the program until it has ended; memory is the most it held resident.

use super::spread::{Repeat, Spread};
use super::work::{Preset, Work};
use crate::error::{Error, Result};
use crate::output::Output;
use crate::simulate::samples::Samples;
use crate::simulate::signatures::Signatures;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    let child = child.map_err(|source| failed("run", source))?;
    let (status, over, peak_mib) = wait(child).map_err(|source| failed("wait for", source))?;
    let took_ms = (over - began).as_secs_f64() * 1e3;
    if status != 0 {
        let said = std::fs::read_to_string(&said).unwrap_or_default();
        let said = said.trim().replace('\n', "; ");
        return Err(Error::Mismatch(format!("{} ended with status {status}: {said}", asked.program.display())));
    }
    check_rows(files, asked)?;
    Ok((took_ms, peak_mib))
}

/// How often the memory of a child is looked at. A look takes some tens of microseconds.
const LOOK: Duration = Duration::from_millis(2);

/// A child that has ended: exit code (128 + n for signal n), when it was over, and the most memory that it held, in MiB.
///
/// The kernel's high-water mark is read while the child runs. What `wait4` says of it afterwards would not do: that starts
/// with the mark of the process which spawned it, and this one has held all of the input.
fn wait(mut child: Child) -> std::io::Result<(i32, Instant, f64)> {
    let path = format!("/proc/{}/status", child.id());
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut peak_mib = 0f64;
            while !ended.load(Ordering::Relaxed) {
                let status = std::fs::read_to_string(&path).unwrap_or_default();
                peak_mib = peak_mib.max(high_water_mib(&status).unwrap_or(0.0));
                std::thread::sleep(LOOK);
            }
            peak_mib
        });
        let status = child.wait();
        let over = Instant::now();
        ended.store(true, Ordering::Relaxed);
        let peak_mib = looking.join().expect("looking at a file does not panic");
        let status = status?;
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        Ok((code, over, peak_mib))
    })
}

/// The most memory that a process held resident, of its `/proc/PID/status`; a process that has ended shows none.
fn high_water_mib(status: &str) -> Option<f64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(high_water_mib("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1024 kB\n"), Some(2.0));
        assert_eq!(high_water_mib("Name:\tx\nState:\tZ (zombie)\n"), None);
    }
}
