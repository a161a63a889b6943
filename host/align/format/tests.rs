//! Lines of each format, by eye.

use super::*;
use crate::scoring::Rules;
use crate::{Op, Run};

const QUERY: &str = "GGGACGTTGCAGGATCCAGTGGG";
const TARGET: &str = "CCCCACGTTGCATGGATCCAGTCCCC";

/// The path that a CIGAR spells; `*` is none.
pub(super) fn path(text: &str) -> Vec<Run> {
    let runs = text.split_inclusive(['=', 'X', 'I', 'D']).filter(|run| *run != "*");
    let run = |run: &str| {
        let (length, op) = run.split_at(run.len() - 1);
        let op = match op {
            "=" => Op::Equal,
            "X" => Op::Different,
            "I" => Op::Insertion,
            _ => Op::Deletion,
        };
        Run { op, length: length.parse().unwrap() }
    };
    runs.map(run).collect()
}

fn alignment(score: i64, query: Range<u64>, target: Range<u64>, cigar: &str) -> Alignment {
    Alignment { score, query, target, path: path(cigar).into() }
}

/// The example of the contract: match 2, mismatch -3, gap open 5, extend 2.
fn example() -> Alignment {
    alignment(29, 3..20, 4..22, "8=1D9=")
}

fn scoring(mode: Mode, scale: u32) -> Scoring {
    let numbers = ["2", "-3", "5", if scale == 2 { "0.5" } else { "2" }].map(|number| Some(number.parse().unwrap()));
    let [match_, mismatch, gap_open, gap_extend] = numbers;
    let scoring = Rules { mode, match_, mismatch, gap_open, gap_extend, ..Rules::default() }.scoring().unwrap();
    assert_eq!(scoring.scale, scale);
    scoring
}

fn layout(format: Format, scoring: &Scoring) -> Layout<'_> {
    let (cigar, phred, command) = (CigarStyle::Distinct, PhredOffset::Sanger, Some("warpseq align q t"));
    Layout { format, cigar, score_only: false, scoring, statement: "as said", statistics: None, phred, command }
}

fn line<'a>(query: &'a str, target: &'a str, alignment: &'a Alignment) -> Line<'a> {
    let record = |name: &'a str, residues: &'a str| Record {
        name: name.as_bytes(),
        residues: residues.as_bytes(),
        quality: None,
    };
    Line { query: record("q", query), target: record("t", target), reverse: false, primary: true, alignment }
}

fn shown(layout: &Layout, line: &Line) -> String {
    let mut out = vec![];
    layout.write_line(&mut out, line).unwrap();
    String::from_utf8(out).unwrap()
}

/// The line of an alignment of the example's sequences.
fn written(format: Format, alignment: &Alignment) -> String {
    shown(&layout(format, &scoring(Mode::Local, 1)), &line(QUERY, TARGET, alignment))
}

fn header(layout: &Layout) -> String {
    let mut targets = Targets::default();
    targets.add("t.fa".as_ref(), b"t", TARGET.as_bytes()).unwrap();
    let mut out = vec![];
    layout.write_header(&mut out, &targets).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_example_of_the_contract() {
    let cases = [
        (Format::Tsv, "q\tt\t+\t29\t3\t20\t23\t4\t22\t26\t17\t18\t0.9444\t8=1D9=\n"),
        (Format::Paf, "q\t23\t3\t20\t+\tt\t26\t4\t22\t17\t18\t255\tAS:i:29\tNM:i:1\tcg:Z:8=1D9=\n"),
        (Format::Sam, "q\t0\tt\t5\t255\t3S8=1D9=3S\t*\t0\t0\tGGGACGTTGCAGGATCCAGTGGG\t*\tAS:i:29\tNM:i:1\n"),
        (Format::Text, "q\t29\t111111111411111111\n"),
        (
            Format::Jsonl,
            "{\"query\":\"q\",\"target\":\"t\",\"strand\":\"+\",\"score\":29,\"query_start\":3,\"query_end\":20,\
             \"query_length\":23,\"target_start\":4,\"target_end\":22,\"target_length\":26,\"matches\":17,\"columns\":18,\
             \"identity\":0.9444,\"cigar\":\"8=1D9=\"}\n",
        ),
        (
            Format::Pretty,
            "q + 3..20 of 23, t 4..22 of 26: score 29, identity 17/18 = 0.9444, 8=1D9=\n\n\
             query   3 ACGTTGCA-GGATCCAGT 20\n          |||||||| |||||||||\ntarget  4 ACGTTGCATGGATCCAGT 22\n\n",
        ),
    ];
    for (format, want) in cases {
        assert_eq!(written(format, &example()), want);
    }
}

#[test]
fn headers() {
    let scoring = scoring(Mode::Local, 1);
    let columns = "query\ttarget\tstrand\tscore\tquery_start\tquery_end\tquery_length\ttarget_start\ttarget_end\t\
                   target_length\tmatches\tcolumns\tidentity\tcigar\n";
    assert_eq!(header(&layout(Format::Tsv, &scoring)), columns);
    let scores = Layout { score_only: true, ..layout(Format::Tsv, &scoring) };
    assert_eq!(header(&scores), "query\ttarget\tscore\tquery_end\ttarget_end\n");
    let version = env!("CARGO_PKG_VERSION");
    let program = format!("@PG\tID:warpseq\tPN:warpseq\tVN:{version}\tCL:warpseq align q t\n");
    let [head, statement] = ["@HD\tVN:1.6\tSO:unsorted\n@SQ\tSN:t\tLN:26\n", "@CO\twarpseq align: as said\n"];
    let sam = layout(Format::Sam, &scoring);
    assert_eq!(header(&sam), format!("{head}{program}{statement}"));
    assert_eq!(header(&Layout { command: None, ..sam }), format!("{head}{statement}"));
    assert_eq!(header(&layout(Format::Pretty, &scoring)), "# warpseq align: as said\n\n");
    for format in [Format::Paf, Format::Jsonl, Format::Text] {
        assert_eq!(header(&layout(format, &scoring)), "");
    }
}

#[test]
fn a_local_score_of_zero_has_no_place() {
    let none = alignment(0, 0..0, 0..0, "*");
    assert_eq!(written(Format::Tsv, &none), "q\tt\t+\t0\t*\t*\t23\t*\t*\t26\t0\t0\t0.0000\t*\n");
    assert_eq!(written(Format::Paf, &none), "");
    assert_eq!(written(Format::Sam, &none), format!("q\t4\t*\t0\t0\t*\t*\t0\t0\t{QUERY}\t*\n"));
    assert_eq!(written(Format::Text, &none), "q\t0\t\n");
    let value: serde_json::Value = serde_json::from_str(&written(Format::Jsonl, &none)).unwrap();
    for key in ["query_start", "query_end", "target_start", "target_end", "cigar"] {
        assert!(value[key].is_null(), "{key}");
    }
    assert_eq!((&value["identity"], &value["target_length"]), (&0.0.into(), &26.into()));
    let pretty = "q + * of 23, t * of 26: score 0, identity 0/0 = 0.0000, *\n\n";
    assert_eq!(written(Format::Pretty, &none), pretty);
    let scoring = scoring(Mode::Local, 1);
    let secondary = Line { primary: false, ..line(QUERY, TARGET, &none) };
    assert_eq!(shown(&layout(Format::Sam, &scoring), &secondary), "");
}

#[test]
fn scores_without_paths() {
    let scoring = scoring(Mode::Local, 1);
    let scores = Layout { score_only: true, ..layout(Format::Tsv, &scoring) };
    let found = alignment(29, 20..20, 22..22, "*");
    assert_eq!(shown(&scores, &line(QUERY, TARGET, &found)), "q\tt\t29\t20\t22\n");
    assert_eq!(shown(&scores, &line(QUERY, TARGET, &alignment(0, 0..0, 0..0, "*"))), "q\tt\t0\t*\t*\n");
    assert!(scores.check().is_ok());
    for format in [Format::Paf, Format::Sam, Format::Jsonl, Format::Text, Format::Pretty] {
        let error = Layout { format, ..scores }.check().unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(&format!("--format {}", format.name())), "{error}");
    }
}

/// ```text
/// query AACCGT, its other strand ACGGTT; aligned 1..5 (CGGT), which is 1..5 of 6 from the other end
/// query AAACCGT, its other strand ACGGTTT; aligned 1..5, which is 2..6
/// ```
#[test]
fn the_reverse_strand() {
    let found = alignment(8, 1..5, 2..6, "4=");
    let scoring = scoring(Mode::Local, 1);
    let mut line = Line { reverse: true, ..line("AAACCGT", "TTCGGTTT", &found) };
    line.query.quality = Some(b"ABCDEFG");
    let shown = |format, primary| shown(&layout(format, &scoring), &Line { primary, ..line });
    assert_eq!(shown(Format::Tsv, true), "q\tt\t-\t8\t2\t6\t7\t2\t6\t8\t4\t4\t1.0000\t4=\n");
    assert_eq!(shown(Format::Paf, true), "q\t7\t2\t6\t-\tt\t8\t2\t6\t4\t4\t255\tAS:i:8\tNM:i:0\tcg:Z:4=\n");
    assert_eq!(shown(Format::Sam, true), "q\t16\tt\t3\t255\t1S4=2S\t*\t0\t0\tACGGTTT\tGFEDCBA\tAS:i:8\tNM:i:0\n");
    assert_eq!(shown(Format::Sam, false), "q\t272\tt\t3\t255\t1S4=2S\t*\t0\t0\t*\t*\tAS:i:8\tNM:i:0\n");
    let pretty = "q - 2..6 of 7, t 2..6 of 8: score 8, identity 4/4 = 1.0000, 4=\n\n\
                  query  6 CGGT 2\n         ||||\ntarget 2 CGGT 6\n\n";
    assert_eq!(shown(Format::Pretty, true), pretty);
}

#[test]
fn sam_leaves_outer_deletions_out() {
    let scoring = scoring(Mode::Global, 1);
    let sam = layout(Format::Sam, &scoring);
    let found = alignment(-6, 0..4, 0..9, "3D2=1I1=2D");
    let want = "q\t0\tt\t4\t255\t2=1I1=\t*\t0\t0\tACGT\t*\tAS:i:-6\tNM:i:1\n";
    assert_eq!(shown(&sam, &line("ACGT", "TTTACTGGG", &found)), want);
    for (query, target, cigar) in [("", "ACG", "3D"), ("", "", "*")] {
        let found = alignment(-9, 0..0, 0..target.len() as u64, cigar);
        assert_eq!(shown(&sam, &line(query, target, &found)), "q\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n");
    }
    let found = alignment(-9, 0..3, 0..0, "3I");
    assert_eq!(shown(&sam, &line("ACG", "", &found)), "q\t4\t*\t0\t0\t*\t*\t0\t0\tACG\t*\n");
}

#[test]
fn a_global_score_of_zero_is_an_alignment() {
    let scoring = scoring(Mode::Global, 1);
    let found = alignment(0, 0..5, 0..5, "3=2X");
    let line = line("ACGTT", "ACGAA", &found);
    let shown = |format| shown(&layout(format, &scoring), &line);
    assert_eq!(shown(Format::Tsv), "q\tt\t+\t0\t0\t5\t5\t0\t5\t5\t3\t5\t0.6000\t3=2X\n");
    assert!(shown(Format::Sam).starts_with("q\t0\tt\t1\t255\t3=2X\t"));
    assert!(shown(Format::Paf).starts_with("q\t5\t0\t5\t+\tt\t5\t0\t5\t3\t5\t255\tAS:i:0\tNM:i:2\t"));
    let nothing = alignment(0, 0..0, 0..0, "*");
    let empty = self::line("", "", &nothing);
    let tsv = self::shown(&layout(Format::Tsv, &scoring), &empty);
    assert_eq!(tsv, "q\tt\t+\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0.0000\t*\n");
    assert_eq!(self::shown(&layout(Format::Paf, &scoring), &empty), "");
}

#[test]
fn fractions_of_scores_are_exact() {
    let scoring = scoring(Mode::Local, 2);
    let shown =
        |format, score| shown(&layout(format, &scoring), &line(QUERY, TARGET, &Alignment { score, ..example() }));
    assert!(shown(Format::Tsv, 1183).starts_with("q\tt\t+\t591.5\t"));
    assert!(shown(Format::Jsonl, 1183).contains("\"score\":591.5,"));
    assert!(shown(Format::Paf, 150).contains("\tAS:f:75\t"));
    assert!(shown(Format::Sam, 1183).contains("\tAS:f:591.5\t"));
}

#[test]
fn merged_diagonals() {
    let scoring = scoring(Mode::Local, 1);
    let found = alignment(2, 0..6, 0..5, "2=1X1I2=");
    for (format, want) in [(Format::Tsv, "\t3M1I2M\n"), (Format::Paf, "cg:Z:3M1I2M\n"), (Format::Sam, "\t3M1I2M17S\t")]
    {
        let merged = Layout { cigar: CigarStyle::Merged, ..layout(format, &scoring) };
        let shown = shown(&merged, &line(QUERY, TARGET, &found));
        assert!(shown.contains(want), "{shown}");
    }
}

#[test]
fn codes_run_from_the_end_to_the_start() {
    assert_eq!(written(Format::Text, &alignment(1, 0..8, 0..7, "2=1X3I2D1=")), "q\t1\t144333211\n");
}

#[test]
fn pretty_breaks_after_sixty_columns() {
    let sequence = "ACGT".repeat(16);
    let found = alignment(128, 0..64, 0..64, "64=");
    let scoring = scoring(Mode::Local, 1);
    let shown = shown(&layout(Format::Pretty, &scoring), &line(&sequence, &sequence, &found));
    let rows: Vec<_> = shown.lines().collect();
    assert_eq!(rows[2], format!("query   0 {} 60", &sequence[..60]));
    assert_eq!(&rows[6..9], ["query  60 ACGT 64", "          ||||", "target 60 ACGT 64"]);
}

#[test]
fn names_need_not_be_text() {
    let found = example();
    let mut line = line(QUERY, TARGET, &found);
    (line.query.name, line.target.name) = (b"a\"\\", b"\xffz");
    let scoring = scoring(Mode::Local, 1);
    let json = shown(&layout(Format::Jsonl, &scoring), &line);
    assert!(json.starts_with("{\"query\":\"a\\\"\\\\\",\"target\":\" \\\\xFFz\","), "{json}");
    let mut out = vec![];
    layout(Format::Tsv, &scoring).write_line(&mut out, &line).unwrap();
    assert!(out.starts_with(b"a\"\\\t\xffz\t+\t29\t"));
}
