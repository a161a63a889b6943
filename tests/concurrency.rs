//! Neither threads, nor runs beside each other, nor chance can be seen in what comes out.
//!
//! The inputs are small and the memory given less, so that many batches are under way at a time and the threads meet in ever
//! new orders. With a GPU the same is asked of it; `WARPSEQ_REQUIRE_GPU=1` makes its absence a failure.

use crate::cli;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Numbers of threads: all small ones, then those that divide work unevenly, up to many more than there are cores.
const THREADS: [usize; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 47, 64];
/// Runs of each command.
const RUNS: usize = 50;
/// The least memory, so the most batches.
const CROWDED: &[&str] = &["--max-memory", "1K", "-q"];

/// Inputs, and what is asked of them: the name of an engine and its words.
struct Work {
    folder: tempfile::TempDir,
    commands: Vec<(&'static str, Vec<&'static str>)>,
}

impl Work {
    fn new() -> Self {
        let samples = cli::repository("data/samples.fastq").repeat(12);
        let [queries, targets] =
            ["queries", "targets"].map(|name| cli::repository(&format!("data/pairs.{name}.fasta")).repeat(40));
        let signatures = cli::repository("data/signatures.fasta");
        let families = cli::repository("data/families.fastq").repeat(20);
        let folder = cli::folder(&[
            ("s.fq", &samples),
            ("v.fa", &signatures),
            ("q.fa", &queries),
            ("t.fa", &targets),
            ("f.fq", &families),
        ]);
        let asked = |words: &'static str| words.split(' ').collect();
        let commands = vec![
            ("scan", asked("scan s.fq v.fa")),
            ("align", asked("align q.fa t.fa --gap-open 5 --gap-extend 2")),
            ("sign build", asked("sign build f.fq --k 11 --window 100 --bits 256 --raw")),
            ("sign search", asked("sign search f.fq f.fq --k 11 --top 2 --by window")),
            ("sign cluster", asked("sign cluster f.fq --k 5")),
        ];
        Self { folder, commands }
    }

    fn start(&self, words: &[&str], options: &[&str]) -> Child {
        // `cli::warpseq` hides the GPU.
        let mut command = Command::new(crate::place::program());
        command.current_dir(&self.folder).args(words).args(CROWDED).args(options).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn answer(&self, words: &[&str], options: &[&str]) -> Vec<u8> {
        answer(self.start(words, options))
    }
}

fn answer(child: Child) -> Vec<u8> {
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.stdout.len() > 100);
    done.stdout
}

#[test]
fn one_to_64_threads_give_the_same_bytes() {
    let work = Work::new();
    for (name, words) in &work.commands {
        let expected = work.answer(words, &["--device", "cpu"]);
        for threads in THREADS {
            let found = work.answer(words, &["--device", "cpu", "-t", &threads.to_string()]);
            assert!(found == expected, "{name} with {threads} threads");
        }
    }
}

/// Runs each command `RUNS` times on `device`, several processes at a time, and compares with the CPU.
fn repeat(device: &str, names: &[&str], threads: &[&str]) {
    let work = Work::new();
    for (name, words) in work.commands.iter().filter(|(name, _)| names.contains(name)) {
        let expected = work.answer(words, &["--device", "cpu", "-t", "1"]);
        for _ in 0..RUNS / threads.len() {
            let start = |threads: &&str| work.start(words, &["--device", device, "-t", *threads]);
            let together: Vec<Child> = threads.iter().map(start).collect();
            together.into_iter().for_each(|one| assert!(answer(one) == expected, "{name} on {device}"));
        }
    }
}

#[test]
fn fifty_runs_two_at_a_time_give_the_same_bytes() {
    repeat("cpu", &["scan", "align", "sign build", "sign search", "sign cluster"], &["8", "3"]);
}

#[test]
fn fifty_runs_five_at_a_time_on_one_gpu_give_the_same_bytes() {
    let listed = Command::new(crate::place::program()).arg("devices").output().unwrap().stdout;
    if String::from_utf8_lossy(&listed).contains("    usable, with") {
        repeat("cuda", &["scan", "align", "sign search"], &["1", "2", "3", "8", "8"]);
    } else {
        assert!(std::env::var_os("WARPSEQ_REQUIRE_GPU").is_none(), "{}", String::from_utf8_lossy(&listed));
        println!("skipped: no GPU");
    }
}

#[test]
fn two_processes_that_write_one_file_leave_one_of_their_answers() {
    let work = Work::new();
    let (_, words) = &work.commands[0];
    let out = |report: &str| -> Vec<u8> { work.answer(words, &["--device", "cpu", "--report", report]) };
    let answers = ["best", "all"].map(out);
    let path: PathBuf = work.folder.path().join("out");
    for _ in 0..10 {
        let both =
            ["best", "all"].map(|report| work.start(words, &["--device", "cpu", "--report", report, "-o", "out"]));
        for child in both {
            assert!(child.wait_with_output().unwrap().status.success());
        }
        assert!(answers.contains(&std::fs::read(&path).unwrap()), "a mixture of two answers");
    }
    assert_eq!(cli::names_in(work.folder.path()), ["f.fq", "out", "q.fa", "s.fq", "t.fa", "v.fa"]);
}
