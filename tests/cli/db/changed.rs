//! Database files that somebody changes while the program reads them.

use super::{ACIDS, drawn, files};
use crate::cli::sign::changed::unread;
use crate::cli::{names_in, told};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const FIRST: &[u8] = b">first\nMKVLATFEQIMKVLATFEQI\n";

/// How a search ends whose database becomes other than it was, when it has been opened and queries are waited for.
fn changed(change: impl FnOnce(&Path)) -> (Option<i32>, String, String) {
    let files = files(b"", &drawn('t', 500, 60..90, ACIDS, 41));
    fs::remove_file(files.path().join("q.fa")).unwrap();
    fs::remove_file(files.path().join("t.fa")).unwrap();
    let mut command = super::inside(
        &files,
        "align - --targets-db t.wdb --pairs all --matrix BLOSUM62 --top 1 --device cpu -q -o out",
    );
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let maps = format!("/proc/{}/maps", child.id());
    let mapped = || fs::read_to_string(&maps).is_ok_and(|maps| maps.contains("t.wdb"));
    let pipe = child.stdin.as_mut().unwrap();
    pipe.write_all(FIRST).unwrap();
    let start = Instant::now();
    while unread(pipe) > 0 || !mapped() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was read within a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The checksum of so small a file is taken at once.
    std::thread::sleep(Duration::from_millis(300));
    change(&files.path().join("t.wdb"));
    child.stdin.take().unwrap().write_all(FIRST).unwrap();
    let ended = told(&child.wait_with_output().unwrap());
    let expected: &[&str] = if ended.0 == Some(0) { &["out", "t.wdb"] } else { &["t.wdb"] };
    assert_eq!(names_in(files.path()), expected, "{}", ended.2);
    ended
}

#[test]
fn a_file_that_is_truncated_is_an_error_and_nothing_is_left() {
    for length in [0, 5000] {
        let (code, stdout, stderr) =
            changed(|path| File::options().write(true).open(path).unwrap().set_len(length).unwrap());
        assert_eq!((code, stdout.as_str()), (Some(1), ""));
        let lost =
            "warpseq: error: a database file was truncated, overwritten or unreadable while it was read: run again\n";
        assert_eq!(stderr, lost);
    }
}

#[test]
fn a_file_that_is_overwritten_is_an_error_and_nothing_is_left() {
    let (code, _, stderr) = changed(|path| {
        let mut bytes = fs::read(path).unwrap();
        bytes[1000] ^= 1;
        File::options().write(true).open(path).unwrap().write_all(&bytes).unwrap();
    });
    assert_eq!(
        (code, stderr.as_str()),
        (Some(1), "warpseq: error: t.wdb: it was changed while it was read: run again\n")
    );
}

#[test]
fn a_file_that_is_replaced_by_renaming_is_read_as_it_was() {
    let (code, _, stderr) = changed(|path| {
        let new = path.with_extension("new");
        fs::write(&new, "new").unwrap();
        fs::rename(new, path).unwrap();
    });
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}
