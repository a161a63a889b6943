//! `sign map`: table, picture, groups and silhouettes.

use super::PROTEINS;
use crate::cli::{folder, names_in, run, text, warpseq};
use crate::place;

/// The viruses of `virus_genomes.fasta` in its order, and how many records each has.
const VIRUSES: [(&str, usize); 8] = [
    ("Zika", 100),
    ("chikungunya", 39),
    ("dengue", 54),
    ("Ebola", 40),
    ("RSV-A", 32),
    ("hMPV", 98),
    ("influenza H3N2", 48),
    ("West Nile", 91),
];

#[test]
fn records_with_a_signature_are_in_the_table() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let (code, stdout, stderr) =
        run(&mut warpseq(&["sign", "map", &text(&files.path().join("x.fa")), "--device", "cpu"]));
    assert_eq!(code, Some(0), "{stderr}");
    let names: Vec<&str> = stdout.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(names, ["sequence", "a", "b", "e"]);
    assert!(stderr.contains("2 sequences without a signature are not on the map"), "{stderr}");
}

#[test]
fn nothing_is_a_header_and_a_warning() {
    let files = folder(&[("x.fa", b"")]);
    let [fasta, svg] = ["x.fa", "x.svg"].map(|name| text(&files.path().join(name)));
    let (code, stdout, stderr) = run(&mut warpseq(&["sign", "map", &fasta, "--device", "cpu", "--svg", &svg]));
    assert_eq!((code, &stdout[..]), (Some(0), "sequence\tx\ty\n"));
    assert!(stderr.contains("no sequences in it"), "{stderr}");
    assert!(std::fs::read_to_string(&svg).unwrap().contains("0 records"));
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let files = folder(&[("x.fa", PROTEINS), ("g.tsv", b"a\tone\nb\n"), ("h.tsv", b"a\tone\na\ttwo\n")]);
    let [fasta, out, pairs, twice] = ["x.fa", "out.svg", "g.tsv", "h.tsv"].map(|name| text(&files.path().join(name)));
    for (options, expected, words) in [
        (&["-o", &out][..], 2, "--svg"),
        (&["--svg", "-"], 2, "different files"),
        (&["--group-by", "_"], 2, "such as _:2"),
        (&["--group-by", "_:1", "--groups", &pairs], 2, "--groups"),
        (&["--svg", &out, "--groups", &pairs], 1, "line 2"),
        (&["--svg", &out, "--groups", &twice], 1, "`one` above"),
        (&["--svg", &pairs, "--groups", &pairs], 1, ""),
        (&["--k", "0"], 2, "--k 0"),
    ] {
        let (code, _, stderr) = run(warpseq(&["sign", "map", &fasta, "--device", "cpu"]).args(options));
        assert_eq!(code, Some(expected), "{options:?}: {stderr}");
        assert!(stderr.contains(words), "{stderr}");
        assert_eq!(names_in(files.path()), ["g.tsv", "h.tsv", "x.fa"]);
    }
}

/// Regression: 3 GB were read into memory before the line was looked at, and `/dev/zero` without end.
#[test]
fn groups_that_are_no_text_are_refused_at_once() {
    let files = folder(&[("x.fa", PROTEINS), ("g.tsv", b"a\tone\nb\tone\n")]);
    let [fasta, sparse, out] = ["x.fa", "g.tsv", "out.tsv"].map(|name| text(&files.path().join(name)));
    std::fs::File::options().write(true).open(&sparse).unwrap().set_len(3 << 30).unwrap();
    for (groups, words) in
        [(&*sparse, "g.tsv, line 3, record 3: a NUL byte"), ("/dev/zero", "zero, line 1, record 1: a NUL")]
    {
        let options = ["--groups", groups, "--device", "cpu", "-o", &out];
        let (code, _, stderr) = run(warpseq(&["sign", "map", &fasta]).args(options));
        assert!(code == Some(1) && stderr.contains(words), "{stderr}");
        assert_eq!(names_in(files.path()), ["g.tsv", "x.fa"]);
    }
}

#[test]
fn groups_of_names_are_columns_and_colours() {
    let files = folder(&[("x.fa", b">p1_x\nMKVLATW\n>p2_y\nMKVLATY\n>p3\nWWWWWWW\n>p4_x\nMKVLATWW\n")]);
    let [fasta, svg] = ["x.fa", "x.svg"].map(|name| text(&files.path().join(name)));
    let options = ["--group-by", "_:2", "--svg", &svg, "--device", "cpu"];
    let (code, stdout, stderr) = run(warpseq(&["sign", "map", &fasta]).args(options));
    assert_eq!(code, Some(0), "{stderr}");
    let groups: Vec<&str> = stdout.lines().map(|line| line.rsplit('\t').next().unwrap()).collect();
    assert_eq!(groups, ["group", "x", "y", "NA", "x"]);
    let picture = std::fs::read_to_string(&svg).unwrap();
    for shown in ["x (2)", "y (1)", "no group (1)", "p3", "2 groups, 4 records"] {
        assert!(picture.contains(shown), "{shown} in {picture}");
    }
    assert!(stderr.contains("1 of 4 records are in no group") && stderr.contains("silhouette"), "{stderr}");
}

/// The silhouettes on standard error, by group.
fn silhouettes(stderr: &str) -> Vec<(String, f64)> {
    let rows = stderr.lines().skip_while(|line| !line.contains("records  silhouette  group")).skip(1);
    let row = |line: &str| {
        let mut words = line.split_whitespace().skip(2);
        let silhouette = words.next()?.parse().ok()?;
        Some((words.collect::<Vec<_>>().join(" "), silhouette))
    };
    rows.filter_map(row).collect()
}

#[test]
fn viruses_are_separated() {
    let Some(genomes) = place::shared("data/virus_genomes.fasta") else { return };
    let fasta = std::fs::read_to_string(&genomes).expect("the genomes can be read");
    let names = fasta.lines().filter_map(|line| line.strip_prefix('>')?.split_whitespace().next());
    let viruses = VIRUSES.iter().flat_map(|&(virus, count)| vec![virus; count]);
    let table: String = names.zip(viruses).map(|(name, virus)| format!("{name}\t{virus}\n")).collect();
    let files = folder(&[("viruses.tsv", table.as_bytes())]);
    let [groups, svg] = ["viruses.tsv", "map.svg"].map(|name| text(&files.path().join(name)));
    let options = ["--k", "11", "--bits", "1024", "--groups", &groups, "--svg", &svg, "--device", "cpu"];
    let (code, stdout, stderr) = run(warpseq(&["sign", "map", &text(&genomes)]).args(options));
    assert_eq!((code, stdout.lines().count()), (Some(0), 503), "{stderr}");
    let found = silhouettes(&stderr);
    assert_eq!(found.len(), 8, "{stderr}");
    assert!(found.iter().all(|(_, silhouette)| *silhouette > 0.05), "{stderr}");
    assert!(stderr.contains("silhouette 0.367 of 502 records in 8 groups"), "{stderr}");
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(VIRUSES.iter().all(|(virus, count)| picture.contains(&format!("{virus} ({count})"))));
}
