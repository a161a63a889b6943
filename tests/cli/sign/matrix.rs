//! `sign dist --format phylip-strict`: a matrix for PHYLIP, and the table of its names.

use super::PROTEINS;
use crate::cli::{folder, names_in, run, text, warpseq};

#[test]
fn names_have_ten_characters_and_a_table() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let [fasta, matrix, names] = ["x.fa", "m.dist", "n.tsv"].map(|name| text(&files.path().join(name)));
    let dist = |options: &[&str]| run(warpseq(&["sign", "dist", &fasta, "--device", "cpu", "-q"]).args(options));
    let strict = ["--format", "phylip-strict", "--names", &names, "-o", &matrix];
    let (code, _, stderr) = dist(&strict);
    assert_eq!(code, Some(0), "{stderr}");
    let expected = (1..).zip(["a", "b", "c", "d", "e"]).map(|(number, name)| format!("s{number:09}\t{name}\n"));
    assert_eq!(std::fs::read_to_string(&names).unwrap(), format!("name\tsequence\n{}", expected.collect::<String>()));
    let mut written = std::fs::read_to_string(&matrix).unwrap();
    for (number, name) in (1..).zip(["a", "b", "c", "d", "e"]) {
        written = written.replace(&format!("s{number:09} "), &format!("{name} "));
    }
    assert_eq!(written.replace(' ', "\t"), dist(&["--format", "phylip"]).1);
}

#[test]
fn names_and_their_table_go_together() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let [fasta, names] = ["x.fa", "n.tsv"].map(|name| text(&files.path().join(name)));
    for (options, words) in [
        (&["--format", "phylip-strict"][..], "add --names FILE"),
        (&["--format", "phylip", "--names", &names], "--names is for --format phylip-strict"),
        (&["--names", &names], "--names is for --format phylip-strict"),
        (&[&fasta, "--format", "phylip-strict", "--names", &names], "one file with itself"),
        (&["--format", "phylip-strict", "--names", "-"], "different files"),
    ] {
        let (code, _, stderr) = run(warpseq(&["sign", "dist", &fasta, "--device", "cpu"]).args(options));
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
        assert_eq!(names_in(files.path()), ["x.fa"]);
    }
}
