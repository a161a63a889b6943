//! A search of a database has the bytes of a search of its sequences.

use super::{ACIDS, BASES, bytes, drawn, files, refused};

const PROTEINS: [&str; 8] = [
    "--top 3",
    "--min-score 45",
    "--evalue 10",
    "--top 4 --evalue 0.5",
    "--top 5 --min-identity 0.3 --min-score 30",
    "--top 2 --score-only",
    "",
    "--mode fit --top 2",
];

const NUCLEOTIDES: [&str; 5] = [
    "--top 3 --strand both",
    "--min-score 14 --strand both",
    "--top 2 --strand reverse",
    "--evalue 10 --strand both --match 2 --mismatch -3 --gap-model blast --gap-open 5 --gap-extend 2",
    "--strand both --mode overlap --top 1",
];

const FORMATS: [&str; 6] = ["tsv", "paf", "sam --no-pg", "jsonl", "text", "pretty"];

fn check(files: &tempfile::TempDir, options: &str) {
    let of = |targets: &str| bytes(files, format!("align q.fa {targets} --pairs all {options}").trim_end());
    let expected = of("t.fa");
    assert!(expected.lines().count() > 8, "{options}: {expected}");
    assert!(of("--targets-db t.wdb") == expected, "{options}");
}

#[test]
fn in_every_format() {
    let proteins = files(&drawn('q', 9, 0..150, ACIDS, 2), &drawn('t', 40, 0..150, ACIDS, 2));
    for options in PROTEINS {
        for format in FORMATS.iter().filter(|format| !options.contains("--score-only") || **format == "tsv") {
            check(&proteins, &format!("--matrix BLOSUM62 --device cpu {options} --format {format}").replace("  ", " "));
        }
    }
    check(&proteins, "--matrix BLOSUM62 --device cpu --evalue 10 --format blast6");
    let nucleotides = files(&drawn('q', 9, 0..150, BASES, 4), &drawn('t', 40, 0..150, BASES, 4));
    for options in NUCLEOTIDES {
        for format in FORMATS {
            check(&nucleotides, &format!("--device cpu {options} --format {format}"));
        }
    }
}

#[test]
fn on_the_emulated_gpu() {
    let proteins = files(&drawn('q', 4, 0..50, ACIDS, 6), &drawn('t', 12, 0..50, ACIDS, 6));
    let nucleotides = files(&drawn('q', 4, 0..50, BASES, 8), &drawn('t', 12, 0..50, BASES, 8));
    for (files, options) in [
        (&proteins, "--matrix BLOSUM62 --device emulator --verify --top 4"),
        (&proteins, "--matrix BLOSUM62 --device emulator --evalue 100 --format sam --no-pg"),
        (&nucleotides, "--device emulator --top 4 --strand both"),
    ] {
        check(files, options);
    }
}

#[test]
fn however_the_database_comes() {
    let files = files(&drawn('q', 5, 0..90, ACIDS, 9), &drawn('t', 20, 0..90, ACIDS, 10));
    bytes(&files, "db build t.fa -o t.wdb.gz");
    let of = |targets: &str| {
        bytes(&files, &format!("align q.fa {targets} --pairs all --matrix BLOSUM62 --top 3 --device cpu"))
    };
    assert!(of("--targets-db t.wdb.gz") == of("t.fa"));
    let mut piped =
        super::inside(&files, "align q.fa --targets-db - --pairs all --matrix BLOSUM62 --top 3 --device cpu");
    let done = piped.stdin(std::fs::File::open(files.path().join("t.wdb")).unwrap()).output().unwrap();
    assert!(done.status.success() && done.stdout == of("t.fa").into_bytes());
}

#[test]
fn the_same_is_said_of_what_cannot_be_searched() {
    let proteins = files(b">q\nACGT\n", &drawn('t', 3, 20..30, ACIDS, 11));
    let (code, said) = refused(&proteins, "align q.fa --targets-db t.wdb --pairs all --top 1 --device cpu");
    assert_eq!(code, Some(1));
    assert!(said.starts_with("warpseq: error: t.wdb: it holds proteins, and in record t0 '"), "{said}");
    assert!(said.contains("cannot be aligned") && said.contains("--matrix BLOSUM62"), "{said}");
    let named = files(b">q\nACGT\n", b">a,b\nACGT\n");
    let (code, said) = refused(&named, "align q.fa --targets-db t.wdb --pairs all --top 1 --device cpu --format sam");
    assert!(code == Some(1) && said.contains("t.wdb: the name a,b has `,`"), "{said}");
    let as_x = files(b">q\nMKV\n", b">t\nMKUUJ\n");
    for targets in ["t.fa", "--targets-db t.wdb"] {
        let words = format!("align q.fa {targets} --pairs all --top 1 --matrix BLOSUM62 --device cpu -o out");
        assert!(refused(&as_x, &words).1.contains("warning: 3 residues are J, O or U"), "{targets}");
    }
}

#[test]
fn wrong_usage_is_told() {
    let files = files(b">q\nACGT\n", b">t\nACGT\n");
    for (words, code, said) in [
        (
            "align q.fa --targets-db t.wdb",
            2,
            "a database holds targets for every query, not one for each: write --pairs all",
        ),
        (
            "align q.fa t.fa --targets-db t.wdb --pairs all",
            2,
            "given twice, as t.fa and as --targets-db t.wdb: leave out one",
        ),
        ("align q.fa", 2, "<TARGETS>"),
        ("align - --targets-db - --pairs all", 2, "queries and targets cannot both come from standard input"),
        (
            "align q.fa t.wdb --pairs all",
            1,
            "a database file of `warpseq db`: `warpseq align` takes it as --targets-db FILE",
        ),
        ("align t.wdb t.fa --pairs all", 1, "a database file of `warpseq db`"),
        ("sign build t.wdb -o x.wsig", 1, "a database file of `warpseq db`"),
        ("align q.fa --targets-db t.fa --pairs all", 1, "t.fa: it holds sequences, not a database; `warpseq db build"),
    ] {
        let (found, message) = refused(&files, words);
        assert!(found == Some(code) && message.contains(said), "{words}: {found:?}, {message}");
    }
}
