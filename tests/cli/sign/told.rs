//! Messages on standard error: each warning once, the choice of the CPU once, nothing with `-q`.

use super::build;
use crate::cli::{folder, run, text, told_of_no_gpu, warpseq};

/// The lines of standard error.
fn lines(sequences: &[u8], options: &[&str]) -> Vec<String> {
    let files = folder(&[("x.fa", sequences)]);
    let (code, _, stderr) = run(&mut build(&text(&files.path().join("x.fa")), options));
    assert_eq!(code, Some(0), "{stderr}");
    stderr.lines().map(str::to_owned).collect()
}

#[test]
fn no_gpu_is_one_line_and_none_when_quiet() {
    let files = folder(&[("x.fa", b">s\nMKVL\n")]);
    let path = text(&files.path().join("x.fa"));
    for device in told_of_no_gpu() {
        let build = ["sign", "build", &path, "--device", device];
        let (code, _, stderr) = run(&mut warpseq(&build));
        assert_eq!(code, Some(0));
        assert!(stderr.starts_with("warpseq: signing on the CPU: no NVIDIA driver found"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_eq!(run(warpseq(&build).arg("-q")).2, "");
    }
}

#[test]
fn windows_without_a_kmer_are_counted_once() {
    let sequences = b">a\nMKVL\n>b\nMK\n>c\n\n>d\nMXKXV\n";
    let [line] = &lines(sequences, &[])[..] else { panic!("one line") };
    assert!(line.starts_with("warpseq: warning: ") && line.contains("3 of 4 windows have no k-mer"), "{line}");
    assert_eq!(lines(sequences, &["-q"]), [""; 0]);
    assert_eq!(lines(b">a\nMKVL\n", &[]), [""; 0]);
}

#[test]
fn verbose_says_what_was_done() {
    let lines = lines(b">a\nMKVL\n>b\nMKVLAT\n", &["-v"]);
    let parameters = "signing with --alphabet protein --k 3 --window whole --bits 8192 --hash mix64 (alphabet by";
    assert!(lines[0].contains(parameters), "{lines:?}");
    assert_eq!(lines[1], "warpseq: 2 sequences, 10 residues, 2 windows");
    assert!(lines.len() == 5 && lines[2].starts_with("warpseq: signed by cpu: call 0."), "{lines:?}");
    crate::cli::told::explains_the_time(&lines[3..]);
}
