//! Signature files that somebody changes while the program reads them.

use super::build;
use crate::cli::{folder, names_in, run, text, told, warpseq};
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How many bytes of a pipe nobody has read yet.
pub fn unread(pipe: &impl AsRawFd) -> libc::c_int {
    let mut bytes = 0;
    // SAFETY: the question needs an open file and a place for a number.
    assert_eq!(unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut bytes) }, 0);
    bytes
}

/// A search in `folder` that has opened its database, and waits for more queries.
fn searching(folder: &Path, output: &[&str]) -> Child {
    let mut command = warpseq(&["sign", "search", "-", "db.wsig", "--device", "cpu", "--top", "1"]);
    command.args(output).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let pipe = child.stdin.as_mut().unwrap();
    pipe.write_all(b">first\nACGTTGCAGGATCCAGTTTAGACAGT\n").unwrap();
    let start = Instant::now();
    while unread(pipe) > 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was read within a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// 500 sequences, so that their signatures fill many pages.
fn database(last: &str) -> tempfile::TempDir {
    let sequence = |k: usize| (0..40).map(|j| b"ACGT"[(k * k * 7 + j * j * k + j) % 4] as char).collect::<String>();
    let records: String = (0..500).map(|k| format!(">s{k}\n{}\n", sequence(k))).collect();
    let files = folder(&[("x.fa", (records + last).as_bytes())]);
    let [fasta, signatures] = ["x.fa", "db.wsig"].map(|name| text(&files.path().join(name)));
    let (code, _, stderr) = run(&mut build(&fasta, &["-o", &signatures]));
    assert_eq!(code, Some(0), "{stderr}");
    files
}

/// How a search ends whose database becomes other than it was.
fn changed(output: &[&str], change: impl FnOnce(&Path)) -> (Option<i32>, String, String) {
    let files = database(">last\nACGTTGCAGGATCCAGTTTAGACAGT\n");
    let mut child = searching(files.path(), output);
    change(&files.path().join("db.wsig"));
    child.stdin.take().unwrap().write_all(b">second\nACGTTGCAGGATCCAGTTTAGACAGT\n").unwrap();
    let ended = told(&child.wait_with_output().unwrap());
    fs::remove_file(files.path().join("x.fa")).unwrap();
    let expected: &[&str] =
        if ended.0 == Some(0) && !output.is_empty() { &["db.wsig", "out.tsv"] } else { &["db.wsig"] };
    assert_eq!(names_in(files.path()), expected, "{}", ended.2);
    ended
}

const OUTPUTS: [&[&str]; 2] = [&["-o", "out.tsv"], &[]];

/// Regression: it was SIGBUS.
#[test]
fn a_file_that_is_truncated_is_an_error_and_nothing_is_left() {
    for (output, length) in OUTPUTS.iter().flat_map(|output| [(output, 0), (output, 5000)]) {
        let (code, stdout, stderr) = changed(output, |path| {
            File::options().write(true).open(path).unwrap().set_len(length).unwrap();
        });
        assert_eq!((code, stdout.as_str()), (Some(1), ""));
        assert_eq!(
            stderr,
            "warpseq: error: a signature file was truncated, overwritten or unreadable while it was read: run again\n"
        );
    }
}

/// Regression: the rows were of bytes that nobody had checked.
#[test]
fn a_file_that_is_overwritten_is_an_error_and_nothing_is_left() {
    let other = database(">last\nTTTTTTTTTTTTTTTTTTTTTTTTTT\n");
    let other = fs::read(other.path().join("db.wsig")).unwrap();
    for output in OUTPUTS {
        let (code, _, stderr) = changed(output, |path| {
            let mut file = File::options().write(true).open(path).unwrap();
            assert_eq!(file.metadata().unwrap().len(), other.len() as u64);
            file.write_all(&other).unwrap();
        });
        assert_eq!(code, Some(1));
        assert_eq!(stderr, "warpseq: error: db.wsig: it was changed while it was read: run again\n");
    }
}

#[test]
fn a_file_that_is_replaced_by_renaming_is_read_as_it_was() {
    let (code, _, stderr) = changed(OUTPUTS[0], |path| {
        let new = path.with_extension("new");
        fs::write(&new, "new").unwrap();
        fs::rename(new, path).unwrap();
    });
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}
