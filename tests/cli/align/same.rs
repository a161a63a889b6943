//! The bytes that come out do not depend on how they were computed, or on how the input was given.

use super::{folder, run, run_with, text, warpseq};
use crate::cli::repository;
use std::io::Write;

const FILES: [&str; 2] = ["data/pairs.queries.fasta", "data/pairs.targets.fasta"];

fn command(options: &[&str]) -> std::process::Command {
    let mut command = warpseq(&["align", FILES[0], FILES[1], "--device", "cpu"]);
    command.args(options);
    command
}

fn bytes(options: &[&str]) -> String {
    let (code, stdout, stderr) = run(&mut command(options));
    assert_eq!(code, Some(0), "{options:?}: {stderr}");
    stdout
}

#[test]
fn threads_and_memory_change_nothing() {
    let questions: [&[&str]; 6] = [
        &[],
        &["--format", "sam", "--pairs", "all", "--no-pg"],
        &["--pairs", "all", "--top", "2", "--strand", "both"],
        &["--mode", "global", "--format", "paf", "--gap-open", "5", "--gap-extend", "2"],
        &["--pairs", "all", "--score-only"],
        &["--preset", "gpu101"],
    ];
    for question in questions {
        let expected = bytes(question);
        assert!(expected.lines().count() >= 20);
        for how in [["-t", "1"], ["-t", "2"], ["--max-memory", "64K"], ["--max-memory", "4G"]] {
            assert_eq!(bytes(&[question, &how].concat()), expected, "{question:?} {how:?}");
        }
    }
}

#[test]
fn the_emulated_gpu_gives_the_same() {
    let questions: [&[&str]; 5] = [
        &["--format", "sam", "--no-pg"],
        &["--mode", "global", "--gap-open", "5", "--gap-extend", "2", "--gpu-memory", "1M"],
        &["--mode", "overlap", "--score-only"],
        &["--mode", "fit", "--strand", "both", "--format", "paf"],
        &["--preset", "gpu101"],
    ];
    for question in questions {
        let emulated = ["align", FILES[0], FILES[1], "--device", "emulator", "--verify", "cpu"];
        let (code, stdout, stderr) = run(warpseq(&emulated).args(question));
        assert_eq!((code, stdout), (Some(0), bytes(question)), "{question:?}: {stderr}");
        assert!(
            stderr.contains(", cpu ") && stderr.ends_with("identical\n") && stderr.lines().count() == 1,
            "{stderr}"
        );
    }
}

#[test]
fn many_batches_come_out_in_order() {
    // The least piece of work weighs 64 KiB, so so many copies are many pieces.
    let [queries, targets] = FILES.map(|file| repository(file).repeat(30));
    let files = folder(&[("q.fa", &queries), ("t.fa", &targets)]);
    let [queries, targets] = ["q.fa", "t.fa"].map(|name| text(&files.path().join(name)));
    let once = bytes(&[]);
    let rows = once.lines().skip_while(|line| line.starts_with('#') || line.starts_with("query\t"));
    let rows: String = rows.map(|row| format!("{row}\n")).collect();
    let header = &once[..once.len() - rows.len()];
    for memory in ["64K", "1G"] {
        let arguments = ["align", &queries, &targets, "--device", "cpu", "--max-memory", memory];
        let (code, stdout, _) = run(&mut warpseq(&arguments));
        assert_eq!(code, Some(0));
        assert_eq!(stdout, header.to_owned() + &rows.repeat(30), "--max-memory {memory}");
    }
}

#[test]
fn standard_input_serves_for_either_file() {
    for (k, input) in FILES.iter().enumerate() {
        let mut arguments = ["align", FILES[0], FILES[1], "--device", "cpu"];
        arguments[1 + k] = "-";
        let (code, stdout, _) = run_with(&mut warpseq(&arguments), &repository(input));
        assert_eq!((code, stdout), (Some(0), bytes(&[])), "{input} on standard input");
    }
}

#[test]
fn compressed_input() {
    let compressed = FILES.map(|file| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&repository(file)).unwrap();
        encoder.finish().unwrap()
    });
    let files = folder(&[("q.fa.gz", &compressed[0]), ("t.fa.gz", &compressed[1])]);
    let [queries, targets] = ["q.fa.gz", "t.fa.gz"].map(|name| text(&files.path().join(name)));
    for options in [&[][..], &["--format", "sam", "--no-pg"]] {
        let (code, stdout, _) = run(warpseq(&["align", &queries, &targets, "--device", "cpu"]).args(options));
        assert_eq!((code, stdout), (Some(0), bytes(options)));
    }
}

#[test]
fn verified_by_the_reference_and_by_the_cpu() {
    let cases: [(&[&str], &str); 3] = [
        (&["--verify"], "reference"),
        (&["--verify", "cpu"], "cpu"),
        (&["--preset", "gpu101", "--verify"], "reference"),
    ];
    for (options, by) in cases {
        let (code, stdout, stderr) = run(&mut command(options));
        let plain: Vec<_> = options.iter().copied().filter(|word| !["--verify", "cpu"].contains(word)).collect();
        assert_eq!((code, stdout), (Some(0), bytes(&plain)));
        assert!(stderr.contains(by) && stderr.ends_with("identical\n") && stderr.lines().count() == 1, "{stderr}");
    }
}
