//! The *process* clock: the whole program, from files in the page cache to a file of results.
//!
//! The files are written just before, so they are in the page cache; an untimed first run loads them again if memory was
//! short. The time is from the start of the program to its end, and there is no file of results before. The memory is its peak resident size.

use super::spread::{Repeat, Spread};
use crate::error::{Error, FileError, Result};
use crate::output::{Output, Scratch};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The file of results of a program.
pub const RESULT: &str = "result";

/// The program that is running.
///
/// # Errors
/// [`FileError::File`] if the system does not tell.
pub fn this_program() -> Result<PathBuf> {
    let cannot = |source| FileError::File { path: "warpseq".into(), action: "find the running program", source };
    Ok(std::env::current_exe().map_err(cannot)?)
}

/// A folder for the files of a workload, removed on drop and by a signal.
pub struct Folder {
    folder: Scratch,
}

impl Folder {
    /// A new folder in `scratch`.
    ///
    /// # Errors
    /// [`FileError::File`] if that fails.
    pub fn new(scratch: &Path) -> Result<Self> {
        let folder = Scratch::new(scratch, "warpseq-bench-").map_err(|source| FileError::File {
            path: scratch.to_path_buf(),
            action: "create a folder in",
            source,
        })?;
        Ok(Self { folder })
    }

    /// The path of the file of that name.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn write(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let mut output = Output::create(Some(&self.file(name)), &[])?;
        write(&mut output).map_err(|error| output.fault(error))?;
        Ok(output.finish()?)
    }

    /// Reads what a program wrote there.
    ///
    /// # Errors
    /// [`FileError::File`] if there is no such file.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.file(name);
        Ok(std::fs::read(&path).map_err(|source| FileError::File { path, action: "read", source })?)
    }
}

/// The name of a program run on a device, in tables and records.
pub fn engine(program: &Path, device: &str) -> String {
    format!("{} --device {device}", program.file_name().unwrap_or(program.as_os_str()).display())
}

/// The time and memory that a program took.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    pub times: Spread,
    /// Peak resident memory of all runs, in MiB.
    pub peak_mib: f64,
}

/// Runs a program on the files of a folder. After each run, `check` checks what it wrote.
///
/// # Errors
/// [`Error::Mismatch`] if the program fails; those of `check`.
pub fn measure(folder: &Folder, command: &mut Command, repeat: Repeat, check: impl Fn() -> Result<()>) -> Result<Took> {
    let mut peak_mib = 0f64;
    let mut once = || {
        let (took_ms, mib) = once(folder, command)?;
        peak_mib = peak_mib.max(mib);
        check().map(|()| took_ms)
    };
    once()?;
    let times = repeat.measure(once)?;
    Ok(Took { times, peak_mib })
}

/// Runs a program that writes a new file of results. Returns milliseconds, and MiB at the peak.
///
/// # Errors
/// [`Error::Mismatch`] if the program fails.
pub fn once(folder: &Folder, command: &mut Command) -> Result<(f64, f64)> {
    // Giving back the memory of an older result takes as long as it is large.
    let _ = std::fs::remove_file(folder.file(RESULT));
    run(folder, command)
}

/// Runs a program once in a folder.
///
/// # Errors
/// [`Error::Mismatch`] if the program fails.
pub fn call(folder: &Folder, command: &mut Command) -> Result<()> {
    run(folder, command).map(drop)
}

/// Runs it once. Returns milliseconds, and MiB at the peak.
fn run(folder: &Folder, command: &mut Command) -> Result<(f64, f64)> {
    let said = folder.file("said");
    let program = PathBuf::from(command.get_program());
    let failed = |action, source| FileError::File { path: program.clone(), action, source };
    let errors = std::fs::File::create(&said).map_err(|source| failed("keep the messages of", source))?;
    let began = Instant::now();
    let child =
        command.current_dir(folder.folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn();
    let child = child.map_err(|source| failed("run", source))?;
    let (status, over, peak_mib) = wait(child).map_err(|source| failed("wait for", source))?;
    let took_ms = (over - began).as_secs_f64() * 1e3;
    if status != 0 {
        let said = std::fs::read_to_string(&said).unwrap_or_default();
        let said = said.trim().replace('\n', "; ");
        return Err(Error::Mismatch(format!("{} ended with status {status}: {said}", program.display())));
    }
    Ok((took_ms, peak_mib))
}

/// How often the memory of a child is read, which takes some tens of microseconds.
const INTERVAL: Duration = Duration::from_millis(2);

/// Waits for a child. Returns its exit code (128 + n for signal n), when it ended, and its peak memory in MiB.
///
/// The kernel's high-water mark is read while the child runs. That of `wait4` would be wrong: it starts with the mark of the
/// parent, which has held all of the input.
fn wait(mut child: Child) -> io::Result<(i32, Instant, f64)> {
    let path = format!("/proc/{}/status", child.id());
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut peak_mib = 0f64;
            while !ended.load(Ordering::Relaxed) {
                let status = std::fs::read_to_string(&path).unwrap_or_default();
                peak_mib = peak_mib.max(high_water_mib(&status).unwrap_or(0.0));
                std::thread::sleep(INTERVAL);
            }
            peak_mib
        });
        let status = child.wait();
        let over = Instant::now();
        ended.store(true, Ordering::Relaxed);
        let peak_mib = watching.join().expect("reading a file does not panic");
        let status = status?;
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        Ok((code, over, peak_mib))
    })
}

/// The peak resident memory in the text of `/proc/PID/status`. `None` after the process has ended.
fn high_water_mib(status: &str) -> Option<f64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
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
