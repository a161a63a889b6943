//! SAM, as samtools (Debian: samtools) understands it: a round trip through BAM, and NM counted again from the targets.

use super::{Drawn, layout, scoring, written};
use std::path::Path;
use std::process::Command;
use warpseq::align::Op;
use warpseq::align::format::{CigarStyle, Format};

/// Whether samtools is here. That it is not is said aloud.
fn samtools_is_here() -> bool {
    let found = Command::new("samtools").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        crate::place::skip("samtools (Debian: apt-get install samtools)");
    }
    found
}

/// Standard output and standard error of a run that must succeed.
fn samtools(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new("samtools").current_dir(folder).args(arguments).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "samtools {arguments:?}: {stderr}");
    (stdout, stderr)
}

#[test]
fn a_round_trip_through_bam_changes_nothing() {
    if !samtools_is_here() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (extend, style) in [("2", CigarStyle::Distinct), ("0.5", CigarStyle::Merged)] {
        let scoring = scoring(extend);
        let sam = written(&layout(Format::Sam, &scoring, style), &Drawn::all(2, 300));
        std::fs::write(folder.path().join("a.sam"), &sam).unwrap();
        let (_, said) = samtools(folder.path(), &["view", "--no-PG", "-b", "-o", "a.bam", "a.sam"]);
        assert_eq!(said, "");
        samtools(folder.path(), &["quickcheck", "-v", "a.bam"]);
        assert_eq!(samtools(folder.path(), &["view", "--no-PG", "-h", "a.bam"]).0, sam);
    }
}

#[test]
fn samtools_counts_the_same_differences() {
    if !samtools_is_here() {
        return;
    }
    let (folder, pairs, scoring) = (tempfile::tempdir().unwrap(), Drawn::all(3, 300), scoring("2"));
    let sam = written(&layout(Format::Sam, &scoring, CigarStyle::Distinct), &pairs);
    let record = |pair: &Drawn| [b">", &pair.target_name[..], b"\n", &pair.target, b"\n"].concat();
    let targets: Vec<u8> = pairs.iter().filter(|pair| !pair.target.is_empty()).flat_map(record).collect();
    std::fs::write(folder.path().join("a.sam"), &sam).unwrap();
    std::fs::write(folder.path().join("t.fa"), targets).unwrap();
    let (counted, said) = samtools(folder.path(), &["calmd", "--no-PG", "a.sam", "t.fa"]);
    assert!(!said.contains("different NM"), "{said}");
    let tags = |text: &str| -> Vec<_> { text.lines().filter_map(edits).collect() };
    let mapped = tags(&sam).len();
    assert!(mapped > 200);
    assert_eq!(tags(&counted), tags(&sam));
}

/// A line's name and NM, where it has SEQ and NM.
fn edits(line: &str) -> Option<(String, String)> {
    let fields: Vec<_> = line.split('\t').collect();
    let tag = fields.iter().find(|field| field.starts_with("NM:i:"))?;
    (fields[9] != "*").then(|| (fields[0].into(), tag.to_string()))
}

#[test]
fn each_query_has_one_primary_line_with_what_was_aligned() {
    let (pairs, scoring) = (Drawn::all(4, 300), scoring("2"));
    let sam = written(&layout(Format::Sam, &scoring, CigarStyle::Distinct), &pairs);
    for (k, pair) in pairs.iter().enumerate() {
        let name = format!("q{k}\t");
        let lines: Vec<Vec<_>> =
            sam.lines().filter(|line| line.starts_with(&name)).map(|line| line.split('\t').collect()).collect();
        let mapped = pair.alignment.path.iter().any(|run| matches!(run.op, Op::Equal | Op::Different));
        assert_eq!(lines.len(), if mapped && k % 3 == 0 { 2 } else { 1 });
        let strand = if pair.reverse { 16 } else { 0 };
        assert_eq!(lines[0][1], if mapped { strand.to_string() } else { "4".into() });
        let residues = if mapped { pair.aligned_query() } else { pair.query.clone() };
        let shown = if residues.is_empty() { "*".into() } else { String::from_utf8(residues).unwrap() };
        assert_eq!(lines[0][9], shown);
        if let Some(second) = lines.get(1) {
            assert_eq!((second[1], second[9], second[10]), ((256 + strand).to_string().as_str(), "*", "*"));
            assert_eq!(second[2..9], lines[0][2..9]);
        }
    }
}
