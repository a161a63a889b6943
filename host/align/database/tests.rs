//! Files that are read back, and files that are refused.

use super::layout::Layout;
use super::*;
use std::fs;
use std::io::Write as _;
use warpseq_io::error::{FileError, Result};
use warpseq_io::output::Output;
use warpseq_seq::Records;

/// The bytes of a file of these records, written in batches of so many.
fn written(records: &Records, batch: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.wdb");
    let mut writer = Writer::new(Output::create(Some(&path), &[]).unwrap()).unwrap();
    for first in (0..records.len()).step_by(batch) {
        let mut some = Records::default();
        some.extend(records, first..records.len().min(first + batch));
        writer.write(&some).unwrap();
    }
    writer.finish(Kind::Proteins).unwrap().finish().unwrap();
    fs::read(path).unwrap()
}

fn opened(bytes: &[u8]) -> Result<Stored> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Stored::open(file.path())
}

fn small() -> Records {
    Records::from_iter([("a", "MKV"), ("b", ""), ("long_name", "wkA*"), ("a", "MKV")])
}

/// Some of which are longer than a piece of the checksum.
fn large() -> Records {
    let sequence = |k: usize| (0..k * k * 300_000 % 1_900_003).map(|j| b'A' + (j * k % 26) as u8).collect::<Vec<u8>>();
    (0..9).map(|k| (format!("r{k}"), sequence(k))).collect()
}

#[test]
fn what_was_written_comes_back_however_it_was_cut() {
    for records in [small(), large()] {
        let bytes = written(&records, usize::MAX);
        for batch in [1, 2, 3] {
            assert!(written(&records, batch) == bytes);
        }
        let stored = opened(&bytes).unwrap();
        assert_eq!((stored.len(), stored.kind(), stored.bytes()), (records.len(), Kind::Proteins, bytes.len() as u64));
        assert_eq!(stored.residues(), records.sequences().residues().len() as u64);
        assert_eq!(stored.with_residues(), records.sequences().lengths().filter(|&length| length > 0).count() as u64);
        for first in 0..=records.len() {
            for end in first..=records.len() {
                let mut some = Records::default();
                some.extend(&records, first..end);
                assert!(stored.records(first..end) == some);
            }
        }
        for byte in 0..=255 {
            let count = records.sequences().residues().iter().filter(|&&residue| residue == byte).count() as u64;
            assert_eq!(stored.letters()[usize::from(byte)], count);
        }
        stored.require_unchanged().unwrap();
    }
}

#[test]
fn the_bytes_are_those_of_the_document() {
    let bytes = written(&small(), 2);
    assert_eq!(bytes[..16], *b"WARPSDB\x1a\x01\0\0\0\x40\0\0\0");
    assert_eq!(bytes[16..64], [0; 48]);
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let mut expected = b"MKVwkA*MKV\0\0\0\0\0\0".to_vec();
    expected.extend(numbers(&[0, 3, 3, 7, 10, 0, 1, 2, 11, 12]));
    expected.extend(b"ablong_namea\0\0\0\0");
    let mut letters = [0; 256];
    for &letter in b"MKVwkA*MKV" {
        letters[usize::from(letter)] += 1;
    }
    expected.extend(numbers(&letters));
    let total = 64 + expected.len() as u64 + 80;
    expected.extend(numbers(&[4, 10, 80, 120, 160, 176, 1, total]));
    assert!(bytes[64..bytes.len() - 16] == expected);
    assert_eq!(
        bytes[bytes.len() - 16..bytes.len() - 8],
        xxh3_64(&xxh3_64(&bytes[..bytes.len() - 16]).to_le_bytes()).to_le_bytes()
    );
    assert_eq!(bytes[bytes.len() - 8..], *b"WARPEND\x1a");
}

#[test]
fn parts_weigh_no_more_than_they_may_and_cover_all() {
    let records: Records = (0..60).map(|k| (format!("r{k}"), b"A".repeat(k * 7 % 31))).collect();
    let stored = opened(&written(&records, 7)).unwrap();
    for (limit, weights) in [(0, [1, 0]), (40, [1, 0]), (90, [2, 5]), (usize::MAX, [3, 12]), (70, [0, 20])] {
        let mut first = 0;
        while first < stored.len() {
            let end = stored.end_of(first, limit, weights);
            let weight = |end: usize| {
                (first..end).map(|k| records.sequence(k).len() * weights[0] + weights[1]).fold(0, usize::saturating_add)
            };
            assert!(end == first + 1 || weight(end) <= limit);
            assert!(end == stored.len() || weight(end + 1) > limit);
            first = end;
        }
    }
}

/// What is said of the small file after a change.
fn refused(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = written(&small(), 9);
    change(&mut bytes);
    match opened(&bytes) {
        Err(FileError::Unusable { message, .. }) => message,
        other => panic!("{other:?}"),
    }
}

/// The same, with the checksum that the bytes should have.
fn refused_though_sealed(change: impl FnOnce(&mut Vec<u8>)) -> String {
    refused(|bytes| {
        change(bytes);
        let (at, sum) = (bytes.len() - 16, FORMAT.checksum_of(bytes));
        bytes[at..at + 8].copy_from_slice(&sum.to_le_bytes());
    })
}

#[test]
fn every_byte_counts() {
    let bytes = written(&small(), 9);
    for at in 0..bytes.len() {
        refused(|bytes| bytes[at] ^= 0x10);
        refused(|bytes| bytes.truncate(at));
    }
    assert!(refused(|bytes| bytes.truncate(100)).contains("truncated"));
    assert!(refused(|bytes| bytes[70] = b'W').contains("it was altered: expected the checksum"));
    assert!(
        refused(|bytes| bytes[8] = 2)
            .starts_with("it is a database file of version 2, but this program reads version 1")
    );
    assert!(refused(|bytes| bytes[0] = b'>').ends_with("`warpseq db build SEQUENCES.fasta -o DATABASE.wdb` makes one"));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let at = |bytes: &[u8]| Layout::decode(&bytes[bytes.len() - TRAILER..]);
    for (change, expected) in [
        ((|bytes, _| bytes[12] = 65) as fn(&mut Vec<u8>, Layout), "its header is not that"),
        (|bytes, _| bytes[40] = 1, "its header is not that"),
        (|bytes, layout| bytes[layout.starts as usize] = 1, "its starts are not in order"),
        (|bytes, layout| bytes[layout.starts as usize + 8] = 9, "its starts are not in order"),
        (|bytes, layout| bytes[layout.name_offsets as usize + 8] = 9, "its name offsets are not in order"),
        (|bytes, layout| bytes[layout.letters as usize] = 9, "expected 10 residues, found 10 in its sequences and 19"),
        (|bytes, layout| bytes[layout.starts as usize - 1] = 9, "it has a byte 0x09 in the padding, at byte 79"),
        (|bytes, layout| bytes[layout.letters as usize - 1] = 9, "it has a byte 0x09 in the padding, at byte 175"),
        (|bytes, _| *bytes.iter_mut().nth_back(TRAILER - 1).unwrap() = 5, "its sections are not where"),
        (
            |bytes, _| *bytes.iter_mut().nth_back(TRAILER - 9).unwrap() = 9,
            "expected 9 residues, found 10 in its sequences",
        ),
        (|bytes, _| *bytes.iter_mut().nth_back(TRAILER - 9).unwrap() = 90, "its sections are not where"),
        (|bytes, _| *bytes.iter_mut().nth_back(TRAILER - 49).unwrap() = 2, "its trailer has no kind of sequences"),
        (|bytes, _| *bytes.iter_mut().nth_back(TRAILER - 8).unwrap() = 0xff, "its sections are not where"),
    ] {
        let message = refused_though_sealed(|bytes| {
            let layout = at(bytes);
            change(bytes, layout);
        });
        assert!(message.starts_with(expected), "{message}, expected {expected}");
    }
}

/// Whatever bytes a file holds that has the right checksum, it is refused, or all of it can be used.
#[test]
fn what_is_taken_can_be_used_without_further_checks() {
    let bytes = written(&small(), 9);
    let mut taken = 0;
    for at in 0..bytes.len() - 16 {
        for change in [1, 2, 8, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            let sum = FORMAT.checksum_of(&bytes);
            let end = bytes.len() - 16;
            bytes[end..end + 8].copy_from_slice(&sum.to_le_bytes());
            let Ok(stored) = opened(&bytes) else { continue };
            let records = stored.records(0..stored.len());
            assert_eq!(records.sequences().residues().len() as u64, stored.residues());
            assert_eq!((0..stored.len()).map(|k| stored.length(k)).sum::<u64>(), stored.residues());
            assert_eq!((stored.end_of(0, 0, [1, 1]), stored.letters().iter().sum::<u64>()), (1, stored.residues()));
            taken += 1;
        }
    }
    // Changes of residues, names and inner starts.
    assert!(taken > 100, "{taken}");
}
