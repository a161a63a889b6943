//! Every format on one example, and what becomes of qualities, names and several targets.

use super::{QUERY, SCORES, TARGET, align, fasta, folder, rows, run, text, warpseq};
use std::io::Write;
use std::process::{Command, Stdio};

fn row(format: &str, more: &[&str]) -> String {
    let options = [&SCORES[..], &["--format", format], more].concat();
    let rows = rows(QUERY, TARGET, &options);
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows[0].clone()
}

#[test]
fn the_example() {
    let cases: [(&str, &[&str], &str); 5] = [
        ("tsv", &[], "q t + 29 3 20 23 4 22 26 17 18 0.9444 8=1D9="),
        ("tsv", &["--cigar", "m"], "q t + 29 3 20 23 4 22 26 17 18 0.9444 8M1D9M"),
        ("tsv", &["--score-only"], "q t 29 20 22"),
        ("paf", &[], "q 23 3 20 + t 26 4 22 17 18 255 AS:i:29 NM:i:1 cg:Z:8=1D9="),
        ("sam", &[], "q 0 t 5 255 3S8=1D9=3S * 0 0 GGGACGTTGCAGGATCCAGTGGG * AS:i:29 NM:i:1"),
    ];
    for (format, more, expected) in cases {
        assert_eq!(row(format, more), expected.replace(' ', "\t"), "{format} {more:?}");
    }
    assert_eq!(row("text", &[]), "q\t29\t111111111411111111");
}

#[test]
fn jsonl_is_json() {
    let value: serde_json::Value = serde_json::from_str(&row("jsonl", &[])).unwrap();
    assert_eq!((value["query"].as_str(), value["score"].as_i64()), (Some("q"), Some(29)));
    assert_eq!((value["target_end"].as_i64(), value["cigar"].as_str()), (Some(22), Some("8=1D9=")));
}

#[test]
fn pretty_shows_the_residues() {
    let (code, stdout, _) = align(QUERY, TARGET, &[&SCORES[..], &["--format", "pretty"]].concat());
    assert_eq!(code, Some(0));
    for residues in ["ACGTTGCA-GGATCCAGT", "ACGTTGCATGGATCCAGT", "|||||||| |||||||||"] {
        assert!(stdout.contains(residues), "{stdout}");
    }
}

#[test]
fn the_preset() {
    let found = rows(&fasta("a=ACGT b=AAAA c=acgt"), &fasta("x=ACGT y=CCCC z=ACGT"), &["--preset", "gpu101"]);
    assert_eq!(found, ["a\t4\t1111", "b\t0\t", "c\t0\t"]);
    let options = ["--preset", "gpu101", "--format", "tsv", "--mode", "global"];
    let found = rows(&fasta("a=ACGT"), &fasta("x=ACT"), &options);
    assert_eq!(found, ["a\tx\t+\t1\t0\t4\t4\t0\t3\t3\t3\t4\t0.7500\t2=1I1="]);
}

#[test]
fn scores_are_printed_as_given() {
    let options = ["--matrix", "BLOSUM62", "--gap-open", "10", "--gap-extend", "0.5", "--mode", "global"];
    let (code, stdout, _) = align(b">q\nWWWCW\n", b">t\nWWWW\n", &options);
    assert_eq!(code, Some(0));
    let row = stdout.lines().last().unwrap();
    // Four of W over W are 44, less one gap of one.
    assert!(row.starts_with("q\tt\t+\t34\t"), "{row}");
    let (_, stdout, stderr) = align(b">q\nWWWCCW\n", b">t\nWWWW\n", &[&options[..], &["-v"]].concat());
    assert!(stdout.lines().last().unwrap().starts_with("q\tt\t+\t33.5\t"), "{stdout}");
    let stated = stderr.lines().next().unwrap();
    assert!(["BLOSUM62", "10", "0.5"].iter().all(|word| stated.contains(word)), "{stated}");
}

#[test]
fn blast_gaps_are_converted() {
    let score = |options: &[&str]| rows(&fasta("q=ACGTACGT"), &fasta("t=ACGTCCACGT"), options).remove(0);
    let blast = ["--match", "3", "--mismatch", "-4", "--gap-open", "5", "--gap-extend", "2", "--gap-model", "blast"];
    let ours = ["--match", "3", "--mismatch", "-4", "--gap-open", "7", "--gap-extend", "2"];
    assert_eq!(score(&blast), score(&ours));
    assert!(score(&ours).starts_with("q\tt\t+\t15\t"));
}

const FASTQ: &[u8] = b"@q\nGGACGT\n+\nabcdef\n@r\nTTTT\n+\nhhhh\n";

#[test]
fn sam_of_several_targets() {
    let targets = fasta("x=CCACGTCC y=GGACGTAA z=ACCA");
    let options = ["--format", "sam", "--pairs", "all", "--phred-offset", "64", "--no-pg"];
    let (code, stdout, stderr) = align(FASTQ, &targets, &options);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let header: Vec<_> = stdout.lines().filter(|line| line.starts_with('@')).collect();
    assert!(header[0].starts_with("@HD\t") && header.iter().all(|line| !line.starts_with("@PG")), "{header:?}");
    assert_eq!(header[1..4], ["@SQ\tSN:x\tLN:8", "@SQ\tSN:y\tLN:8", "@SQ\tSN:z\tLN:4"]);
    let rows: Vec<_> = stdout.lines().filter(|line| !line.starts_with('@')).collect();
    // The best of q is y; the best of r, which has no T in any target but x and y, is the first of them.
    assert!(rows[0].starts_with("q\t256\tx\t3\t255\t2S4=\t*\t0\t0\t*\t*\t"), "{rows:?}");
    assert!(rows[1].starts_with("q\t0\ty\t1\t255\t6=\t*\t0\t0\tGGACGT\tBCDEFG\t"), "{rows:?}");
    assert!(rows[2].starts_with("q\t256\tz\t"), "{rows:?}");
    assert!(rows[3].starts_with("r\t0\tx\t6\t255\t1=3S\t*\t0\t0\tTTTT\tIIII\t"), "{rows:?}");
    assert!(rows.iter().all(|row| !row.contains("\t260\t")), "no secondary record is unmapped: {rows:?}");
}

#[test]
fn sam_of_a_query_without_alignment() {
    let rows = rows(&fasta("q=AAAA r=AAAA"), &fasta("x=CCCC y=TTTT"), &["--format", "sam"]);
    assert_eq!(rows, ["q\t4\t*\t0\t0\t*\t*\t0\t0\tAAAA\t*", "r\t4\t*\t0\t0\t*\t*\t0\t0\tAAAA\t*"]);
}

#[test]
fn samtools_reads_it() {
    if Command::new("samtools").arg("--version").output().is_err() {
        crate::place::skip("samtools (Debian: apt-get install samtools)");
        return;
    }
    let files = folder(&[]);
    let prefix = text(&files.path().join("p"));
    let simulated = ["simulate", "pairs", "40", "90", "--alphabet", "ACGT", "--divergence", "0.1", "-o", &prefix];
    assert_eq!(run(&mut warpseq(&simulated)).0, Some(0));
    let [queries, targets] = ["queries", "targets"].map(|side| format!("{prefix}.{side}.fasta"));
    for pairs in ["zip", "all"] {
        let arguments = ["align", &queries, &targets, "--format", "sam", "--strand", "both", "--pairs", pairs];
        let (_, sam, _) = run(&mut warpseq(&arguments));
        let mut command = Command::new("samtools");
        command
            .args(["view", "-h", "--no-PG", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(sam.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(String::from_utf8_lossy(&output.stdout), sam);
    }
}

/// Query, flag, score and target of each SAM line.
fn sam_lines(queries: &[u8], targets: &[u8], options: &[&str]) -> Vec<(String, u16, Option<i64>, String)> {
    let lines = rows(queries, targets, &[&["--format", "sam", "--no-pg"], options].concat());
    let line = |line: &String| {
        let fields: Vec<&str> = line.split('\t').collect();
        let score = fields.iter().find_map(|field| field.strip_prefix("AS:i:")).map(|score| score.parse().unwrap());
        (fields[0].into(), fields[1].parse().unwrap(), score, fields[2].into())
    };
    lines.iter().map(line).collect()
}

/// `A` over `C` costs two gaps, which is the best score; inside `CCCCA` it has a place.
#[test]
fn the_best_alignment_with_a_place_is_primary_in_sam() {
    let options = ["--mode", "global", "--pairs", "all", "--mismatch", "-99", "--gap", "1"];
    let lines = |targets: &str, more: &[&str]| {
        let lines = sam_lines(&fasta("q=A"), &fasta(targets), &[&options[..], more].concat());
        lines.into_iter().map(|(_, flag, _, target)| format!("{flag} {target}")).collect::<Vec<_>>()
    };
    assert_eq!(lines("x=C y=CCCCA", &[]), ["0 y"]);
    assert_eq!(lines("y=CCCCA x=C z=CCCA", &[]), ["256 y", "0 z"]);
    assert_eq!(lines("x=C y=CCCCA", &["--strand", "both"]), ["0 y"]);
    assert_eq!(lines("x=C y=CCCCA", &["--top", "2"]), ["0 y"]);
    assert_eq!(lines("x=C y=CCCCA", &["--top", "1"]), ["4 *"]);
    for more in [&[][..], &["--top", "2"], &["--top", "9"], &["--strand", "both"]] {
        assert_eq!(lines("x=C z=CC y=G", more), ["4 *"]);
    }
}

/// Whatever is aligned how, a query has one line that is not secondary: its best one, or that it is unmapped. The rows of tsv
/// say which alignments have a place.
#[test]
fn each_query_has_one_line_in_sam_that_is_not_secondary() {
    let draw = |seed: u64, count: u64| -> String {
        let mut state = seed;
        let mut next = move |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut record =
            |k| format!("r{k}={}", (0..next(5)).map(|_| ["A", "C", "G", "T"][next(4) as usize]).collect::<String>());
        (0..count).map(&mut record).collect::<Vec<_>>().join(" ")
    };
    let (queries, targets) = (fasta(&draw(1, 40)), fasta(&draw(2, 7)));
    let mut unmapped = 0;
    for mode in ["local", "global", "fit", "overlap"] {
        for strand in ["forward", "both", "reverse"] {
            for top in [&[][..], &["--top", "1"], &["--top", "3"]] {
                for scores in [["-99", "1"], ["-2", "1"], ["-1", "2"]] {
                    let options = [
                        "--pairs",
                        "all",
                        "--mode",
                        mode,
                        "--strand",
                        strand,
                        "--mismatch",
                        scores[0],
                        "--gap",
                        scores[1],
                    ];
                    let options = [&options[..], top].concat();
                    unmapped += check_primary(&queries, &targets, &options);
                }
            }
        }
    }
    assert!(unmapped > 100, "{unmapped}");
}

/// How many queries are unmapped, after their lines were compared with the rows of tsv.
fn check_primary(queries: &[u8], targets: &[u8], options: &[&str]) -> usize {
    let placed = |row: &&String| row.rsplit('\t').next().unwrap().contains(['=', 'X']);
    let all = rows(queries, targets, options);
    let lines = sam_lines(queries, targets, options);
    let mut unmapped = 0;
    for of_query in all.chunk_by(|a, b| a.split('\t').next() == b.split('\t').next()) {
        let name = of_query[0].split('\t').next().unwrap();
        let score = |row: &String| row.split('\t').nth(3).unwrap().parse::<i64>().unwrap();
        let rows: Vec<_> =
            of_query.iter().filter(placed).map(|row| (score(row), row.split('\t').nth(1).unwrap())).collect();
        let lines: Vec<_> = lines.iter().filter(|line| line.0 == name).collect();
        let best = rows.iter().map(|row| row.0).max();
        let primary = rows.iter().position(|row| Some(row.0) == best);
        if primary.is_none() {
            assert!(matches!(lines[..], [(_, 4, None, _)]), "{options:?} {lines:?}");
            unmapped += 1;
            continue;
        }
        let found: Vec<_> = lines.iter().map(|line| (line.2.unwrap(), line.3.as_str())).collect();
        assert_eq!(found, rows, "{options:?}");
        let flags = lines.iter().map(|line| line.1 & !16);
        assert!(flags.eq((0..rows.len()).map(|k| if Some(k) == primary { 0 } else { 256 })), "{options:?} {lines:?}");
    }
    unmapped
}

/// Each byte that is not UTF-8 became U+FFFD, and two names one.
#[test]
fn names_that_are_not_text_stay_apart_in_jsonl() {
    let names = |row: &String| -> [String; 2] {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        ["query", "target"].map(|key| row[key].as_str().unwrap().to_owned())
    };
    let queries = b">caf\xe8 x\nACGT\n>caf\xe9 x\nACGT\n>caf\xc3\xa9\nACGT\n";
    let found = rows(queries, b">t\xff\\\nACGT\n", &["--format", "jsonl"]);
    let expected = ["caf \\xE8", "caf \\xE9", "caf\u{e9}"].map(|query| [query.to_owned(), "t \\xFF\\".to_owned()]);
    assert_eq!(found.iter().map(names).collect::<Vec<_>>(), expected);
}
