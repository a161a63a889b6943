//! Bad input of every kind: one clear line, the exit code, and no output file.

use super::{folder, names_in, run, run_with, text, warpseq};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

const GOOD_SAMPLES: &[u8] = b"@a\nACGT\n+\nIIII\n";
const GOOD_SIGNATURES: &[u8] = b">q\nACG\n";

/// Samples, signatures, and words of the message.
type Row = (&'static [u8], &'static [u8], &'static [&'static str]);

const ROWS: &[Row] = &[
    (GOOD_SAMPLES, b"", &["q.fa: there are no signatures"]),
    (GOOD_SAMPLES, b">q\n>r\nA\n", &["q.fa, line 1, record 1", "no bases"]),
    (GOOD_SAMPLES, b"@q\nACG\n+\nIII\n", &["q.fa: signatures must be FASTA", "swapped"]),
    (GOOD_SAMPLES, b">q\nAC\nG!\n", &["q.fa, line 3, record 1", "'!' is not a base", "--wildcards n"]),
    (GOOD_SAMPLES, b">q 1\nAC\nGT\n>r\nAC\n>q 2\nACG\n", &["q.fa, line 6, record 3", "name q", "line 1"]),
    (GOOD_SAMPLES, b">q\nA-C\n", &["q.fa, line 2, record 1", "'-' is not a base"]),
    (b"@a\nACGT\n+\nIII\n", GOOD_SIGNATURES, &["s.fq, line 4, record 1", "4 symbols, its quality 3"]),
    (b"@a\nAC\n+\nII\n@b\nAJ\n+\nII\n", GOOD_SIGNATURES, &["s.fq, line 6, record 2", "'J' is not a base"]),
    (b"hello\n", GOOD_SIGNATURES, &["s.fq, line 1", "expected `>` (FASTA) or `@` (FASTQ)"]),
    (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", GOOD_SIGNATURES, &["s.fq", "gzip", "truncated"]),
];

/// One line of an error.
fn check(stderr: &str, words: &[&str]) {
    assert!(stderr.starts_with("warpseq: error: ") && stderr.lines().count() == 1, "{stderr}");
    words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
}

#[test]
fn bad_files() {
    for (samples, signatures, words) in ROWS {
        let files = folder(&[("s.fq", samples), ("q.fa", signatures)]);
        let path = |name: &str| text(&files.path().join(name));
        let arguments = ["scan", &path("s.fq"), &path("q.fa"), "-o", &path("out"), "--device", "cpu"];
        let (code, stdout, stderr) = run(&mut warpseq(&arguments));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        check(&stderr, words);
        assert_eq!(names_in(files.path()), ["q.fa", "s.fq"], "{stderr}");
    }
}

#[test]
fn mismatches_that_leave_nothing_to_match() {
    let files = folder(&[("s.fq", GOOD_SAMPLES), ("q.fa", b">long\nACGT\n>short\nACG\n")]);
    let path = |name: &str| text(&files.path().join(name));
    for (given, code, words) in [
        ("2", 0, &[][..]),
        ("99%", 0, &[]),
        ("3", 1, &["q.fa, line 3, record 2", "signature short", "--max-mismatch 3", "at most 2"]),
        ("100%", 1, &["q.fa, line 1, record 1", "signature long", "--max-mismatch 100%"]),
        ("2.5", 2, &["'2.5'", "such as 5%"]),
        ("101%", 2, &["'101%'", "such as 5%"]),
    ] {
        let arguments = ["scan", &path("s.fq"), &path("q.fa"), "-o", &path("out"), "--device", "cpu", "-m", given];
        let (found, stdout, stderr) = run(&mut warpseq(&arguments));
        assert_eq!((found, stdout.as_str()), (Some(code), ""), "{given}: {stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
        assert_eq!(std::fs::remove_file(path("out")).is_ok(), code == 0);
    }
}

#[test]
fn qualities_below_the_offset() {
    let files = folder(&[("s.fq", GOOD_SAMPLES), ("q.fa", GOOD_SIGNATURES)]);
    let path = |name: &str| text(&files.path().join(name));
    let arguments = ["scan", &path("s.fq"), &path("q.fa"), "--phred-offset", "solexa", "--device", "cpu"];
    assert_eq!(run(&mut warpseq(&arguments)).0, Some(0));
    std::fs::write(path("s.fq"), b"@a\nACGT\n+\nII5I\n").unwrap();
    let (code, stdout, stderr) = run(&mut warpseq(&arguments));
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    check(&stderr, &["s.fq, line 4, record 1", "'5'", "see --phred-offset"]);
}

#[test]
fn bad_places() {
    let files = folder(&[("s.fq", GOOD_SAMPLES), ("q.fa", GOOD_SIGNATURES)]);
    let path = |name: &str| text(&files.path().join(name));
    let (samples, signatures, here) = (path("s.fq"), path("q.fa"), text(files.path()));
    let cases: [(&str, &str, &str, &[&str]); 7] = [
        (&path("absent"), &signatures, &path("out"), &["cannot open", "absent", "No such file", "check the path"]),
        (&samples, &path("absent"), &path("out"), &["cannot open", "absent", "No such file", "check the path"]),
        (&here, &signatures, &path("out"), &["cannot open", "irectory", "give a file"]),
        (&samples, &signatures, &path("no/out"), &["cannot create", "no/out", "check the path"]),
        (&samples, &signatures, &here, &["cannot create", "irectory", "give a file"]),
        (&samples, &signatures, &samples, &["s.fq: this output is the input", "write to another file"]),
        (&samples, &signatures, &signatures, &["q.fa: this output is the input"]),
    ];
    for (samples, signatures, output, words) in cases {
        let (code, stdout, stderr) =
            run(&mut warpseq(&["scan", samples, signatures, "-qo", output, "--device", "cpu"]));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        check(&stderr, words);
        assert_eq!(names_in(files.path()), ["q.fa", "s.fq"]);
    }
    assert_eq!(std::fs::read(&samples).unwrap(), GOOD_SAMPLES);
}

#[test]
fn a_file_that_may_not_be_read() {
    // SAFETY: geteuid has no preconditions.
    if unsafe { libc::geteuid() } == 0 {
        println!("skipped: the superuser may read anything");
        return;
    }
    let files = folder(&[("s.fq", GOOD_SAMPLES), ("q.fa", GOOD_SIGNATURES)]);
    let samples = files.path().join("s.fq");
    std::fs::set_permissions(&samples, Permissions::from_mode(0o000)).unwrap();
    let (code, _, stderr) = run(&mut warpseq(&["scan", &text(&samples), &text(&files.path().join("q.fa"))]));
    assert_eq!(code, Some(1));
    check(&stderr, &["s.fq", "ermission denied", "check the permissions"]);
}

#[test]
fn a_device_that_is_not_there() {
    for device in ["cuda", "cuda:0", "cuda:7"] {
        let arguments = ["scan", "data/samples.fastq", "data/signatures.fasta", "--device", device];
        let (code, stdout, stderr) = run(&mut warpseq(&arguments));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{device}");
        check(&stderr, &["no NVIDIA driver found", "--device cpu"]);
    }
}

#[test]
fn wrong_usage_is_2() {
    let scan = |options: &[&str]| {
        let mut arguments = vec!["scan", "data/samples.fastq", "data/signatures.fasta"];
        arguments.extend(options);
        run(&mut warpseq(&arguments))
    };
    let options: [&[&str]; 9] = [
        &["--max-n-frac", "1.5"],
        &["--max-n-frac", "NaN"],
        &["-t", "0"],
        &["--max-memory", "lots"],
        &["--device", "gpu"],
        &["--report", "some"],
        &["-q", "-v"],
        &["--verify=twice"],
        &["third"],
    ];
    for options in options {
        let (code, stdout, stderr) = scan(options);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{options:?}");
        assert!(stderr.contains("error:"), "{stderr}");
    }
    let (code, _, stderr) = run_with(&mut warpseq(&["scan", "-", "-"]), GOOD_SAMPLES);
    assert_eq!(code, Some(2));
    check(&stderr, &["cannot both come from standard input"]);
    assert_eq!(run(&mut warpseq(&[])).0, Some(2));
}

/// What a person gives in place of FASTA and FASTQ, and words of the message.
const FOREIGN: &[(&[u8], &[&str])] = &[
    (b"BAM\x01\x0b\0\0\0@HD\tVN:1.6", &["found BAM: convert it", "`samtools fastq FILE | warpseq ... -`"]),
    (b"CRAM\x03\0", &["found CRAM: convert it", "`samtools fastq FILE | warpseq ... -`"]),
    (
        b"@HD\tVN:1.6\n@SQ\tSN:c\tLN:9\nr\t4\t*\n",
        &["begins like SAM: convert it", "`samtools fastq FILE | warpseq ... -`"],
    ),
    (b"WARPSIG\x1a\x02\0\0\0", &["found a signature file of `warpseq sign`", "`warpseq sign search`"]),
    (b"PK\x03\x04", &["found ZIP", "`unzip -p FILE | warpseq ... -`"]),
    (b"<html>", &["HTML", "download the file itself"]),
];

#[test]
fn files_of_other_kinds_are_told_what_they_are() {
    for (bytes, words) in FOREIGN {
        for whole in [bytes.to_vec(), crate::fastx::gzip(bytes)] {
            let files = folder(&[("bad", &whole), ("good.fa", GOOD_SIGNATURES)]);
            for arguments in [["scan", "bad", "good.fa"], ["scan", "good.fa", "bad"], ["align", "bad", "good.fa"]] {
                let (code, stdout, stderr) = run(warpseq(&arguments).arg("-q").current_dir(files.path()));
                assert!(code == Some(1) && stdout.is_empty(), "{arguments:?}: {stderr}");
                // Only the first byte of a signatures file is looked at.
                match arguments[2] == "bad" && bytes[0] == b'@' {
                    true => check(&stderr, &["bad: signatures must be FASTA", "SAM", "`samtools fasta`"]),
                    false => check(&stderr, &[&["bad, line "], *words].concat()),
                }
            }
        }
    }
}

/// Headers that begin like SAM's are headers of FASTQ as long as the records are.
#[test]
fn reads_may_be_called_like_headers_of_sam() {
    let files = folder(&[("s.fq", b"@SQ\tSN:c\nACGT\n+\nIIII\n@CO\tx\nACGT\n+\nIIII\n"), ("q.fa", GOOD_SIGNATURES)]);
    let (code, stdout, stderr) = run(warpseq(&["scan", "s.fq", "q.fa", "--device", "cpu"]).current_dir(files.path()));
    assert!(code == Some(0) && stdout.lines().count() == 3, "{stderr}");
}

#[test]
fn a_url_is_no_file() {
    let url = "https://example.org/reads.fastq.gz";
    for arguments in [["scan", url, "data/signatures.fasta"], ["align", url, url], ["scan", "data/samples.fastq", url]]
    {
        let (code, stdout, stderr) = run(&mut warpseq(&arguments));
        assert_eq!((code, stdout.as_str()), (Some(1), ""));
        check(&stderr, &["cannot open https://example.org/reads.fastq.gz", "`curl -L URL | warpseq ... -`"]);
    }
}

#[test]
fn places_that_take_no_file_say_what_to_do() {
    let files = folder(&[("q.fa", GOOD_SIGNATURES)]);
    for (output, words) in [
        ("/proc/x", &["cannot create /proc/x: no files can be created in that folder; write to another folder"][..]),
        ("q.fa/x", &["cannot create q.fa/x: Not a directory", "; check the path"]),
    ] {
        let arguments = ["align", "q.fa", "q.fa", "-o", output, "--device", "cpu"];
        let (code, _, stderr) = run(warpseq(&arguments).current_dir(files.path()));
        assert_eq!(code, Some(1));
        check(&stderr, words);
    }
    let (code, _, stderr) = run(warpseq(&["align", "q.fa", "q.fa", "--matrix", "."]).current_dir(files.path()));
    assert_eq!(code, Some(1));
    check(&stderr, &["cannot read .: Is a directory", "; give a file"]);
}
