//! `--circular` in whole runs: one match over the end of a real genome, and the same rows however the run is made.

use super::{folder, run, text, warpseq};
use crate::place;

/// The last 50 symbols of the human mitochondrial genome and its first 50, and where they are in it.
#[test]
fn the_end_of_a_mitochondrion_and_its_beginning_are_one_place() {
    let Some(genome) = place::shared("data/MT-human.fa") else { return };
    let bases: String = std::fs::read_to_string(&genome).unwrap().lines().skip(1).collect();
    assert_eq!(bases.len(), 16569);
    let signature = format!(">over\n{}{}\n", &bases[16519..], &bases[..50]);
    let files = folder(&[("q.fa", signature.as_bytes())]);
    let (genome, signature) = (text(&genome), text(&files.path().join("q.fa")));
    let rows = |options: &[&str]| {
        let arguments = ["scan", &genome, &signature, "-q", "--report", "all"];
        let (code, stdout, stderr) = run(warpseq(&arguments).args(options));
        assert_eq!(code, Some(0), "{options:?}: {stderr}");
        stdout.lines().map(|row| row.split('\t').map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    for options in [&["--device", "cpu"][..], &["--device", "emulator"], &["--algorithm", "brute", "--verify=cpu"]] {
        let rows = rows(&[options, &["--circular"]].concat());
        let [_, row] = &rows[..] else { panic!("{} rows", rows.len() - 1) };
        assert_eq!(
            (row[0].as_str(), &row[3..7]),
            ("MT-human", &["over", "+", "16519", "16619"].map(str::to_owned)[..])
        );
    }
    assert_eq!(rows(&["--device", "cpu"]).len(), 1);
    let bed = rows(&["--device", "cpu", "--circular", "--format", "bed"]);
    let places: Vec<_> = bed.iter().map(|line| line[1..].join(" ")).collect();
    assert_eq!(places, ["16519 16569 over 0 +", "0 50 over 0 +"]);
}

/// Memory for one match at a time, one thread, another executor: a match at every place, over the end and inside.
#[test]
fn rows_of_circles_are_the_same_however_they_are_found() {
    let sequence = |k: usize| b"ACGTTACNACGGT".repeat(40)[..520 - k].to_vec();
    let mut samples = Vec::new();
    for k in 0..60 {
        samples.extend([b"@s\n", &sequence(k)[..], b"\n+\n", &b"5I!9".repeat(130)[..520 - k], b"\n"].concat());
    }
    let signatures = [b">n\n".to_vec(), b"N".repeat(9), b"\n>long\n".to_vec(), sequence(10), b"\n>t\nTAC\n".to_vec()];
    let files = folder(&[("s.fq", &samples), ("q.fa", &signatures.concat())]);
    let arguments = ["scan", "s.fq", "q.fa", "--circular", "--max-n-frac", "1", "-m", "1", "-q", "--device", "cpu"];
    for report in ["all", "best", "first"] {
        let rows = |options: &[&str]| {
            let mut command = warpseq(&[&arguments[..], &["--report", report], options].concat());
            let (code, stdout, stderr) = run(command.current_dir(files.path()));
            assert_eq!(code, Some(0), "{options:?}: {stderr}");
            stdout
        };
        let expected = rows(&["--verify"]);
        assert!(expected.lines().count() > if report == "all" { 30_000 } else { 100 }, "{}", expected.lines().count());
        for options in [&["--max-memory", "1K"][..], &["--max-memory", "1K", "-t", "1"], &["--algorithm", "brute"]] {
            assert!(rows(options) == expected, "{report} {options:?}");
        }
    }
}
