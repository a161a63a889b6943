//! The bytes that come out do not depend on how they were computed, or on how the input was given.

use super::{PROTEINS, build, built, bytes};
use crate::cli::warpseq;
use crate::cli::{folder, text};
use std::io::Write;
use std::process::Stdio;

const QUT: &[&str] = &["--preset", "qut", "--raw"];
const IDS: &[&str] = &["--preset", "qut", "--raw", "--ids"];
const QUESTIONS: [&[&str]; 4] = [&[], &["--window", "8", "--bits", "64"], QUT, IDS];

/// Enough sequences for several of the smallest batches.
fn many() -> Vec<u8> {
    PROTEINS.repeat(1500)
}

/// The same sequences, wrapped into lines of `width` residues that end with `end`.
fn wrapped(width: usize, end: &str) -> Vec<u8> {
    let text = std::str::from_utf8(PROTEINS).unwrap();
    let wrap = |line: &str| match line.starts_with('>') {
        true => format!("{line}{end}"),
        false => line.as_bytes().chunks(width).map(|part| String::from_utf8_lossy(part).into_owned() + end).collect(),
    };
    text.lines().map(wrap).collect::<String>().into_bytes()
}

#[test]
fn line_ends_and_wrapping_change_nothing() {
    for question in QUESTIONS {
        let expected = built(PROTEINS, question);
        assert!(expected.len() >= 64, "{question:?}");
        for (width, end) in [(60, "\n"), (60, "\r\n"), (7, "\n"), (7, "\r\n"), (1, "\r\n")] {
            assert_eq!(built(&wrapped(width, end), question), expected, "{question:?}, lines of {width}, {end:?}");
        }
        let unended = PROTEINS.strip_suffix(b"\n").unwrap();
        assert_eq!(built(unended, question), expected, "{question:?}, no final newline");
    }
}

#[test]
fn compression_qualities_and_pipes_change_nothing() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(PROTEINS).unwrap();
    let mut bgzf = noodles_bgzf::io::Writer::new(Vec::new());
    bgzf.write_all(PROTEINS).unwrap();
    let fastq: String = std::str::from_utf8(PROTEINS).unwrap()[1..]
        .split("\n>")
        .map(|record| {
            let (header, residues) = record.trim_end().split_once('\n').unwrap_or((record.trim_end(), ""));
            format!("@{header}\n{residues}\n+\n{}\n", "I".repeat(residues.len()))
        })
        .collect();
    let (gzip, bgzf) = (encoder.finish().unwrap(), bgzf.finish().unwrap());
    for question in QUESTIONS {
        let expected = built(PROTEINS, question);
        for same in [&gzip, &bgzf, fastq.as_bytes()] {
            assert_eq!(built(same, question), expected, "{question:?}");
        }
        let mut child =
            build("-", &[question, &["-q"]].concat()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(PROTEINS).unwrap();
        assert_eq!(child.wait_with_output().unwrap().stdout, expected, "{question:?} from a pipe");
    }
}

#[test]
fn threads_and_memory_change_nothing() {
    let sequences = many();
    for question in QUESTIONS {
        let expected = built(&sequences, question);
        for how in [["-t", "1"], ["-t", "2"], ["-t", "4"], ["--max-memory", "64K"], ["--max-memory", "4G"]] {
            assert!(built(&sequences, &[question, &how].concat()) == expected, "{question:?} {how:?}");
        }
    }
    let once = built(PROTEINS, QUT);
    assert!(built(&sequences, QUT) == once.repeat(1500), "sequences are signed one by one, in order");
}

#[test]
fn verified_by_the_reference_and_by_the_cpu() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = text(&files.path().join("x.fa"));
    for (verify, by) in [("--verify", "reference"), ("--verify=cpu", "cpu")] {
        for question in QUESTIONS {
            let (code, stdout, stderr) = bytes(build(&path, question).args([verify, "-q"]));
            assert_eq!((code, stdout), (Some(0), built(PROTEINS, question)));
            assert!(stderr.starts_with("warpseq: verify: ") && stderr.ends_with("identical\n"), "{stderr}");
            assert!(stderr.contains(&format!(", {by} ")) && stderr.lines().count() == 1, "{stderr}");
        }
    }
}

#[test]
fn the_emulated_gpu_gives_the_same() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let path = text(&files.path().join("x.fa"));
    for question in QUESTIONS {
        let emulated = ["sign", "build", &path, "--device", "emulator", "--verify=cpu", "-q"];
        let (code, stdout, stderr) = bytes(warpseq(&emulated).args(question));
        assert_eq!((code, stdout), (Some(0), built(PROTEINS, question)), "{question:?}: {stderr}");
        assert!(stderr.ends_with("identical\n") && stderr.lines().count() == 1, "{stderr}");
    }
}
