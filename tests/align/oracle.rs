//! The program against parasail, by `tools/oracle/align.py`: other code, another language, another reading of the rules.
//!
//! parasail comes from PyPI into `.venv` (`make test` installs it). Without it the test says "skipped";
//! `WARPSEQ_REQUIRE_PARASAIL=1` makes that a failure.

use crate::place::{program, repository};
use std::path::PathBuf;
use std::process::Command;

/// The Python that has parasail. None is said aloud.
pub fn python() -> Option<PathBuf> {
    let python = repository().join(".venv/bin/python");
    let found = Command::new(&python).args(["-c", "import parasail"]).output().is_ok_and(|done| done.status.success());
    if !found {
        assert!(std::env::var("WARPSEQ_REQUIRE_PARASAIL").is_err(), "no parasail in .venv (make test installs it)");
        println!("skipped: no parasail in .venv");
    }
    found.then_some(python)
}

/// 600 pairs; `tools/oracle/align.py PROGRAM` takes 20,000.
#[test]
fn parasail_gives_the_same_scores_and_ends() {
    let Some(python) = python() else { return };
    let script = repository().join("tools/oracle/align.py");
    let done = Command::new(python).arg(script).arg(program()).args(["--pairs", "600"]).output().unwrap();
    let (said, complained) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && said.starts_with("600 pairs as parasail"), "{said}{complained}");
}
