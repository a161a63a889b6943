//! `warpseq align` as users meet it.

mod filters;
mod formats;
mod pairs;
mod refused;
mod same;
mod told;

use super::{folder, run, run_with, text, warpseq};

/// A query and a target that share two stretches with a base between them, and the scores to align them with.
pub const QUERY: &[u8] = b">q\nGGGACGTTGCAGGATCCAGTGGG\n";
pub const TARGET: &[u8] = b">t\nCCCCACGTTGCATGGATCCAGTCCCC\n";
pub const SCORES: [&str; 8] = ["--match", "2", "--mismatch", "-3", "--gap-open", "5", "--gap-extend", "2"];

/// Exit code, standard output and standard error of aligning `queries` with `targets` on the CPU.
pub fn align(queries: &[u8], targets: &[u8], options: &[&str]) -> (Option<i32>, String, String) {
    let files = folder(&[("q.fa", queries), ("t.fa", targets)]);
    let path = |name: &str| text(&files.path().join(name));
    run(warpseq(&["align", &path("q.fa"), &path("t.fa"), "--device", "cpu"]).args(options))
}

/// The rows, without comment and header lines, of an alignment that succeeds.
pub fn rows(queries: &[u8], targets: &[u8], options: &[&str]) -> Vec<String> {
    let (code, stdout, stderr) = align(queries, targets, options);
    assert_eq!(code, Some(0), "{options:?}: {stderr}");
    let header = |line: &&str| line.starts_with(['#', '@']) || line.starts_with("query\ttarget\t");
    stdout.lines().filter(|line| !header(line)).map(str::to_owned).collect()
}

/// FASTA records of the given names and residues, such as `a=ACGT b=`.
pub fn fasta(records: &str) -> Vec<u8> {
    let record = |record: &str| record.replacen('=', "\n", 1);
    records.split_whitespace().map(|text| format!(">{}\n", record(text))).collect::<String>().into_bytes()
}
