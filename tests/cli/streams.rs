//! Standard streams that are full, closed or one and the same, signals, and the limits of a shell.

use super::{
    folder, heeding, kill, names_in, repository, run, run_with, scan_data, table_of, text, told, unfinished, warpseq,
};
use crate::place;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_full_device_is_an_error_with_a_message() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let (code, _, stderr) = told(&scan_data(&[]).stdout(full).output().unwrap());
    let message = "warpseq: error: cannot write standard output: No space left on device (os error 28)";
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with(message) && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    // One row per base: far more than a pipe holds.
    let sample = [b">s\n", &b"A".repeat(300_000)[..], b"\n"].concat();
    let files = folder(&[("s.fa", &sample), ("q.fa", b">q\nA\n")]);
    let path = |name: &str| text(&files.path().join(name));
    let mut command = warpseq(&["scan", &path("s.fa"), &path("q.fa"), "--report", "all", "--device", "cpu"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("sample\tsequence"), "{first}");
    let (code, _, stderr) = told(&child.wait_with_output().unwrap());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

/// Waits until `done`.
fn wait_until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing came within a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A scan that has begun to write `output` and waits for more samples.
fn waiting(output: &str) -> Child {
    let mut command = warpseq(&["scan", "-", "data/signatures.fasta", "-o", output, "--device", "cpu"]);
    let mut child = heeding(&mut command).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&repository("data/samples.fastq")).unwrap();
    child
}

/// A folder with an old `out.tsv`, and a scan that writes it.
fn at_work() -> (tempfile::TempDir, Child) {
    let files = folder(&[("out.tsv", b"old")]);
    let child = waiting(&text(&files.path().join("out.tsv")));
    wait_until(|| unfinished(child.id(), files.path()) == 1);
    (files, child)
}

#[test]
fn signals_leave_the_old_file() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
        let (files, mut child) = at_work();
        // A wait would close it, and a busy machine might end the scan before the signal does.
        let _input = child.stdin.take();
        kill(&child, signal);
        let (code, _, stderr) = told(&child.wait_with_output().unwrap());
        assert_eq!((code, stderr.as_str()), (Some(130), ""), "signal {signal}");
        assert_eq!(std::fs::read(files.path().join("out.tsv")).unwrap(), b"old");
        assert_eq!(names_in(files.path()), ["out.tsv"]);
    }
}

#[test]
fn nothing_is_left_when_nothing_can_be_done_about_the_end() {
    let (files, mut child) = at_work();
    kill(&child, libc::SIGKILL);
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    assert_eq!(names_in(files.path()), ["out.tsv"]);
}

#[test]
fn an_output_appears_when_the_input_ends() {
    let (files, mut child) = at_work();
    assert_eq!(std::fs::read(files.path().join("out.tsv")).unwrap(), b"old");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(files.path().join("out.tsv")).unwrap(), table_of("stdin"));
    assert_eq!(names_in(files.path()), ["out.tsv"]);
}

/// The program in a shell, after `before`, with `arguments` and what they redirect.
fn in_shell(before: &str, arguments: &str) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("{before}; exec \"$0\" {arguments}");
    shell.current_dir(place::repository()).arg("-c").arg(script).arg(place::program()).stdin(Stdio::null());
    shell
}

const SCAN: &str = "scan data/samples.fastq data/signatures.fasta --device cpu -q";

/// Regression: `nohup`, and `&` in a script, have signals ignored, and the program heeded them.
#[test]
fn signals_that_are_ignored_at_the_start_stay_ignored() {
    let files = folder(&[]);
    let arguments = format!("scan - data/signatures.fasta --device cpu -q -o {}", text(&files.path().join("out.tsv")));
    let mut shell = in_shell("trap '' INT HUP", &arguments);
    let mut child = shell.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&repository("data/samples.fastq")).unwrap();
    wait_until(|| unfinished(child.id(), files.path()) == 1);
    kill(&child, libc::SIGINT);
    kill(&child, libc::SIGHUP);
    std::thread::sleep(Duration::from_millis(100));
    drop(child.stdin.take());
    assert_eq!(told(&child.wait_with_output().unwrap()), (Some(0), String::new(), String::new()));
    assert_eq!(std::fs::read_to_string(files.path().join("out.tsv")).unwrap(), table_of("stdin"));
}

/// Regression: the runtime opens `/dev/null` in the place of a closed stream, so rows were lost and inputs empty.
#[test]
fn a_closed_stream_is_an_error_unless_nobody_needs_it() {
    for arguments in [SCAN, "--help", "devices", "man", "simulate proteins 3 50 90"] {
        let (code, _, stderr) = run(&mut in_shell(":", &format!("{arguments} >&-")));
        let message = "warpseq: error: cannot write standard output: Bad file descriptor (os error 9)\n";
        assert_eq!(
            (code, stderr.lines().last().map(|line| line.to_owned() + "\n").as_deref()),
            (Some(1), Some(message))
        );
    }
    for arguments in ["scan - data/signatures.fasta", "sign build - -o /dev/null", "sign info -"] {
        let (code, stdout, stderr) = run(&mut in_shell(":", &format!("{arguments} <&-")));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{arguments}");
        assert!(stderr.contains("standard input: Bad file descriptor"), "{arguments}: {stderr}");
    }
    let files = folder(&[]);
    let out = text(&files.path().join("out.tsv"));
    assert_eq!(run(&mut in_shell(":", &format!("{SCAN} -o {out} <&- >&-"))).0, Some(0));
    assert_eq!(std::fs::read(out).unwrap(), repository("tests/golden/scan.tsv"));
}

/// Regression: one reader took what the other missed, or both waited for ever.
#[test]
fn one_stream_given_twice_is_wrong_usage() {
    let files = folder(&[("x.fa", b">a\nACGTACGTACGTACGTACGTACGTACGT\n")]);
    let fifo = text(&files.path().join("fifo"));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let twice = [["-", "/dev/stdin"], ["/dev/stdin", "-"], ["/proc/self/fd/0", "/dev/stdin"], [&fifo, &fifo]];
    for command in [&["scan"][..], &["align"], &["sign", "search"], &["sign", "dist"]] {
        for inputs in twice {
            let mut command = warpseq(&[command, &inputs].concat());
            let (code, stdout, stderr) = run_with(&mut command, b">a\nACGT\n");
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command:?}: {stderr}");
            assert!(stderr.contains("cannot both come from"), "{command:?}: {stderr}");
        }
    }
    for more in [&["align", "-", "x.fa", "--matrix", "/dev/stdin"][..], &["sign", "map", "-", "--groups", "/dev/stdin"]]
    {
        let (code, _, stderr) = run_with(warpseq(more).current_dir(files.path()), b">a\nACGT\n");
        assert!(code == Some(2) && stderr.contains("cannot both come from"), "{more:?}: {stderr}");
    }
    let file = text(&files.path().join("x.fa"));
    for same in [["-", &file], [&file, &file], ["/dev/stdin", &file]] {
        let input = File::open(&file).unwrap();
        let done = warpseq(&["align", same[0], same[1], "--device", "cpu"]).stdin(input).output().unwrap();
        assert_eq!(told(&done).0, Some(0), "a file may be read twice");
    }
}

#[test]
fn a_file_beyond_the_limit_of_the_shell_is_an_error_and_nothing_is_left() {
    let files = folder(&[]);
    let out = text(&files.path().join("out.fa"));
    let (code, _, stderr) = run(&mut in_shell("ulimit -f 1", &format!("simulate proteins 1000 500 900 -o {out}")));
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with(&format!("warpseq: error: cannot write {out}: File too large")), "{stderr}");
    assert_eq!(names_in(files.path()), [""; 0]);
}

/// Regression: it ended with SIGABRT and left a temporary file.
#[test]
fn memory_that_the_system_refuses_is_an_error_and_nothing_is_left() {
    let record = [b">a\n", &b"ACGT".repeat(75_000_000)[..], b"\n"].concat();
    let files = folder(&[("s.fa", &record)]);
    let [out, input] = ["out.tsv", "s.fa"].map(|name| text(&files.path().join(name)));
    let arguments = format!("scan {input} data/signatures.fasta -t 2 --device cpu -o {out}");
    let (code, _, stderr) = run(&mut in_shell("ulimit -v 400000", &arguments));
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.starts_with("warpseq: error: out of memory: the system refused "), "{stderr}");
    assert!(stderr.contains("--max-memory") && stderr.lines().count() == 1, "{stderr}");
    assert_eq!(names_in(files.path()), ["s.fa"]);
}

/// Regression: such a line was read to its end first. The pipe is not closed, so a program that does not look waits for ever.
#[test]
fn a_line_is_looked_at_before_it_ends() {
    for start in [">a\n", ">", "@a\n", "@a\nA\n+", "\r", ">a\n\n\r", "@a\nA\n+\nA\n\r"] {
        let mut child = warpseq(&["sign", "build", "-", "-o", "/dev/null"]);
        let mut child = child.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&[start.as_bytes(), &[0; 3 << 20]].concat()).unwrap_or_default();
        wait_until(|| child.try_wait().unwrap().is_some());
        let (code, _, stderr) = told(&child.wait_with_output().unwrap());
        let told = ["a NUL byte in the", "a carriage return inside a line"].iter().any(|words| stderr.contains(words));
        assert!(code == Some(1) && told, "{start:?}: {stderr}");
        drop(pipe);
    }
}
