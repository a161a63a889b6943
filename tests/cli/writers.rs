//! What every subcommand that writes promises about its outputs, one table for all of them.

mod refused;
mod signals;

use super::{folder, names_in, run, text, told, warpseq};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Command;

/// A command line whose last word is the option that is given the output's name.
type Writer = &'static str;

/// All of them, and their second outputs; `first` is where the other one goes.
const WRITERS: &[Writer] = &[
    "scan s.fq v.fa -o",
    "align x.fa y.fa -o",
    "align x.fa y.fa --pairs all --format sam --no-pg -o",
    "align x.fa --targets-db x.wdb --pairs all --top 2 -o",
    "db build x.fa y.fa -o",
    "db info x.wdb -o",
    "sign build x.fa --k 11 -o",
    "sign build x.fa --k 11 --raw -o",
    "sign search x.fa x.wsig -o",
    "sign dist x.fa y.fa --k 11 -o",
    "sign cluster x.wsig --k 2 -o",
    "sign cluster x.wsig --k 2 -o first --summary",
    "sign map x.wsig --groups g.tsv -o",
    "sign map x.wsig --groups g.tsv -o first --svg",
    "sign info x.wsig -o",
    "simulate signatures 3 50 90 0.1 -o",
    "simulate samples v.fa 3 2 1 1 100 200 1 40 0.1 -o",
    "simulate samples v.fa 3 2 1 1 100 200 1 40 0.1 -o first --truth",
    "simulate proteins 3 50 90 -o",
];

const SEQUENCES: [&str; 3] = [
    "ACGTTGCAAGTCCATGACCGATTACAGGATCCTTAGACCA",
    "ACGTTGCAAGTCCATGACCGATTACAGGATCCTTAGACGG",
    "GGCATTACGTTAGCCATAGGACCTTAGGCATCAGGATTAC",
];

fn fasta(last: &str) -> String {
    let records = SEQUENCES.iter().enumerate().map(|(k, bases)| format!(">r{k}\n{bases}\n"));
    records.collect::<String>() + last
}

/// A folder with the inputs of all commands.
fn inputs() -> tempfile::TempDir {
    let fastq = format!("@s\n{0}\n+\n{1}\n", SEQUENCES[0], "I".repeat(SEQUENCES[0].len()));
    let (x, y, signature) = (fasta(""), fasta(""), format!(">v\n{}\n", &SEQUENCES[0][5..25]));
    let groups = "r0\tone\nr1\tone\nr2\tother\n";
    let files: [(&str, &[u8]); 5] = [
        ("x.fa", x.as_bytes()),
        ("y.fa", y.as_bytes()),
        ("s.fq", fastq.as_bytes()),
        ("v.fa", signature.as_bytes()),
        ("g.tsv", groups.as_bytes()),
    ];
    let folder = folder(&files);
    let (code, _, stderr) = run(&mut of(&folder, "sign build x.fa --k 11 -o", "x.wsig"));
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = run(&mut of(&folder, "db build x.fa -o", "x.wdb"));
    assert_eq!(code, Some(0), "{stderr}");
    folder
}

/// The command of a writer in a folder, with the output's name.
fn of(folder: &tempfile::TempDir, writer: Writer, output: &str) -> Command {
    let mut command = warpseq(&writer.split(' ').collect::<Vec<_>>());
    if !["sign info", "simulate", "db"].iter().any(|without| writer.starts_with(without)) {
        command.args([output, "--device", "cpu", "-q"]);
    } else {
        command.arg(output);
    }
    command.current_dir(folder.path());
    command
}

fn is_second(writer: Writer) -> bool {
    writer.contains("first")
}

/// What a writer writes to standard output.
fn expected(writer: Writer) -> Vec<u8> {
    let folder = inputs();
    let done = of(&folder, writer, "-").output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{writer}: {}", told(&done).2);
    assert!(done.stdout.len() > 20, "{writer}");
    done.stdout
}

fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[12..16], b"BC\x02\x00", "the extra field of BGZF");
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).unwrap();
    plain
}

#[test]
fn a_file_is_replaced_by_what_standard_output_would_get() {
    for writer in WRITERS {
        let (expected, folder) = (expected(writer), inputs());
        let path = |name: &str| folder.path().join(name);
        let before = names_in(folder.path());
        for name in ["out", "out.gz"] {
            fs::write(path(name), "old").unwrap();
            let mut old = File::open(path(name)).unwrap();
            let (code, stdout, stderr) = run(&mut of(&folder, writer, name));
            assert_eq!((code, stdout.as_str()), (Some(0), ""), "{writer} {name}: {stderr}");
            let found = if name == "out" { fs::read(path(name)).unwrap() } else { unpacked(&path(name)) };
            assert!(found == expected, "{writer} {name}");
            let mut kept = String::new();
            old.read_to_string(&mut kept).unwrap();
            assert_eq!(kept, "old", "{writer}: whoever has the old file open still reads it whole");
            fs::remove_file(path(name)).unwrap();
        }
        let _ = fs::remove_file(path("first"));
        assert_eq!(names_in(folder.path()), before, "{writer}");
    }
}

#[test]
fn a_full_device_is_an_error_and_nothing_is_left() {
    for writer in WRITERS {
        let folder = inputs();
        let before = names_in(folder.path());
        let full = File::options().write(true).open("/dev/full").unwrap();
        for (place, label) in [("-", "standard output"), ("/dev/full", "/dev/full")] {
            let (code, _, stderr) =
                told(&of(&folder, writer, place).stdout(full.try_clone().unwrap()).output().unwrap());
            let message = format!("warpseq: error: cannot write {label}: No space left on device (os error 28)");
            assert!(code == Some(1) && stderr.starts_with(&message), "{writer} {place}: {code:?}, {stderr}");
            assert_eq!(names_in(folder.path()), before, "{writer}: nor is the other output there");
        }
    }
    let printing = [&["devices"][..], &["--help"], &["--version"], &["sign", "build", "--help"]];
    for arguments in printing.into_iter().chain([&["man"][..], &["completion", "bash"]]) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (code, _, stderr) = told(&warpseq(arguments).stdout(full).output().unwrap());
        assert!(
            code == Some(1) && stderr.contains("cannot write standard output: No space"),
            "{arguments:?}: {stderr}"
        );
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end_and_the_other_output_is_there() {
    for writer in WRITERS {
        let folder = inputs();
        let (reader, pipe) = std::io::pipe().unwrap();
        drop(reader);
        let (code, _, stderr) = told(&of(&folder, writer, "-").stdout(pipe).output().unwrap());
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{writer}");
        assert_eq!(folder.path().join("first").exists(), is_second(writer), "{writer}");
    }
    for arguments in [&["devices"][..], &["--help"], &["--version"], &["man"], &["completion", "zsh"]] {
        let (reader, pipe) = std::io::pipe().unwrap();
        drop(reader);
        let (code, _, stderr) = told(&warpseq(arguments).stdout(pipe).output().unwrap());
        assert!(code == Some(0) && !stderr.contains("error"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn manual_pages_are_written_to_a_folder_and_the_main_one_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    assert_eq!(run(&mut warpseq(&["man", &text(&pages)])), (Some(0), String::new(), String::new()));
    let page = fs::read_to_string(pages.join("warpseq.1")).unwrap();
    assert!(names_in(&pages).contains(&"warpseq-sign-search.1".to_owned()) && page.starts_with(".ie"), "{page}");
    assert_eq!(run(&mut warpseq(&["man"])), (Some(0), page, String::new()));
    let (code, _, stderr) = run(&mut warpseq(&["man", &text(&pages.join("warpseq.1"))]));
    assert!(code == Some(1) && stderr.contains("cannot create"), "{stderr}");
}

#[test]
fn pairs_are_written_both_or_neither() {
    let folder = inputs();
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("/dev/full", path("p.targets.fasta")).unwrap();
    let (code, _, stderr) = run(&mut of(&folder, "simulate pairs 3 30 -o", "p"));
    assert!(code == Some(1) && stderr.contains("cannot write"), "{stderr}");
    assert!(!path("p.queries.fasta").exists());
    fs::remove_file(path("p.targets.fasta")).unwrap();
    assert_eq!(run(&mut of(&folder, "simulate pairs 3 30 -o", "p")).0, Some(0));
    assert!(path("p.queries.fasta").exists() && path("p.targets.fasta").exists());
}
