//! Faults that were there once: a test each, so that they stay away.

use crate::cli::{folder, run, scan_data, warpseq};
use std::fs::OpenOptions;

/// The header line came out before it was known that there is no GPU to search with.
#[test]
fn a_run_that_cannot_search_prints_nothing() {
    let arguments = ["scan", "data/samples.fastq", "data/signatures.fasta", "--device", "cuda"];
    assert_eq!(run(&mut warpseq(&arguments)).1, "");
}

/// Writing to a standard error that takes nothing was a panic, exit code 101.
#[test]
fn an_error_that_cannot_be_told_keeps_its_exit_code() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    assert_eq!(
        warpseq(&["scan", "no-such-file", "data/signatures.fasta"]).stderr(full()).status().unwrap().code(),
        Some(1)
    );
    let preset = scan_data(&["--preset", "cs3210-2024", "-v"]).stderr(full()).stdout(full()).status().unwrap();
    assert_eq!(preset.code(), Some(1));
}

/// 0.29 of 100 was 28, and the reference agreed: both counted in binary.
#[test]
fn limits_are_those_of_the_decimal_as_written() {
    for (fraction, wild) in
        [("0.29", 29), ("0.57", 57), ("0.58", 58), (".07", 7), ("29e-2", 29), ("0.289999999999999999", 28)]
    {
        for (more, rows) in [(0, 1), (1, 0)] {
            let wild = "N".repeat(wild + more);
            let (sequence, signature) = ("A".repeat(100), wild.clone() + &"A".repeat(100 - wild.len()));
            let files = folder(&[
                ("s.fa", format!(">s\n{sequence}\n").as_bytes()),
                ("q.fa", format!(">q\n{signature}\n").as_bytes()),
            ]);
            let arguments = ["scan", "s.fa", "q.fa", "--device", "cpu", "--verify", "--max-n-frac", fraction];
            let (code, stdout, stderr) = run(warpseq(&arguments).current_dir(files.path()));
            assert_eq!((code, stdout.lines().count()), (Some(0), 1 + rows), "{fraction} {more}: {stderr}");
        }
    }
}

/// Thousands of threads took minutes to start.
#[test]
fn more_threads_than_any_machine_has_are_refused() {
    let (code, _, said) = run(&mut scan_data(&["-t", "100000"]));
    assert!(code == Some(2) && said.contains("from 1 to 1024"), "{said}");
}

/// A sequence longer than memory ended in an abort.
#[test]
fn sequences_longer_than_memory_are_refused() {
    let (code, _, said) =
        run(&mut warpseq(&["simulate", "signatures", "1", "99999999999999999", "99999999999999999", "0"]));
    assert!(code == Some(2) && said.contains("give at most"), "{said}");
}

/// The simulated file was left behind when its truth could not be written.
#[test]
fn samples_are_not_left_without_their_truth() {
    let sequences = std::env::temp_dir().join(format!("warpseq-truthless-{}.fastq", std::process::id()));
    let mut command =
        warpseq(&["simulate", "samples", "data/signatures.fasta", "1", "1", "1", "1", "400", "500", "10", "30", "0"]);
    let (code, _, said) = run(command.arg("-o").arg(&sequences).args(["--truth", "/dev/full"]));
    assert!(code == Some(1) && said.contains("/dev/full"), "{said}");
    assert!(!sequences.exists());
}
