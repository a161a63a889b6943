//! How the program ends when a part of it panics: a line that says so, exit code 1, and no file.
//!
//! The program has no panic to be asked for, so each case is a child: this test executable, running a test that is ignored
//! otherwise, which goes the program's way from `outcome::of` through the pipeline to an output.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use warpseq::error::Result;
use warpseq::output::Output;
use warpseq::pipeline::{self, Worker};

/// Tells the child which part panics, and where the output goes.
const PART: &str = "WARPSEQ_TEST_PANICS";
const PLACE: &str = "WARPSEQ_TEST_PLACE";
const PARTS: [&str; 5] = ["reader", "start", "engine", "writer", "none"];

/// Counts to a hundred through the pipeline into a file; `part` panics at the seventh.
fn program(part: &str) -> Result<()> {
    let meet = |here: &str, number: u64| assert!(part != here || number != 7, "{here} gave up");
    let mut output = Output::create(Some(&PathBuf::from(std::env::var_os(PLACE).unwrap())), &[])?;
    let mut next = 0;
    let read = || {
        next += 1;
        meet("reader", next);
        Ok((next < 100).then_some(next))
    };
    let engine = || {
        Box::new(|number| {
            meet("engine", number);
            Ok(number)
        }) as Worker<u64, u64>
    };
    let engines = || {
        meet("start", 7);
        Ok((0..3).map(|_| engine()).collect())
    };
    let write = |number| {
        meet("writer", number);
        Ok(output.put(format!("{number}\n").as_bytes())?)
    };
    pipeline::run(2, read, engines, write)?;
    Ok(output.finish()?)
}

#[test]
#[ignore = "started by a_panic_is_told_and_leaves_no_file: it ends the process"]
fn go() {
    let part = std::env::var(PART).unwrap();
    std::process::exit(i32::from(warpseq::outcome::of(|| program(&part))));
}

#[test]
fn a_panic_is_told_and_leaves_no_file() {
    for part in PARTS {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("out");
        fs::write(&place, "old").unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "--nocapture", "outcome::go"]).env(PART, part).env(PLACE, &place);
        let done = child.env_remove("RUST_BACKTRACE").output().unwrap();
        let (code, stderr) = (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{part}");
        if part == "none" {
            assert_eq!((code, stderr.as_str()), (Some(0), ""));
            assert!(fs::read_to_string(&place).unwrap().starts_with("1\n2\n"));
            continue;
        }
        assert_eq!((code, fs::read(&place).unwrap()), (Some(1), b"old".to_vec()), "{part}: {stderr}");
        assert!(stderr.starts_with("warpseq: error: a bug in warpseq at "), "{stderr}");
        assert!(stderr.contains(&format!("{part} gave up; please report")) && stderr.lines().count() == 1, "{stderr}");
    }
}
