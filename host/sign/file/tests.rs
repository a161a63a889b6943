//! Files that are read back, and files that are refused: no signature files, damaged, or contradicting themselves.

mod changed;

use super::layout::Layout;
use super::*;
use crate::collection::{Builder, Bytes, Collection, Place};
use crate::words::of_batch;
use crate::{Parameters, Records, Signatures, Window};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
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
    for (batch, signatures) in batches {
        let (mut signatures, mut words) = (signatures.clone(), of_batch(batch, parameters, signatures));
        writer.write(batch, &mut signatures, &mut words).unwrap();
    }
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
            batches.iter().for_each(|(batch, signatures)| {
                builder.push(batch, signatures, &of_batch(batch, &parameters, signatures))
            });
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
    batches
        .iter()
        .for_each(|(batch, signatures)| builder.push(batch, signatures, &of_batch(batch, &parameters, signatures)));
    assert_same(&opened(&written(&parameters, &batches)).unwrap(), &builder.finish());
}

/// As the document says, put together by hand.
#[test]
fn the_bytes_are_those_of_the_document() {
    let mut expected = b"WARPSIG\x1a".to_vec();
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    expected.extend([2_u32, 64, 0, 0, 3, 16, 64, 21, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
    expected.resize(64, 0);
    let mut small = small();
    // There were nine windows. 1, 4 and 7 have no k-mer; 0 and 6 are those of the empty sequences.
    for window in [0_u8, 2, 3, 0, 5, 0, 8] {
        expected.extend([window; 8]);
    }
    expected.extend([0b101_0110, 0, 0, 0, 0, 0, 0, 0]);
    // Windows have 3, 16 or fewer residues, so at most 14 k-mers.
    expected.extend([0, 14, 14, 0, 14, 0, 14, 0]);
    expected.extend(numbers(&[0, 3, 40, 0, 24]));
    expected.extend(numbers(&[0, 0, 1, 5, 5, 7]));
    expected.extend(numbers(&[0, 10, 20, 30, 40, 50]));
    expected.extend(b"sequence_0sequence_1sequence_2sequence_3sequence_4\0\0\0\0\0\0");
    expected.extend(numbers(&[5, 7, 120, 136, 176, 224, 272, 408]));
    assert_eq!(small.split_off(408 - 16), [&numbers(&[xxh3_64(&expected)])[..], b"WARPEND\x1a"].concat());
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

fn refused(bytes: &[u8]) -> String {
    match opened(bytes) {
        Err(FileError::Unusable { message, .. }) => message,
        other => panic!("must be refused: {other:?}"),
    }
}

/// Puts the right checksum into bytes that were changed.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let at = bytes.len() - 16;
    let checksum = xxh3_64(&bytes[..at]);
    bytes[at..at + 8].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn every_truncation_is_refused_and_says_so() {
    let small = small();
    for length in 1..small.len() {
        assert!(refused(&small[..length]).contains("truncated"), "{length} bytes");
        let message = refused(&gzip(&small[..length]));
        assert!(message.contains("truncated"), "{length} bytes: {message}");
    }
    assert!(refused(&small[..100]).contains("at least 44 bytes are missing"));
    let compressed = gzip(&small);
    for length in 2..compressed.len() {
        refused(&compressed[..length]);
    }
}

#[test]
fn bytes_cut_out_or_put_in_are_counted() {
    let small = small();
    let cut = [&small[..100], &small[108..]].concat();
    assert!(refused(&cut).contains("8 bytes are missing (expected 408, found 400)"), "{}", refused(&cut));
    let more = [&small[..100], &small[90..]].concat();
    assert!(refused(&more).contains("10 bytes are too many (expected 408, found 418)"), "{}", refused(&more));
    assert!(refused(&[&small[..], b"\n"].concat()).contains("do not end with a trailer"));
}

#[test]
fn every_changed_byte_is_found() {
    let small = small();
    for at in 0..small.len() {
        for change in [1, 0x20, 0x80, 0xff] {
            let mut bytes = small.clone();
            bytes[at] ^= change;
            let message = refused(&bytes);
            assert!(!(16..328).contains(&at) || message.contains("it was altered"), "byte {at}: {message}");
        }
    }
}

#[test]
fn another_version_is_refused_with_both() {
    let mut bytes = small();
    bytes[8] = 3;
    let message = refused(&sealed(bytes));
    assert!(message.contains("version 3") && message.contains("reads version 1 and 2"), "{message}");
}

#[test]
fn another_file_is_refused_with_what_makes_one() {
    for (bytes, words) in [
        (&b""[..], "it is empty"),
        (b">a\nACGT\n", "it holds sequences"),
        (b"@a\nACGT\n+\nIIII\n", "it holds sequences"),
        (&[7; 288], "not a signature file"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(words) && message.contains("`warpseq sign build "), "{message}");
        assert!(refused(&gzip(bytes)).contains(words));
    }
    assert!(matches!(Collection::open(Path::new("absent.wsig")), Err(FileError::File { action: "read", .. })));
    assert!(matches!(Collection::open(&std::env::temp_dir()), Err(FileError::File { action: "read", .. })));
}

#[test]
fn parameters_that_make_no_sense_are_not_written() {
    let refused = Writer::new(Vec::new(), &Parameters { k: 0, ..Parameters::QUT });
    assert!(matches!(refused, Err(warpseq_engine::error::Error::Usage(_))));
}

#[test]
fn only_signatures_made_alike_are_compared() {
    let collection = |parameters| Builder::new(&parameters).finish();
    let (qut, dna) = (collection(Parameters::QUT), collection(Parameters::DNA));
    let [a, b] = ["a.wsig", "b.wsig"].map(Path::new);
    qut.require_same_parameters(a, &qut.clone(), b).unwrap();
    let message = qut.require_same_parameters(a, &dna, b).unwrap_err().to_string();
    for words in ["a.wsig: ", "b.wsig", "`--alphabet raw --k 3 ", "`--alphabet dna --k 11 ", "make one of them again"] {
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn dna_and_proteins_get_advice_that_helps() {
    let collection = |parameters| Builder::new(&parameters).finish();
    let (dna, protein) = (collection(Parameters::DNA), collection(Parameters::PROTEIN));
    let [a, b] = ["a.wsig", "b.wsig"].map(Path::new);
    for (one, other, words) in
        [(&dna, &protein, "holds DNA, and b.wsig"), (&protein, &dna, "holds proteins, and b.wsig")]
    {
        let message = one.require_same_parameters(a, other, b).unwrap_err().to_string();
        assert!(message.contains(words) && message.contains("translate the DNA"), "{message}");
    }
}

/// Sections and counts that contradict each other under a right checksum: from a broken writer, or made to do harm.
#[test]
fn every_number_is_checked_against_the_others() {
    let small = small();
    let layout = Layout::new(VERSION, &Parameters::QUT, [5, 7, 50]).unwrap();
    for at in (layout.lengths as usize..layout.names as usize).chain(328..392).step_by(8) {
        for number in [0, 1, 2, 5, 6, 7, 8, 64, 200, 1 << 31, 1 << 61, 1 << 63, u64::MAX - 8, u64::MAX] {
            let mut bytes = small.clone();
            bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(number));
            let (bytes, is_length) = (sealed(bytes), at < layout.firsts as usize);
            let same = bytes == small;
            // Other lengths may have as many windows, and other offsets in order are other names.
            let may_be_taken = is_length || (layout.name_offsets as usize + 8..layout.names as usize).contains(&at);
            assert!(same || may_be_taken || opened(&bytes).is_err(), "{number} at {at}");
            assert!(!same || opened(&bytes).is_ok());
        }
    }
}

#[test]
fn present_bits_behind_the_last_window_are_refused() {
    let mut bytes = small();
    bytes[120] |= 0x80;
    assert!(refused(&sealed(bytes)).contains("behind the last"));
}

/// Regression: they were accepted.
#[test]
fn bytes_in_the_padding_are_refused() {
    let small = small();
    let layout = Layout::new(VERSION, &Parameters::QUT, [5, 7, 50]).unwrap();
    let padding = (layout.present as usize + 1..layout.words as usize)
        .chain(layout.words as usize + 7..layout.lengths as usize)
        .chain(layout.names as usize + 50..328);
    assert_eq!(padding.clone().count(), 7 + 1 + 6);
    for (at, byte) in padding.flat_map(|at| [(at, 1), (at, 0x80)]) {
        let mut bytes = small.clone();
        bytes[at] = byte;
        let message = refused(&sealed(bytes));
        assert!(message.contains("in the padding") && message.ends_with(&format!("at byte {at}")), "{message}");
    }
}

/// Regression: it was accepted.
#[test]
fn a_signature_of_a_window_without_a_kmer_is_refused() {
    let (small, present) = (small(), 0b101_0110);
    for window in 0..7 {
        let mut bytes = small.clone();
        bytes[64 + 8 * window + 3] ^= 0xff;
        match present >> window & 1 {
            1 => drop(opened(&sealed(bytes)).unwrap()),
            _ => assert!(refused(&sealed(bytes)).contains(&format!("window {window} has no k-mer"))),
        }
    }
}

#[test]
fn words_of_a_window_without_a_kmer_are_refused() {
    let mut bytes = small();
    bytes[128 + 3] = 1;
    assert!(refused(&sealed(bytes)).contains("window 3 has no k-mer, but 1 words"));
}

/// A file of version 1 has no words, and those of its windows are not known.
#[test]
fn version_1_is_read() {
    let now = small();
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    let mut first =
        [&now[..128], &now[136..328], &numbers(&[5, 7, 120, 128, 168, 216, 264, 400, 0])[..], b"WARPEND\x1a"].concat();
    first[8] = 1;
    let first = sealed(first);
    let (found, expected) = (opened(&first).unwrap(), opened(&now).unwrap());
    assert_same(&found, &expected);
    assert_eq!((found.words, expected.words), (None, Some(vec![0, 14, 14, 0, 14, 0, 14])));
    let mut complex = first.clone();
    complex[44] = 1;
    assert!(refused(&sealed(complex)).contains("words 1"));
}

/// Regression: they were taken for unknown, as in a file of version 1.
#[test]
fn no_windows_have_known_words() {
    for lengths in [&[][..], &[0, 0]] {
        assert_eq!(
            opened(&written(&Parameters::QUT, &[signed(&Parameters::QUT, lengths)])).unwrap().words,
            Some(vec![])
        );
    }
}

#[test]
fn two_files_put_together_are_told_from_a_damaged_one() {
    let twice = [small(), small()].concat();
    assert!(refused(&twice).contains("two files put together: another one begins at byte 408"));
}

proptest! {
    #[test]
    fn no_bytes_are_a_panic(start in 0_usize..13, bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let head = &small()[..start];
        let all = [head, &bytes[..]].concat();
        prop_assert!(opened(&all).is_err());
        prop_assert!(opened(&[&[0x1f, 0x8b, 8][..], &all].concat()).is_err());
    }

    #[test]
    fn no_changes_under_a_right_checksum_are_a_panic(
        changes in proptest::collection::vec((8_usize..392, prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..6),
    ) {
        let mut bytes = small();
        changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
        if let Ok(collection) = opened(&sealed(bytes)) {
            let points = collection.points();
            prop_assert_eq!(points.points().len(), collection.present_count(0..collection.window_count()));
            for window in 0..collection.window_count() {
                let place = collection.place(window);
                prop_assert!(place.residues.start < place.residues.end);
                prop_assert_eq!(collection.signature(window).len(), collection.parameters.width());
            }
        }
    }
}
