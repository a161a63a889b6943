//! What of a table is written, and as what: columns, headers, names that tell formats.

use super::{run, warpseq};
use tempfile::TempDir;

/// Commands that write a table to standard output.
const TABLES: &[&[&str]] = &[
    &["scan", "data/samples.fastq", "data/signatures.fasta", "--device", "cpu"],
    &["align", "data/pairs.queries.fasta", "data/pairs.targets.fasta", "--device", "cpu"],
    &["align", "data/pairs.queries.fasta", "data/pairs.targets.fasta", "--device", "cpu", "--score-only"],
    &[
        "align",
        "data/founders.fasta",
        "data/families.fastq",
        "--pairs",
        "all",
        "--evalue",
        "1",
        "--match",
        "2",
        "--mismatch",
        "-3",
        "--gap-open",
        "7",
        "--gap-extend",
        "2",
        "--device",
        "cpu",
    ],
    &["amplicon", "data/founders.fasta", "-F", "ACN", "-R", "GTN", "--device", "cpu"],
    &["sign", "search", "data/founders.fasta", "data/families.fastq", "--k", "11", "--device", "cpu"],
    &["sign", "search", "data/founders.fasta", "data/families.fastq", "--by", "sequence", "--device", "cpu"],
    &["sign", "dist", "data/founders.fasta", "--device", "cpu"],
    &["sign", "cluster", "data/founders.fasta", "--k", "2", "--device", "cpu"],
    &["sign", "map", "data/founders.fasta", "--device", "cpu"],
];

fn output(arguments: &[&str]) -> String {
    let (code, output, told) = run(&mut warpseq(arguments));
    assert_eq!(code, Some(0), "{arguments:?}: {told}");
    output
}

/// Fields of all lines.
fn fields(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split('\t').collect()).collect()
}

#[test]
fn columns_are_those_of_the_whole_table() {
    for table in TABLES {
        let whole = output(table);
        let all = fields(&whole);
        assert!(all.len() > 2, "{table:?}");
        let mut wanted: Vec<usize> = (0..all[0].len()).rev().step_by(2).collect();
        wanted.push(wanted[0].wrapping_sub(1));
        let names: Vec<&str> = wanted.iter().map(|&at| all[0][at]).collect();
        let found = output(&[*table, &["--columns", &names.join(",").to_uppercase()]].concat());
        let expected: Vec<Vec<&str>> = all.iter().map(|row| wanted.iter().map(|&at| row[at]).collect()).collect();
        assert_eq!(fields(&found), expected, "{table:?}");
        let found = output(&[*table, &["--columns", &names.join(","), "--no-header"]].concat());
        assert_eq!(fields(&found), expected[1..], "{table:?}");
        assert_eq!(output(&[*table, &["--no-header"]].concat()), whole.split_once('\n').unwrap().1, "{table:?}");
        assert_eq!(output(&[*table, &["--columns", &all[0].join(",")]].concat()), whole);
        let (code, nothing, told) = run(&mut warpseq(&[*table, &["--columns", "none"]].concat()));
        assert_eq!((code, nothing.as_str()), (Some(2), ""), "{table:?}");
        assert!(told.contains(&format!("there is no column \"none\": the table has {}", all[0].join(", "))), "{told}");
    }
}

#[test]
fn objects_are_the_rows_of_the_table() {
    for table in TABLES {
        let whole = output(table);
        let all = fields(&whole);
        if table.contains(&"--score-only") {
            continue;
        }
        let objects = output(&[*table, &["--format", "jsonl"]].concat());
        let of_columns = output(&[*table, &["--format", "jsonl", "--columns", &all[0].join(",")]].concat());
        assert!(objects == of_columns, "{table:?}");
        assert_eq!(objects.lines().count(), all.len() - 1, "{table:?}");
        for (object, row) in objects.lines().zip(&all[1..]) {
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(object).unwrap();
            assert_eq!(object.len(), row.len());
            for (name, field) in all[0].iter().zip(row) {
                match &object[*name] {
                    serde_json::Value::Null => assert!(["NA", "*", "."].contains(field), "{name}: {field}"),
                    serde_json::Value::String(text) => assert_eq!(text, field),
                    // The reader of the test rounds once more than that of fields.
                    number => {
                        let (number, field) = (number.as_f64().unwrap(), field.parse::<f64>().unwrap());
                        assert!((number - field).abs() <= 1e-14 * field.abs(), "{name}: {number:e} {field:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn columns_of_shards_are_those_of_one_run() {
    let scan =
        ["scan", "data/samples.fastq", "data/signatures.fasta", "--columns", "start,sequence", "--device", "cpu"];
    let shards: String = (1..4).map(|k| output(&[&scan[..], &["--shard", &format!("{k}/3")]].concat())).collect();
    assert_eq!(shards, output(&scan));
}

/// A file that a command writes, and what it says of it.
fn written(folder: &TempDir, arguments: &[&str], option: &str, name: &str) -> (String, String) {
    let path = folder.path().join(name);
    let (code, _, told) = run(&mut warpseq(&[arguments, &[option, path.to_str().unwrap()]].concat()));
    assert_eq!(code, Some(0), "{arguments:?} {name}: {told}");
    let mut text = String::new();
    let bytes = std::fs::read(&path).unwrap();
    match name.ends_with(".gz") {
        true => drop(std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(&bytes[..]), &mut text)),
        false => text = String::from_utf8(bytes).unwrap(),
    }
    (text, told)
}

#[test]
fn the_name_of_an_output_tells_its_format() {
    let folder = tempfile::tempdir().unwrap();
    for (table, name, format) in [
        (0, "a.bed", "bed"),
        (0, "a.jsonl.gz", "jsonl"),
        (0, "a.TSV", "tsv"),
        (1, "b.paf.gz", "paf"),
        (1, "b.sam", "sam"),
        (4, "c.fa", "fasta"),
        (5, "d.jsonl", "jsonl"),
        (7, "e.jsonl", "jsonl"),
    ] {
        let command = [TABLES[table], if format == "sam" { &["--no-pg"] } else { &[] }].concat();
        let (text, told) = written(&folder, &command, "-o", name);
        assert_eq!(text, output(&[&command[..], &["--format", format]].concat()), "{name}");
        assert!(!told.contains("warning"), "{told}");
    }
    for (table, options, name, words) in [
        (0, &["--format", "tsv"][..], "a.bed", "ends in .bed, and what is written is tsv"),
        (0, &[], "a.sam", "ends in .sam, and what is written is tsv"),
        (0, &["--preset", "cs3210-2025"], "a.tsv", "ends in .tsv, and what is written is text"),
        (1, &["--format", "paf"], "b.jsonl.gz", "ends in .jsonl, and what is written is paf"),
        (8, &["--format", "tsv"], "c.jsonl", "ends in .jsonl, and what is written is tsv"),
    ] {
        let command = [TABLES[table], options].concat();
        let (text, told) = written(&folder, &command, "-o", name);
        assert_eq!(text, output(&command));
        assert!(told.contains("warning") && told.contains(words), "{told}");
    }
}

#[test]
fn tables_beside_the_results_are_objects_in_jsonl() {
    let folder = tempfile::tempdir().unwrap();
    let probes = ["probes", "data/founders.fasta", "-o", "/dev/null", "--device", "cpu"];
    let cluster = TABLES[8];
    let samples = [
        "simulate",
        "samples",
        "data/signatures.fasta",
        "2",
        "3",
        "1",
        "2",
        "900",
        "1000",
        "10",
        "30",
        "0.1",
        "-o",
        "/dev/null",
    ];
    let reads = ["simulate", "reads", "data/founders.fasta", "5", "-o", "/dev/null"];
    let scan = ["scan", "data/samples.fastq", "data/signatures.fasta", "--report", "none", "--device", "cpu", "-q"];
    for (command, option) in [
        (&probes[..], "--table"),
        (cluster, "--summary"),
        (&samples, "--truth"),
        (&reads, "--truth"),
        (&scan, "--summary"),
    ] {
        let (table, _) = written(&folder, command, option, "t.tsv");
        let (objects, _) = written(&folder, command, option, "t.jsonl");
        let all = fields(&table);
        assert!(all.len() > 1, "{command:?}");
        assert_eq!(objects.lines().count(), all.len() - 1);
        for (object, row) in objects.lines().zip(&all[1..]) {
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(object).unwrap();
            let words = all[0].iter().zip(row).filter(|(name, _)| object[**name].is_string());
            assert!(words.clone().count() > 0 || command == cluster);
            words.for_each(|(name, field)| assert_eq!(object[*name].as_str().unwrap(), *field, "{name}"));
            let numbers = all[0].iter().zip(row).filter(|(name, _)| object[**name].is_number());
            numbers.for_each(|(name, field)| {
                assert_eq!(object[*name].as_f64().unwrap(), field.parse::<f64>().unwrap(), "{name}");
            });
        }
    }
}

#[test]
fn columns_are_for_tables() {
    for arguments in [
        &["scan", "data/samples.fastq", "data/signatures.fasta", "--format", "bed"][..],
        &["align", "data/pairs.queries.fasta", "data/pairs.targets.fasta", "--format", "sam"],
        &["amplicon", "data/founders.fasta", "-F", "ACN", "-R", "GTN", "--format", "fasta"],
        &["sign", "dist", "data/founders.fasta", "--format", "phylip"],
        &["sign", "info", "x.wsig"],
    ] {
        let (code, _, told) = run(&mut warpseq(&[arguments, &["--columns", "start"]].concat()));
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(told.contains("--columns is for tables"), "{told}");
    }
}

#[test]
fn every_header_is_known_to_merge() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.tsv");
    for table in TABLES {
        let whole = output(table);
        std::fs::write(&path, &whole).unwrap();
        let path = path.to_str().unwrap();
        let rows = whole.split_once('\n').unwrap().1;
        assert_eq!(output(&["merge", path, path]), format!("{whole}{rows}"), "{table:?}");
    }
}
