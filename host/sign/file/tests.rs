//! Files that come back; [`refused`]: files that do not.

mod refused;

use super::*;
use crate::collection::{Builder, Bytes, Collection, Place};
use crate::{Parameters, Records, Signatures, Window};
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use warpseq_io::error::FileError;
use xxhash_rust::xxh3::xxh3_64;

/// Sequences of these lengths. The signature of a window is its number; every third window has no k-mer.
fn signed(parameters: &Parameters, lengths: &[usize]) -> (Records, Signatures) {
    let (mut batch, mut signatures) = (Records::default(), Signatures::default());
    for (s, &length) in lengths.iter().enumerate() {
        batch.push(format!("sequence_{s}").as_bytes(), &vec![b'A'; length]);
        for _ in 0..parameters.window.count(length as u64) {
            let window = signatures.len() as u8;
            let present = u8::from(window % 3 != 1);
            signatures.bytes.extend(vec![window * present; parameters.width()]);
            signatures.present.push(present);
        }
    }
    (batch, signatures)
}

fn written(parameters: &Parameters, batches: &[(Records, Signatures)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), parameters).unwrap();
    batches.iter().for_each(|(batch, signatures)| writer.write(batch, signatures).unwrap());
    writer.finish().unwrap()
}

/// Seven windows of five sequences, two of which are empty.
fn small() -> Vec<u8> {
    written(&Parameters::QUT, &[signed(&Parameters::QUT, &[0, 3, 40, 0, 24])])
}

fn opened(bytes: &[u8]) -> Result<Collection, FileError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Collection::open(file.path())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn assert_same(found: &Collection, expected: &Collection) {
    assert_eq!((found.parameters, &found.names), (expected.parameters, &expected.names));
    assert_eq!((&found.lengths, &found.firsts), (&expected.lengths, &expected.firsts));
    assert_eq!((&*found.present, &*found.signatures), (&*expected.present, &*expected.signatures));
}

#[test]
fn what_was_written_comes_back_and_equals_what_was_built_in_memory() {
    let whole = Parameters { bits: 128, ..Parameters::DNA };
    for parameters in [Parameters::QUT, Parameters { window: Window::Length(4), ..Parameters::QUT }, whole] {
        for lengths in [&[][..], &[0], &[0, 0], &[5], &[0, 3, 40, 0, 24], &[100, 0, 1, 2, 3, 17, 300]] {
            let batches: Vec<_> = lengths.chunks(2).map(|lengths| signed(&parameters, lengths)).collect();
            let mut builder = Builder::new(&parameters);
            batches.iter().for_each(|(batch, signatures)| builder.push(batch, signatures));
            let (bytes, expected) = (written(&parameters, &batches), builder.finish());
            let found = opened(&bytes).unwrap();
            assert!(matches!(found.signatures, Bytes::Mapped(..)));
            assert_same(&found, &expected);
            let compressed = opened(&gzip(&bytes)).unwrap();
            assert!(matches!(compressed.signatures, Bytes::Owned(..)));
            assert_same(&compressed, &expected);
        }
    }
}

#[test]
fn how_sequences_are_cut_into_batches_cannot_be_seen() {
    let all = signed(&Parameters::QUT, &[0, 3, 40, 0, 24]);
    let one_by_one: Vec<_> = (0..5)
        .scan(0, |first, s| {
            let mut batch = Records::default();
            batch.push(all.0.name(s), all.0.sequence(s));
            let windows = *first..*first + Parameters::QUT.window.count(all.0.sequence(s).len() as u64) as usize;
            *first = windows.end;
            let bytes = all.1.bytes[8 * windows.start..8 * windows.end].to_vec();
            Some((batch, Signatures { bytes, present: all.1.present[windows].to_vec() }))
        })
        .collect();
    assert_eq!(written(&Parameters::QUT, &one_by_one), written(&Parameters::QUT, &[all]));
}

/// The lists behind the signatures take some megabytes, more than stays in memory.
#[test]
fn very_many_sequences_come_back() {
    let parameters = Parameters { window: Window::Length(4), ..Parameters::QUT };
    let lengths: Vec<usize> = (0..300_000).map(|k| k % 7).collect();
    let batches: Vec<_> = lengths.chunks(70_001).map(|lengths| signed(&parameters, lengths)).collect();
    let mut builder = Builder::new(&parameters);
    batches.iter().for_each(|(batch, signatures)| builder.push(batch, signatures));
    assert_same(&opened(&written(&parameters, &batches)).unwrap(), &builder.finish());
}

/// As the document says, put together by hand.
#[test]
fn the_bytes_are_those_of_the_document() {
    let mut expected = b"WARPSIG\x1a".to_vec();
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    expected.extend([1_u32, 64, 0, 0, 3, 16, 64, 21, 0].iter().flat_map(|number| number.to_le_bytes()));
    expected.resize(64, 0);
    let mut small = small();
    // There were nine windows. 1, 4 and 7 have no k-mer; 0 and 6 are those of the empty sequences.
    for window in [0_u8, 2, 3, 0, 5, 0, 8] {
        expected.extend([window; 8]);
    }
    expected.extend([0b101_0110, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend(numbers(&[0, 3, 40, 0, 24]));
    expected.extend(numbers(&[0, 0, 1, 5, 5, 7]));
    expected.extend(numbers(&[0, 10, 20, 30, 40, 50]));
    expected.extend(b"sequence_0sequence_1sequence_2sequence_3sequence_4\0\0\0\0\0\0");
    expected.extend(numbers(&[5, 7, 120, 128, 168, 216, 264, 400]));
    assert_eq!(small.split_off(400 - 16), [&numbers(&[xxh3_64(&expected)])[..], b"WARPEND\x1a"].concat());
    assert_eq!(small, expected);
}

#[test]
fn windows_know_their_places() {
    let collection = opened(&small()).unwrap();
    let places: Vec<Place> = (0..7).map(|window| collection.place(window)).collect();
    let expected = [(1, 0..3), (2, 0..16), (2, 8..24), (2, 16..32), (2, 24..40), (4, 0..16), (4, 8..24)];
    assert_eq!(places, expected.map(|(sequence, residues)| Place { sequence, residues }));
    assert_eq!((collection.windows(3), collection.windows(4)), (5..5, 5..7));
}

#[test]
fn signature_files_are_told_from_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let small = small();
    for (bytes, expected) in [
        (small.clone(), true),
        (gzip(&small), true),
        (small[..7].to_vec(), false),
        (b">a\nACGT\n".to_vec(), false),
        (gzip(b">a\nACGT\n"), false),
        (vec![0x1f, 0x8b], false),
        (vec![], false),
    ] {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(holds_signatures(&path).unwrap(), expected, "{bytes:?}");
    }
    assert!(!holds_signatures(Path::new("/dev/null")).unwrap());
    assert!(matches!(holds_signatures(Path::new("absent.wsig")), Err(FileError::File { action: "open", .. })));
}

#[test]
fn a_pipe_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let writer = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::write(fifo, small()).unwrap()
    });
    assert_same(&Collection::open(&fifo).unwrap(), &opened(&small()).unwrap());
    writer.join().unwrap();
}
