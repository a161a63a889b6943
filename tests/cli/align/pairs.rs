//! Which record is aligned with which, and what is kept.

use super::{align, fasta, rows};

/// Query and target of each row.
fn pairs(queries: &str, targets: &str, options: &[&str]) -> Vec<String> {
    let rows = rows(&fasta(queries), &fasta(targets), options);
    rows.iter().map(|row| row.split('\t').take(2).collect::<Vec<_>>().join("-")).collect()
}

#[test]
fn record_k_with_record_k() {
    assert_eq!(pairs("a=AC b=GT", "x=AC y=GT", &[]), ["a-x", "b-y"]);
    assert_eq!(pairs("a=AC b=GT", "x=AC y=GT", &["--pairs", "zip"]), ["a-x", "b-y"]);
}

#[test]
fn one_record_with_every_record() {
    assert_eq!(pairs("a=AC", "x=AC y=GT z=A", &[]), ["a-x", "a-y", "a-z"]);
    assert_eq!(pairs("a=AC b=GT c=A", "x=AC", &[]), ["a-x", "b-x", "c-x"]);
}

#[test]
fn each_query_with_each_target() {
    assert_eq!(pairs("a=AC b=GT", "x=AC y=GT", &["--pairs", "all"]), ["a-x", "a-y", "b-x", "b-y"]);
}

#[test]
fn the_best_targets_of_each_query() {
    // Scores of a: 2, 4, 0, 4, 3; of b: 1, 0, 4, 0, 0.
    let (queries, targets) = ("a=ACAC b=GGGG", "v=ACTG w=ACAC x=GGGG y=ACAC z=CAC");
    let top = |count| pairs(queries, targets, &["--pairs", "all", "--top", count]);
    assert_eq!(top("1"), ["a-w", "b-x"]);
    assert_eq!(top("3"), ["a-w", "a-y", "a-z", "b-x", "b-v", "b-w"]);
    assert_eq!(top("9").len(), 10);
    let scores = rows(&fasta(queries), &fasta(targets), &["--pairs", "all", "--top", "2", "--score-only"]);
    assert_eq!(scores, ["a\tw\t4\t4\t4", "a\ty\t4\t4\t4", "b\tx\t4\t4\t4", "b\tv\t1\t1\t4"]);
}

#[test]
fn no_residues_are_residues_enough() {
    let row = |mode| rows(b">a\n\n", b">x\nACG\n", &["--mode", mode]).join("");
    assert_eq!(row("local"), "a\tx\t+\t0\t*\t*\t0\t*\t*\t3\t0\t0\t0.0000\t*");
    assert!(row("global").starts_with("a\tx\t+\t-6\t0\t0\t0\t0\t3\t3\t0\t3\t0.0000\t3D"), "{}", row("global"));
}

#[test]
fn unequal_counts_name_both_and_leave_no_file() {
    let files = super::folder(&[("q.fa", &fasta("a=A b=C c=G")), ("t.fa", &fasta("x=A y=C"))]);
    let path = |name: &str| super::text(&files.path().join(name));
    let arguments = ["align", &path("q.fa"), &path("t.fa"), "-o", &path("out"), "--device", "cpu"];
    let (code, stdout, stderr) = super::run(&mut super::warpseq(&arguments));
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    let words = ["q.fa: its 3 records", "the 2 of ", "t.fa", "--pairs all"];
    words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
    assert!(!files.path().join("out").exists());
}

#[test]
fn strands() {
    // ACCCGT is the reverse complement of ACGGGT; ACGT is its own.
    let row = |query: &str, strand: &str| {
        let row = rows(&fasta(&format!("q={query}")), &fasta("t=TTACGGGTACGTT"), &["--strand", strand]).remove(0);
        let fields: Vec<_> = row.split('\t').collect();
        [fields[2], fields[3], fields[4], fields[5], fields[7], fields[8]].join(" ")
    };
    assert_eq!(row("ACCCGTC", "reverse"), "- 6 0 6 2 8");
    assert_eq!(row("ACCCGTC", "both"), "- 6 0 6 2 8");
    assert_eq!(row("ACGGGTC", "both"), "+ 6 0 6 2 8");
    assert_eq!(row("ACGT", "both"), "+ 4 0 4 8 12");
    assert_eq!(row("ACGT", "reverse"), "- 4 0 4 8 12");
    assert_eq!(align(&fasta("q=A"), &fasta("t=A"), &["--strand", "forward"]).0, Some(0));
}
