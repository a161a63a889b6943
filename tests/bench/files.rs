//! The benchmark of whole commands.

use super::{bench, message, of, program};
use std::path::PathBuf;
use warpseq::bench::files::Work;
use warpseq::bench::table::table;
use warpseq::bench::works::{select, works};
use warpseq::bench::{Clock, Measured};

fn smoke() -> Work {
    select(&works(None).unwrap(), &["smoke".to_owned()]).unwrap().remove(0)
}

#[test]
fn the_smoke_work_runs_on_all_devices_and_is_read_alone() {
    let outcome = smoke().measure(&bench(None, vec![crate::place::program()])).unwrap();
    assert_eq!((of(&outcome.figures, Clock::Process), of(&outcome.figures, Clock::Call)), (2, 1));
    let rows: Vec<usize> = outcome.figures.iter().map(|figure| figure.rows).collect();
    assert!(rows[0] == 20 && rows[1] > 5 && rows[1] == rows[2], "{rows:?}");
    assert!(table(&outcome.figures).contains("GB/s"));
}

#[test]
fn without_a_program_nothing_is_measured_and_that_is_said() {
    let outcome = smoke().measure(&bench(None, Vec::new())).unwrap();
    assert!(outcome.figures.is_empty() && outcome.remarks[0].contains("not measured"), "{:?}", outcome.remarks);
}

#[test]
fn a_program_that_writes_other_bytes_or_fails_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let warpseq = crate::place::program();
    for (script, expected) in [("echo other > result", "wrote other bytes"), ("exit 3", "ended with status 3")] {
        let programs: Vec<PathBuf> = vec![program(folder.path(), script), warpseq.clone()];
        let message = message(smoke().measure(&bench(None, programs)));
        assert!(message.contains(expected), "{message}");
    }
}
