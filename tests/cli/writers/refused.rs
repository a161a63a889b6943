//! Outputs that cannot be, and the exit codes that say so.

use super::{WRITERS, fasta, inputs, is_second, of};
use crate::cli::{folder, names_in, run, told, warpseq};
use std::fs::{self, File};
use std::os::unix::fs::symlink;

/// A command line that wants an output's name, and those of its words that are inputs.
const READERS: &[(&str, &[&str])] = &[
    ("scan s.fq v.fa -o", &["s.fq", "v.fa"]),
    ("align x.fa y.fa -o", &["x.fa", "y.fa"]),
    ("align x.fa y.fa --matrix m -o", &["m"]),
    ("align x.fa --targets-db x.wdb --pairs all -o", &["x.fa", "x.wdb"]),
    ("db build x.fa y.fa -o", &["x.fa", "y.fa"]),
    ("db info x.wdb -o", &["x.wdb"]),
    ("sign build x.fa -o", &["x.fa"]),
    ("sign search x.fa x.wsig -o", &["x.fa", "x.wsig"]),
    ("sign dist x.fa y.fa -o", &["x.fa", "y.fa"]),
    ("sign cluster x.wsig --k 2 -o", &["x.wsig"]),
    ("sign cluster x.wsig --k 2 -o first --summary", &["x.wsig"]),
    ("sign map x.wsig --groups g.tsv -o", &["x.wsig", "g.tsv"]),
    ("sign map x.wsig --groups g.tsv -o first --svg", &["x.wsig", "g.tsv"]),
    ("sign info x.wsig -o", &["x.wsig"]),
    ("simulate samples v.fa 3 2 1 1 100 200 1 40 0.1 -o", &["v.fa"]),
    ("simulate samples v.fa 3 2 1 1 100 200 1 40 0.1 -o first --truth", &["v.fa"]),
];

const MATRIX: &str = "  A C G T\nA 1 0 0 0\nC 0 1 0 0\nG 0 0 1 0\nT 0 0 0 1\n";

#[test]
fn an_output_that_is_an_input_is_refused_under_any_name() {
    for (reader, files) in READERS {
        for input in *files {
            let folder = inputs();
            let path = |name: &str| folder.path().join(name);
            fs::write(path("m"), MATRIX).unwrap();
            symlink(input, path("link.gz")).unwrap();
            fs::hard_link(path(input), path("hard")).unwrap();
            symlink(".", path("again")).unwrap();
            let (before, content) = (names_in(folder.path()), fs::read(path(input)).unwrap());
            for name in [*input, &format!("./{input}"), "link.gz", "hard", &format!("again/{input}")] {
                let (code, stdout, stderr) = run(&mut of(&folder, reader, name));
                assert_eq!((code, stdout.as_str()), (Some(1), ""), "{reader} {name}: {stderr}");
                assert!(stderr.contains("this output is the input") && stderr.lines().count() == 1, "{stderr}");
            }
            let appended = File::options().append(true).open(path(input)).unwrap();
            let (code, _, stderr) = told(&of(&folder, reader, "-").stdout(appended).output().unwrap());
            assert!(
                code == Some(1) && stderr.contains("standard output: this output is the input"),
                "{reader}: {stderr}"
            );
            assert_eq!(names_in(folder.path()), before, "{reader}");
            assert!(fs::read(path(input)).unwrap() == content, "{reader}: {input} is as it was");
        }
    }
}

#[test]
fn standard_input_is_an_input_like_any_other() {
    let files = folder(&[("x.fa", fasta("").as_bytes())]);
    let path = files.path().join("x.fa");
    let mut command = warpseq(&["sign", "build", "-", "-o", "x.fa"]);
    let (code, _, stderr) = told(&command.current_dir(&files).stdin(File::open(&path).unwrap()).output().unwrap());
    assert!(code == Some(1) && stderr.contains("x.fa: this output is the input -"), "{stderr}");
    assert_eq!(fs::read_to_string(path).unwrap(), fasta(""));
}

#[test]
fn two_outputs_in_one_place_are_wrong_usage() {
    for writer in WRITERS.iter().filter(|writer| is_second(writer)) {
        let folder = inputs();
        symlink(".", folder.path().join("again")).unwrap();
        let before = names_in(folder.path());
        for name in ["first", "./first", "again/first"] {
            let (code, stdout, stderr) = run(&mut of(&folder, writer, name));
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{writer} {name}: {stderr}");
            assert!(stderr.contains("the same place"), "{stderr}");
            assert_eq!(names_in(folder.path()), before, "{writer}");
        }
    }
}

/// The last record is bad, and no error may come to know of it: a place that cannot be written ends the run before that.
#[test]
fn a_place_that_cannot_be_written_is_told_before_work_begins() {
    for writer in WRITERS {
        let folder = inputs();
        let path = |name: &str| folder.path().join(name);
        for name in ["x.fa", "y.fa"] {
            fs::write(path(name), fasta(">r4\nAC\n>r5\nAC\n>\nAC\n")).unwrap();
        }
        let fastq = fs::read_to_string(path("s.fq")).unwrap();
        fs::write(path("s.fq"), fastq + "@t\nAC!\n+\nIII\n").unwrap();
        if !writer.starts_with("sign info") {
            fs::copy(path("x.fa"), path("x.wsig")).unwrap();
        }
        let before = names_in(folder.path());
        for place in ["absent/out", "x.fa/out", "/proc/out", ".", "absent/"] {
            let (code, stdout, stderr) = run(&mut of(&folder, writer, place));
            assert_eq!((code, stdout.as_str()), (Some(1), ""), "{writer} {place}: {stderr}");
            let message = format!("warpseq: error: cannot create {place}: ");
            assert!(stderr.starts_with(&message) && stderr.lines().count() == 1, "{writer} {place}: {stderr}");
            assert_eq!(names_in(folder.path()), before, "{writer} {place}");
        }
    }
}

#[test]
fn a_record_folder_that_cannot_be_made_is_told_before_work_begins() {
    for engine in ["scan", "align", "sign"] {
        let arguments = ["bench", engine, "--work", "smoke", "--device", "cpu", "--record", "/proc/records"];
        let (code, stdout, stderr) = run(&mut warpseq(&arguments));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        assert!(stderr.starts_with("warpseq: error: cannot write records into /proc/records: "), "{stderr}");
    }
}

#[test]
fn exit_codes_are_0_1_and_2_for_every_subcommand() {
    for writer in WRITERS {
        let folder = inputs();
        assert_eq!(run(&mut of(&folder, writer, "out")).0, Some(0), "{writer}");
        assert_eq!(run(of(&folder, writer, "out").arg("--no-such-option")).0, Some(2), "{writer}");
        if writer.starts_with("simulate") && !writer.contains("v.fa") {
            continue;
        }
        let input = writer.split(' ').find(|word| word.contains('.')).expect("a file");
        fs::remove_file(folder.path().join(input)).unwrap();
        let (code, _, stderr) = run(&mut of(&folder, writer, "out"));
        assert!(code == Some(1) && stderr.contains(input) && stderr.contains("check the path"), "{writer}: {stderr}");
    }
    for (arguments, code) in
        [("--help", 0), ("", 2), ("sign", 2), ("bench", 2), ("devices", 0), ("bench scan --work no", 2)]
    {
        assert_eq!(
            run(&mut warpseq(&arguments.split_terminator(' ').collect::<Vec<_>>())).0,
            Some(code),
            "{arguments}"
        );
    }
}
