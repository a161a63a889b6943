//! Reading FASTA and FASTQ: hand tables, the corpus of Cock et al., damage, and laws over random input.

mod compressed;
mod corpus;
mod files;
mod malformed;
mod random;
mod well_formed;

pub use corpus::MALFORMED;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use warpseq::error::FileError;
type Result<T> = std::result::Result<T, FileError>;
use warpseq::fastx::{Header, Kind, Reader};

/// A record with its symbols cut out of the flat vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    header: Header,
    sequence: Vec<u8>,
    quality: Vec<u8>,
}

/// Everything a reader gives: the records before the first error, and that error.
#[derive(Debug)]
struct Reading {
    kind: Option<Kind>,
    records: Vec<Record>,
    error: Option<FileError>,
}

impl Reading {
    fn of(opened: Result<Reader>) -> Self {
        let mut reader = match opened {
            Ok(reader) => reader,
            Err(error) => return Self { kind: None, records: vec![], error: Some(error) },
        };
        let (kind, mut records) = (reader.kind(), vec![]);
        let (mut bases, mut qualities) = (vec![], vec![]);
        loop {
            let (base, quality) = (bases.len(), qualities.len());
            match reader.read(&mut bases, &mut qualities) {
                Ok(Some(header)) => records.push(Record {
                    header,
                    sequence: bases[base..].to_vec(),
                    quality: qualities[quality..].to_vec(),
                }),
                Ok(None) => return Self { kind, records, error: None },
                Err(error) => {
                    assert_eq!(
                        (bases.len(), qualities.len()),
                        (base, quality),
                        "an error must leave the vectors alone"
                    );
                    let again = reader.read(&mut bases, &mut qualities);
                    assert!(matches!(again, Ok(None)), "nothing follows an error");
                    return Self { kind, records, error: Some(error) };
                }
            }
        }
    }

    fn of_bytes(bytes: &[u8], buffer_bytes: usize) -> Self {
        Self::of(Reader::new(Cursor::new(bytes.to_vec()), PathBuf::from("input"), buffer_bytes))
    }

    /// The error's line, record and message.
    fn input_error(&self) -> (u64, u64, &str) {
        match &self.error {
            Some(FileError::Input { line, record, message, path }) => {
                assert!(!path.as_os_str().is_empty(), "an error names its file");
                (*line, *record, message)
            }
            other => panic!("expected an input error, got {other:?}"),
        }
    }

    /// What must not depend on the buffer: everything, the error as printed.
    fn outcome(&self) -> (Option<Kind>, &[Record], Option<String>) {
        (self.kind, &self.records, self.error.as_ref().map(FileError::to_string))
    }
}

/// The records of well-formed input.
fn records_of(bytes: impl AsRef<[u8]>) -> Vec<Record> {
    let bytes = bytes.as_ref();
    let reading = Reading::of_bytes(bytes, 1 << 16);
    assert!(reading.error.is_none(), "{:?} in {:?}", reading.error, String::from_utf8_lossy(bytes));
    reading.records
}

/// One gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap()
}

/// BGZF: many small gzip members and an empty last one.
fn bgzf(bytes: &[u8]) -> Vec<u8> {
    let mut writer = noodles_bgzf::io::Writer::new(vec![]);
    for block in bytes.chunks(100) {
        writer.write_all(block).and_then(|()| writer.flush()).unwrap();
    }
    writer.finish().unwrap()
}

pub use crate::place::shared;
