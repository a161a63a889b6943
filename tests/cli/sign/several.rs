//! Several files: one after the other, or each as one record.

use super::{build, bytes};
use crate::cli::{folder, names_in, run, run_with, text, warpseq};
use warpseq::sign::collection::Collection;
use warpseq::sign::{Parameters, reference::Reference};

const A: &[u8] = b">a1\nACGTTGCAGGATCCAGTACCA\n>a2\nGGATCCATTACAGG\n";
const B: &[u8] = b">b1\nCAGGATTACAGATTACCAT\n";
const DNA: &[&str] = &["--k", "5"];

fn path(files: &tempfile::TempDir, name: &str) -> String {
    text(&files.path().join(name))
}

#[test]
fn files_are_signed_in_their_order() {
    let files = folder(&[("a.fa", A), ("b.fa", B), ("none.fa", b""), ("ab.fa", &[A, B].concat())]);
    let names = ["a.fa", "none.fa", "b.fa"].map(|name| path(&files, name));
    for options in [DNA, &["--k", "5", "--window", "8"], &["--k", "5", "--raw", "--ids"]] {
        let whole = bytes(&mut build(&path(&files, "ab.fa"), options));
        let parts = bytes(build(&names[0], options).args(&names[1..]));
        assert_eq!((parts.0, &parts.1), (Some(0), &whole.1), "{options:?}");
        let warning = format!("warpseq: warning: {}: there are no sequences in it\n", names[1]);
        assert_eq!((whole.2.as_str(), parts.2), ("", warning));
        let piped = run_with(build(&names[0], options).args(["-", "--verify", "-o", &path(&files, "out")]), B);
        assert_eq!((piped.0, std::fs::read(path(&files, "out")).unwrap()), (Some(0), whole.1), "{}", piped.2);
    }
}

#[test]
fn the_first_file_decides_the_alphabet() {
    let files = folder(&[("a.fa", A), ("p.fa", b">p\nMKVLATFEQIMKVLATFEQI\n")]);
    for (first, second, expected) in [("a.fa", "p.fa", Parameters::DNA), ("p.fa", "a.fa", Parameters::PROTEIN)] {
        let out = path(&files, "out.wsig");
        let (code, _, _) = run(build(&path(&files, first), &["-q"]).args([&path(&files, second), "-o", &out]));
        let found = Collection::open(out.as_ref()).unwrap();
        assert_eq!((code, found.parameters, found.len()), (Some(0), expected, 3));
    }
}

#[test]
fn each_file_is_one_record() {
    let files = folder(&[("a.fna.gz", &gzip(A)), ("b_1.fa", B), ("none.fa", b"")]);
    let names = ["a.fna.gz", "b_1.fa", "none.fa"].map(|name| path(&files, name));
    let out = path(&files, "out.wsig");
    let (code, _, stderr) =
        run(build(&names[0], DNA).args(&names[1..]).args(["--per-file", "--verify", "-v", "-o", &out]));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("none.fa: there are no sequences in it"), "{stderr}");
    assert!(stderr.contains("3 sequences, 54 residues, 3 windows"), "{stderr}");
    let found = Collection::open(out.as_ref()).unwrap();
    assert_eq!(found.names, [&b"a"[..], b"b_1", b"none"]);
    assert_eq!((&found.lengths[..], &found.firsts[..]), (&[35, 19, 0][..], &[0, 1, 2, 2][..]));
    let mut reference = Reference::new(Parameters { k: 5, ..Parameters::DNA });
    let sequences: Vec<&[u8]> =
        A.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"A") || line.starts_with(b"G")).collect();
    assert_eq!(sequences.len(), 2);
    assert_eq!(Some(found.signature(0).to_vec()), reference.sign_file(&sequences));
    assert_eq!(found.words(0), Some(17 + 10));
}

fn gzip(text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn what_cannot_be_is_refused() {
    let files = folder(&[("a.fa", A), ("a.fna", B)]);
    let [first, second] = ["a.fa", "a.fna"].map(|name| path(&files, name));
    let out = path(&files, "out.wsig");
    let cases: [(&[&str], &[&str]); 5] = [
        (&[&second, "--per-file"], &[&first, &second, "called a", "rename"]),
        (&["-", "-"], &["`-` is given twice"]),
        (&["--per-file", "--k", "5", "--window", "16"], &["--per-file", "--window 16", "--window whole"]),
        (&["--per-file", "--preset", "qut"], &["--per-file", "--window whole"]),
        (&["--per-file", "--alphabet", "raw"], &["--per-file", "raw"]),
    ];
    for (arguments, words) in cases {
        let (code, stdout, stderr) = run(build(&first, &[]).args(arguments).args(["-o", &out]));
        assert_eq!((code, stdout.as_str(), stderr.lines().count()), (Some(2), "", 1), "{stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
    }
    let (code, _, stderr) = run(build(&first, &[]).args([&second, "-o", &second]));
    assert!(code == Some(1) && stderr.contains("this output is the input"), "{stderr}");
    assert_eq!(
        (run(&mut warpseq(&["sign", "build"])).0, names_in(files.path())),
        (Some(2), vec!["a.fa".into(), "a.fna".into()])
    );
}
