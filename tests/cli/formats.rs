//! Every format on `data/` against `tests/golden/`, which an independent program of plain loops has confirmed; the presets
//! and choices on an input small enough to check by eye.

use super::{folder, repository, run, run_with, scan_data, text, warpseq};

#[test]
fn every_format_of_the_small_data() {
    for format in ["tsv", "jsonl", "bed", "text", "text-2024"] {
        let (code, stdout, stderr) = run(&mut scan_data(&["--format", format]));
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{format}");
        assert_eq!(stdout.as_bytes(), repository(&format!("tests/golden/scan.{format}")), "{format}");
    }
}

#[test]
fn everything_that_was_inserted_is_found() {
    let (_, stdout, _) = run(&mut scan_data(&["--report", "all"]));
    let truth = String::from_utf8(repository("data/truth.tsv")).unwrap();
    assert!(truth.lines().count() > 15);
    for line in truth.lines() {
        assert!(stdout.lines().any(|row| row.starts_with(&format!("{line}\t"))), "{line} is not in the rows");
    }
}

/// ```text
/// one  ACGTTACGTT   qualities 0 0 0 0 0 2 2 2 2 2
/// q    ACGTT at 0 (mean 0) and 5 (mean 2); r  AACGT = q on the other strand
/// ```
const SAMPLES: &[u8] = b"@one first\nACGTTACGTT\n+\n!!!!!#####\n@two\nCCCCC\n+\nIIIII\n";
const SIGNATURES: &[u8] = b">r\nAACGT\n>q\nACGTT\n";

#[test]
fn presets_choices_and_what_overrides_them() {
    let cases: [(&[&str], &str); 6] = [
        (&["--preset", "cs3210-2025"], "one: q (2.000) [10]\n"),
        (&["--preset", "cs3210-2024"], "one: q (0.000)\n"),
        (&["--preset", "cs3210-2024", "--report", "all"], "one: q (0.000)\none: q (2.000)\n"),
        (
            &["--preset", "cs3210-2025", "--strand", "both", "--format", "bed"],
            "one\t5\t10\tr\t20\t-\none\t5\t10\tq\t20\t+\n",
        ),
        (&["--format", "bed", "--report", "first"], "one\t0\t5\tr\t0\t-\none\t0\t5\tq\t0\t+\n"),
        (&["--format", "text", "--strand", "reverse"], "one: r (2.000) [10]\n"),
    ];
    let files = folder(&[("s.fq", SAMPLES), ("q.fa", SIGNATURES)]);
    let (samples, signatures) = (text(&files.path().join("s.fq")), text(&files.path().join("q.fa")));
    for (options, expected) in cases {
        let (code, stdout, stderr) = run(warpseq(&["scan", &samples, &signatures, "--device", "cpu"]).args(options));
        assert_eq!((code, stdout.as_str()), (Some(0), expected), "{options:?}");
        let graded = stderr.starts_with("(FOR AUTOMATED CHECKING) Total runMatcher time: ") && stderr.ends_with("s\n");
        assert_eq!(graded, options.contains(&"--preset"), "{stderr}");
    }
}

/// Options, sequences, signatures, and the rows.
type Rule = (&'static [&'static str], &'static [u8], &'static [u8], &'static str);

#[test]
fn rules_on_bases() {
    let cases: [Rule; 5] = [
        (&[], b">s\nacgu\n", b">q\nACGT\n", "s\tq\t+\t0\t4\tNA\t4\t0\tNA\n"),
        (&["--wildcards", "n"], b">s\nacgu\n", b">q\nACGT\n", ""),
        (&["--strand", "forward"], b">s\nACNN\n", b">q\nACGG\n", "s\tq\t+\t0\t4\tNA\t2\t2\tNA\n"),
        (&["--strand", "forward", "--max-n-frac", "0.4"], b">s\nACNN\n", b">q\nACGG\n", ""),
        (
            &["--strand", "forward", "--phred-offset", "64"],
            b"@s\nAC\n+\nhh\n",
            b">q\nAC\n",
            "s\tq\t+\t0\t2\t40.000\t2\t0\t80\n",
        ),
    ];
    for (options, samples, signatures, expected) in cases {
        let files = folder(&[("q.fa", signatures)]);
        let signatures = text(&files.path().join("q.fa"));
        let (code, stdout, _) = run_with(warpseq(&["scan", "-", &signatures]).args(options), samples);
        assert_eq!((code, stdout.split_once('\n').unwrap().1), (Some(0), expected), "{options:?}");
    }
}

/// Each byte that is not UTF-8 became U+FFFD, and two names one.
#[test]
fn names_that_are_not_text_stay_apart_in_jsonl() {
    let files = folder(&[("s.fa", b">caf\xe8\nACGT\n>caf\xe9\nACGT\n"), ("q.fa", b">q\xff\nACGT\n")]);
    let arguments = ["scan", "s.fa", "q.fa", "--device", "cpu", "--format", "jsonl"];
    let (code, stdout, stderr) = run(warpseq(&arguments).current_dir(files.path()));
    assert_eq!(code, Some(0), "{stderr}");
    let starts = [r#"{"sample":"caf \\xE8","signature":"q \\xFF","#, r#"{"sample":"caf \\xE9","signature":"q \\xFF","#];
    assert!(
        stdout.lines().count() == 2 && stdout.lines().zip(starts).all(|(row, start)| row.starts_with(start)),
        "{stdout}"
    );
}
