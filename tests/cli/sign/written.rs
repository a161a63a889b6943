//! What is written: a file that says what it holds, or bare signatures.

use super::{PROTEINS, build, built, bytes};
use crate::cli::{folder, names_in, run, text, warpseq};
use crate::place;
use warpseq::sign::collection::Collection;
use warpseq::sign::{Alphabet, Parameters, Window};

/// The collection in a file of that name, built with these options from these sequences.
fn collection(name: &str, sequences: &[u8], options: &[&str]) -> Collection {
    let files = folder(&[("x.fa", sequences)]);
    let path = |name: &str| text(&files.path().join(name));
    let (code, stdout, stderr) = run(build(&path("x.fa"), options).args(["-o", &path(name)]));
    assert_eq!((code, stdout.as_str()), (Some(0), ""), "{options:?}: {stderr}");
    assert_eq!(names_in(files.path()), [name, "x.fa"]);
    Collection::open(&files.path().join(name)).unwrap()
}

#[test]
fn a_file_says_what_it_holds() {
    for name in ["out.wsig", "out.wsig.gz"] {
        let found = collection(name, PROTEINS, &["--window", "16"]);
        assert_eq!(found.parameters, Parameters { window: Window::Length(16), ..Parameters::PROTEIN });
        assert_eq!(found.names, [b"a", b"b", b"c", b"d", b"e"]);
        assert_eq!(found.lengths, [26, 9, 0, 2, 40]);
        assert_eq!(found.firsts, [0, 3, 4, 4, 5, 9]);
        let present: Vec<bool> = (0..9).map(|window| found.is_present(window)).collect();
        assert_eq!(present, [true, true, true, true, false, true, true, true, true]);
    }
}

#[test]
fn what_a_file_holds_is_told() {
    let files = folder(&[("x.wsig", &built(PROTEINS, &["--preset", "qut"]))]);
    let (code, stdout, stderr) = run(&mut warpseq(&["sign", "info", &text(&files.path().join("x.wsig"))]));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.contains("--alphabet raw --k 3 --window 16 --bits 64 --hash pcg --density 21"), "{stdout}");
}

#[test]
fn options_decide_and_presets_give_way() {
    let parameters = |options: &[&str]| collection("out.wsig", PROTEINS, options).parameters;
    let qut = Parameters::QUT;
    assert_eq!(parameters(&[]), Parameters::PROTEIN);
    assert_eq!(parameters(&["--preset", "qut"]), qut);
    assert_eq!(parameters(&["--preset", "qut", "--k", "4", "--bits", "128"]), Parameters { k: 4, bits: 128, ..qut });
    assert_eq!(parameters(&["--preset", "qut", "--window", "whole"]), Parameters { window: Window::Whole, ..qut });
    let protein = Parameters { alphabet: Alphabet::Protein, ..qut };
    assert_eq!(parameters(&["--preset", "qut", "--alphabet", "auto"]), protein);
    assert_eq!(parameters(&["--preset", "qut", "--density", "30"]), Parameters { density: 30, ..qut });
    let dna = collection("out.wsig", b">s\nACGTNNACGT\n>t\nMKVL\n", &["--k", "5", "--no-canonical"]).parameters;
    assert_eq!(dna, Parameters { k: 5, canonical: false, ..Parameters::DNA });
}

/// Regression: the first record decided, even an empty one, and gaps and ambiguity codes were no nucleotides.
#[test]
fn the_alphabet_is_judged_by_the_letters_of_the_file() {
    let parameters = |sequences: &[u8]| collection("out.wsig", sequences, &[]).parameters;
    assert_eq!(parameters(b">a\n\n>b\nMKVLATFEQI\n"), Parameters::PROTEIN);
    assert_eq!(parameters(b">a\nAC\n>b\nMKVLATFEQIMKVLATFEQI\n"), Parameters::PROTEIN);
    assert_eq!(parameters(b">a\n----------..ACGT\n"), Parameters::DNA);
    assert_eq!(parameters(b">a\nRYSWKMBDHV\n>b\nACGT\n"), Parameters::DNA);
}

#[test]
fn bare_signatures_and_their_numbers() {
    let bare = built(PROTEINS, &["--preset", "qut", "--raw"]);
    let numbered = built(PROTEINS, &["--preset", "qut", "--raw", "--ids"]);
    let numbers: Vec<u32> = numbered.chunks(12).map(|c| u32::from_le_bytes(c[..4].try_into().unwrap())).collect();
    assert_eq!(numbers, [0, 0, 0, 1, 2, 3, 4, 4, 4, 4]);
    assert_eq!(numbered.chunks(12).flat_map(|c| c[4..].to_vec()).collect::<Vec<_>>(), bare);
    // One sequence is empty, one is shorter than k.
    assert_eq!(bare[4 * 8..6 * 8], [0; 16]);
}

#[test]
fn the_report_s_proteins() {
    let Some(path) = place::shared("data/qut_xs.fasta") else { return };
    let (code, stdout, _) = bytes(&mut build(&text(&path), &["--preset", "qut", "--raw"]));
    assert_eq!((code, stdout.len()), (Some(0), 288));
    let twice = bytes(&mut build(&text(&path), &["--preset", "qut", "--raw", "--verify", "-q"]));
    assert!(twice.1 == stdout && twice.2.ends_with("identical\n"), "{}", twice.2);
}

#[test]
fn no_sequences_are_an_empty_file_and_a_warning() {
    let files = folder(&[("x.fa", b"")]);
    let path = |name: &str| text(&files.path().join(name));
    let (code, _, stderr) = run(build(&path("x.fa"), &[]).args(["-o", &path("out.wsig")]));
    assert_eq!(code, Some(0));
    assert!(stderr.starts_with("warpseq: warning: ") && stderr.ends_with("x.fa: there are no sequences in it\n"));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let found = Collection::open(&files.path().join("out.wsig")).unwrap();
    assert!(found.is_empty() && found.window_count() == 0);
    assert_eq!(built(b"", &["--raw"]), b"");
}
