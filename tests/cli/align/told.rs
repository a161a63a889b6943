//! What is said on standard error: warnings once, a choice of the CPU once, nothing with `-q`.

use super::{align, fasta, folder, run, text, warpseq};
use crate::cli::told_of_no_gpu;

#[test]
fn no_gpu_is_one_line_and_none_when_quiet() {
    let files = folder(&[("q.fa", b">q\nACGT\n")]);
    let queries = text(&files.path().join("q.fa"));
    for device in told_of_no_gpu() {
        let align = ["align", &queries, &queries, "--device", device];
        let (code, _, stderr) = run(&mut warpseq(&align));
        assert_eq!(code, Some(0));
        assert!(stderr.starts_with("warpseq: aligning on the CPU: no NVIDIA driver found"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_eq!(run(warpseq(&align).arg("-q")).2, "");
    }
}

/// Queries, targets, options, and words of the warning.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

#[test]
fn each_warning_comes_once() {
    let rows: [Row; 5] = [
        ("", "x=A", &[], "q.fa: there are no queries in it"),
        ("", "x=A y=C", &[], "q.fa: there are no queries in it"),
        ("a=A b=C c=G", "c=A a=C b=G", &[], "the same names in another order"),
        ("a=UJO", "x=W", &["--matrix", "BLOSUM62"], "3 residues are J, O or U"),
        ("a=W b=W", "x=WO y=U", &["--matrix", "BLOSUM62", "--pairs", "all"], "2 residues are J, O or U"),
    ];
    for (queries, targets, options, words) in rows {
        let (queries, targets) = (fasta(queries), fasta(targets));
        let (code, _, stderr) = align(&queries, &targets, options);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.starts_with("warpseq: warning: ") && stderr.contains(words), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_eq!(align(&queries, &targets, &[options, &["-q"]].concat()).2, "");
    }
    assert_eq!(align(&fasta("a=A b=C"), &fasta("c=A d=C"), &[]).2, "");
}

#[test]
fn no_queries_are_a_header() {
    for (format, first) in [("tsv", "query\ttarget\t"), ("sam", "@HD"), ("paf", ""), ("jsonl", "")] {
        let (code, stdout, _) = align(b"", b">t\nACG\n", &["--format", format]);
        assert_eq!(code, Some(0));
        assert!(stdout.starts_with(first) && stdout.is_empty() == first.is_empty(), "{format}: {stdout}");
    }
}

#[test]
fn verbose_says_what_was_done() {
    let (_, _, stderr) = align(&fasta("a=ACGT b=A"), &fasta("x=ACG y=AC"), &["-v", "--pairs", "all"]);
    let lines: Vec<_> = stderr.lines().collect();
    assert!(
        lines[0].starts_with("warpseq: local, nucleotides, match 1, mismatch -1, gap open 2, extend 2: "),
        "{stderr}"
    );
    assert_eq!(lines[1], "warpseq: 2 queries, 4 pairs, 25 cells");
    assert!(lines.len() == 5 && lines[2].starts_with("warpseq: aligned by cpu: call 0.") && stderr.contains("GCUPS"));
    crate::cli::told::explains_the_time(&lines[3..]);
}
