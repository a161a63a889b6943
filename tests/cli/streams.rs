//! Standard output that is full or closed, and signals.

use super::{folder, names_in, repository, scan_data, text, told, warpseq};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_full_device_is_an_error_with_a_message() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let (code, _, stderr) = told(&scan_data(&[]).stdout(full).output().unwrap());
    let message = "warpseq: error: cannot write standard output: No space left on device (os error 28)";
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with(message) && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    // One row per base: far more than a pipe holds.
    let sample = [b">s\n", &b"A".repeat(300_000)[..], b"\n"].concat();
    let files = folder(&[("s.fa", &sample), ("q.fa", b">q\nA\n")]);
    let path = |name: &str| text(&files.path().join(name));
    let mut command = warpseq(&["scan", &path("s.fa"), &path("q.fa"), "--report", "all", "--device", "cpu"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("sample\tsignature"), "{first}");
    let (code, _, stderr) = told(&child.wait_with_output().unwrap());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

/// Waits until `done`.
fn wait_until(done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing came within a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A scan that has begun to write `output` and waits for more samples.
fn waiting(output: &str) -> Child {
    let mut command = warpseq(&["scan", "-", "data/signatures.fasta", "-o", output, "--device", "cpu"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&repository("data/samples.fastq")).unwrap();
    child
}

#[test]
fn signals_leave_the_old_file() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let files = folder(&[("out.tsv", b"old")]);
        let mut child = waiting(&text(&files.path().join("out.tsv")));
        wait_until(|| names_in(files.path()).len() == 2);
        // SAFETY: the child has not been waited for, so its number is still its own.
        assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let (_, _, stderr) = told(&child.wait_with_output().unwrap());
        assert_eq!(stderr, "");
        assert_eq!(std::fs::read(files.path().join("out.tsv")).unwrap(), b"old");
        assert_eq!(names_in(files.path()), ["out.tsv"]);
    }
}

#[test]
fn an_output_appears_when_the_input_ends() {
    let files = folder(&[("out.tsv", b"old")]);
    let mut child = waiting(&text(&files.path().join("out.tsv")));
    wait_until(|| names_in(files.path()).len() == 2);
    assert_eq!(std::fs::read(files.path().join("out.tsv")).unwrap(), b"old");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read(files.path().join("out.tsv")).unwrap(), repository("tests/golden/scan.tsv"));
    assert_eq!(names_in(files.path()), ["out.tsv"]);
}
