//! Inputs that cannot be samples: each with its message, and nothing is written.

use super::Lab;

fn check(lab: &Lab, line: &str, code: i32, words: &[&str]) {
    let (found, told) = lab.refusal(line);
    assert_eq!(found, code, "{line}: {told}");
    for word in words {
        assert!(told.contains(word), "{line}: {told} lacks {word}");
    }
}

#[test]
fn the_command_line() {
    let lab = Lab::new();
    for (line, words) in [
        ("b.fq", &["expected two files", "found 1", "warpseq scan -s SIGNATURES INPUT..."][..]),
        ("", &["expected two files", "found 0"]),
        ("a_R1.fq a_R2.fq q.fa", &["found 3", "-s SIGNATURES"]),
        ("-s q.fa", &["there is no input"]),
        ("-1 a_R1.fq -2 a_R2.fq", &["--signatures"]),
        ("--interleaved both.fq q.fa", &["--signatures"]),
        ("-s q.fa -1 a_R1.fq", &["-1 is given 1 times and -2 0 times"]),
        ("-s q.fa a_R1.fq a_R2.fq", &["two inputs are called a", "-1 FILE -2 FILE", "--samples"]),
        ("-s - -", &["cannot both come from standard input"]),
        ("-s q.fa - -", &["two inputs are called stdin"]),
    ] {
        check(&lab, line, 2, words);
    }
}

#[test]
fn files_that_are_missing_are_told_before_anything_is_read() {
    let lab = Lab::new();
    check(&lab, "-s q.fa b.fq -1 a_R1.fq -2 a_R3.fq -o out.tsv", 1, &["cannot open a_R3.fq", "check the path"]);
    lab.add("s.tsv", "sample\tr1\nx\tb.fq\ny\tmissing.fq\n");
    check(&lab, "-s q.fa --samples s.tsv -o out.tsv", 1, &["cannot open missing.fq"]);
    check(&lab, "-s q.fa --samples none.tsv -o out.tsv", 1, &["cannot open none.tsv"]);
}

#[test]
fn sheets() {
    let lab = Lab::new();
    for (sheet, words) in [
        ("a,b\nx,b.fq\n", &["s.csv, line 1", "expected a header with the columns sample, r1", "found a,b"][..]),
        ("sample,r1\nx,b.fq\ny,a_R1.fq\nx,a_R2.fq\n", &["s.csv, line 4", "another input is called x"]),
        ("sample,r1\nb,a_R1.fq\n", &["s.csv, line 2", "another input is called b"]),
        ("sample,r1\n", &["s.csv: there are no samples in it"]),
        ("sample,r1\nx\n\ny,\n", &["s.csv, line 2", "no file"]),
    ] {
        lab.add("s.csv", sheet);
        check(&lab, "-s q.fa b.fq --samples s.csv -o out.tsv", 1, words);
    }
}

#[test]
fn mates() {
    let lab = Lab::new();
    let lines = |name: &str| lab.get(name).lines().map(|line| format!("{line}\n")).collect::<Vec<_>>();
    let (first, second) = (lines("a_R1.fq"), lines("a_R2.fq"));
    lab.add("short_2.fq", second[..4 * 400].concat());
    lab.add("odd.fq", [&first[..4], &second[..4], &first[4..8]].concat().concat());
    lab.add("none_2.fq", "");
    lab.add("other_2.fq", [&second[..4 * 7], &second[4 * 8..], &second[4 * 7..4 * 8]].concat().concat());
    lab.add("wrong.fq", [&first[..4], &second[..4], &first[4..8], &second[8..12]].concat().concat());
    lab.add("cut_2.fq", [&second[..4 * 500], &second[4 * 500..4 * 500 + 3]].concat().concat());
    lab.add("plain_2.fa", ">p0/2\nACGT\n");
    for memory in ["1G", "1M"] {
        for (inputs, words) in [
            (
                "-1 a_R1.fq -2 short_2.fq",
                &["a_R1.fq, line 1601, record 401", "no mate", "short_2.fq has 400 records", "line 1597"][..],
            ),
            ("-1 short_2.fq -2 a_R2.fq", &["a_R2.fq, line 1601, record 401", "short_2.fq has 400 records"]),
            ("-1 a_R1.fq -2 none_2.fq", &["a_R1.fq, line 1, record 1", "none_2.fq has 0 records"]),
            ("--interleaved odd.fq", &["odd.fq, line 9, record 3", "no mate", "the file has 3 records"]),
            ("-1 a_R1.fq -2 other_2.fq", &["other_2.fq, line 29, record 8", "p7/1 (a_R1.fq, line 29)", "found p8/2"]),
            ("--interleaved wrong.fq", &["wrong.fq, line 13, record 4", "p1/1 (wrong.fq, line 9)", "found p2/2"]),
            ("-1 a_R1.fq -2 cut_2.fq", &["cut_2.fq, line 2003, record 501", "ends inside the record"]),
            ("-1 a_R1.fq -2 plain_2.fa", &["plain_2.fa", "one is FASTA and the other FASTQ, as a_R1.fq"]),
        ] {
            check(&lab, &format!("-s q.fa {inputs} -o out.tsv --max-memory {memory}"), 1, words);
        }
    }
}
