//! Bad input and wrong usage: one clear line, the exit code, and no output file.

use super::{align, fasta, folder, run, run_with, text, warpseq};
use crate::cli::names_in;

const GOOD: &[u8] = b">a\nACGT\n";

/// One line of an error.
fn check(stderr: &str, words: &[&str]) {
    assert!(stderr.starts_with("warpseq: error: ") && stderr.lines().count() == 1, "{stderr}");
    words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
}

/// Queries, targets, options, and words of the message.
type Row = (&'static [u8], &'static [u8], &'static [&'static str], &'static [&'static str]);

const ROWS: &[Row] = &[
    (GOOD, b"", &[], &["t.fa: there are no targets"]),
    (b"", b"", &[], &["t.fa: there are no targets"]),
    (b">a\nACGT\n>b\nAC\nGJ\n", GOOD, &[], &["q.fa, line 5, record 2", "'J'", "--matrix BLOSUM62"]),
    (GOOD, b">a\nAC-T\n", &[], &["t.fa, line 2, record 1", "'-'"]),
    (GOOD, b">a\nAC1T\n", &["--matrix", "BLOSUM62"], &["t.fa, line 2, record 1", "'1'", "BLOSUM62"]),
    (b"@a\nACGT\n+\nIII\n", GOOD, &[], &["q.fa, line 4, record 1", "4 symbols, its quality 3"]),
    (
        b"@a\nAC\n+\nI5\n",
        GOOD,
        &["--format", "sam", "--phred-offset", "64"],
        &["q.fa, line 4", "'5'", "--phred-offset"],
    ),
    (b"hello\n", GOOD, &[], &["q.fa, line 1", "expected `>` (FASTA) or `@` (FASTQ)"]),
    (
        b">a\nA\n>b\nC\n",
        b">t\nA\n>t\nC\n",
        &["--format", "sam"],
        &["t.fa: two targets with different residues have the name t"],
    ),
    (
        GOOD,
        b">t\nA\n>t\nC\n",
        &["--format", "sam", "--pairs", "all"],
        &["t.fa: two targets with different residues have the name t"],
    ),
    (b">@a\nA\n", GOOD, &["--format", "sam"], &["q.fa, line 1, record 1: the name @a has `@`", "--format paf"]),
    (
        b">a\nA\n>caf\xe9\nA\n",
        GOOD,
        &["--format", "sam"],
        &["q.fa, line 3, record 2: the name ", " has byte 0xe9", "rename"],
    ),
    (GOOD, b">t(1)\nA\n", &["--format", "sam"], &["t.fa, line 1, record 1: the name t(1) has `(`", "--format paf"]),
    (
        GOOD,
        b">a\nA\n>*b\nA\n",
        &["--format", "sam", "--pairs", "all"],
        &["t.fa, line 3, record 2: ", "starts with `*`"],
    ),
    (b">a\nA\n>b\nA\n", b">a\nA\n>b,c\nA\n", &["--format", "sam"], &["t.fa, line 3, record 2: ", "has `,`"]),
    (GOOD, b">=\nA\n", &["--format", "sam"], &["t.fa, line 1, record 1: the name = starts with `=`"]),
];

#[test]
fn bad_files() {
    for (queries, targets, options, words) in ROWS {
        let files = folder(&[("q.fa", queries), ("t.fa", targets)]);
        let path = |name: &str| text(&files.path().join(name));
        let arguments = ["align", &path("q.fa"), &path("t.fa"), "-o", &path("out"), "--device", "cpu"];
        let (code, stdout, stderr) = run(warpseq(&arguments).args(*options));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        check(&stderr, words);
        assert_eq!(names_in(files.path()), ["q.fa", "t.fa"], "{stderr}");
    }
}

#[test]
fn targets_that_do_not_fit() {
    let targets = [fasta(&format!("x={0} y={0}", "ACGT".repeat(1000))), GOOD.to_vec()].concat();
    let (code, stdout, stderr) = align(GOOD, &targets, &["--pairs", "all", "--max-memory", "1K"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    check(&stderr, &["t.fa: the targets are held in memory", "--max-memory"]);
}

#[test]
fn the_output_is_no_input() {
    let files = folder(&[("q.fa", GOOD), ("t.fa", GOOD)]);
    let path = |name: &str| text(&files.path().join(name));
    for output in ["q.fa", "t.fa"] {
        let (code, _, stderr) = run(&mut warpseq(&["align", &path("q.fa"), &path("t.fa"), "-q", "-o", &path(output)]));
        assert_eq!(code, Some(1));
        check(&stderr, &[output, "this output is the input"]);
        assert_eq!(std::fs::read(path(output)).unwrap(), GOOD);
    }
}

#[test]
fn a_device_that_is_not_there() {
    let files = folder(&[("q.fa", GOOD)]);
    let queries = text(&files.path().join("q.fa"));
    let (code, stdout, stderr) = run(&mut warpseq(&["align", &queries, &queries, "--device", "cuda"]));
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    check(&stderr, &["no NVIDIA driver found", "--device cpu"]);
}

/// Options that make no sense, and words of the message.
const USAGE: &[(&[&str], &[&str])] = &[
    (&["--mismatch", "1"], &["--mismatch -1"]),
    (&["--mismatch", "4"], &["--mismatch -4"]),
    (&["--match", "-2"], &["--match 2"]),
    (&["--match", "0"], &["--match"]),
    (&["--gap", "-2"], &["--gap 2"]),
    (&["--gap-open", "-5", "--gap-extend", "2"], &["--gap-open 5"]),
    (&["--gap-open", "2", "--gap-extend", "5"], &["--gap-open", "--gap-extend"]),
    (&["--gap", "2", "--gap-open", "5"], &["--gap"]),
    (&["--matrix", "BLOSUM63"], &["BLOSUM63", "BLOSUM62"]),
    (&["--matrix", "BLOSUM62", "--match", "2"], &["--match"]),
    (&["--matrix", "BLOSUM62", "--literal"], &["--literal"]),
    (&["--matrix", "BLOSUM62", "--strand", "both"], &["--strand"]),
    (&["--literal", "--strand", "reverse"], &["--strand"]),
    (&["--through-zero", "--mode", "global"], &["--through-zero", "local"]),
    (&["--top", "3"], &["--top", "--pairs all"]),
    (&["--top", "0", "--pairs", "all"], &["--top"]),
    (&["--score-only", "--format", "paf"], &["--score-only", "tsv"]),
    (&["--score-only", "--preset", "gpu101"], &["--score-only", "--format tsv"]),
    (&["--mode", "glocal"], &["local, global, fit, overlap"]),
    (&["--format", "bam"], &["tsv, paf, sam, jsonl, blast6, text, pretty"]),
    (&["--match", "two"], &["--match"]),
    (&["--verify=twice"], &["--verify"]),
    (&["third"], &["third"]),
];

#[test]
fn wrong_usage_is_2_and_shows_the_right_spelling() {
    for (options, words) in USAGE {
        let (code, stdout, stderr) = align(GOOD, GOOD, options);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{options:?}: {stderr}");
        assert!(stderr.contains("error:"), "{stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{options:?}: {stderr:?} lacks {word:?}"));
    }
}

#[test]
fn standard_input_is_read_once() {
    let (code, _, stderr) = run_with(&mut warpseq(&["align", "-", "-"]), GOOD);
    assert_eq!(code, Some(2));
    check(&stderr, &["cannot both come from standard input"]);
    // The header needs the names of all targets before the first record.
    let files = folder(&[("q.fa", &fasta("a=A b=C"))]);
    let queries = text(&files.path().join("q.fa"));
    let (code, _, stderr) = run_with(&mut warpseq(&["align", &queries, "-", "--format", "sam"]), &fasta("a=A b=C"));
    assert_eq!(code, Some(2));
    check(&stderr, &["sam", "give the targets as a file"]);
}
