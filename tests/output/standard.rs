//! Standard output that is read, full, or closed. Each needs a process of its own, whose descriptor 1 it may spoil.

use super::child;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Stdio;
use warpseq::output::Output;

const ROW: &str = "row of the child\n";
const ROWS: usize = 100_000;

/// Writes rows, prints the error if there is one, and ends as the program would.
fn write_rows(rows: usize) -> ! {
    let write = || {
        let mut output = Output::create(Some(Path::new("-")), &[])?;
        output.put(ROW.repeat(rows).as_bytes())?;
        output.finish()
    };
    let error = write().err();
    eprintln!("outcome: {}", error.as_ref().map_or("complete".into(), ToString::to_string));
    std::process::exit(error.map_or(0, |error| i32::from(error.exit_code())));
}

#[test]
#[ignore = "started by the tests below"]
fn write() {
    write_rows(ROWS);
}

#[test]
#[ignore = "started by the tests below"]
fn write_to_a_full_device() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    // SAFETY: both descriptors are open, `full` until the end of this process.
    assert_eq!(unsafe { libc::dup2(full.as_raw_fd(), libc::STDOUT_FILENO) }, libc::STDOUT_FILENO);
    write_rows(1);
}

#[test]
fn read_to_the_end() {
    let done = child("output::standard::write").output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8(done.stdout).unwrap().matches(ROW).count(), ROWS);
}

#[test]
fn full() {
    let done = child("output::standard::write_to_a_full_device").output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    let message = "outcome: cannot write standard output: No space left on device (os error 28)";
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn closed_by_its_reader() {
    let mut command = child("output::standard::write");
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = running.stdout.take().unwrap();
    let mut text = String::new();
    while !text.contains(ROW) {
        let mut bytes = [0; 64];
        let read = pipe.read(&mut bytes).unwrap();
        assert!(read > 0, "the child wrote nothing: {text}");
        text.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
    }
    drop(pipe);
    let done = running.wait_with_output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert!(stderr.contains("outcome: standard output was closed"), "{stderr}");
    assert_eq!(done.status.code(), Some(0));
}
