//! Inputs that must be read, with all that is read from them.

use super::{Reading, records_of};
use warpseq::fastx::{Kind, Reader};

/// Name, sequence, quality.
type Row = (&'static str, &'static str, &'static str);

const TABLE: &[(&str, &[Row])] = &[
    (">a\nACGT\n", &[("a", "ACGT", "")]),
    (">a\nACGT", &[("a", "ACGT", "")]),
    (">a some words\nAC\nGT\n>b\nacgtn*-.\n", &[("a", "ACGT", ""), ("b", "acgtn*-.", "")]),
    (">a\r\nAC\r\nGT\r\n>b\r\nT\r\n", &[("a", "ACGT", ""), ("b", "T", "")]),
    (">a\r\nAC\r\nGT\r", &[("a", "ACGT", "")]),
    (">a\nAC\n\n>b\nGT\n\n\n", &[("a", "AC", ""), ("b", "GT", "")]),
    (">a\n>b\n\n>c", &[("a", "", ""), ("b", "", ""), ("c", "", "")]),
    (">a\ttab\nAC>GT\n", &[("a", "AC>GT", "")]),
    ("@a\nACGT\n+\nIIII\n", &[("a", "ACGT", "IIII")]),
    ("@a\nACGT\n+a\nIIII", &[("a", "ACGT", "IIII")]),
    ("@a b\nACGT\n+a b\nIIII\n\n\r\n\n", &[("a", "ACGT", "IIII")]),
    ("@a\r\nAC\r\nGT\r\n+a\r\nI\r\nIII\r\n@b\r\nA\r\n+\r\n!\r\n", &[("a", "ACGT", "IIII"), ("b", "A", "!")]),
    ("@a\nACG\n+\n@+I\n@b\nA\n+\n+\n", &[("a", "ACG", "@+I"), ("b", "A", "+")]),
    ("@a\nACG\nTTT\n+\n@+I\n+@~\n@b\nA\n+\n@\n", &[("a", "ACGTTT", "@+I+@~"), ("b", "A", "@")]),
    ("@a\n\n+\n\n@b\nA\n+\nI\n", &[("a", "", ""), ("b", "A", "I")]),
    ("@a\n+\n@b\n\n+b\n\n", &[("a", "", ""), ("b", "", "")]),
    ("@a\n\n+\n", &[("a", "", "")]),
    ("@a\n\n+", &[("a", "", "")]),
];

#[test]
fn table() {
    for (input, expected) in TABLE {
        for buffer_bytes in 1..=400 {
            let reading = Reading::of_bytes(input.as_bytes(), buffer_bytes);
            assert!(reading.error.is_none(), "{input:?}: {:?}", reading.error);
            assert_eq!(reading.kind, Some(if input.starts_with('>') { Kind::Fasta } else { Kind::Fastq }));
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let found = reading.records.iter().map(|r| (text(&r.header.name), text(&r.sequence), text(&r.quality)));
            let expected = expected.iter().map(|(n, s, q)| (n.to_string(), s.to_string(), q.to_string()));
            assert!(found.eq(expected), "{input:?} with a buffer of {buffer_bytes}: {:?}", reading.records);
        }
    }
}

#[test]
fn no_records() {
    for input in ["", "\n", "\n\n\r\n", "\r\n", "\r"] {
        let reading = Reading::of_bytes(input.as_bytes(), 3);
        assert!(reading.error.is_none(), "{input:?}");
        assert_eq!((reading.kind, reading.records.len()), (None, 0), "{input:?}");
    }
}

/// An empty line has no carriage return of its own to take away.
#[test]
fn what_the_caller_had_stays() {
    for input in [">a\n\n", ">a\r\n\r\n", "@a\n\n+\n\n"] {
        let mut reader = Reader::new(input.as_bytes(), "input".into(), 3).unwrap();
        let (mut sequence, mut quality) = (b"T\r".to_vec(), b"I\r".to_vec());
        assert!(reader.read(&mut sequence, &mut quality).unwrap().is_some());
        assert_eq!((&sequence[..], &quality[..]), (&b"T\r"[..], &b"I\r"[..]), "{input:?}");
    }
}

#[test]
fn descriptions() {
    let records = records_of(">a  two  words \n>b\tx\n>c \n");
    let descriptions: Vec<_> = records.iter().map(|r| r.header.description.as_slice()).collect();
    assert_eq!(descriptions, [b"two  words ".as_slice(), b"x", b""]);
}

/// ```text
///  1 @a      5 @b     12 @c
///  2 ACGT    6 AC     13 (empty)
///  3 +       7 GTT    14 +
///  4 IIII    8 +      15 (empty)
///            9 I
///           10 II
///           11 II
/// ```
#[test]
fn locations() {
    let records = records_of("@a\nACGT\n+\nIIII\n@b\nAC\nGTT\n+\nI\nII\nII\n@c\n\n+\n\n");
    let places: Vec<_> = records.iter().map(|r| (r.header.location.record, r.header.location.line)).collect();
    assert_eq!(places, [(1, 1), (2, 5), (3, 12)]);
    let first = &records[0].header.location;
    assert_eq!((first.line_of_base(3), first.line_of_quality(0)), (2, 4));
    let wrapped = &records[1].header.location;
    let bases: Vec<_> = (0..5).map(|k| wrapped.line_of_base(k)).collect();
    let qualities: Vec<_> = (0..5).map(|k| wrapped.line_of_quality(k)).collect();
    assert_eq!(bases, [6, 6, 7, 7, 7]);
    assert_eq!(qualities, [9, 10, 10, 11, 11]);
}

#[test]
fn one_line_of_sequence_and_several_of_quality() {
    let records = records_of("@a\nACGT\n+\nII\nII\n");
    let location = &records[0].header.location;
    let lines: Vec<_> = (0..4).map(|k| (location.line_of_base(k), location.line_of_quality(k))).collect();
    assert_eq!(lines, [(2, 4), (2, 4), (2, 5), (2, 5)]);
}

#[test]
fn a_line_of_many_buffers() {
    let long = "ACGTN".repeat(4_000_000);
    let records = records_of(format!("@a\n{long}\n+\n{}\n", long.to_lowercase()));
    assert_eq!(records[0].sequence, long.as_bytes());
    assert_eq!(records[0].quality, long.to_lowercase().as_bytes());
}
