//! How options are read, whatever the command.

use super::{run, warpseq};

const ALIGN: &[&str] = &["align", "data/pairs.queries.fasta", "data/pairs.targets.fasta", "--device", "cpu"];
const SCAN: &[&str] = &["scan", "data/samples.fastq", "data/signatures.fasta", "--device", "cpu"];

fn output(command: &[&str], options: &[&str]) -> String {
    let (code, output, told) = run(&mut warpseq(&[command, options].concat()));
    assert_eq!(code, Some(0), "{options:?}: {told}");
    output
}

#[test]
fn the_last_of_repeated_options_counts() {
    for (command, repeated, last) in [
        (SCAN, &["--report", "all", "--report", "first", "-q", "-q"][..], &["--report", "first"][..]),
        (
            SCAN,
            &["--strand", "forward", "--format", "bed", "--strand", "reverse"],
            &["--strand", "reverse", "--format", "bed"],
        ),
        (SCAN, &["--columns", "start", "--columns", "end"], &["--columns", "end"]),
        (ALIGN, &["--mode", "fit", "--match", "3", "--mode", "global"], &["--mode", "global", "--match", "3"]),
    ] {
        assert_eq!(output(command, repeated), output(command, last), "{repeated:?}");
    }
    // Those that take several values take all.
    let primers = [("a.tsv", &b"a\tACN\tGTN\n"[..]), ("b.tsv", b"b\tGGN\tCCN\n")];
    let folder = super::folder(&primers);
    let path = |name: &str| super::text(&folder.path().join(name));
    let amplicon = ["amplicon", "data/founders.fasta", "--device", "cpu", "-p", &path("a.tsv"), "-p", &path("b.tsv")];
    let pairs = output(&amplicon, &["--columns", "pair", "--no-header"]);
    assert!(["a", "b"].iter().all(|pair| pairs.lines().any(|line| line == *pair)));
}

#[test]
fn values_are_taken_in_any_case_and_by_other_words() {
    for (command, given, usual) in [
        (SCAN, &["--strand", "PLUS"][..], &["--strand", "forward"][..]),
        (SCAN, &["--strand", "minus", "--format", "JSON"], &["--strand", "reverse", "--format", "jsonl"]),
        (SCAN, &["--wildcards", "IUPAC", "--device", "CPU"], &[]),
        (ALIGN, &["--mode", "SemiGlobal"], &["--mode", "fit"]),
        (ALIGN, &["--mode", "semi_global", "--matrix", "nuc.4.4"], &["--mode", "fit", "--matrix", "NUC.4.4"]),
        (ALIGN, &["--pairs", "Zip", "--format", "PAF"], &["--format", "paf"]),
    ] {
        assert_eq!(output(command, given), output(command, usual), "{given:?}");
    }
}

#[test]
fn negative_numbers_are_for_scores() {
    output(ALIGN, &["--mismatch", "-3", "--min-score", "-2"]);
    for options in [["--top", "-1"], ["--threads", "-1"], ["--evalue", "-1"], ["--min-identity", "-1"]] {
        let (code, _, told) = run(&mut warpseq(&[ALIGN, &options].concat()));
        assert!(code == Some(2) && told.contains("unexpected argument '-1'"), "{told}");
    }
    // They are no names of files either.
    let (code, _, told) = run(&mut warpseq(&["align", "-5", "-6"]));
    assert!(code == Some(2) && told.contains("unexpected argument '-5'"), "{told}");
}

#[test]
fn too_little_memory_is_raised_and_that_is_said() {
    for (memory, told) in
        [("1K", "warpseq: --max-memory is less than a run needs: raised to 48M\n"), ("48M", ""), ("1G", "")]
    {
        let mut command = warpseq(&[SCAN, &["--max-memory", memory]].concat());
        let (code, _, stderr) = run(command.env_remove("WARPSEQ_LEAST_MEMORY"));
        assert_eq!((code, stderr.as_str()), (Some(0), told), "{memory}");
    }
}
