//! Options that leave out alignments: they remove rows and change none, and `--top` comes first.

use super::{align, fasta, rows};
use crate::place::repository;

const SCORES: [&str; 9] = [
    "--pairs",
    "all",
    "--match=2",
    "--mismatch=-3",
    "--gap-model=blast",
    "--gap-open=5",
    "--gap-extend=2",
    "--strand",
    "both",
];

/// The rows of each of 25 queries with each of 25 targets.
fn filtered(options: &[&str]) -> Vec<String> {
    let read = |file: &str| std::fs::read(repository().join("data").join(file)).unwrap();
    rows(&read("pairs.queries.fasta"), &read("pairs.targets.fasta"), &[&SCORES, options].concat())
}

/// A number of a row of tsv.
fn number(row: &str, column: usize) -> f64 {
    row.split('\t').nth(column).unwrap().parse().unwrap()
}

/// The whole output's rows, without those for which `falls_short`; some are left, and some are not.
fn left(whole: &[String], falls_short: impl Fn(&str) -> bool) -> Vec<String> {
    let left: Vec<String> = whole.iter().filter(|row| !falls_short(row)).cloned().collect();
    assert!(!left.is_empty() && left.len() < whole.len(), "{} of {}", left.len(), whole.len());
    left
}

#[test]
fn filters_only_remove_rows_and_top_comes_first() {
    let identity = |row: &str| number(row, 10) / number(row, 11);
    let cover = |row: &str| (number(row, 5) - number(row, 4)) / number(row, 6);
    for top in [&[][..], &["--top", "3"]] {
        let with = |options: &[&str]| filtered(&[top, options].concat());
        let whole = with(&[]);
        assert_eq!(whole.len(), if top.is_empty() { 625 } else { 75 });
        assert_eq!(with(&["--min-score", "26"]), left(&whole, |row| number(row, 3) < 26.0));
        assert_eq!(with(&["--min-identity", "0.9"]), left(&whole, |row| identity(row) < 0.9));
        assert_eq!(with(&["--min-query-cover", "0.2"]), left(&whole, |row| cover(row) < 0.2));
        let all = with(&["--min-score", "26", "--min-identity", "0.9", "--min-query-cover", "0.2"]);
        assert_eq!(all, left(&whole, |row| number(row, 3) < 26.0 || identity(row) < 0.9 || cover(row) < 0.2));
        let known = with(&["--evalue", "inf"]);
        assert_eq!(with(&["--evalue", "1e-4"]), left(&known, |row| number(row, 14) > 1e-4));
        let unknown: Vec<String> = known.iter().map(|row| row.rsplitn(3, '\t').last().unwrap().to_owned()).collect();
        assert_eq!(unknown, whole);
    }
}

#[test]
fn scores_alone_are_filtered_too() {
    for top in [&["--score-only"][..], &["--score-only", "--top", "3"]] {
        let with = |options: &[&str]| filtered(&[top, options].concat());
        assert_eq!(with(&["--min-score", "26"]), left(&with(&[]), |row| number(row, 2) < 26.0));
        assert_eq!(with(&["--evalue", "1e-4"]), left(&with(&["--evalue", "inf"]), |row| number(row, 5) > 1e-4));
    }
}

#[test]
fn every_format_leaves_out_the_same() {
    let count = |options: &[&str]| filtered(&[options, &["--min-identity", "0.9", "--min-score", "26"]].concat()).len();
    let expected = count(&[]);
    for format in ["jsonl", "paf", "text", "blast6"] {
        assert_eq!(count(&["--format", format]), expected, "{format}");
    }
}

/// Flag and target of each line of SAM.
fn lines(queries: &str, targets: &str, options: &[&str]) -> Vec<String> {
    let lines = rows(&fasta(queries), &fasta(targets), &[&["--format", "sam", "--no-pg"], options].concat());
    let line = |line: &String| line.split('\t').take(3).collect::<Vec<_>>().join(" ");
    lines.iter().map(line).collect()
}

#[test]
fn in_sam_the_best_of_what_is_left_is_primary() {
    // Scores 12 and 10 of a with y and x, identities 12/14 and 1; b has nothing.
    let (queries, targets) = ("a=ACGTTTGACCATGC b=GGGG", "x=ACGTTTGACC y=ACGTTTCACCATGC");
    let of = |options: &[&str]| lines(queries, targets, &[&["--pairs", "all"], options].concat());
    assert_eq!(of(&[]), ["a 256 x", "a 0 y", "b 0 x", "b 256 y"]);
    assert_eq!(of(&["--min-score", "5"]), ["a 256 x", "a 0 y", "b 4 *"]);
    assert_eq!(of(&["--min-identity", "0.95", "--min-score", "5"]), ["a 0 x", "b 4 *"]);
    assert_eq!(of(&["--min-query-cover", "0.9"]), ["a 0 y", "b 4 *"]);
    assert_eq!(of(&["--min-score", "12"]), ["a 0 y", "b 4 *"]);
    assert_eq!(of(&["--min-score", "13"]), ["a 4 *", "b 4 *"]);
    assert_eq!(of(&["--top", "1", "--min-identity", "1"]), ["a 4 *", "b 0 x"]);
    // One target each.
    assert_eq!(lines(queries, "x=ACGTTTGACC", &["--min-score", "10"]), ["a 0 x", "b 4 *"]);
    assert_eq!(
        lines(queries, "x=ACGTTTGACC", &["--min-identity", "0.5", "--min-query-cover", "0.5"]),
        ["a 0 x", "b 4 *"]
    );
}

#[test]
fn evalues_are_said_in_every_format() {
    let (queries, targets) = (fasta("a=ACGTTTGACCATGCAAGT"), fasta("x=TTTTACGTTTGCCATGCAAGT y=CCC"));
    let of = |options: &[&str]| rows(&queries, &targets, &[&SCORES[..], &["--evalue", "0.01"], options].concat());
    let [tsv] = of(&[]).try_into().expect("one row");
    let [bits, evalue, start] = tsv.rsplitn(3, '\t').collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(start, "a\tx\t+\t27\t0\t18\t18\t4\t21\t21\t17\t18\t0.9444\t7=1I10=");
    assert_eq!(bits, "25.6");
    assert_eq!(of(&["--format", "blast6"]), [format!("a\tx\t94.444\t18\t0\t1\t1\t18\t5\t21\t{evalue}\t{bits}")]);
    assert!(of(&["--format", "jsonl"])[0].ends_with(&format!(",\"evalue\":{evalue},\"bits\":{bits}}}")));
    for format in ["paf", "sam"] {
        assert!(
            of(&["--format", format, "--no-pg"])[0].contains(&format!("\tNM:i:1\tEV:f:{evalue}\tBS:f:{bits}")),
            "{format}"
        );
    }
    assert!(of(&["--score-only"])[0].ends_with(&format!("\t{evalue}\t{bits}")));
    let reverse = rows(
        &fasta("a=ACTTGCATGGTCAAACGT"),
        &targets,
        &[&SCORES[..], &["--format", "blast6", "--evalue", "1"]].concat(),
    );
    assert_eq!(reverse, [format!("a\tx\t94.444\t18\t0\t1\t1\t18\t21\t5\t{evalue}\t{bits}")]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |options: &[&str], said: &str| {
        let (code, _, stderr) = align(b">a\nACGT\n", b">t\nACGT\n", options);
        assert!(code == Some(2) && stderr.contains(said), "{options:?}: {stderr}");
    };
    let all = ["--pairs", "all"];
    for option in [&["--evalue", "1"][..], &["--format", "blast6"]] {
        refused(option, "write --pairs all");
        refused(&[&all, option, &["--mode", "fit"]].concat(), "write --mode local");
        refused(&[&all, option, &["--match", "7"]].concat(), "--match 2 --mismatch -3: 8/4 (4/4)");
        refused(&[&all, option, &["--matrix", "BLOSUM62", "--gap-open", "3"]].concat(), "12/1 (11/1)");
        refused(&[&all, option, &["--literal"]].concat(), "leave out --literal");
    }
    refused(&["--min-identity", "0.5", "--score-only"], "--min-identity looks at the path");
    refused(&["--min-query-cover", "0.5", "--score-only"], "--min-query-cover looks at the path");
    refused(&["--format", "blast6", "--pairs", "all", "--score-only"], "--format blast6 shows");
    refused(&["--min-identity", "90"], "expected a number from 0 to 1");
    refused(&["--pairs", "all", "--evalue=-1"], "expected a number above 0");
    refused(&["--pairs", "all", "--evalue", "nan"], "expected a number above 0");
}
