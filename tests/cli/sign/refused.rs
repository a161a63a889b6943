//! Bad input and wrong usage: one clear line, the exit code, and no output file.

use super::{PROTEINS, build};
use crate::cli::{folder, names_in, run, run_with, text, warpseq};

/// One line of an error.
fn check(stderr: &str, words: &[&str]) {
    assert!(stderr.starts_with("warpseq: error: ") && stderr.lines().count() == 1, "{stderr}");
    words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
}

/// Options and words of the message.
type Row = (&'static [&'static str], &'static [&'static str]);

const USAGE: &[Row] = &[
    (&["--k", "0"], &["--k 0", "1 to 32"]),
    (&["--k", "33"], &["--k 33", "1 to 32"]),
    (&["--window", "2"], &["--window 2", "4 to 65536"]),
    (&["--window", "65538"], &["4 to 65536", "whole"]),
    (&["--window", "15"], &["even", "16"]),
    (&["--k", "20", "--window", "16"], &["--k 20", "--window 16"]),
    (&["--bits", "100"], &["--bits 100", "multiple of 64"]),
    (&["--bits", "65600"], &["64 to 65536"]),
    (&["--hash", "pcg", "--k", "5"], &["--hash pcg", "--hash mix64"]),
    (&["--hash", "isaac", "--density", "0"], &["--density 0", "raise it"]),
    (&["--hash", "isaac", "--density", "101"], &["--density 101", "at most 100"]),
    (&["--density", "21"], &["--density", "--hash pcg and isaac", "leave it out"]),
    (&["--canonical"], &["--canonical", "--alphabet dna"]),
];

const CLAP: &[Row] = &[
    (&["--window", "some"], &["--window", "whole"]),
    (&["--preset", "other"], &["--preset", "qut"]),
    (&["--alphabet", "rna"], &["--alphabet", "dna"]),
    (&["--hash", "md5"], &["--hash", "mix64"]),
    (&["--canonical", "--no-canonical"], &["--canonical"]),
    (&["--ids"], &["--raw"]),
    (&["--bits", "many"], &["--bits"]),
    (&["--verify=twice"], &["--verify"]),
];

#[test]
fn wrong_usage_is_2_and_says_what_to_do() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = |name: &str| text(&files.path().join(name));
    for (options, words) in USAGE.iter().chain(CLAP) {
        let (code, stdout, stderr) = run(build(&path("x.fa"), options).args(["-o", &path("out")]));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{options:?}: {stderr}");
        assert!(stderr.contains("error:"), "{stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{options:?}: {stderr:?} lacks {word:?}"));
        assert_eq!(names_in(files.path()), ["x.fa"]);
    }
    for (options, words) in USAGE {
        check(&run(&mut build(&path("x.fa"), options)).2, words);
    }
}

#[test]
fn bad_files_and_places_are_1() {
    let files = folder(&[("x.fa", PROTEINS), ("bad.fa", b"hello\n"), ("late.fa", b">a\nMKV\n>\nMKV\n")]);
    let path = |name: &str| text(&files.path().join(name));
    let cases: [(&str, &str, &[&str]); 6] = [
        ("absent", "out", &["cannot open", "absent", "check the path"]),
        ("bad.fa", "out", &["bad.fa, line 1", "expected `>` (FASTA) or `@` (FASTQ)"]),
        ("late.fa", "out", &["late.fa, line 3, record 2", "no name"]),
        ("x.fa", "no/out", &["cannot create", "no/out", "check the path"]),
        ("x.fa", "x.fa", &["x.fa: this output is the input", "write to another file"]),
        ("x.fa", "", &["cannot create", "give a file"]),
    ];
    for (sequences, output, words) in cases {
        let (code, stdout, stderr) = run(build(&path(sequences), &[]).args(["-o", &path(output)]));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        check(&stderr, words);
        assert_eq!(names_in(files.path()), ["bad.fa", "late.fa", "x.fa"]);
    }
    assert_eq!(std::fs::read(path("x.fa")).unwrap(), PROTEINS);
}

#[test]
fn a_pipe_that_is_no_sequences() {
    let (code, stdout, stderr) = run_with(&mut build("-", &["--raw"]), b"hello\n");
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    check(&stderr, &["standard input, line 1"]);
}

#[test]
fn a_device_that_is_not_there() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = |name: &str| text(&files.path().join(name));
    let arguments = ["sign", "build", &path("x.fa"), "-o", &path("out"), "--device", "cuda"];
    let (code, _, stderr) = run(&mut warpseq(&arguments));
    assert_eq!(code, Some(1));
    check(&stderr, &["no NVIDIA driver found", "--device cpu"]);
    assert_eq!(names_in(files.path()), ["x.fa"]);
}
