//! What `db build` writes, and `db info` tells.

use super::{ACIDS, bytes, drawn, files, inside, path, refused};
use crate::cli::{folder, names_in, run};
use crate::fastx::gzip;
use std::fs;

#[test]
fn the_same_sequences_give_the_same_bytes() {
    let targets = drawn('t', 300, 0..900, ACIDS, 31);
    let middle = targets.iter().rposition(|&byte| byte == b'>').unwrap() / 2;
    let cut = middle + targets[middle..].iter().position(|&byte| byte == b'>').unwrap();
    let files = folder(&[
        ("all.fa", &targets),
        ("all.fa.gz", &gzip(&targets)),
        ("a.fa", &targets[..cut]),
        ("b.fa.gz", &gzip(&targets[cut..])),
    ]);
    let built = |words: &str| {
        bytes(&files, &format!("db build {words} -o out.wdb"));
        fs::read(files.path().join("out.wdb")).unwrap()
    };
    let expected = built("all.fa");
    for words in ["all.fa.gz", "a.fa b.fa.gz", "all.fa -t 1", "all.fa --max-memory 1", "all.fa --alphabet protein"] {
        assert!(built(words) == expected, "{words}");
    }
    let piped = inside(&files, "db build -").stdin(fs::File::open(path(&files, "all.fa")).unwrap()).output().unwrap();
    assert!(piped.stdout == expected);
}

#[test]
fn info_tells_what_a_file_holds() {
    let files = files(b">q\nA\n", b">a\nMKV\n>b x\n\n>c\nMKVLLA\n");
    let bytes_of = fs::read(files.path().join("t.wdb")).unwrap();
    let sum: String = bytes_of[bytes_of.len() - 16..].iter().take(8).rev().map(|byte| format!("{byte:02x}")).collect();
    let length = bytes_of.len();
    assert_eq!(
        bytes(&files, "db info t.wdb"),
        format!(
            "t.wdb\n    format      version 1, {length} bytes, checksum {sum}: ok\n    sequences   3 proteins, 9 letters in all\n    \
             lengths     0 to 6, 1 sequences without letters\n"
        )
    );
    assert_eq!(
        bytes(&files, "db info t.wdb --format tsv"),
        format!(
            "file\tversion\talphabet\tsequences\tempty\tletters\tshortest\tlongest\tbytes\tchecksum\n\
             t.wdb\t1\tproteins\t3\t1\t9\t0\t6\t{length}\t{sum}\n"
        )
    );
    let object: serde_json::Value = serde_json::from_str(&bytes(&files, "db info t.wdb --format jsonl")).unwrap();
    assert_eq!(
        (&object["letters"], &object["alphabet"], &object["checksum"]),
        (&9.into(), &"proteins".into(), &sum.into())
    );
}

#[test]
fn what_makes_no_database_is_refused_and_leaves_nothing() {
    let dna = format!(">d\n{}\n", "ACGTN".repeat(30));
    let files = folder(&[
        ("p.fa", b">p\nMKLW\n"),
        ("d.fa", dna.as_bytes()),
        ("gap.fa", b">g\nMK-V\n"),
        ("none.fa", b""),
        ("mixed.fa", format!(">p\nMKLW\n{dna}").as_bytes()),
    ]);
    let before = names_in(files.path());
    for (words, said) in [
        ("p.fa d.fa", "d.fa: record d has letters of nucleotides alone, and record p of p.fa is a protein"),
        ("d.fa p.fa", "make one of each, or give --alphabet protein if both are proteins"),
        ("mixed.fa", "mixed.fa: record d has letters of nucleotides alone"),
        (
            "gap.fa",
            "gap.fa, line 2, record 1: '-' cannot be stored: expected letters, or * in a protein; sequences are",
        ),
        (
            "p.fa --alphabet nucleotide",
            "p.fa, line 2, record 1: 'L' cannot be stored: expected A, C, G, T, U or another IUPAC",
        ),
        ("none.fa", "none.fa: there are no sequences in it, and a database needs some"),
    ] {
        let (code, message) = refused(&files, &format!("db build {words} -o out.wdb"));
        assert!(code == Some(1) && message.contains(said), "{words}: {message}");
        assert_eq!(names_in(files.path()), before);
    }
    let (code, _, stderr) = run(&mut inside(&files, "db build p.fa none.fa -o out.wdb"));
    assert_eq!((code, stderr.as_str()), (Some(0), "warpseq: warning: none.fa: there are no sequences in it\n"));
    for words in ["p.fa d.fa --alphabet protein", "d.fa --alphabet dna"] {
        bytes(&files, &format!("db build {words} -o out.wdb"));
    }
    assert!(bytes(&files, "db info out.wdb").contains("1 nucleotides, 150 letters"));
}
