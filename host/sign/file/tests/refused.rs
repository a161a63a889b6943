//! Files that are not signature files, are damaged, or contradict themselves.

use super::super::layout::Layout;
use super::*;
use proptest::prelude::*;

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
    assert!(refused(&cut).contains("8 bytes are missing (expected 400, found 392)"), "{}", refused(&cut));
    let more = [&small[..100], &small[90..]].concat();
    assert!(refused(&more).contains("10 bytes are too many (expected 400, found 410)"), "{}", refused(&more));
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
            assert!(!(16..320).contains(&at) || message.contains("it was altered"), "byte {at}: {message}");
        }
    }
}

#[test]
fn another_version_is_refused_with_both() {
    let mut bytes = small();
    bytes[8] = 2;
    let message = refused(&sealed(bytes));
    assert!(message.contains("version 2") && message.contains("reads version 1"), "{message}");
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
    for words in ["a.wsig: ", "b.wsig", "`--alphabet raw --k 3 ", "`--alphabet dna --k 21 ", "make one of them again"] {
        assert!(message.contains(words), "{message}");
    }
}

/// Sections and counts that contradict each other under a right checksum: from a broken writer, or made to do harm.
#[test]
fn every_number_is_checked_against_the_others() {
    let small = small();
    let layout = Layout::new(8, [5, 7, 50]).unwrap();
    for at in (layout.lengths as usize..layout.names as usize).chain(320..384).step_by(8) {
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
        changes in proptest::collection::vec((8_usize..384, prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..6),
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
