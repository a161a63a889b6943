//! Database files: refused, or the targets that the document's words give; what is written comes back, and no altered byte does.

use super::bytes::{place, take};
use super::scratch;
use super::wdb::{self, Plain};
use std::fs;
use warpseq::align::database::{Kind, Stored, Writer};
use warpseq::error::FileError;
use warpseq::output::Output;
use warpseq::sign::Records;
use xxhash_rust::xxh3::xxh3_64;

/// The first byte says what the others are: a file, one whose length and checksum are to be made right, or sequences to be
/// written to a file.
///
/// # Panics
/// When the program goes wrong.
pub fn database(mut input: &[u8]) {
    match take(&mut input) % 3 {
        0 => any(input),
        1 => any(&sealed(input)),
        _ => written(input),
    }
}

/// `file` is refused with a reason or holds what the document says. Nobody compressed it: then it is refused or not.
fn any(file: &[u8]) {
    if file.starts_with(b"\x1f\x8b") {
        return scratch::with(file, |path| drop(Stored::open(path)));
    }
    scratch::with(file, |path| match Stored::open(path) {
        Ok(stored) => assert_eq!(held(&stored), wdb::parse(file)),
        Err(FileError::Unusable { message, .. }) => assert!(!message.is_empty()),
        Err(error) => panic!("{error}"),
    });
}

fn held(stored: &Stored) -> Plain {
    let records = stored.records(0..stored.len());
    let all = 0..stored.len();
    assert_eq!(all.clone().map(|k| stored.length(k)).sum::<u64>(), stored.residues());
    Plain {
        names: records.names().iter().map(<[u8]>::to_vec).collect(),
        sequences: all.map(|k| records.sequence(k).to_vec()).collect(),
        letters: stored.letters().to_vec(),
        alphabet: Kind::ALL.iter().position(|kind| *kind == stored.kind()).expect("there are two") as u64,
    }
}

/// The bytes with the last words of the trailer as they must be.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    let Some(end) = file.len().checked_sub(24) else { return file };
    let total = (file.len() as u64).to_le_bytes();
    file[end..end + 8].copy_from_slice(&total);
    let checksum = xxh3_64(&xxh3_64(&file[..end + 8]).to_le_bytes()).to_le_bytes();
    file[end + 8..end + 16].copy_from_slice(&checksum);
    file[end + 16..].copy_from_slice(b"WARPEND\x1a");
    file
}

/// A sequence for each run of bytes before a zero, its name the same bytes: a file of them holds them, however it was cut into
/// batches, and none with a byte altered or cut off is taken.
fn written(mut input: &[u8]) {
    let (at, change, batch) = (place(&mut input, 1 << 16), take(&mut input).max(1), usize::from(take(&mut input)) + 1);
    let records: Vec<_> = input.split(|&byte| byte == 0).take(40).map(|name| (name, letters(name))).collect();
    let mut file = scratch::with(b"", |path| {
        // Beside it: a file that is made takes the place of another.
        let path = path.with_extension("wdb");
        let output = Output::create(Some(&path), &[]).expect("it can be made");
        let mut writer = Writer::new(output).expect("it has room");
        for some in records.chunks(batch) {
            writer.write(&some.iter().cloned().collect::<Records>()).expect("it has room");
        }
        let kind = Kind::ALL[usize::from(change % 2)];
        writer.finish(kind).and_then(Output::finish).expect("it has room");
        let file = fs::read(&path).expect("it was written");
        fs::remove_file(path).expect("it is there");
        file
    });
    scratch::with(&file, |path| {
        let found = held(&Stored::open(path).expect("what was written is whole"));
        assert_eq!(found, wdb::parse(&file));
        let sequences = records.iter().map(|(_, sequence)| sequence);
        assert!(found.sequences.iter().eq(sequences) && found.names.iter().eq(records.iter().map(|(name, _)| *name)));
    });
    let at = at % file.len();
    file[at] ^= change;
    scratch::with(&file, |path| assert!(Stored::open(path).is_err(), "byte {at} was altered"));
    file[at] ^= change;
    scratch::with(&file[..at], |path| assert!(Stored::open(path).is_err(), "it was cut to {at} bytes"));
}

/// Letters of proteins that follow from some bytes.
fn letters(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| b"ACDEFGHIKLMNPQRSTVWYacgt*X"[usize::from(byte % 26)]).collect()
}
