//! Everything that the program's reader of sequences gives for some bytes.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use warpseq::error::FileError;
use warpseq::fastx::{BUFFER_BYTES, Batch, Batches, Demands, Header, Kind, Reader, Sizes};

/// The records up to the first error, and that.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    pub kind: Option<Kind>,
    pub records: Vec<Record>,
    pub error: Option<Fault>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    pub header: Header,
    pub sequence: Vec<u8>,
    pub quality: Vec<u8>,
}

/// An error, as far as it may be printed.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub line: u64,
    pub record: u64,
    pub message: String,
}

impl Reading {
    /// What a reader with the program's buffer gives.
    pub fn of(bytes: &[u8]) -> Self {
        Self::through(bytes, BUFFER_BYTES)
    }

    /// What a reader gives that takes `buffer_bytes` at a time.
    ///
    /// # Panics
    /// When an error is not one of the input with its place, or anything follows it.
    pub fn through(bytes: &[u8], buffer_bytes: usize) -> Self {
        let mut reading = Self { kind: None, records: Vec::new(), error: None };
        match Reader::new(Cursor::new(bytes.to_vec()), PathBuf::from("file"), buffer_bytes) {
            Ok(reader) => reading.read(reader),
            Err(error) => reading.error = Some(Fault::of(error)),
        }
        reading
    }

    /// What all threads give that read blocks of `block` bytes ahead: names, residues, qualities, and how that ends.
    ///
    /// # Panics
    /// When an error is not one of the input with its place, or anything follows it.
    pub fn ahead(bytes: &[u8], block: usize) -> (Vec<[Vec<u8>; 3]>, Option<Fault>) {
        let (mut records, sizes) = (Vec::new(), Sizes { block, ahead: 3 });
        let opened = Batches::new(Cursor::new(bytes.to_vec()), Path::new("file"), Demands::default(), sizes);
        let mut batches = match opened {
            Ok(batches) => batches,
            Err(error) => return (records, Some(Fault::of(error))),
        };
        loop {
            match batches.next() {
                Ok(Some(Batch { records: some, .. })) => records.extend((0..some.len()).map(|k| {
                    [some.name(k), some.sequence(k), some.quality(k).unwrap_or_default()].map(<[u8]>::to_vec)
                })),
                Ok(None) => return (records, None),
                Err(error) => {
                    assert!(matches!(batches.next(), Ok(None)), "nothing follows an error");
                    return (records, Some(Fault::of(error)));
                }
            }
        }
    }

    /// The same of these records, which were read one after another.
    pub fn plain(self) -> (Vec<[Vec<u8>; 3]>, Option<Fault>) {
        let parts = |Record { header, sequence, quality }| [header.name, sequence, quality];
        (self.records.into_iter().map(parts).collect(), self.error)
    }

    fn read(&mut self, mut reader: Reader) {
        self.kind = reader.kind();
        loop {
            // The vectors hold something, for readers append.
            let (mut sequence, mut quality) = (b"before".to_vec(), b"it".to_vec());
            match reader.read(&mut sequence, &mut quality) {
                Ok(Some(header)) => {
                    let (sequence, quality) = (sequence.split_off(6), quality.split_off(2));
                    self.records.push(Record { header, sequence, quality });
                }
                Ok(None) => return,
                Err(error) => {
                    self.error = Some(Fault::of(error));
                    assert_eq!(
                        (&sequence[..], &quality[..]),
                        (&b"before"[..], &b"it"[..]),
                        "an error leaves no symbols"
                    );
                    let again = reader.read(&mut sequence, &mut quality);
                    assert!(matches!(again, Ok(None)), "nothing follows an error");
                    return;
                }
            }
        }
    }
}

impl Fault {
    fn of(error: FileError) -> Self {
        let FileError::Input { path, line, record, message } = error else {
            panic!("not an error of the input: {error}")
        };
        assert_eq!(path, Path::new("file"));
        assert!(line > 0 && !message.is_empty());
        assert!(!message.chars().any(char::is_control), "{message:?}");
        Self { line, record, message }
    }
}
