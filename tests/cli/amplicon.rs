//! `warpseq amplicon` as users meet it.

use super::{folder, run, run_with, text, warpseq};
use crate::fastx::gzip;
use crate::place;

/// The last but one pair amplifies over the end of a circle, the last one nothing.
const TABLE: &str = "name\tforward\treverse\tprobe\n# a comment\nfirst\tAACCG\tTTTCCGC\tTGTAA\nsecond\tTTTCCGC\tAACCG\n\
                     over\tGCGGAAA\tTAATCGG\nnone\tAAAAAAA\tCCCCCCC\n";
const GENOME: &str = ">s\nTTAACCGATTACAGCGGAAATT\n";
const HEADER: &str =
    "sequence\tstart\tend\tstrand\tpair\tlength\tforward_mismatches\treverse_mismatches\tprobe_mismatches\n";
const ROWS: &str = "s\t2\t20\t+\tfirst\t18\t0\t0\t0\ns\t2\t20\t-\tsecond\t18\t0\t0\tNA\n";

fn files() -> tempfile::TempDir {
    folder(&[
        ("g.fa", GENOME.as_bytes()),
        ("g.fa.gz", &gzip(GENOME.as_bytes())),
        ("p.tsv", TABLE.as_bytes()),
        ("p.tsv.gz", &gzip(TABLE.as_bytes())),
        ("none.tsv", b"none\tA\tC\n"),
    ])
}

fn asked(folder: &tempfile::TempDir, arguments: &str) -> (Option<i32>, String, String) {
    let words: Vec<&str> = ["amplicon"].into_iter().chain(arguments.split(' ')).collect();
    run(warpseq(&words).current_dir(folder.path()))
}

#[test]
fn a_table_of_products_whatever_computes_and_however_files_come() {
    let files = files();
    for arguments in [
        "g.fa -p p.tsv --min-length 10",
        "g.fa.gz -p p.tsv.gz --min-length 18 --max-length 18 --device cpu",
        "g.fa -p p.tsv --min-length 10 --device emulator --verify",
        "g.fa -p p.tsv --min-length 10 --max-memory 1K -t 1",
        "g.fa -p p.tsv --min-length 10 --verify=cpu",
    ] {
        let (code, stdout, stderr) = asked(&files, arguments);
        assert_eq!((code, stdout), (Some(0), [HEADER, ROWS].concat()), "{arguments}: {stderr}");
        assert_eq!(stderr.contains("identical"), arguments.contains("--verify"), "{arguments}: {stderr}");
    }
    let (code, stdout, _) = asked(&files, "g.fa g.fa.gz -p p.tsv --min-length 10 -q");
    assert_eq!((code, stdout), (Some(0), [HEADER, ROWS, ROWS].concat()));
    let (code, stdout, stderr) = asked(&files, "g.fa -p p.tsv --device cpu");
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), HEADER, ""), "all are too short");
    let (_, stdout, stderr) = asked(&files, "g.fa -p p.tsv --min-length 10 -v -o out.tsv.gz");
    assert!(stdout.is_empty() && stderr.contains("4 primer pairs, 1 sequences, 22 bases, 2 products"), "{stderr}");
    assert!(files.path().join("out.tsv.gz").exists());
}

#[test]
fn standard_input_serves_for_either() {
    let files = files();
    for (arguments, input) in [("- -p p.tsv", GENOME), ("g.fa -p -", TABLE)] {
        let words: Vec<&str> = ["amplicon", "--min-length", "10"].into_iter().chain(arguments.split(' ')).collect();
        let (code, stdout, stderr) = run_with(warpseq(&words).current_dir(files.path()), input.as_bytes());
        assert_eq!((code, stdout), (Some(0), [HEADER, ROWS].concat()), "{arguments}: {stderr}");
    }
}

#[test]
fn other_formats_and_circles() {
    let files = files();
    let rows = |arguments: &str| asked(&files, &format!("g.fa --min-length 10 {arguments}")).1;
    assert_eq!(rows("-F aaccg -R UUUCCGC --format bed"), "s\t2\t20\tamplicon\t1000\t+\n");
    assert_eq!(
        rows("-F TTTCCGC -R AACCG --format fasta --inner"),
        ">amplicon|s:2-20 strand=- length=18 forward_mismatches=0 reverse_mismatches=0 probe_mismatches=NA\nTGTAAT\n"
    );
    assert!(
        rows("-p p.tsv --format jsonl").starts_with("{\"sequence\":\"s\",\"start\":2,\"end\":20,\"strand\":\"+\",")
    );
    let over = rows("-p p.tsv --circular");
    assert_eq!(
        over.lines().filter(|row| row.contains("over")).collect::<Vec<_>>(),
        ["s\t13\t33\t+\tover\t20\t0\t0\tNA"]
    );
    let bed = rows("-p p.tsv --circular --format bed");
    let over: Vec<_> = bed.lines().filter(|row| row.contains("over")).collect();
    assert_eq!(over, ["s\t13\t22\tover\t1000\t+", "s\t0\t11\tover\t1000\t+"]);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let files = files();
    for (arguments, code, words) in [
        ("g.fa", 2, &["--forward", "required"][..]),
        ("g.fa -F ACGT", 2, &["--reverse"]),
        ("g.fa -R ACGT", 2, &["--forward"]),
        ("g.fa -F ACGT -R ACGT -p p.tsv", 2, &["cannot be used with"]),
        ("-F ACGT -R ACGT", 2, &["GENOMES"]),
        ("g.fa -F ACXT -R ACGT", 2, &["'X', number 3 of the forward primer"]),
        ("g.fa -F ACGT -R ACIT", 2, &["for inosine, write N"]),
        ("g.fa -F ACGT -R ACG -m 3", 2, &["all 3 bases of the reverse primer", "at most 2"]),
        ("g.fa -F ACGT -R ACG --three-prime 4", 2, &["the reverse primer has 3 bases", "--three-prime 4"]),
        ("g.fa -F ACGT -R ACGT --inner", 2, &["--inner", "--format fasta"]),
        ("g.fa -F ACGT -R ACGT --max-length 39", 2, &["--min-length 40 is more than --max-length 39"]),
        ("g.fa -p p.tsv -p none.tsv", 1, &["none.tsv, line 1, record 1: the name none", "line 6 of p.tsv"]),
        ("g.fa -p p.tsv -m 5", 1, &["p.tsv, line 3, record 1: all 5 bases of the forward primer"]),
        ("g.fa -p p.tsv -o g.fa", 1, &["g.fa"]),
        ("g.fa -p p.tsv -o p.tsv", 1, &["p.tsv"]),
    ] {
        let (found, stdout, stderr) = asked(&files, arguments);
        assert_eq!((found, stdout.as_str()), (Some(code), ""), "{arguments}: {stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{arguments}: {stderr:?} lacks {word:?}"));
    }
}

#[test]
fn primers_that_bind_anywhere_and_gaps_are_warned_of() {
    let files = folder(&[("g.fa", b">s\nAC-GT--\n"), ("empty.fa", b"")]);
    let (code, _, stderr) = asked(&files, "g.fa empty.fa -F NN -R ACG");
    assert_eq!(code, Some(0));
    for words in ["a primer of pair amplicon has no A, C, G or T", "g.fa: 3 gaps", "empty.fa: there are no sequences"] {
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn primers_that_take_more_than_the_memory_are_searched_in_passes() {
    const PAIRS: usize = 30_000;
    let mixed = |k: u64| (k ^ k >> 7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let letter = |k: u64| b"ACGT"[(mixed(mixed(k) >> 29) >> 62) as usize];
    let bases: Vec<u8> = (0..PAIRS as u64 + 81).map(letter).collect();
    let complement = |&base: &u8| b"TGCA"[b"ACGT".iter().position(|&other| other == base).unwrap()];
    let pair = |k: usize| {
        let reverse: Vec<u8> = bases[k + 60..k + 81].iter().rev().map(complement).collect();
        [format!("{k}\t").as_bytes(), &bases[k..k + 20], b"\t", &reverse, b"\n"].concat()
    };
    let table: Vec<u8> = (0..PAIRS).flat_map(pair).collect();
    let files = folder(&[("g.fa", &[&b">g\n"[..], &bases, b"\n"].concat()), ("p.tsv", &table)]);
    let told = |device: &str, memory: &str| {
        let arguments = format!("g.fa -p p.tsv --max-length 81 --device {device} --max-memory {memory}");
        let (code, stdout, stderr) = asked(&files, &arguments);
        assert_eq!(code, Some(0), "{stderr}");
        (stdout, stderr)
    };
    let (expected, quiet) = told("cpu", "1G");
    assert_eq!((expected.lines().count(), quiet.as_str()), (PAIRS + 1, ""));
    for device in ["cpu", "emulator"] {
        let (products, note) = told(device, "48M");
        assert!(note.starts_with("warpseq: 2 passes over the primers, whose tables take about "), "{note}");
        assert!(products == expected, "the products of {device}");
    }
}

/// Kocher's primers of cytochrome b, which bind to human and orang-utan mitochondria with mismatches.
#[test]
fn a_product_of_real_genomes_is_that_of_the_reference() {
    let genomes = [place::shared("data/MT-human.fa"), place::shared("data/MT-orang.fa")];
    let [Some(human), Some(orang)] = genomes.map(|path| path.map(|path| text(&path))) else { return };
    let primers =
        ["-F", "CCATCCAACATCTCAGCATGATGAAA", "-R", "GCCCCTCAGAATGATATTTGTCCTCA", "-m", "5", "--three-prime", "1"];
    let (code, stdout, stderr) = run(warpseq(&["amplicon", &human, &orang, "--verify"])
        .args(primers)
        .args(["--format", "bed", "--device", "cpu"]));
    assert_eq!(code, Some(0), "{stderr}");
    let rows: Vec<Vec<&str>> = stdout.lines().map(|row| row.split('\t').collect()).collect();
    let lengths = rows.iter().map(|row| row[2].parse::<u64>().unwrap() - row[1].parse::<u64>().unwrap());
    assert_eq!(lengths.collect::<Vec<_>>(), [359, 359], "{stdout}");
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["MT_human", "MT_orang"]);
}
