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
    for line in truth.lines().skip(1) {
        let (sequence, place) = line.split_once('\t').unwrap();
        let start = format!("samples\t{sequence}\t.\t{place}\t");
        assert!(stdout.lines().any(|row| row.starts_with(&start)), "{line} is not in the rows");
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
    let cases: [Rule; 11] = [
        (&[], b">s\nacgu\n", b">q\nACGT\n", "s . q + 0 4 NA 4 0 0 NA"),
        (&["--wildcards", "n"], b">s\nacgu\n", b">q\nACGT\n", ""),
        (&["--strand", "forward"], b">s\nACNN\n", b">q\nACGG\n", "s . q + 0 4 NA 2 2 0 NA"),
        (&["--strand", "forward", "--max-n-frac", "0.4"], b">s\nACNN\n", b">q\nACGG\n", ""),
        (
            &["--strand", "forward", "--phred-offset", "64"],
            b"@s\nAC\n+\nhh\n",
            b">q\nAC\n",
            "s . q + 0 2 40.000 2 0 0 80",
        ),
        (&["-m", "1"], b">s\nTTAC-TTT\n", b">q\nACGTT\n", "s . q + 2 7 NA 4 0 1 NA"),
        (&["-m", "20%"], b">s\nTTACCTTT\n", b">q\nACGTT\n", "s . q + 2 7 NA 4 0 1 NA"),
        (&["-m", "19.9%"], b">s\nTTACCTTT\n", b">q\nACGTT\n", ""),
        (&["--circular", "--strand", "forward"], b"@s\nTACG\n+\n!I!5\n", b">q\nCGT\n", "s . q + 2 5 6.667 3 0 0 60"),
        (&["--circular", "--strand", "reverse"], b">s\nTACG\n", b">q\nCGTAC\n>r\nACG\n", "s . r - 2 5 NA 3 0 0 NA"),
        (
            &["--circular", "-m", "1", "--strand", "forward"],
            b">s\nTACG\n",
            b">q\nCCTT\n>r\nCCTA\n",
            "s . r + 2 6 NA 3 0 1 NA",
        ),
    ];
    for (options, samples, signatures, expected) in cases {
        let files = folder(&[("q.fa", signatures)]);
        let signatures = text(&files.path().join("q.fa"));
        let mut command = warpseq(&["scan", "-", &signatures, "--verify", "--device", "cpu"]);
        let (code, stdout, stderr) = run_with(command.args(options), samples);
        let rows: Vec<_> = stdout.lines().skip(1).map(|row| row.replace('\t', " ")).collect();
        let expected: Vec<_> = expected.lines().map(|row| format!("stdin {row}")).collect();
        assert_eq!((code, rows), (Some(0), expected), "{options:?}: {stderr}");
    }
}

/// Each byte that is not UTF-8 became U+FFFD, and two names one.
#[test]
fn names_that_are_not_text_stay_apart_in_jsonl() {
    let files = folder(&[("s.fa", b">caf\xe8\nACGT\n>caf\xe9\nACGT\n"), ("q.fa", b">q\xff\nACGT\n")]);
    let arguments = ["scan", "s.fa", "q.fa", "--device", "cpu", "--format", "jsonl"];
    let (code, stdout, stderr) = run(warpseq(&arguments).current_dir(files.path()));
    assert_eq!(code, Some(0), "{stderr}");
    let names = [r#""sequence":"caf \\xE8","mate":null,"#, r#""sequence":"caf \\xE9","mate":null,"#];
    assert!(stdout.lines().count() == 2 && stdout.matches(r#","signature":"q \\xFF","#).count() == 2, "{stdout}");
    assert!(stdout.lines().zip(names).all(|(row, name)| row.contains(name)), "{stdout}");
}
