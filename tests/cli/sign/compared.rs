//! `sign search` and `sign dist`: rows, the same however they are computed, and what is refused.

use super::{PROTEINS, build};
use crate::cli::{folder, names_in, run, run_with, text, warpseq};
use crate::place::repository;
use std::process::Command;

const HEADER: &str = "query\tquery_start\tquery_end\ttarget\ttarget_start\ttarget_end\tdistance\tbits\tevalue\n";

/// `sign search` or `sign dist` on the CPU.
fn sign(what: &str, files: &[&str], options: &[&str]) -> Command {
    let mut command = warpseq(&["sign", what, "--device", "cpu"]);
    command.args(files).args(options);
    command
}

/// A file of `data/`.
fn data(name: &str) -> String {
    text(&repository().join("data").join(name))
}

/// Standard output of a command that must succeed.
fn done(command: &mut Command) -> String {
    let (code, stdout, stderr) = run(command);
    assert_eq!(code, Some(0), "{stderr}");
    stdout
}

#[test]
fn each_window_finds_itself_first() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = text(&files.path().join("x.fa"));
    let columns = HEADER.trim_end().replace('\t', ",").replace(",evalue", "");
    let options = ["--window", "16", "--top", "1", "--columns", &columns, "--max-evalue", "inf"];
    let found = done(&mut sign("search", &[&path, &path], &options));
    let expected = "a\t0\t16\ta\t0\t16\t0\t8192\na\t8\t24\ta\t8\t24\t0\t8192\na\t16\t26\ta\t16\t26\t0\t8192\n\
        b\t0\t9\tb\t0\t9\t0\t8192\ne\t0\t16\te\t0\t16\t0\t8192\n";
    assert!(found.starts_with(&(HEADER.replace("\tevalue", "") + expected)), "{found}");
    assert_eq!(done(&mut sign("search", &[&path, &path], &["--top", "all", "--max-distance", "0"])).lines().count(), 4);
    let nearest = done(&mut sign("search", &[&path, &path], &["--by", "sequence", "--top", "1"]));
    let rows = "a\ta\t0.000000\t8192\nb\tb\t0.000000\t8192\ne\te\t0.000000\t8192\n";
    assert_eq!(nearest, "query\ttarget\tdistance\tbits\n".to_owned() + rows);
}

#[test]
fn signed_before_or_on_the_fly_on_any_threads_in_any_memory_the_rows_are_the_same() {
    let sequences: String = (0..300)
        .map(|k: usize| {
            let residues =
                (0..k % 90).map(|j| b"MKVLATGWYC"[(j * j + k * 7) % (3 + k % 8)] as char).collect::<String>();
            format!(">s{k}\n{residues}\n")
        })
        .collect();
    let files = folder(&[("x.fa", sequences.as_bytes())]);
    let [fasta, signatures] = ["x.fa", "x.wsig"].map(|name| text(&files.path().join(name)));
    done(&mut build(&fasta, &["--alphabet", "protein", "--window", "16", "--bits", "128", "-o", &signatures]));
    for (what, options) in [
        ("search", &["--top", "7"][..]),
        ("search", &["--top", "all", "--max-distance", "30"]),
        ("search", &["--by", "sequence"]),
        ("dist", &[]),
    ] {
        let rows = done(sign(what, &[&signatures, &signatures], options).args(["-t", "1"]));
        assert!(rows.lines().count() > 300);
        for more in [&["-t", "2"][..], &["-t", "3", "--max-memory", "64K"], &["--max-memory", "1"]] {
            for inputs in [[&*fasta, &signatures], [&signatures, &fasta]] {
                assert!(done(sign(what, &inputs, options).args(more)) == rows, "{what} {options:?} {more:?}");
            }
        }
        let mut piped = sign(what, &["-", &signatures], options);
        assert_eq!(run_with(&mut piped, sequences.as_bytes()).1, rows);
    }
    let once = done(&mut sign("dist", &[&signatures], &[]));
    assert_eq!(once.lines().count(), 1 + 300 * 299 / 2);
}

/// Genomes and their variants: those of another family are noise, and no hits.
#[test]
fn noise_is_no_hit_unless_it_is_asked_for() {
    let [founders, families] = ["founders.fasta", "families.fastq"].map(data);
    let rows = |options: &[&str]| {
        let table = done(sign("search", &[&founders, &families], &["--bits", "1024"]).args(options));
        table.lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect()).collect::<Vec<Vec<String>>>()
    };
    // The 40 sequences of data/ are of five families.
    let all = rows(&["--top", "all"]);
    assert_eq!(all.len(), 40);
    assert!(all.iter().all(|row| row[8].parse::<f64>().unwrap() < 1e-30), "{all:?}");
    assert_eq!(rows(&["--top", "40"]), all);
    assert_eq!(rows(&["--top", "40", "--max-evalue", "inf"]).len(), 200);
    assert_eq!(rows(&["--max-evalue", "0", "--top", "all"]).len(), 0);
    assert_eq!(rows(&["--top", "1", "--max-distance", "60"]).len(), 2);
    let (code, _, stderr) =
        run(&mut sign("search", &[&founders, &families], &["--by", "sequence", "--max-evalue", "1"]));
    assert!(code == Some(2) && stderr.contains("leave --max-evalue out"), "{stderr}");
    let (code, _, stderr) = run(&mut sign("search", &[&founders, &families], &["--top", "all", "--max-evalue", "inf"]));
    assert!(code == Some(2) && stderr.contains("add --max-distance"), "{stderr}");
}

#[test]
fn what_signatures_cannot_tell_is_said_once() {
    let bases = |count: usize, mut seed: u64| -> String {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            b"ACGT"[(seed >> 62) as usize] as char
        };
        (0..count).map(|_| next()).collect()
    };
    let genome = bases(20_000, 7);
    let reads = format!(">r1\n{}\n>long\n{}\n>r2\n{}\n", &genome[..150], &genome[..9000], &genome[300..450]);
    let files = folder(&[("genome.fa", format!(">g\n{genome}\n").as_bytes()), ("reads.fa", reads.as_bytes())]);
    let [genome, reads] = ["genome.fa", "reads.fa"].map(|name| text(&files.path().join(name)));
    for what in ["search", "dist"] {
        let (_, _, stderr) = run(&mut sign(what, &[&reads, &genome], &["--k", "21"]));
        assert!(stderr.contains("2 queries are far shorter") && stderr.contains("`r1` first"), "{stderr}");
        assert!(stderr.contains("--window") && !stderr.contains("by chance"), "{stderr}");
        let (_, _, stderr) = run(&mut sign(what, &[&genome, &genome], &["--k", "9"]));
        assert!(stderr.matches("by chance").count() == 1 && stderr.contains("with --k 12"), "{stderr}");
    }
}

#[test]
fn metrics_are_a_column() {
    let [founders, families] = ["founders.fasta", "families.fastq"].map(data);
    let found = done(&mut sign("search", &[&founders, &families], &["--metric", "ani", "--top", "1"]));
    assert!(found.lines().skip(1).all(|row| row.rsplit_once('\t').unwrap().1.starts_with("0.99")), "{found}");
    let pairs = done(&mut sign("dist", &[&founders], &["--metric", "containment"]));
    assert!(pairs.starts_with("query\ttarget\tcontainment\n"), "{pairs}");
    let objects = done(&mut sign("dist", &[&founders], &["--metric", "ani", "--format", "jsonl"]));
    assert!(objects.lines().all(|line| line.ends_with("\"ani\":null}")), "{objects}");
    let (code, _, stderr) = run(&mut sign("dist", &[&founders], &["--metric", "ani", "--format", "phylip"]));
    assert!(code == Some(2) && stderr.contains("leave --metric out"), "{stderr}");
    let windows = ["--metric", "containment", "--window", "100"];
    let (code, _, stderr) = run(&mut sign("dist", &[&founders], &windows));
    assert!(code == Some(1) && stderr.contains("--window whole"), "{stderr}");
    done(&mut sign("search", &[&founders, &families], &windows));
}

#[test]
fn both_other_executors_agree() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = text(&files.path().join("x.fa"));
    for (what, files) in [("search", &[&*path, &path][..]), ("dist", &[&path])] {
        for (option, name) in [("--verify", "reference"), ("--verify=cpu", "cpu")] {
            let (code, _, stderr) = run(&mut sign(what, files, &["--window", "16", option]));
            assert_eq!(code, Some(0), "{stderr}");
            let last = stderr.lines().last().unwrap();
            assert!(last.starts_with("warpseq: verify: ") && last.ends_with(" s: identical"), "{stderr}");
            assert!(last.contains(name), "{stderr}");
        }
    }
}

#[test]
fn a_matrix_and_missing_signatures() {
    let files = folder(&[("x.fa", b">a\nMKVLAT\n>b\nMK\n>c\nMKVLAT\n")]);
    let path = text(&files.path().join("x.fa"));
    let (code, matrix, _) = run(&mut sign("dist", &[&path], &["--format", "phylip"]));
    let rows = "3\na\t0.000000\tNA\t0.000000\nb\tNA\tNA\tNA\nc\t0.000000\tNA\t0.000000\n";
    assert_eq!((code, &*matrix), (Some(0), rows));
    let pairs = "query\ttarget\tdistance\na\tb\tNA\na\tc\t0.000000\nb\tc\tNA\n";
    assert_eq!(done(&mut sign("dist", &[&path], &[])), pairs);
}

#[test]
fn no_queries_are_a_header_and_a_warning_and_no_targets_an_error() {
    let files = folder(&[("x.fa", PROTEINS), ("none.fa", b"")]);
    let [some, none] = ["x.fa", "none.fa"].map(|name| text(&files.path().join(name)));
    let (code, stdout, stderr) = run(&mut sign("search", &[&none, &some], &["-q"]));
    assert_eq!((code, &*stdout, &*stderr), (Some(0), HEADER, ""));
    let (_, _, stderr) = run(&mut sign("search", &[&none, &some], &["--k", "2"]));
    assert!(stderr.contains("none.fa: there are no sequences in it"), "{stderr}");
    for what in ["search", "dist"] {
        let (code, stdout, stderr) = run(&mut sign(what, &[&some, &none], &["-q"]));
        assert_eq!((code, &*stdout), (Some(1), ""));
        assert!(stderr.contains("none.fa: there are no sequences in it to compare with"), "{stderr}");
    }
}

/// Regression: there were no hits, or some by chance, and the exit code was 0.
#[test]
fn dna_against_proteins_is_an_error_that_says_what_each_is() {
    let dna = b">d\nACGTACGTTGCAGGATCCAGTTTAGACAGTCTAACG\n";
    let files = folder(&[("p.fa", PROTEINS), ("d.fa", dna), ("gaps.fa", b">a\n\n>b\n--..--\n>c\nNNRYACGTACGTACGT\n")]);
    let [proteins, signatures, dna, other, gaps, out] =
        ["p.fa", "p.wsig", "d.fa", "d.wsig", "gaps.fa", "out.tsv"].map(|name| text(&files.path().join(name)));
    done(&mut build(&proteins, &["-o", &signatures]));
    done(&mut build(&dna, &["-o", &other]));
    for what in ["search", "dist"] {
        for (inputs, words) in [
            ([&dna, &signatures], ["d.fa: by its letters it is DNA", "p.wsig holds proteins", "--alphabet protein"]),
            ([&signatures, &dna], ["d.fa: by its letters it is DNA", "p.wsig holds proteins", "--alphabet protein"]),
            ([&proteins, &other], ["p.fa: by its letters it is proteins", "d.wsig holds DNA", "--alphabet dna"]),
            ([&gaps, &proteins], ["is", "holds", "--alphabet"]),
            ([&other, &signatures], ["wsig: it holds", "and ", "translate the DNA"]),
        ] {
            let (code, stdout, stderr) = run(sign(what, &inputs.map(String::as_str), &[]).args(["-o", &out]));
            assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
            words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
        }
        done(sign(what, &[&dna, &signatures], &[]).args(["--alphabet", "protein"]));
        done(&mut sign(what, &[&gaps, &other], &[]));
    }
    assert_eq!(names_in(files.path()), ["d.fa", "d.wsig", "gaps.fa", "p.fa", "p.wsig"]);
}

#[test]
fn what_cannot_be_compared_is_refused_and_nothing_is_written() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = |name: &str| text(&files.path().join(name));
    let [fasta, three, four, out] = ["x.fa", "three.wsig", "four.wsig", "out.tsv"].map(path);
    done(&mut build(&fasta, &["-o", &three]));
    done(&mut build(&fasta, &["--k", "4", "-o", &four]));
    for (what, inputs, options, code, words) in [
        ("search", &[&*three, &four][..], &[][..], 1, &["three.wsig", "four.wsig", "--k 3", "--k 4"][..]),
        ("dist", &[&three, &four], &[], 1, &["three.wsig", "four.wsig", "--k 3", "--k 4"]),
        ("search", &[&fasta, &four], &["--k", "3"], 2, &["four.wsig", "--k 4"]),
        ("search", &[&three, &three], &["--top", "all", "--max-evalue", "inf"], 2, &["--top all", "--max-distance"]),
        ("search", &[&three, &three], &["--top", "all", "--by", "sequence"], 2, &["--top all", "--max-distance"]),
        ("search", &[&three, &three], &["--max-evalue", "nan"], 2, &["at least 0, or inf"]),
        ("search", &[&three, &three], &["--top", "0"], 2, &["--top", "at least 1"]),
        ("search", &["-", "-"], &[], 2, &["standard input"]),
        ("dist", &["-", "-"], &[], 2, &["standard input"]),
        ("dist", &[&three, &three], &["--format", "phylip"], 2, &["PHYLIP", "leave B out"]),
        ("dist", &[&three, &path("absent.fa")], &[], 1, &["absent.fa"]),
    ] {
        let (found, _, stderr) = run(sign(what, inputs, options).args(["-o", &out]));
        assert_eq!(found, Some(code), "{stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
    }
    assert_eq!(names_in(files.path()), ["four.wsig", "three.wsig", "x.fa"]);
}
