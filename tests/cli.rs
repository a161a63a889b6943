//! The program as users meet it: arguments in, bytes and exit codes out.

mod align;
mod amplicon;
mod circular;
mod db;
mod devices;
mod formats;
mod malformed;
mod options;
mod probes;
mod refused;
mod same;
mod samples;
mod sign;
mod simulate;
mod streams;
mod tables;
mod threads;
mod told;
mod version;
mod writers;

use crate::place;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use warpseq::options::Processor;

/// A library that no machine has in place of NVIDIA's driver.
const NO_DRIVER: (&str, &str) = ("WARPSEQ_LIBCUDA", "libcuda-of-no-machine.so.1");

/// The program, on a machine without a GPU whatever this one has, and with as little memory as it is told.
pub fn warpseq(arguments: &[&str]) -> Command {
    let mut command = Command::new(place::program());
    command.current_dir(place::repository()).args(arguments).stdin(Stdio::null());
    command.env(NO_DRIVER.0, NO_DRIVER.1).env("WARPSEQ_LEAST_MEMORY", "1");
    command
}

/// Devices with which a brief run tells that there is no GPU. Under `auto`, where the machine seems to have one, such a run is over before
/// anybody looks.
pub fn told_of_no_gpu() -> &'static [&'static str] {
    if Processor::Auto.expects_gpu() { &["cuda-or-cpu"] } else { &["auto", "cuda-or-cpu"] }
}

/// Has a program heed signals, though whoever runs the tests ignores them, as a shell's background jobs do.
pub fn heeding(command: &mut Command) -> &mut Command {
    let heed = || {
        for signal in [libc::SIGINT, libc::SIGHUP, libc::SIGQUIT, libc::SIGTERM] {
            // SAFETY: to take the default action sets no handler.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: between fork and exec, the closure calls what POSIX allows there, and allocates nothing.
    unsafe { command.pre_exec(heed) }
}

/// Runs a script of `tools/` on the program, which is to succeed and say `expected`. It needs a Python; without one it says
/// "skipped".
///
/// # Panics
/// When it does not.
pub fn tool(name: &str, arguments: &[&str], expected: &str) {
    let mut command = Command::new("python3");
    command.env(NO_DRIVER.0, NO_DRIVER.1).arg(place::repository().join("tools").join(name));
    let Ok(done) = command.arg(place::program()).args(arguments).output() else { return place::skip("python3") };
    let (_, said, complained) = told(&done);
    println!("{said}");
    assert!(done.status.success() && said.contains(expected), "{said}{complained}");
}

/// Sends a signal to a program at work.
pub fn kill(child: &Child, signal: libc::c_int) {
    // SAFETY: the child has not been waited for, so its number is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
}

/// A scan of the files in `data/` on the CPU.
pub fn scan_data(options: &[&str]) -> Command {
    let mut command = warpseq(&["scan", "data/samples.fastq", "data/signatures.fasta", "--device", "cpu"]);
    command.args(options);
    command
}

/// The table that [`scan_data`] prints, for samples of another name.
pub fn table_of(sample: &str) -> String {
    let table = String::from_utf8(repository("tests/golden/scan.tsv")).unwrap();
    table.replace("samples\t", &format!("{sample}\t"))
}

/// Exit code, standard output and standard error.
pub fn run(command: &mut Command) -> (Option<i32>, String, String) {
    told(&command.output().unwrap())
}

pub fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Runs with `input` on standard input.
pub fn run_with(command: &mut Command, input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // A program that refuses its input need not read it all.
    let _ = writer.join().unwrap();
    told(&output)
}

/// A file of the repository.
pub fn repository(path: &str) -> Vec<u8> {
    std::fs::read(place::repository().join(path)).unwrap()
}

/// A folder with the named files.
pub fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// The names in a folder, sorted.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// How many files a program writes in a folder that have no name yet, or a temporary one.
pub fn unfinished(program: u32, folder: &Path) -> usize {
    let open = std::fs::read_dir(format!("/proc/{program}/fd")).into_iter().flatten().flatten();
    let mut unnamed: Vec<_> = open.filter_map(|entry| std::fs::read_link(entry.path()).ok()).collect();
    unnamed.retain(|path| path.parent() == Some(folder) && text(path).ends_with(" (deleted)"));
    unnamed.sort();
    unnamed.dedup();
    unnamed.len() + names_in(folder).iter().filter(|name| name.starts_with(".warpseq.")).count()
}

/// The text of a path.
pub fn text(path: &Path) -> String {
    PathBuf::from(path).into_os_string().into_string().unwrap()
}
