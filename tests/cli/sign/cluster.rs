//! `sign cluster`: tables, messages, and what is refused.

use super::PROTEINS;
use crate::cli::{folder, names_in, run, text, warpseq};

/// Exit code, standard output and standard error of clustering these sequences on the CPU.
fn cluster(sequences: &[u8], options: &[&str]) -> (Option<i32>, String, String) {
    let files = folder(&[("x.fa", sequences)]);
    let path = text(&files.path().join("x.fa"));
    run(warpseq(&["sign", "cluster", &path, "--device", "cpu"]).args(options))
}

#[test]
fn a_line_per_sequence_with_its_cluster() {
    let (code, stdout, stderr) = cluster(PROTEINS, &["--k", "3"]);
    assert_eq!(code, Some(0), "{stderr}");
    let lines: Vec<Vec<&str>> = stdout.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["sequence", "start", "end", "cluster", "distance"]);
    // c is empty, d has no k-mer; the others are alone in their clusters.
    assert_eq!(lines[1..].iter().map(|line| line[0]).collect::<Vec<_>>(), ["a", "b", "d", "e"]);
    assert_eq!(lines[3], ["d", "0", "2", "NA", "NA"]);
    let mut clusters: Vec<&str> = [1, 2, 4].map(|k| lines[k][3]).to_vec();
    clusters.sort_unstable();
    assert_eq!(clusters, ["0", "1", "2"]);
    assert!([1, 2, 4].iter().all(|&k| lines[k][4] == "0"), "{stdout}");
    assert!(stderr.contains("3 windows in 3 clusters") && stderr.contains("medoid"), "{stderr}");
}

#[test]
fn threads_and_the_kind_of_file_change_nothing() {
    let sequences = PROTEINS.repeat(200);
    let files = folder(&[("x.fa", &sequences[..])]);
    let [fasta, signed] = ["x.fa", "x.wsig"].map(|name| text(&files.path().join(name)));
    assert_eq!(run(&mut warpseq(&["sign", "build", &fasta, "-q", "-o", &signed])).0, Some(0));
    let (_, expected, _) = cluster(&sequences, &["--k", "4", "--seed", "9"]);
    for (file, threads) in [(&fasta, "1"), (&signed, "1"), (&signed, "3")] {
        let options = ["--k", "4", "--seed", "9", "--verify", "-q", "-t", threads, "--device", "cpu"];
        let (code, stdout, stderr) = run(warpseq(&["sign", "cluster", file]).args(options));
        assert_eq!((code, stdout == expected), (Some(0), true), "{file} {threads}: {stderr}");
        assert!(stderr.contains("identical"), "{stderr}");
    }
}

#[test]
fn the_summary_has_a_line_per_cluster() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let [fasta, members, summary] = ["x.fa", "m.tsv", "s.tsv"].map(|name| text(&files.path().join(name)));
    let options = ["--k", "1", "-q", "-o", &members, "--summary", &summary];
    let (code, _, stderr) = run(warpseq(&["sign", "cluster", &fasta, "--device", "cpu"]).args(options));
    assert_eq!((code, &stderr[..]), (Some(0), ""));
    let table = std::fs::read_to_string(&summary).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "cluster\tsize\tmean_distance\tmax_distance\tmedoid\tmedoid_start\tmedoid_end");
    assert!(lines.len() == 2 && lines[1].starts_with("0\t3\t"), "{table}");
}

#[test]
fn nothing_to_cluster_is_a_warning() {
    for sequences in [&b""[..], b">a\n\n>b\nMK\n"] {
        let (code, stdout, stderr) = cluster(sequences, &["--k", "2"]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.starts_with("sequence\t") && !stdout.contains("\t0\t0\n"), "{stdout}");
        assert!(stderr.contains("no windows with a signature"), "{stderr}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let files = folder(&[("x.fa", PROTEINS)]);
    let [fasta, out] = ["x.fa", "out.tsv"].map(|name| text(&files.path().join(name)));
    for (options, words) in [
        (&["--k", "0"][..], "at least one"),
        (&["--k", "4"], "at most 3"),
        (&["--k", "2", "--summary", &out], "different files"),
        (&[], "--clusters"),
        (&["--clusters", "many"], "or auto"),
        (&["--clusters", "2", "--max-distance", "9"], "cannot be used with"),
    ] {
        let (code, _, stderr) = run(warpseq(&["sign", "cluster", &fasta, "--device", "cpu", "-o", &out]).args(options));
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
        assert_eq!(names_in(files.path()), ["x.fa"]);
    }
}

#[test]
fn the_number_of_clusters_is_found() {
    let sequences = std::fs::read("data/families.fastq").unwrap();
    let signed = super::built(&sequences, &["--k", "11", "--bits", "1024"]);
    let files = folder(&[("f.wsig", &signed)]);
    let path = text(&files.path().join("f.wsig"));
    let clustered = |options: &[&str]| run(warpseq(&["sign", "cluster", &path, "--device", "cpu"]).args(options));
    let (code, by_number, _) = clustered(&["--k", "5"]);
    let (_, found, stderr) = clustered(&["--clusters", "auto", "--verify"]);
    assert_eq!((code, &found), (Some(0), &by_number), "{stderr}");
    assert!(stderr.contains("of 2 to 20 clusters, 5 have the largest silhouette, 0.592"), "{stderr}");
    // Within a family at most 278 bits differ, between families at least 464.
    let (code, linked, stderr) = clustered(&["--max-distance", "300", "--verify"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("40 windows in 5 clusters\n"), "{stderr}");
    let of = |table: &str| table.lines().map(|line| line.split('\t').nth(3).unwrap().to_owned()).collect::<Vec<_>>();
    let (by_number, linked) = (of(&by_number), of(&linked));
    for (i, j) in (1..=40).flat_map(|i| (i + 1..=40).map(move |j| (i, j))) {
        assert_eq!(by_number[i] == by_number[j], linked[i] == linked[j], "{i} {j}");
    }
    assert_eq!((linked.len(), &linked[1][..]), (41, "0"));
    assert!(clustered(&["--max-distance", "1024"]).2.contains("in 1 clusters"));
    assert!(clustered(&["--max-distance", "0"]).2.contains("in 40 clusters"));
}
