//! `auto`: the CPU computes from the start, and a GPU joins when it has opened, early, late or never, whole or broken. The bytes
//! are those of the CPU alone.

use super::{Question, first, in_batches, small};
use crate::cli::repository;
use std::time::{Duration, Instant};

/// Longer than any of these runs.
const NEVER: &str = "starts=120000";
const LONG: Duration = Duration::from_secs(60);

/// A question that takes one thread of the CPU longer than opening a GPU is reckoned to take, in many batches, with counts on
/// standard error.
fn long() -> Question {
    longer(1000)
}

fn longer(times: usize) -> Question {
    let files = [("s.fq", repository("data/samples.fastq").repeat(times)), ("q.fa", first("data/signatures.fasta", 6))];
    Question::new("scan {s.fq} {q.fa} -v --max-memory 1K --threads 1", &files)
}

#[test]
fn a_run_that_is_over_first_ends_without_the_gpu() {
    let start = Instant::now();
    for question in small().iter().chain(&in_batches()) {
        let said = question.whole("auto", NEVER);
        assert!(!said.contains("on the CPU"), "{said}");
    }
    assert!(start.elapsed() < LONG, "a run has waited for the driver");
}

#[test]
fn an_error_does_not_wait_for_the_gpu_either() {
    let (start, question) = (Instant::now(), Question::broken());
    let said = question.refused("auto", NEVER);
    assert!(start.elapsed() < LONG && said.contains("b.fq"), "{said}");
}

#[test]
fn the_cpu_and_a_gpu_that_opens_midway_compute_together() {
    for wishes in ["", "starts=20", "starts=40, devices=3"] {
        let mut said = String::new();
        // A fast CPU is done before a GPU would help.
        let joined = [1000, 2000, 4000, 8000].into_iter().any(|times| {
            said = longer(times).whole("auto", wishes);
            said.contains("searched by cpu, cuda:0 (Faulty 9000)")
        });
        assert!(joined, "{wishes}: {said}");
    }
}

#[test]
fn the_cpu_leaves_all_work_to_a_gpu_where_that_is_asked_for() {
    for mut question in small().into_iter().take(3) {
        question.arguments.push("-v".into());
        let said = question.whole("cuda-or-cpu", "starts=50");
        assert!(said.contains("ed by cuda:0 (Faulty 9000): "), "{said}");
    }
}

#[test]
fn a_gpu_that_cannot_be_opened_midway_is_told_once() {
    // The CPU computes alone, and may be fast.
    let said = longer(3000).whole("auto", "starts=20, cuDevicePrimaryCtxRetain:1+=46");
    assert_eq!(said.matches("searching on the CPU: cuda:0 (Faulty 9000)").count(), 1, "{said}");
    assert!(said.contains("searched by cpu:"), "{said}");
}

#[test]
fn a_gpu_that_is_lost_after_it_joined_leaves_the_work_to_the_cpu() {
    let question = long();
    for wishes in ["cuLaunchKernel:2=700", "cuStreamSynchronize:3=719", "starts=50, any:60+=46"] {
        let said = question.whole("auto", wishes);
        assert!(said.matches("warning: cuda:0").count() <= 1, "{wishes}: {said}");
    }
}

#[test]
fn every_engine_gives_the_same_bytes_whoever_computes() {
    for question in in_batches().iter().chain(&small()) {
        for wishes in ["", "starts=5", "devices=2, compute=7.5", "eager=1", "cuLaunchKernel:1=700", "memory=8M"] {
            question.whole("auto", wishes);
        }
    }
}
