//! Targets that memory cannot hold are searched in parts, and queries that it cannot hold either in rounds: nothing shows it.

use super::{ACIDS, BASES, bytes, drawn, files, refused};
use std::io::Write;
use std::process::Stdio;

/// Bytes with which every target is a part of its own, some are, and two thirds of the targets are one.
const MEMORY: [&str; 3] = ["1", "12K", "42K"];

fn check(files: &tempfile::TempDir, options: &str) {
    let of = |targets: &str, memory: &str| {
        bytes(files, &format!("align q.fa {targets} --pairs all {options} --max-memory {memory}"))
    };
    let expected = of("t.fa", "1G");
    assert!(expected.lines().count() > 10, "{options}: {expected}");
    for memory in MEMORY {
        for targets in ["t.fa", "--targets-db t.wdb"] {
            assert!(of(targets, memory) == expected, "{options}, {targets}, {memory}");
        }
    }
}

#[test]
fn parts_change_nothing() {
    let proteins = files(&drawn('q', 9, 0..150, ACIDS, 22), &drawn('t', 40, 0..150, ACIDS, 22));
    for options in [
        "--top 3",
        "--top 100",
        "--min-score 45",
        "--evalue 10",
        "--top 2 --evalue 0.5",
        "--top 5 --min-identity 0.4 --min-score 30",
        "--top 3 --score-only",
        "--top 3 --format sam --no-pg",
        "--min-score 45 --format sam --no-pg",
        "--top 2 --min-score 60 --format sam --no-pg",
        "--evalue 10 --format blast6",
        "--top 2 --format pretty",
    ] {
        check(&proteins, &format!("--matrix BLOSUM62 --device cpu {options}"));
    }
    let nucleotides = files(&drawn('q', 9, 0..150, BASES, 24), &drawn('t', 40, 0..150, BASES, 24));
    for options in ["--top 3 --strand both --format sam --no-pg", "--min-score 14 --strand both --format paf"] {
        check(&nucleotides, &format!("--device cpu {options}"));
    }
}

#[test]
fn the_emulated_gpu_finds_the_same_in_parts() {
    let proteins = files(&drawn('q', 4, 0..50, ACIDS, 26), &drawn('t', 12, 0..50, ACIDS, 26));
    for options in ["--top 4", "--evalue 100 --format sam --no-pg"] {
        check(&proteins, &format!("--matrix BLOSUM62 --device emulator {options}"));
    }
}

/// The emulated GPU gets shares of the targets for each long query, of 10,000 cells each.
#[test]
fn shares_change_nothing() {
    let proteins = files(&drawn('q', 4, 60..120, ACIDS, 27), &drawn('t', 24, 0..40, ACIDS, 27));
    for options in ["--top 4", "--top 30 --score-only", "--min-score 30", "--top 5 --evalue 100 --format sam --no-pg"] {
        for memory in ["1G", "12K"] {
            let of = |device: &str| {
                let options = format!("--matrix BLOSUM62 {options} --max-memory {memory} --device {device}");
                bytes(&proteins, &format!("align q.fa t.fa --pairs all {options}"))
            };
            assert!(of("emulator") == of("cpu"), "{options}, {memory}");
        }
    }
}

/// Of equal scores the first come first, whichever parts they are in, and what falls short holds its place.
#[test]
fn ties_and_places_are_those_of_one_part() {
    let target = |k: usize| format!(">t{k}\n{}\n", if k % 3 == 1 { "MKVLATMKVLATWWHH" } else { "MKVLATMKVLATWW" });
    let targets: String = (0..20).map(target).collect();
    let files = files(b">q\nMKVLATMKVLATWW\n", targets.as_bytes());
    let names = |options: &str| -> Vec<String> {
        let words = format!("align q.fa t.fa --pairs all --matrix BLOSUM62 --device cpu --max-memory 1 {options}");
        let rows = bytes(&files, &words);
        rows.lines().skip(1).map(|row| row.split('\t').nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(names("--top 4"), ["t0", "t1", "t2", "t3"]);
    assert_eq!(names("--top 20").len(), 20);
    // The E-value of a longer target of the same score is another.
    let rows = bytes(&files, "align q.fa t.fa --pairs all --matrix BLOSUM62 --device cpu --evalue 1e9 --top 2");
    let evalues: Vec<f64> = rows.lines().skip(1).map(|row| row.split('\t').nth(14).unwrap().parse().unwrap()).collect();
    assert!(evalues[0] > evalues[1], "{rows}");
    let between = (evalues[0] * evalues[1]).sqrt();
    let of = |memory: &str| {
        let words = "align q.fa t.fa --pairs all --matrix BLOSUM62 --device cpu --top 4 --evalue";
        bytes(&files, &format!("{words} {between} --max-memory {memory}"))
    };
    assert_eq!((of("1").lines().count(), of("1")), (1 + 1, of("1G")));
}

#[test]
fn queries_that_do_not_fit_either_come_in_rounds() {
    let files = files(&drawn('q', 900, 100..140, ACIDS, 27), &drawn('t', 7, 60..90, ACIDS, 28));
    for options in ["--top 2", "--min-score 40 --format sam --no-pg"] {
        check(&files, &format!("--matrix BLOSUM62 --device cpu {options}"));
    }
}

#[test]
fn a_pipe_is_read_in_parts_where_once_is_enough() {
    let targets = drawn('t', 400, 60..90, ACIDS, 30);
    let few = files(&drawn('q', 3, 60..90, ACIDS, 29), &targets);
    let many = files(&drawn('q', 900, 100..140, ACIDS, 29), &targets);
    let piped = |files: &tempfile::TempDir, options: &str| {
        let words = format!("align q.fa - --pairs all --matrix BLOSUM62 --device cpu -q --max-memory 1 {options}");
        let mut command = super::inside(files, &words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A run that ends early closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(&targets);
        crate::cli::told(&child.wait_with_output().unwrap())
    };
    let words = "align q.fa t.fa --pairs all --matrix BLOSUM62 --device cpu --top 2";
    assert_eq!(piped(&few, "--top 2"), (Some(0), bytes(&few, words), String::new()));
    for (files, options, why, instead) in [
        (&few, "--evalue 1", "E-values count the letters of all targets", "raise --max-memory to hold them all"),
        (&few, "--top 1 --format sam", "sam names all targets before the first query", "write --format paf"),
        (&many, "--top 1", "neither the queries nor the targets fit memory at once", "to hold one of them"),
    ] {
        let (code, stdout, stderr) = piped(files, options);
        assert!(code == Some(2) && !stdout.contains("q0"), "{options}: {stderr}");
        assert!(stderr.contains(why) && stderr.contains("give the targets as a file, or"), "{stderr}");
        assert!(stderr.ends_with(&format!("{instead}\n")), "{stderr}");
    }
    let (code, said) = refused(&few, "align q.fa t.fa --pairs all --matrix BLOSUM62 --device cpu --max-memory 1");
    assert!(code == Some(1) && said.contains("the targets are held in memory"), "{said}");
}
