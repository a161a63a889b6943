//! Signature files: refused, or the collection that the document's words give; what is written comes back, and no altered
//! byte does.

use super::bytes::{place, take};
use super::scratch;
use super::wsig::{self, Plain};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use warpseq::error::FileError;
use warpseq::sign::collection::Collection;
use warpseq::sign::file::{Writer, open};
use warpseq::sign::{Parameters, Records, Signatures, Window, words};
use xxhash_rust::xxh3::xxh3_64;

/// The first byte says what the others are: a file, one in gzip, one whose length and checksum are to be made right, or
/// sequences to be written to a file.
///
/// # Panics
/// When the program goes wrong.
pub fn signatures(mut input: &[u8]) {
    match take(&mut input) % 4 {
        0 => any(input, input),
        1 => any(&gzip(input), input),
        2 => {
            let sealed = sealed(input);
            any(&sealed, &sealed);
        }
        _ => written(input),
    }
}

/// `file`, the bytes in which are `plain`, is refused with a reason or holds what the document says.
fn any(file: &[u8], plain: &[u8]) {
    if file.starts_with(b"\x1f\x8b") && file == plain {
        // Compressed by nobody: it is refused or not, and no panic.
        return scratch::with(file, |path| drop(open(path)));
    }
    scratch::with(file, |path| match open(path) {
        Ok(opened) => {
            assert_eq!(held(&opened.collection), wsig::parse(plain));
            assert_eq!(opened.bytes, plain.len() as u64);
            usable(&opened.collection);
        }
        Err(FileError::Unusable { message, .. }) => assert!(!message.is_empty()),
        Err(error) => panic!("{error}"),
    });
}

fn held(collection: &Collection) -> Plain {
    Plain {
        names: collection.names.clone(),
        lengths: collection.lengths.clone(),
        firsts: collection.firsts.clone(),
        present: (0..collection.window_count()).map(|window| collection.is_present(window)).collect(),
        signatures: collection.signatures.to_vec(),
    }
}

/// What is taken can be used without further checks.
fn usable(collection: &Collection) {
    collection.parameters.check().expect("parameters make sense");
    let points = collection.points();
    assert_eq!(points.points().len(), collection.present_count(0..collection.window_count()));
    for window in 0..collection.window_count() {
        let place = collection.place(window);
        assert!(place.residues.start < place.residues.end && place.residues.end <= collection.lengths[place.sequence]);
        assert_eq!(collection.signature(window).len(), collection.parameters.width());
    }
}

/// The bytes with the last words of the trailer as they must be.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    let Some(end) = file.len().checked_sub(24) else { return file };
    let total = (file.len() as u64).to_le_bytes();
    file[end..end + 8].copy_from_slice(&total);
    let checksum = xxh3_64(&file[..end + 8]).to_le_bytes();
    file[end + 8..end + 16].copy_from_slice(&checksum);
    file[end + 16..].copy_from_slice(b"WARPEND\x1a");
    file
}

/// Sequences and signatures made of the input: a file of them holds them, and none with a byte altered or cut off is taken.
fn written(mut input: &[u8]) {
    let (parameters, at, change) = (parameters(&mut input), place(&mut input, 1 << 16), take(&mut input).max(1));
    let (batch, mut signatures) = signed(&parameters, input);
    let mut writer = Writer::new(Vec::new(), &parameters).expect("the parameters make sense");
    let mut words = words::of_batch(&batch, &parameters, &signatures);
    writer.write(&batch, &mut signatures, &mut words).expect("memory takes all bytes");
    let mut file = writer.finish().expect("memory takes all bytes");
    scratch::with(&file, |path| {
        let found = open(path).expect("what was written is whole").collection;
        assert_eq!(
            (found.parameters, &found.names),
            (parameters, &batch.names().iter().map(<[u8]>::to_vec).collect::<Vec<_>>())
        );
        assert_eq!(found.lengths, batch.sequences().lengths().collect::<Vec<_>>());
        assert_eq!(held(&found), wsig::parse(&file));
        usable(&found);
    });
    let at = at % file.len();
    file[at] ^= change;
    scratch::with(&file, |path| assert!(open(path).is_err(), "byte {at} was altered"));
    file[at] ^= change;
    scratch::with(&file[..at], |path| assert!(open(path).is_err(), "it was cut to {at} bytes"));
}

fn parameters(input: &mut &[u8]) -> Parameters {
    let window =
        [Window::Whole, Window::Length(4), Window::Length(16), Window::Length(10)][usize::from(take(input) % 4)];
    let parameters = [Parameters::QUT, Parameters::DNA, Parameters::PROTEIN][usize::from(take(input) % 3)];
    let k = if window == Window::Whole { parameters.k } else { 3 };
    Parameters { window, k, bits: 64 * (1 + u32::from(take(input) % 4)), ..parameters }
}

/// A sequence for each run of bytes before a zero: its name is the run, its length the run's sum, its signatures hashes.
fn signed(parameters: &Parameters, input: &[u8]) -> (Records, Signatures) {
    let (mut batch, mut signatures) = (Records::default(), Signatures::default());
    for name in input.split(|&byte| byte == 0).take(40) {
        let length = name.iter().map(|&byte| usize::from(byte)).sum::<usize>() % 200;
        batch.push(name, &vec![b'A'; length]);
        for window in 0..parameters.window.count(length as u64) {
            let hash = xxh3_64(&[name, &window.to_le_bytes()].concat());
            let present = length > 0 && !hash.is_multiple_of(5);
            signatures.present.push(u8::from(present));
            let byte = if present { hash as u8 } else { 0 };
            signatures.bytes.extend(std::iter::repeat_n(byte, parameters.width()));
        }
    }
    (batch, signatures)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}
