//! Signals: the temporary file goes, the old file stays, the exit code is 130.

use super::{child, folder, names_in};
use std::path::PathBuf;
use std::{env, fs, thread, time::Duration};
use warpseq::error::Error;
use warpseq::output::{Output, interrupt, remove_temporaries};

/// Names the file that a child is to write.
const RESULT: &str = "WARPSEQ_TEST_RESULT";
/// Names the signal that it is to send itself.
const SIGNAL: &str = "WARPSEQ_TEST_SIGNAL";

#[test]
#[ignore = "started by signals_leave_the_old_file"]
fn write_and_be_interrupted() {
    interrupt::install().unwrap();
    let path = PathBuf::from(env::var_os(RESULT).unwrap());
    let mut output = Output::create(Some(&path), &[]).unwrap();
    output.put(b"new").unwrap();
    assert_eq!(names_in(path.parent().unwrap()).len(), 2);
    let signal = env::var(SIGNAL).unwrap().parse().unwrap();
    // SAFETY: raise has no memory preconditions, and the handler for `signal` is installed.
    assert_eq!(unsafe { libc::raise(signal) }, 0);
    thread::sleep(Duration::from_secs(60));
    panic!("still alive a minute after the signal");
}

#[test]
fn signals_leave_the_old_file() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let (folder, path) = folder();
        let mut command = child("output::interrupt::write_and_be_interrupted");
        let done = command.env(RESULT, &path).env(SIGNAL, signal.to_string()).output().unwrap();
        assert_eq!(done.status.code(), Some(130), "{}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["result.tsv"]);
    }
}

#[test]
#[ignore = "started by a_removed_file_cannot_finish: it would remove the files of tests beside it"]
fn remove_then_finish() {
    let (folder, path) = folder();
    let mut output = Output::create(Some(&path), &[]).unwrap();
    output.put(b"new").unwrap();
    remove_temporaries();
    assert_eq!(names_in(folder.path()), ["result.tsv"]);
    assert!(matches!(output.finish(), Err(Error::Interrupted)));
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn a_removed_file_cannot_finish() {
    let done = child("output::interrupt::remove_then_finish").output().unwrap();
    let stdout = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && stdout.contains("1 passed"), "{stdout}{}", String::from_utf8_lossy(&done.stderr));
}
