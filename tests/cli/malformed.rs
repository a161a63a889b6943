//! Every file that every subcommand takes, given wrong: one line that names it and its place, exit code 1, and everything in
//! the folder as it was.

use super::{folder, repository, run, warpseq};
use crate::fastx::{gzip, shared};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A subcommand with `BAD` for the file to be given wrong. The others are good.
type Place = &'static [&'static str];

/// What takes sequences of any kind.
const SEQUENCES: &[Place] = &[
    &["scan", "BAD", "good.fa"],
    &["amplicon", "BAD", "-F", "ACGT", "-R", "ACGT"],
    &["amplicon", "good.fa", "BAD", "-F", "ACGT", "-R", "ACGT"],
    &["probes", "good.fa", "--exclude", "BAD", "--table", "old.tsv"],
    &["align", "BAD", "good.fa"],
    &["align", "good.fa", "BAD"],
    &["align", "good.fa", "BAD", "--pairs", "all"],
    &["align", "good.fa", "BAD", "--pairs", "all", "--format", "sam"],
    &["db", "build", "BAD"],
    &["db", "build", "good.fa", "BAD"],
    &["sign", "build", "BAD"],
    &["sign", "search", "BAD", "good.wsig"],
    &["sign", "search", "good.fa", "BAD"],
    &["sign", "dist", "BAD"],
    &["sign", "dist", "good.fa", "BAD"],
    &["sign", "cluster", "BAD", "--k", "1", "--summary", "old.tsv"],
    &["sign", "map", "BAD", "--svg", "old.svg"],
];

/// What takes FASTA alone.
const SIGNATURES: &[Place] = &[
    &["scan", "good.fq", "BAD"],
    &["simulate", "samples", "BAD", "1", "1", "1", "1", "900", "900", "10", "30", "0", "--truth", "old.tsv"],
    &["probes", "BAD", "--table", "old.tsv"],
];

/// What takes something else.
const OTHERS: &[Place] = &[
    &["align", "good.fa", "good.fa", "--matrix", "BAD"],
    &["sign", "map", "good.fa", "--groups", "BAD", "--svg", "old.svg"],
    &["sign", "info", "BAD"],
    &["sign", "info", "good.wsig", "BAD"],
    &["db", "info", "BAD"],
    &["align", "good.fa", "--targets-db", "BAD", "--pairs", "all"],
    &["align", "good.fa", "--targets-db", "BAD", "--pairs", "all", "--top", "1"],
    &["amplicon", "good.fa", "-p", "BAD"],
    &["probes", "good.fa", "--groups", "BAD"],
];

/// A folder with good files, old outputs, and `bad`.
fn files(bad: Option<&[u8]>) -> tempfile::TempDir {
    let wsig = repository("fuzz/seeds/signatures/dna.wsig");
    let good: [(&str, &[u8]); 6] = [
        ("good.fa", b">a\nACGT\n"),
        ("good.fq", b"@a\nACGT\n+\nIIII\n"),
        ("good.wsig", &wsig),
        ("out", b"old"),
        ("old.tsv", b"old"),
        ("old.svg", b"old"),
    ];
    folder(&[&good[..], bad.map(|bytes| ("bad", bytes)).as_slice()].concat())
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default()))
        .collect()
}

/// Runs a subcommand in the folder with `bad` for `BAD`: exit code and what it says.
fn told(folder: &Path, place: Place, bad: &str) -> (Option<i32>, String) {
    let words = place.iter().map(|&word| if word == "BAD" { bad } else { word });
    let mut command = warpseq(&words.collect::<Vec<_>>());
    let computes = !matches!(place[..2], ["simulate" | "db", _] | ["sign", "info"]);
    let (code, stdout, stderr) =
        run(command.args(["-o", "out"]).args(computes.then_some("--device=cpu")).current_dir(folder));
    assert_eq!(stdout, "", "{place:?}");
    (code, stderr)
}

/// It is refused in one line with all the words, and nothing is changed.
fn refused(folder: &Path, place: Place, bad: &str, words: &[&str]) -> String {
    let before = contents(folder);
    let (code, stderr) = told(folder, place, bad);
    assert_eq!(code, Some(1), "{place:?}: {stderr}");
    let errors: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("warpseq: warning: ")).collect();
    assert!(errors.len() == 1 && errors[0].starts_with("warpseq: error: "), "{place:?}: {stderr}");
    words.iter().for_each(|word| assert!(stderr.contains(word), "{place:?}: {stderr:?} lacks {word:?}"));
    assert!(contents(folder) == before, "{place:?} changed a file");
    stderr
}

/// Sequences that none may take, with place and reason.
fn bad_sequences() -> Vec<(Vec<u8>, &'static [&'static str])> {
    let fasta = gzip(b">a\nACGT\n");
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    vec![
        (b">a\nAC\0GT\n".to_vec(), &["bad, line 2, record 1: a NUL byte in the sequence, column 3"]),
        (b"\0\0\0\0".to_vec(), &["bad, line 1, record 0: expected `>` (FASTA) or `@` (FASTQ)", "a NUL byte"]),
        ([b"\xff\xfe".to_vec(), utf16(">a\nACGT\n")].concat(), &["bad, line 1, record 0: ", "UTF-16"]),
        (utf16(">a\nACGT\n"), &["bad, line 1, record 1: a NUL byte in the header line"]),
        (b"\xef\xbb\xbf>a\nACGT\n".to_vec(), &["bad, line 1, record 0: ", "byte order mark"]),
        (b">a\nACGT\n>\nACGT\n".to_vec(), &["bad, line 3, record 2: ", "no name"]),
        (b"\n\n>a\nACGT\n".to_vec(), &["bad, line 1, record 0: ", "an empty line"]),
        (fasta[..fasta.len() - 3].to_vec(), &["bad, line 3, record 1: ", "truncated"]),
        ([&fasta[..], b"\0\0\0"].concat(), &["bad, line 3, record 1: ", "found byte 0x00"]),
        ([&fasta[..], b">b\nACGT\n"].concat(), &["bad, line 3, record 1: ", "found byte 0x3e"]),
        (b"WARPSIG".to_vec(), &["bad, line 1, record 0: "]),
    ]
}

#[test]
fn sequences() {
    for (bytes, words) in bad_sequences() {
        let files = files(Some(&bytes));
        SEQUENCES.iter().chain(SIGNATURES).for_each(|place| drop(refused(files.path(), place, "bad", words)));
    }
}

/// The set of Cock et al.: those for fewer errors name the record that the corpus says.
#[test]
fn the_corpus_of_malformed_fastq() {
    let Some(corpus) = shared("corpus/fastq-cock") else { return };
    for (name, good) in crate::fastx::MALFORMED {
        let files = files(Some(&fs::read(corpus.join(format!("error_{name}.fastq"))).unwrap()));
        let record = format!(", record {}: ", good + 1);
        SEQUENCES.iter().for_each(|place| drop(refused(files.path(), place, "bad", &["bad, line ", &record])));
        SIGNATURES.iter().for_each(|place| drop(refused(files.path(), place, "bad", &[" must be FASTA"])));
        OTHERS.iter().for_each(|place| drop(refused(files.path(), place, "bad", &["bad"])));
    }
}

#[test]
fn the_corpus_of_well_formed_fastq_is_read() {
    let Some(corpus) = shared("corpus/fastq-cock") else { return };
    let files = files(None);
    let mut read = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("error_") || name.ends_with(".qual") {
            continue;
        }
        fs::copy(&path, files.path().join("some")).unwrap();
        let places: [Place; 4] = [
            &["scan", "BAD", "good.fa", "--wildcards", "n"],
            &["align", "BAD", "good.fa", "--literal"],
            &["sign", "build", "BAD"],
            &["sign", "dist", "BAD", "--k", "3", "--alphabet", "raw"],
        ];
        for place in places {
            let (code, stderr) = told(files.path(), place, "some");
            assert_eq!(code, Some(0), "{place:?} {name}: {stderr}");
            assert_ne!(fs::read(files.path().join("out")).unwrap(), b"old");
        }
        read += 1;
    }
    assert!(read > 40, "{read} files");
}

#[test]
fn what_is_no_file() {
    let files = files(None);
    fs::create_dir(files.path().join("folder")).unwrap();
    let long = "n".repeat(300);
    let matrix = OTHERS[0];
    for place in SEQUENCES.iter().chain(SIGNATURES).chain(OTHERS) {
        refused(files.path(), place, "folder", &["cannot ", " folder: ", "s a directory", "give a file"]);
        // It can be opened, and no byte of it read.
        refused(files.path(), place, "/proc/self/mem", &["cannot read /proc/self/mem: Input/output error"]);
        if *place != matrix {
            refused(files.path(), place, "absent", &["cannot ", " absent: No such file", "check the path"]);
            refused(files.path(), place, &long, &[&long, "File name too long"]);
        }
    }
    // What is no file may be the name of a matrix.
    assert_eq!(told(files.path(), matrix, "absent").0, Some(2));
}

#[test]
fn files_of_other_kinds() {
    let cases: [(Place, &[u8], &[&str]); 20] = [
        (OTHERS[0], b"", &["bad: line 1: expected a header row"]),
        (OTHERS[0], b"\n\n", &["bad: line 2: expected a header row"]),
        (OTHERS[0], b"  A C\nA 1 x\n", &["bad: line 2: expected a whole number in row A, found `x`"]),
        (OTHERS[0], b"  A C\nA 1 2\n", &["bad: line 2: there is no row for C"]),
        (OTHERS[0], &[0; 40], &["bad: line 1: "]),
        (OTHERS[0], &[b'#'; 2 << 20], &["bad: it is larger than 1 MiB"]),
        (OTHERS[1], b"a\tx\na\ty\n", &["bad, line 2, record 2: ", "`x` above"]),
        (OTHERS[1], b"a\tx\nb\n", &["bad, line 2, record 2: ", "a name, a tab and a group"]),
        (OTHERS[2], b"", &["bad: it is empty"]),
        (OTHERS[2], b"WARPSIG", &["bad: it is truncated"]),
        (OTHERS[3], b">a\nACGT\n", &["bad: it holds sequences"]),
        (OTHERS[4], b"", &["bad: it is empty, not a database file", "warpseq db build"]),
        (OTHERS[5], b">a\nACGT\n", &["bad: it holds sequences, not a database; `warpseq db build SEQUENCES.fasta -o"]),
        (OTHERS[6], b"WARPSDB", &["bad: it is truncated"]),
        (
            OTHERS[6],
            b"WARPSDB\x1a\x02\0\0\0",
            &["bad: it is a database file of version 2, but this program reads version 1"],
        ),
        (OTHERS[6], b"WARPSIG\x1a\x01\0\0\0", &["bad: it is not a database file"]),
        (OTHERS[7], b"# none\n\n", &["bad: there are no primer pairs"]),
        (OTHERS[7], b"a\tACGT\tACG\na\tACGT\tAAA\n", &["bad, line 2, record 2: the name a", "on line 1, too"]),
        (OTHERS[7], b"a\tACGT\tACQ\n", &["bad, line 1, record 1: 'Q', number 3 of the reverse primer"]),
        (OTHERS[7], &gzip(b"a\tACGT\n")[..], &["bad, line 1, record 1: ", "found 2 columns"]),
    ];
    for (place, bytes, words) in cases {
        refused(files(Some(bytes)).path(), place, "bad", words);
    }
}

/// Cut, altered and followed signature files, whoever opens them.
#[test]
fn damaged_signatures() {
    let whole = repository("fuzz/seeds/signatures/protein.wsig");
    let mut altered = whole.clone();
    altered[100] ^= 4;
    let places: [Place; 6] = [
        &["sign", "info", "BAD"],
        &["sign", "search", "BAD", "good.wsig"],
        &["sign", "search", "good.wsig", "BAD"],
        &["sign", "dist", "BAD"],
        &["sign", "cluster", "BAD", "--k", "1", "--summary", "old.tsv"],
        &["sign", "map", "BAD", "--svg", "old.svg"],
    ];
    let followed = [&gzip(&whole)[..], b"\0"].concat();
    for (bytes, words) in [
        (whole[..200].to_vec(), "bad: it is truncated"),
        (altered, "bad: it was altered"),
        ([&whole[..], b"\n"].concat(), "bad: it is truncated: its 329 bytes do not end with a trailer"),
        (gzip(&whole[..200]), "bad: it is truncated"),
        (gzip(&whole)[..90].to_vec(), "bad: the gzip stream is truncated"),
        (
            followed,
            "bad: the gzip stream is damaged: expected another gzip member or the end of the file, found byte 0x00",
        ),
    ] {
        let files = files(Some(&bytes));
        places.iter().for_each(|place| drop(refused(files.path(), place, "bad", &[words])));
    }
}

/// No records are no error where there may be none: an output of no rows, and a warning.
#[test]
fn empty_files_and_files_of_newlines() {
    for bytes in [&b""[..], b"\n", b"\r\n\n\n", &gzip(b"")] {
        let taken: [Place; 5] = [
            &["scan", "BAD", "good.fa"],
            &["amplicon", "BAD", "-F", "ACGT", "-R", "ACGT"],
            &["align", "BAD", "good.fa"],
            &["sign", "build", "BAD"],
            &["sign", "search", "BAD", "good.fa"],
        ];
        for place in taken {
            let (code, stderr) = told(files(Some(bytes)).path(), place, "bad");
            assert_eq!(code, Some(0), "{place:?}: {stderr}");
            assert!(stderr.contains("warpseq: warning: bad: there are no "), "{place:?}: {stderr}");
        }
        let not: [Place; 6] = [
            &["scan", "good.fq", "BAD"],
            OTHERS[7],
            &["align", "good.fa", "BAD"],
            &["sign", "search", "good.fa", "BAD"],
            SIGNATURES[1],
            &["sign", "info", "BAD"],
        ];
        not.iter().for_each(|place| drop(refused(files(Some(bytes)).path(), place, "bad", &["bad: "])));
    }
}

#[test]
fn very_long_names_and_lines() {
    let name = "n".repeat(1 << 20);
    let bytes = format!(">{name} {name}\nACGT\n");
    let files = files(Some(bytes.as_bytes()));
    for place in SEQUENCES.iter().chain(SIGNATURES) {
        if place.contains(&"sam") {
            // SAM has room for 254 bytes.
            let told = refused(files.path(), place, "bad", &["bad, line 1, record 1: the name ", "254"]);
            assert!(told.len() < 1000, "the message shows the whole name");
            continue;
        }
        let (code, stderr) = told(files.path(), place, "bad");
        assert_eq!(code, Some(0), "{place:?}: {}", stderr.chars().take(300).collect::<String>());
    }
}

#[test]
fn standard_input_twice() {
    let places: [Place; 7] = [
        &["probes", "-", "--exclude", "-"],
        &["amplicon", "-", "-p", "-"],
        &["amplicon", "-", "-", "-F", "A", "-R", "C"],
        &["scan", "-", "-"],
        &["align", "-", "-"],
        &["sign", "search", "-", "-"],
        &["sign", "dist", "-", "-"],
    ];
    for place in places {
        let (code, stderr) = told(files(None).path(), place, "-");
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains("cannot both come from standard input"), "{stderr}");
    }
}

/// A named pipe is read as the file it carries, good or bad, by whoever takes that file.
#[test]
fn named_pipes() {
    let good = b"@a first\nACGTTGCA\nAC\n+\nIIIIIIII\nII\n";
    for place in SEQUENCES {
        let [file, pipe] = [b"".as_slice(), good].map(|bad| files(Some(bad)));
        fs::remove_file(file.path().join("bad")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file.path().join("bad")).status().unwrap().success());
        let path = file.path().join("bad");
        let writer = std::thread::spawn(move || fs::write(path, good));
        let (code, stderr) = told(file.path(), place, "bad");
        writer.join().unwrap().unwrap();
        assert_eq!((code, &stderr), (Some(0), &told(pipe.path(), place, "bad").1), "{place:?}");
        fs::remove_file(file.path().join("bad")).unwrap();
        fs::remove_file(pipe.path().join("bad")).unwrap();
        assert!(contents(file.path()) == contents(pipe.path()), "{place:?}");
    }
}
