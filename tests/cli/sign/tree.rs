//! `sign tree`: trees of files, names, and what has no place in a tree.

use super::{PROTEINS, built};
use crate::cli::{folder, names_in, run, run_with, text, warpseq};

fn tree(input: &str, options: &[&str]) -> std::process::Command {
    let mut command = warpseq(&["sign", "tree", input, "--device", "cpu"]);
    command.args(options);
    command
}

#[test]
fn sequences_and_their_signatures_have_one_tree() {
    let signed = built(&std::fs::read("data/families.fastq").unwrap(), &["--k", "11"]);
    let files = folder(&[("f.wsig", &signed)]);
    let (code, from_signatures, stderr) = run(&mut tree(&text(&files.path().join("f.wsig")), &["--verify"]));
    assert_eq!((code, stderr.lines().count()), (Some(0), 1), "{stderr}");
    let from_sequences = run(&mut tree("data/families.fastq", &["--k", "11"])).1;
    assert_eq!(from_signatures, from_sequences);
    assert!(from_signatures.starts_with('(') && from_signatures.ends_with(");\n"), "{from_signatures}");
    assert_eq!(from_signatures.matches("sample_").count(), 40);
    assert_eq!(from_signatures.matches(':').count(), 2 * 40 - 3, "branches of a tree without a root");
    let one_thread = run(&mut tree("data/families.fastq", &["--k", "11", "--threads", "1"])).1;
    assert_eq!(from_signatures, one_thread);
}

#[test]
fn sequences_without_a_signature_are_left_out() {
    let (code, stdout, stderr) = run_with(&mut tree("-", &["-v"]), PROTEINS);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(["(a:", ",b:", ",e:"].iter().all(|part| stdout.contains(part)) && !stdout.contains('d'), "{stdout}");
    assert!(stderr.contains("2 sequences without a signature are not in the tree"), "{stderr}");
    for (sequences, expected) in
        [("", ";\n"), (">x\nMKVLAT\n", "x;\n"), (">x'y\nMKVLAT\n>z\nMKVLAT\n", "('x''y':0.000000,z:0.000000);\n")]
    {
        let (code, stdout, stderr) = run_with(&mut tree("-", &[]), sequences.as_bytes());
        assert_eq!((code, stdout.as_str()), (Some(0), expected), "{stderr}");
    }
}

#[test]
fn too_many_sequences_are_refused() {
    let many: String = (0..5001).map(|k| format!(">s{k}\nMKVL\n")).collect();
    let files = folder(&[("x.fa", many.as_bytes())]);
    let [fasta, out] = ["x.fa", "out.nwk"].map(|name| text(&files.path().join(name)));
    let (code, _, stderr) = run(&mut tree(&fasta, &["--bits", "64", "-o", &out]));
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("5001 sequences") && stderr.contains("0.2 GB") && stderr.contains("at most 5000"),
        "{stderr}"
    );
    assert_eq!(names_in(files.path()), ["x.fa"]);
}

/// Needs PHYLIP's neighbor, and says "skipped" without it.
#[test]
fn trees_are_those_of_phylip() {
    crate::cli::tool("oracle/tree.py", &["--trees", "20"], "trees");
}
