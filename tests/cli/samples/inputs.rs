//! Inputs in any number and form: the rows are those of each file by itself.

use super::Lab;

/// Rows without the header, each with its fields.
fn fields(rows: &str) -> Vec<Vec<String>> {
    rows.lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect()).collect()
}

/// The rows of a pair of files from the rows of each: pair by pair, mate 1 first.
fn of_pairs(first: &str, second: &str, sample: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for (mate, rows) in [("1", first), ("2", second)] {
        for mut row in fields(rows) {
            let pair: usize = row[1].strip_prefix('p').unwrap().split('/').next().unwrap().parse().unwrap();
            (row[0], row[2]) = (sample.into(), mate.into());
            all.push((pair, mate, row));
        }
    }
    // A stable sort: the rows of a sequence stay in their order.
    all.sort_by_key(|(pair, mate, _)| (*pair, *mate));
    all.into_iter().map(|(_, _, row)| row).collect()
}

#[test]
fn pairs_have_the_rows_of_both_files() {
    let lab = Lab::new();
    for report in ["best", "all -m 2"] {
        let [first, second] = ["a_R1.fq", "a_R2.fq"].map(|file| lab.rows(&format!("{file} q.fa --report {report}")));
        let expected = of_pairs(&first, &second, "a");
        assert!(expected.len() > 1000, "{}", expected.len());
        for memory in ["1G", "1M"] {
            let options = format!("-s q.fa --report {report} --max-memory {memory}");
            assert_eq!(fields(&lab.rows(&format!("{options} -1 a_R1.fq -2 a_R2.fq"))), expected, "{report}, {memory}");
            let both = fields(&lab.rows(&format!("{options} --interleaved both.fq")));
            assert!(both.iter().all(|row| row[0] == "both"));
            let named = |mut row: Vec<String>| {
                row[0] = "a".into();
                row
            };
            assert_eq!(both.into_iter().map(named).collect::<Vec<_>>(), expected, "{report}, {memory}");
        }
    }
}

#[test]
fn files_cut_into_many_batches_are_the_same_pairs() {
    let lab = Lab::new();
    let [first, second] = ["a_R1.fq", "a_R2.fq"].map(|name| lab.get(name).repeat(12));
    // Mates 2 have long comments, so that both files are cut at different records, and one is compressed.
    let long = format!(" lane 3 {}\n", "x".repeat(150));
    lab.add("big_1.fq", &first);
    lab.add("big_2.fq.gz", crate::fastx::gzip(second.replace(" lane 3\n", &long).as_bytes()));
    let interleaved: String = {
        let records = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (a, b) = (records(&first), records(&second));
        a.chunks(4)
            .zip(b.chunks(4))
            .flat_map(|(a, b)| [a.join("\n"), b.join("\n")])
            .map(|record| record + "\n")
            .collect()
    };
    lab.add("big.fq", &interleaved);
    let expected = lab.rows("-s q.fa -1 big_1.fq -2 big_2.fq.gz");
    assert!(expected.lines().count() > 10_000);
    for options in ["-t 1", "-t 3", "--max-memory 1M"] {
        assert!(lab.rows(&format!("-s q.fa -1 big_1.fq -2 big_2.fq.gz {options}")) == expected, "{options}");
        assert!(lab.rows(&format!("-s q.fa --interleaved big.fq {options}")) == expected, "{options}");
    }
    assert!(lab.scan("-s q.fa -1 big_1.fq -2 big_2.fq.gz --verify=cpu").1 == expected);
}

#[test]
fn samples_come_one_after_another_with_their_labels() {
    let lab = Lab::new();
    let rows = |file: &str| fields(&lab.rows(&format!("{file} q.fa")));
    let pair = of_pairs(&lab.rows("a_R1.fq q.fa"), &lab.rows("a_R2.fq q.fa"), "a");
    let all = fields(&lab.rows("-s q.fa b.fq -1 a_R1.fq -2 a_R2.fq both.fq"));
    assert_eq!(all, [rows("b.fq"), rows("both.fq"), pair].concat());
    assert!(all.iter().all(|row| row[2] == if row[0] == "a" { &row[1][row[1].len() - 1..] } else { "." }));
    let jsonl = lab.rows("-s q.fa b.fq -1 a_R1.fq -2 a_R2.fq --format jsonl");
    assert!(jsonl.contains("\"mate\":null") && jsonl.contains("\"mate\":1") && jsonl.contains("\"mate\":2"));
    assert!(jsonl.lines().all(|line| line.contains(if line.contains("\"sample\":\"b\"") { ":null" } else { "\"a\"" })));
}

#[test]
fn a_sheet_names_samples_and_its_files_are_beside_it() {
    let lab = Lab::new();
    std::fs::create_dir(lab.folder.path().join("run")).unwrap();
    for name in ["a_R1.fq", "a_R2.fq", "b.fq"] {
        lab.add(&format!("run/{name}"), lab.get(name));
    }
    lab.add("run/s.tsv", "sample\tr1\tr2\nlow\tb.fq\t\nhigh\ta_R1.fq\ta_R2.fq\nhigh\tb.fq\n");
    lab.add(
        "run/s.csv",
        "sample,fastq_1,fastq_2,strandedness\nlow,b.fq,,auto\nhigh,a_R1.fq,\"a_R2.fq\",auto\nhigh,b.fq,,auto\n",
    );
    let label = |rows: Vec<Vec<String>>, label: &str| {
        rows.into_iter().map(|row| [vec![label.to_owned()], row[1..].to_vec()].concat()).collect::<Vec<_>>()
    };
    let single = fields(&lab.rows("b.fq q.fa"));
    let pair = of_pairs(&lab.rows("a_R1.fq q.fa"), &lab.rows("a_R2.fq q.fa"), "high");
    let expected = [label(single.clone(), "low"), pair, label(single, "high")].concat();
    for sheet in ["run/s.tsv", "run/s.csv", &lab.path("run/s.csv")] {
        assert_eq!(fields(&lab.rows(&format!("-s q.fa --samples {sheet}"))), expected, "{sheet}");
    }
}

#[test]
fn an_empty_input_is_a_warning_that_names_it() {
    let lab = Lab::new();
    ["e.fq", "e_1.fq", "e_2.fq"].iter().for_each(|name| lab.add(name, ""));
    let (code, stdout, stderr) = lab.scan("-s q.fa e.fq b.fq -1 e_1.fq -2 e_2.fq");
    assert_eq!((code, stdout), (Some(2), String::new()), "e.fq and e_1.fq have one label");
    assert!(stderr.contains("two inputs are called e"), "{stderr}");
    lab.add("sheet.csv", "sample,r1,r2\nx,e.fq,\ny,e_1.fq,e_2.fq\nz,b.fq,\n");
    let (code, stdout, stderr) = lab.scan("-s q.fa --samples sheet.csv");
    assert_eq!((code, fields(&stdout).len()), (Some(0), fields(&lab.rows("b.fq q.fa")).len()));
    let warnings: Vec<&str> = stderr.lines().collect();
    assert_eq!(
        warnings,
        [
            "warpseq: warning: e.fq: there are no sequences in it",
            "warpseq: warning: e_1.fq and e_2.fq: there are no sequences in it"
        ]
    );
}
