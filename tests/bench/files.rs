//! The benchmark of whole commands.

use super::{bench, message, of, program};
use std::path::PathBuf;
use warpseq::bench::files::Work;
use warpseq::bench::table::table;
use warpseq::bench::works::{select, works};
use warpseq::bench::{Bench, Clock, Measured};

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
fn without_its_real_files_a_work_is_not_measured_and_that_is_said() {
    let work = Work { inputs: vec!["genomes.fasta".into()], ..smoke() };
    let outcome = work.measure(&bench(None, vec![crate::place::program()])).unwrap();
    assert!(outcome.figures.is_empty() && outcome.remarks[0].contains("has no genomes.fasta"), "{:?}", outcome.remarks);
}

#[test]
fn files_are_made_of_real_ones_and_reads_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let genome: String = (0..40_000_u32).map(|k| ['A', 'C', 'G', 'T'][(k * k / 7 + k / 3) as usize % 4]).collect();
    std::fs::write(folder.path().join("genomes.fasta"), format!(">g\n{genome}\n")).unwrap();
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
    let work = Work {
        inputs: lines(&["genomes.fasta"]),
        simulate: lines(&["reads genomes.fasta 50 -o r"]),
        prepare: lines(&["probes genomes.fasta --min-complexity 0 -o probes.fasta"]),
        gzip: Vec::new(),
        run: "scan -s probes.fasta -1 r_R1.fastq.gz -2 r_R2.fastq.gz --report none --counts result".into(),
        reads: Some(100),
        read: None,
        ..smoke()
    };
    let bench = Bench { inputs: folder.path().into(), ..bench(None, vec![crate::place::program()]) };
    let outcome = work.measure(&bench).unwrap();
    assert_eq!(of(&outcome.figures, Clock::Process), 2);
    assert!(outcome.figures[0].rows > 1 && table(&outcome.figures).contains("reads/s"));
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
