//! FASTA and FASTQ: what is read is what [`grammar`](super::grammar) reads, whatever the buffer, and whoever reads it ahead.

use super::bytes::buffer_bytes;
use super::grammar::{Parsed, Plain, parse};
use super::reading::{Reading, Record};

/// The first byte is the buffer's size, the others are a file that is not FASTQ.
///
/// # Panics
/// When the program's reader goes wrong.
pub fn fasta(input: &[u8]) {
    unless(b"@", input);
}

/// The first byte is the buffer's size, the others are a file that is not FASTA.
///
/// # Panics
/// When the program's reader goes wrong.
pub fn fastq(input: &[u8]) {
    unless(b">", input);
}

/// What files begin with that are decompressed first: gzip, zstd, xz and bzip2.
const COMPRESSED: [&[u8]; 4] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"];

fn unless(start: &[u8], input: &[u8]) {
    let Some((&size, bytes)) = input.split_first() else { return };
    if bytes.starts_with(start) || COMPRESSED.iter().any(|magic| bytes.starts_with(magic)) {
        return;
    }
    let reading = Reading::of(bytes);
    assert_eq!(Reading::through(bytes, buffer_bytes(size)), reading);
    follows(&reading, &parse(bytes), bytes);
    assert_eq!(Reading::ahead(bytes, buffer_bytes(size)), reading.plain());
}

/// The records are those of the grammar, and refused is what it refuses.
fn follows(reading: &Reading, parsed: &Parsed, bytes: &[u8]) {
    assert_eq!(reading.records.len(), parsed.records.len());
    for (number, (record, plain)) in (1..).zip(reading.records.iter().zip(&parsed.records)) {
        assert_eq!(record.header.location.record, number);
        equal(record, plain);
    }
    assert_eq!(reading.error.is_none(), parsed.whole, "{:?}", reading.error);
    if let Some(fault) = &reading.error {
        let (good, lines) = (parsed.records.len() as u64, bytes.iter().filter(|&&byte| byte == b'\n').count() as u64);
        assert!((good..=good + 1).contains(&fault.record), "{fault:?} after {good} records");
        assert!(fault.line <= lines + 1, "{fault:?} in {lines} lines");
        assert!(parsed.records.last().is_none_or(|last| fault.line > last.line), "{fault:?}");
    }
}

fn equal(record: &Record, plain: &Plain) {
    let Record { header, sequence, quality } = record;
    let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let name: Vec<u8> = plain.title.iter().copied().take_while(|byte| !blank(byte)).collect();
    let description: Vec<u8> = plain.title[name.len()..].iter().copied().skip_while(blank).collect();
    assert_eq!((&header.name, &header.description), (&name, &description));
    assert_eq!(header.location.line, plain.line);
    let place = &header.location;
    let placed = |symbols: &[u8], line: &dyn Fn(u64) -> u64| -> Vec<(u8, u64)> {
        (0..).zip(symbols).map(|(k, &symbol)| (symbol, line(k))).collect()
    };
    assert_eq!(placed(sequence, &|k| place.line_of_base(k)), plain.letters);
    assert_eq!(placed(quality, &|k| place.line_of_quality(k)), plain.quality);
}
