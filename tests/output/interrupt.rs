//! What a signal does to an output that is still being written; signals themselves are sent to the program in
//! `tests/cli/streams.rs`.

use super::{folder, names_in};
use std::fs;
use std::process::Command;
use warpseq::error::FileError;
use warpseq::output::{Output, remove_temporaries};

#[test]
#[ignore = "started by a_removed_file_cannot_finish: it would remove the files of tests beside it"]
fn remove_then_finish() {
    let (folder, path) = folder();
    let mut output = Output::create(Some(&path), &[]).unwrap();
    output.put(b"new").unwrap();
    remove_temporaries();
    assert_eq!(names_in(folder.path()), ["result.tsv"]);
    assert!(matches!(output.finish(), Err(FileError::Interrupted)));
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn a_removed_file_cannot_finish() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--ignored", "--exact", "--nocapture", "output::interrupt::remove_then_finish"]);
    let done = child.output().unwrap();
    let stdout = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && stdout.contains("1 passed"), "{stdout}{}", String::from_utf8_lossy(&done.stderr));
}
