//! Reads out: records byte for byte, matched and not, mates together.

use super::Lab;
use std::collections::BTreeSet;

/// The records of FASTQ of four lines, as they stand there.
fn records(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.chunks(4).map(|record| record.concat()).collect()
}

fn name(record: &str) -> &str {
    record[1..].split([' ', '\n']).next().unwrap()
}

/// The names of the sequences that have rows.
fn matched(rows: &str) -> BTreeSet<String> {
    rows.lines().skip(1).map(|row| row.split('\t').nth(1).unwrap().to_owned()).collect()
}

/// Matched and unmatched fragments of `a_R1.fq` and `a_R2.fq`, as mates 1, mates 2, and both in turn.
fn expected(lab: &Lab, is_matched: bool) -> [String; 3] {
    let found = matched(&lab.rows("-s q.fa -1 a_R1.fq -2 a_R2.fq"));
    let mut all = [String::new(), String::new(), String::new()];
    for (first, second) in records(&lab.get("a_R1.fq")).iter().zip(&records(&lab.get("a_R2.fq"))) {
        if (found.contains(name(first)) || found.contains(name(second))) == is_matched {
            all[0] += first;
            all[1] += second;
            all[2] += &(first.clone() + second);
        }
    }
    assert!(all[0].len() > 1000);
    all
}

#[test]
fn pairs_go_together() {
    let lab = Lab::new();
    let ([m1, m2, m], [u1, u2, u]) = (expected(&lab, true), expected(&lab, false));
    let rows = lab.rows("-s q.fa -1 a_R1.fq -2 a_R2.fq");
    let pairs = "-s q.fa -1 a_R1.fq -2 a_R2.fq";
    for inputs in [pairs, "-s q.fa --interleaved both.fq --max-memory 1M", &format!("{pairs} --max-memory 1M -t 1")] {
        lab.rows(&format!("{inputs} --report none --matched m_#.fq --unmatched u_#.fq"));
        assert_eq!(
            ["m_1.fq", "m_2.fq", "u_1.fq", "u_2.fq"].map(|file| lab.get(file)),
            [&m1, &m2, &u1, &u2].map(String::clone)
        );
        lab.rows(&format!("{inputs} --report none --matched x.fq --matched2 y.fq --unmatched z.fq"));
        assert_eq!(["x.fq", "y.fq", "z.fq"].map(|file| lab.get(file)), [&m1, &m2, &u].map(String::clone));
    }
    assert_eq!(lab.rows(&format!("{pairs} --matched m.fq")), rows);
    assert_eq!(lab.get("m.fq"), m);
    assert!(!lab.folder.path().join("m_.fq").exists());
}

#[test]
fn each_sample_has_its_files() {
    let lab = Lab::new();
    let [m1, m2, m] = expected(&lab, true);
    let found = matched(&lab.rows("b.fq q.fa"));
    let single: String = records(&lab.get("b.fq")).into_iter().filter(|record| found.contains(name(record))).collect();
    lab.rows("-s q.fa b.fq -1 a_R1.fq -2 a_R2.fq --report none --matched {sample}.m#.fq --unmatched none.fq");
    let files = super::super::names_in(lab.folder.path()).into_iter().filter(|name| name.contains(".m"));
    assert_eq!(files.collect::<Vec<_>>(), ["a.m1.fq", "a.m2.fq", "b.m.fq"]);
    assert_eq!(["a.m1.fq", "a.m2.fq", "b.m.fq"].map(|file| lab.get(file)), [m1, m2, single.clone()]);
    lab.rows("-s q.fa b.fq -1 a_R1.fq -2 a_R2.fq --report none --matched all.fq");
    assert_eq!(lab.get("all.fq"), single + &m);
}

#[test]
fn compressed_files_are_the_same_whatever_the_threads() {
    let lab = Lab::new();
    let many = lab.get("a_R1.fq").repeat(40);
    lab.add("many.fq", &many);
    let found = matched(&lab.rows("b.fq q.fa --report first"));
    assert!(!found.is_empty());
    let bytes = |options: &str| {
        lab.rows(&format!("many.fq q.fa --report none --matched m.fq.gz {options}"));
        std::fs::read(lab.folder.path().join("m.fq.gz")).unwrap()
    };
    let first = bytes("-t 1");
    assert!(bytes("-t 3 --max-memory 1M") == first && first.starts_with(&[0x1f, 0x8b, 8, 4]));
    lab.rows("many.fq q.fa --report none --matched m.fq");
    let again = lab.rows("m.fq.gz q.fa");
    assert!(again == lab.rows("m.fq q.fa") && matched(&again).len() > 100);
}

#[test]
fn odd_texts_stay_as_they_are() {
    let lab = Lab::new();
    lab.add("g.fa", ">q\nACGTAC\n>r\nTTTTTTTT\n");
    // Wrapped lines, line ends of other systems, repeated headers, no bases, and no line end at the end.
    let fastq = [
        "@a one\ttwo\r\nACG\r\nTAC\r\n+a one\ttwo\r\nIII\r\nIII\r\n",
        "@b\n\n+\n\n",
        "@c  x \nACGTAC\n+\nIIIIII\n",
        "@d\nCCCC\n+\n@@@@\n",
        "@e\nttttu\nttt\n+e\nIIII\nIIII",
    ];
    lab.add("x.fq", fastq.concat());
    let fasta = [">a one\nACG\nTAC\n\n\n", ">b\n\n", ">c\r\nGTACGT\r\n\r\n", ">d x\nTTTT TTT"]
        .map(|text| text.replace(' ', ""));
    lab.add("x.fa", fasta.concat());
    for memory in ["1G", "1M"] {
        let out = format!("-s g.fa --report none --matched m --unmatched u --max-memory {memory}");
        lab.rows(&format!("x.fq {out}"));
        assert_eq!(lab.get("m"), [fastq[0], fastq[2], "@e\nttttu\nttt\n+e\nIIII\nIIII\n"].concat());
        assert_eq!(lab.get("u"), [fastq[1], fastq[3]].concat());
        lab.rows(&format!("x.fa {out}"));
        assert_eq!(lab.get("m"), ">aone\nACG\nTAC\n>c\r\nGTACGT\r\n");
        assert_eq!(lab.get("u"), ">b\n>dx\nTTTTTTT\n");
    }
}

#[test]
fn names_that_leave_reads_without_a_place_are_refused() {
    let lab = Lab::new();
    lab.add("s.csv", "sample,r1\na/b,b.fq\n");
    let pairs = "-s q.fa -1 a_R1.fq -2 a_R2.fq";
    for (line, words) in [
        (format!("{pairs} b.fq --matched x --matched2 y"), &["--matched2 is for mates", "`#`"][..]),
        (format!("{pairs} --matched x# --matched2 y"), &["names both files", "leave --matched2 out"]),
        (format!("{pairs} --matched2 y"), &["--matched <FILE>"]),
        (format!("{pairs} --matched x --unmatched ./x"), &["--unmatched ./x", "--matched goes to the same place"]),
        (format!("{pairs} --matched -"), &["--matched standard output: the main output goes to the same place"]),
        (format!("{pairs} --matched x --counts x"), &["same place"]),
        (format!("{pairs} --matched {{sample}} --matched2 y"), &["{sample}", "both or to none"]),
        ("-s q.fa --samples s.csv --matched {sample}.fq".into(), &["the sample a/b cannot be part"]),
        (format!("{pairs} --report none"), &["--report none writes no matches", "--counts FILE"]),
        (format!("{pairs} --report none --counts c -o x"), &["leave -o out"]),
        (format!("{pairs} --dedup"), &["--dedup is for --counts"]),
        (format!("{pairs} --counts c --min-found 2"), &["--min-found is for --summary"]),
        (format!("{pairs} --summary t --negative-control water"), &["--negative-control water", "they are a"]),
    ] {
        let (code, told) = lab.refusal(&line);
        assert_eq!(code, 2, "{line}: {told}");
        assert!(words.iter().all(|word| told.contains(word)), "{line}: {told}");
    }
    let (code, told) = lab.refusal(&format!("{pairs} --matched a_R1.fq"));
    assert!(code == 1 && told.contains("this output is the input a_R1.fq"), "{told}");
}

#[test]
fn a_run_that_fails_leaves_nothing() {
    let lab = Lab::new();
    lab.add("cut_2.fq", lab.get("a_R2.fq").lines().take(4 * 599).map(|line| format!("{line}\n")).collect::<String>());
    let all = "--matched m_#.fq.gz --unmatched u.fq --counts c.tsv --summary t.tsv --matrix m.tsv";
    let (code, told) = lab.refusal(&format!("-s q.fa b.fq -1 a_R1.fq -2 cut_2.fq -o rows.tsv {all}"));
    assert!(code == 1 && told.contains("a_R1.fq, line 2397, record 600"), "{told}");
    let (code, told) = lab.refusal(&format!("-s q.fa b.fq -o rows.tsv {all} --counts /dev/full"));
    assert!(code == 2 || code == 1 && told.contains("/dev/full"), "{told}");
}
