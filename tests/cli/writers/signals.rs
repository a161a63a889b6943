//! Signals while a subcommand works: 130, the old file, and no temporary one.

use super::inputs;
use crate::bench::program;
use crate::cli::{heeding, kill, names_in, told, unfinished, warpseq};
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Commands that wait for standard input, or work for very long, with the files they write.
const AT_WORK: &[(&str, &[&str])] = &[
    ("scan - v.fa -o out", &["out"]),
    ("align - y.fa -o out", &["out"]),
    ("align x.fa - --pairs all -o out", &["out"]),
    ("align - --targets-db x.wdb --pairs all --top 1 -o out", &["out"]),
    ("db build - -o out", &["out"]),
    ("db build x.fa - -o out", &["out"]),
    ("sign build - -o out", &["out"]),
    ("sign search - x.wsig -o out", &["out"]),
    ("sign dist - y.fa -o out", &["out"]),
    ("sign cluster - --k 2 -o out --summary other", &["out", "other"]),
    ("sign map - -o out --svg other", &["out", "other"]),
    ("sign info - -o out", &["out"]),
    ("simulate signatures 100000000 5000 9000 0.1 -o out", &["out"]),
    ("simulate samples v.fa 10000000 2 1 1 5000 9000 1 40 0.1 -o out --truth other", &["out", "other"]),
    ("simulate proteins 100000000 5000 9000 -o out", &["out"]),
    ("simulate pairs 100000000 5000 -o out", &["out.queries.fasta", "out.targets.fasta"]),
];

/// A command at work: its temporary files are there, and it has been given some input.
fn at_work(folder: &tempfile::TempDir, command: &str, outputs: usize) -> Child {
    let mut started = warpseq(&command.split(' ').collect::<Vec<_>>());
    started.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = heeding(&mut started).spawn().unwrap();
    let input = if command.starts_with("sign info") { "x.wsig" } else { "x.fa" };
    let input = fs::read(folder.path().join(input)).unwrap();
    if command.contains(" - ") {
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), &input).unwrap();
    }
    let start = Instant::now();
    while unfinished(child.id(), folder.path()) < outputs {
        assert!(start.elapsed() < Duration::from_secs(60), "{command}: nothing came within a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn signals_leave_the_old_files_of_every_subcommand() {
    for (k, (command, outputs)) in AT_WORK.iter().enumerate() {
        let folder = inputs();
        outputs.iter().for_each(|name| fs::write(folder.path().join(name), "old").unwrap());
        let before = names_in(folder.path());
        let mut child = at_work(&folder, command, outputs.len());
        // Waiting would close it, and the input would have ended.
        let _open = child.stdin.take();
        kill(&child, [libc::SIGINT, libc::SIGTERM][k % 2]);
        let (code, stdout, stderr) = told(&child.wait_with_output().unwrap());
        assert_eq!((code, stdout.as_str()), (Some(130), ""), "{command}: {stderr}");
        assert!(!stderr.contains("error"), "{command}: {stderr}");
        assert_eq!(names_in(folder.path()), before, "{command}");
        outputs.iter().for_each(|name| assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"old", "{command}"));
    }
}

#[test]
fn signals_leave_nothing_of_a_benchmark() {
    for (engine, signal) in [("scan", libc::SIGINT), ("align", libc::SIGTERM), ("sign", libc::SIGTERM)] {
        let folder = inputs();
        let slow = program(folder.path(), "sleep 3");
        let scratch = folder.path().join("scratch");
        fs::create_dir(&scratch).unwrap();
        let before = names_in(folder.path());
        let mut bench =
            warpseq(&["bench", engine, "--work", "smoke", "--device", "cpu", "--runs", "1", "--record", "."]);
        bench.current_dir(folder.path()).arg("--scratch").arg(&scratch).arg("--process").arg(&slow);
        let child = heeding(&mut bench).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while names_in(&scratch).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(60), "{engine}: nothing came within a minute");
            std::thread::sleep(Duration::from_millis(2));
        }
        kill(&child, signal);
        let (code, stdout, _) = told(&child.wait_with_output().unwrap());
        assert_eq!((code, stdout.as_str()), (Some(130), ""), "{engine}");
        assert_eq!(names_in(&scratch), [""; 0], "{engine}");
        assert_eq!(names_in(folder.path()), before, "{engine}");
    }
}
