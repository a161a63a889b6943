//! The whole way through CUDA, on the driver that computes on the emulator: the CPU's bytes come out.

use super::{Question, in_batches, small};
use crate::cli::repository;

/// Where nothing fails, nothing is said that the CPU would not say.
fn says_what_the_cpu_says(question: &Question, wishes: &str) {
    assert_eq!(question.whole("cuda", wishes), question.ask("cpu", "").said, "{wishes}");
}

#[test]
fn the_driver_computes_what_the_cpu_does() {
    for question in in_batches() {
        says_what_the_cpu_says(&question, "");
    }
}

#[test]
fn work_may_be_done_late_or_at_once() {
    for question in small() {
        for wishes in ["", "eager=1"] {
            says_what_the_cpu_says(&question, wishes);
        }
    }
}

#[test]
fn older_gpus_and_several_compute_the_same() {
    for question in small() {
        for wishes in ["compute=7.5", "devices=3", "version=12.0"] {
            says_what_the_cpu_says(&question, wishes);
        }
    }
}

#[test]
fn every_way_to_ask_gives_the_same() {
    let pairs = || {
        ["q.fa", "t.fa"].map(|name| {
            let path = if name == "q.fa" { "data/pairs.queries.fasta" } else { "data/pairs.targets.fasta" };
            (name, super::first(path, 16))
        })
    };
    let scan = [("s.fq", super::first("data/samples.fastq", 20)), ("q.fa", repository("data/signatures.fasta"))];
    let sequences = || [("s.fq", super::first("data/families.fastq", 40))];
    for question in [
        Question::new("scan {s.fq} {q.fa} --algorithm anchor --report all", &scan),
        Question::new("scan {s.fq} {q.fa} --algorithm brute --wildcards n", &scan),
        Question::new("align {q.fa} {t.fa} --score-only", &pairs()),
        Question::new("align {q.fa} {t.fa} --gap-open 5 --gap-extend 2 --strand both", &pairs()),
        Question::new("align {q.fa} {t.fa} --pairs all --top 2 --mode fit", &pairs()),
        Question::new("align {q.fa} {t.fa} --pairs all --top 2 --strand both", &pairs()),
        // Every target is a part of its own.
        Question::new("align {q.fa} {t.fa} --pairs all --top 2 --strand both --max-memory 1", &pairs()),
        Question::new("align {q.fa} {t.fa} --pairs all --min-score 20 --max-memory 1 --gpu-memory 4M", &pairs()),
        Question::new("sign build {s.fq} --window 64 --bits 2048", &sequences()),
        Question::new("sign build {s.fq} --hash pcg --alphabet protein", &sequences()),
        Question::new("sign search {s.fq} {s.fq} --max-distance 400 --by sequence --window 100", &sequences()),
        Question::new("sign dist {s.fq} --window 100", &sequences()),
        Question::new("sign cluster {s.fq} --k 3", &sequences()),
    ] {
        question.whole("cuda", "");
    }
}
