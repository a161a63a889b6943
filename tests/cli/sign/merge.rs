//! `sign merge`: the bytes of one build, or a reason.

use super::{PROTEINS, build, built, bytes};
use crate::cli::{folder, names_in, run, text, warpseq};

#[test]
fn merged_files_are_the_file_of_all_sequences() {
    let more = b">m\nACDEFGHIKLMNPQRSTVWY\n>n\nAC\n";
    let files = folder(&[("a.fa", PROTEINS), ("b.fa", more), ("none.fa", b"")]);
    let path = |name: &str| text(&files.path().join(name));
    for options in [&["--alphabet", "protein"][..], &["--preset", "qut"], &["--k", "5", "--alphabet", "dna"]] {
        let sequences = ["a.fa", "none.fa", "b.fa"].map(path);
        let signatures = ["a.wsig", "none.wsig", "b.wsig.gz"].map(path);
        for (sequences, signatures) in sequences.iter().zip(&signatures) {
            let (code, _, stderr) = run(build(sequences, options).args(["-q", "-o", signatures]));
            assert_eq!(code, Some(0), "{stderr}");
        }
        let whole = bytes(build(&sequences[0], options).args(&sequences[1..]).arg("-q"));
        let merged = bytes(warpseq(&["sign", "merge", "-v"]).args(&signatures));
        assert_eq!((merged.0, merged.2.as_str()), (Some(0), "warpseq: 7 sequences of 3 files\n"));
        assert!(merged.1 == whole.1, "{options:?}");
        let again = bytes(&mut warpseq(&["sign", "merge", &signatures[0]]));
        assert!(again.1 == std::fs::read(&signatures[0]).unwrap(), "{options:?}");
    }
}

#[test]
fn other_parameters_and_files_are_refused() {
    let files = folder(&[
        ("a.wsig", &built(PROTEINS, &[])),
        ("b.wsig", &built(PROTEINS, &["--k", "4", "--bits", "64"])),
        ("x.fa", PROTEINS),
    ]);
    let [a, b, fasta, out] = ["a.wsig", "b.wsig", "x.fa", "out.wsig"].map(|name| text(&files.path().join(name)));
    let cases: [(&[&str], i32, &[&str]); 5] = [
        (&[&a, &b], 1, &[&a, &b, "--k 4", "--k 3", "the same parameters"]),
        (&[&a, &fasta], 1, &[&fasta, "it holds sequences"]),
        (&["-", "-"], 2, &["`-` is given twice"]),
        (&[&a, "absent"], 1, &["absent"]),
        (&[], 2, &["FILES"]),
    ];
    for (inputs, expected, words) in cases {
        let (code, stdout, stderr) = run(warpseq(&["sign", "merge", "-o", &out]).args(inputs));
        assert_eq!((code, stdout.as_str()), (Some(expected), ""), "{stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{stderr:?} lacks {word:?}"));
    }
    let (code, _, stderr) = run(&mut warpseq(&["sign", "merge", &a, "-o", &a]));
    assert!(code == Some(1) && stderr.contains("this output is the input"), "{stderr}");
    assert_eq!(names_in(files.path()), ["a.wsig", "b.wsig", "x.fa"]);
}
