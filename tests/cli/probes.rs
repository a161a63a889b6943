//! `warpseq probes` as users meet it.

use super::{folder, names_in, run, run_with, warpseq};

/// The beginning of `b` is the end of `a`, and that of `c` the other strand of it.
const REFERENCES: &str =
    ">a first\nACGTTGCAGGATCCAGTACGATTTGACCAG\n>b\nGATTTGACCAGTTCGGCATAACGGT\n>c\nCTGGTCAAATCAAGGCTTGACTACC\n";

fn files() -> tempfile::TempDir {
    folder(&[
        ("r.fa", REFERENCES.as_bytes()),
        ("x.fa", b">x\nTTCGGCATAACGGT\n"),
        ("groups.tsv", b"a\tone\nb\ttwo\nc\tone\n"),
        ("some.tsv", b"a\tone\nb\tone\n"),
        ("none.tsv", b"z\tone\n"),
        ("blank.tsv", b"a\tZika virus\n"),
        ("short.tsv", b"a\n"),
        ("empty.fa", b""),
        ("twice.fa", b">a\nACGT\n>b\nAC\n>a x\nAC\n"),
        ("bad.fa", b">a\nACQT\n"),
        ("r.fastq", b"@a\nAC\n+\nII\n"),
        ("circle.fa", b">o\nCCAGTACGATTACGTTGCAGGAT\n"),
    ])
}

fn asked(files: &tempfile::TempDir, arguments: &str) -> (Option<i32>, String, String) {
    let usual = [("--length", "10"), ("--step", "10")].into_iter().filter(|(option, _)| !arguments.contains(option));
    let usual = usual.flat_map(|(option, value)| [option, value]);
    let words: Vec<&str> = ["probes"].into_iter().chain(usual).chain(arguments.split(' ')).collect();
    run(warpseq(&words).current_dir(files.path()))
}

fn names(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix('>')).collect()
}

#[test]
fn windows_are_cut_and_dropped() {
    let files = files();
    let (code, stdout, stderr) = asked(&files, "r.fa");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let all = ["a:0-10", "a:10-20", "a:20-30", "b:0-10", "b:10-20", "b:15-25", "c:0-10", "c:10-20", "c:15-25"];
    assert_eq!(names(&stdout), all);
    assert!(stdout.starts_with(">a:0-10\nACGTTGCAGG\n>a:10-20\n"), "{stdout}");
    for device in ["cpu", "emulator", "auto"] {
        let (_, stdout, _) = asked(&files, &format!("r.fa --unique --device {device}"));
        assert_eq!(names(&stdout), ["a:0-10", "a:10-20", "b:10-20", "b:15-25", "c:10-20", "c:15-25"], "{device}");
    }
    let (_, stdout, _) = asked(&files, "r.fa --groups groups.tsv --unique --exclude x.fa --table t.tsv");
    assert_eq!(names(&stdout), ["one|a:0-10", "one|a:10-20", "two|b:10-20", "one|c:10-20", "one|c:15-25"]);
    let table = std::fs::read_to_string(files.path().join("t.tsv")).unwrap();
    let expected = "group\twindows\twild\tgc\tcomplexity\trepeated\tshared\texcluded\tthinned\tkept\n\
                    one\t6\t0\t0\t0\t1\t1\t0\t0\t4\ntwo\t3\t0\t0\t0\t0\t1\t1\t0\t1\n";
    assert_eq!(table, expected);
    let (_, stdout, _) = asked(&files, "r.fa --group-by a:1 --per-group 1 -q");
    assert_eq!(names(&stdout), ["a:10-20", "b|b:10-20", "c|c:10-20"], "the first part of `a` is empty");
}

#[test]
fn circles_have_windows_over_their_end() {
    let files = files();
    let (_, stdout, _) = asked(&files, "circle.fa --circular --verify -o -");
    assert_eq!(names(&stdout), ["o:0-10", "o:10-20", "o:20-30"]);
    assert!(stdout.ends_with(">o:20-30\nGATCCAGTAC\n"), "{stdout}");
}

#[test]
fn what_is_left_out_is_warned_of() {
    let files = files();
    for (arguments, words) in [
        ("r.fa --groups some.tsv", "references without a group, each a group of its own: 1, the first is c"),
        ("r.fa --length 40", "groups without probes: 3, the first is a; --table shows why"),
        ("r.fa --exclude empty.fa", "empty.fa: there are no sequences"),
    ] {
        let (code, _, stderr) = asked(&files, arguments);
        assert!(code == Some(0) && stderr.contains(words), "{arguments}: {stderr}");
        assert_eq!(asked(&files, &format!("{arguments} -q")).2, "", "{arguments}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let files = files();
    let before = names_in(files.path());
    for (arguments, code, words) in [
        ("empty.fa", 1, "empty.fa: there are no genomes in it"),
        ("twice.fa", 1, "twice.fa, line 5, record 3: the name a is that of the genome on line 1"),
        ("bad.fa", 1, "'Q' is not a base of a genome"),
        ("r.fastq", 1, "genomes must be FASTA"),
        ("r.fa --exclude bad.fa", 1, "bad.fa, line 2"),
        ("r.fa --length 0", 2, "--length 0: give 1"),
        ("r.fa --step 0", 2, "--step 0"),
        ("r.fa --per-group 0", 2, "--per-group 0"),
        ("r.fa --gc 0.6-0.4", 2, "--gc 0.6-0.4: give the smaller number first"),
        ("r.fa --gc 0.2-1.4", 2, "as in 0.2-0.8"),
        ("r.fa --gc 0.2", 2, "as in 0.2-0.8"),
        ("r.fa --max-n-frac 2", 2, "0 to 1"),
        ("r.fa --unique=10", 2, "a window of 10 symbols occurs anywhere: give --unique=9 or less"),
        ("r.fa --groups groups.tsv --group-by _:1", 2, "cannot be used with"),
        ("r.fa --groups none.tsv", 1, "none.tsv: none of the references has a group"),
        ("r.fa --groups blank.tsv", 1, "blank.tsv: group `Zika virus`"),
        ("r.fa --groups short.tsv", 1, "short.tsv, line 1"),
        ("r.fa --group-by _:2", 2, "--group-by: none of the references"),
        ("r.fa --table out", 2, "the same place"),
        ("- --exclude -", 2, "standard input"),
    ] {
        let (found, stdout, stderr) = asked(&files, &format!("{arguments} -o out"));
        assert_eq!((found, stdout.as_str()), (Some(code), ""), "{arguments}: {stderr}");
        assert!(stderr.contains(words), "{arguments}: {stderr}");
        assert_eq!(names_in(files.path()), before, "{arguments}");
    }
    for output in ["r.fa", "x.fa", "groups.tsv"] {
        let (code, _, stderr) = asked(&files, &format!("r.fa --exclude x.fa --groups groups.tsv -o {output}"));
        assert!(code == Some(1) && stderr.contains(output), "{stderr}");
    }
}

#[test]
fn standard_input_serves() {
    let files = files();
    let words = ["probes", "-", "--length", "10", "--step", "10", "--unique=1", "--verify=cpu"];
    let (code, stdout, stderr) = run_with(warpseq(&words).current_dir(files.path()), REFERENCES.as_bytes());
    assert!(code == Some(0) && stderr.contains("identical") && names(&stdout).len() == 6, "{stdout}{stderr}");
}

#[test]
fn windows_that_take_more_than_the_memory_are_looked_up_in_passes() {
    let mixed = |k: u64| (k ^ k >> 7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let letter = |k: u64| b"ACGT"[(mixed(mixed(k) >> 29) >> 62) as usize];
    let bases: Vec<u8> = (0..60_000).map(letter).collect();
    let folder = folder(&[("r.fa", &[&b">a\n"[..], &bases[..45_000], b"\n>b\n", &bases[15_000..], b"\n"].concat())]);
    let probes = |more: &str| {
        let words = format!("probes r.fa --length 25 --step 1 --unique --gc 0-1 --min-complexity 0 {more}");
        let (code, stdout, stderr) = run(warpseq(&words.split(' ').collect::<Vec<_>>()).current_dir(folder.path()));
        assert_eq!(code, Some(0), "{stderr}");
        (stdout, stderr)
    };
    let (expected, told) = probes("--device cpu --max-memory 1G");
    assert!(told.is_empty() && (20_000..31_000).contains(&names(&expected).len()), "{}", names(&expected).len());
    for device in ["cpu", "emulator"] {
        let (found, told) = probes(&format!("--device {device} --max-memory 48M"));
        assert!(told.contains(" passes over the probes, whose tables take about "), "{told}");
        assert!(found == expected, "{device}");
    }
}
