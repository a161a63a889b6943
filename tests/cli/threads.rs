//! How many threads there are and how much memory a batch may take decides nothing, for every engine.
//!
//! Every number of threads up to 64 is run with one of the sizes of batches, and every size with many numbers of threads.
//! The inputs are some of the least batches of each engine long, so that batches overtake each other.

use super::{folder, repository, text, warpseq};
use std::path::Path;

const MEMORY: [&str; 7] = ["1", "64K", "200K", "1M", "10M", "100M", "4G"];
const THREADS: usize = 64;

/// The inputs, each of several batches at the least size.
fn inputs() -> tempfile::TempDir {
    let [queries, targets] =
        ["data/pairs.queries.fasta", "data/pairs.targets.fasta"].map(|file| repository(file).repeat(30));
    let samples = repository("data/samples.fastq").repeat(3);
    let sequences = repository("data/families.fastq").repeat(3);
    folder(&[("s.fq", &samples), ("q.fa", &queries), ("t.fa", &targets), ("f.fq", &sequences)])
}

/// Standard output of the program in that folder; it must succeed.
fn bytes(folder: &Path, words: &[&str], options: &[&str]) -> Vec<u8> {
    let mut command = warpseq(words);
    let output = command.args(options).args(["-q", "--device", "cpu"]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{words:?} {options:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// `step`: of how many numbers of threads one is taken.
fn same(words: &[&str], step: usize) {
    let folder = inputs();
    let expected = bytes(folder.path(), words, &[]);
    assert!(expected.len() > 1000);
    for threads in (1..=THREADS).step_by(step).chain([THREADS]) {
        let (count, memory) = (threads.to_string(), MEMORY[threads / step % MEMORY.len()]);
        let found = bytes(folder.path(), words, &["-t", &count, "--max-memory", memory]);
        assert!(found == expected, "{words:?} -t {threads} --max-memory {memory}");
    }
}

#[test]
fn scan() {
    let signatures = text(&crate::place::repository().join("data/signatures.fasta"));
    same(&["scan", "s.fq", &signatures], 1);
    same(&["scan", "s.fq", &signatures, "--report", "all", "--format", "jsonl"], 7);
}

#[test]
fn align() {
    same(&["align", "q.fa", "t.fa"], 1);
    same(&["align", "q.fa", "t.fa", "--format", "sam", "--no-pg", "--strand", "both"], 7);
}

#[test]
fn sign() {
    same(&["sign", "build", "f.fq", "--k", "11", "--window", "64"], 1);
    same(&["sign", "search", "f.fq", "f.fq", "--k", "11", "--bits", "64", "--top", "3"], 7);
    same(&["sign", "cluster", "f.fq", "--k", "4"], 13);
}
