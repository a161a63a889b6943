//! `fastx`: strict reading of FASTA and FASTQ, plain or compressed, on all threads, with line numbers.
//!
//! # Definition
//!
//! ```text
//! FASTA record = ">" header line, sequence lines until a line starting with ">" or the end
//! FASTQ record = "@" header line, sequence lines until a line starting with "+",
//!                "+" line (bare, or the header again), quality lines until as many symbols as the sequence has
//! ```
//!
//! The first byte of the text tells FASTA from FASTQ. A line ends with LF or CRLF; the last line may lack it. Empty lines may end
//! a file, and in FASTA also a record. Sequence and quality are bytes 33..=126 and are kept as they are. No line of sequence
//! starts with `@`, nor in FASTA with `;`. Anything else is a [`FileError::Input`](crate::error::FileError::Input) with file, line
//! and record: nothing is skipped or repaired.
//!
//! # Who does what
//!
//! ```text
//! Text (blocks, decompressed) -> Lines (line numbers) -> fasta | fastq (grammar) -> Reader   one record at a time
//! Text -> blocks (each read by a thread of its own)   -> the same, where they join -> Batches  many at a time
//! ```
//!
//! `memchr` finds the end of a line in a block. The line is checked by one vectorised pass and appended, still in the cache, to the
//! caller's flat vectors. No scalar code looks at each byte. What else a caller demands of a record ([`Demands`]) is checked by the
//! thread that has just read it. The memory is the blocks plus what the caller keeps, at least the longest record.
//!
//! A record that is longer than blocks is put together by the thread that reads in order, with the help of the others: these have
//! read lines of its sequence ahead (`stretch`), and copy the symbols that it has found (`rope`).
//!
//! # Why it is right at the edges
//!
//! - A line is appended piece by piece as blocks come. Each piece is checked before the next is looked at, so that the first bad
//!   byte is told, and nothing behind it, wherever blocks end. A carriage return at the end of a piece waits for the next: it may
//!   belong to the end of the line. The only look-ahead is one byte, the first of the next line.
//! - A quality line may start with `@` or `+`, so only the length decides where the quality ends. After it comes `@`, an empty
//!   line or the end. Quality that is too long is therefore an error of its own record, not of the next one.
//! - A read of length 0 has an empty line, or none, for sequence and quality.
//! - Batches are cut by blocks, but their records and errors are those of the serial reader: see `blocks`.
//!
//! # Why not a published reader
//!
//! `needletail` and `noodles-fastq` read only FASTQ of four lines a record, and the errors of `needletail` have no line numbers.
//! Neither knows the line of a letter in a wrapped record, as [`Location`] does. The grammar of FASTQ is that of Cock et al.
//! (2010), Nucleic Acids Res. 38:1767.

mod batches;
mod blocks;
mod fasta;
mod fastq;
mod foreign;
mod grammar;
mod lines;
mod location;
mod plain;
mod printable;
mod rope;
mod share;
mod starts;
mod stream;
mod stretch;

pub use batches::{Batch, Batches, Sizes};
pub use blocks::Spare;
pub use location::Location;
pub use share::Unit;
pub use stream::refuse_one_stream;

use crate::error::Result;
use crate::text::Text;
use grammar::{Grammar, end_of_name};
use lines::Lines;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Bytes read at a time: many, to save system calls, but few enough to stay in the L2 cache.
pub const BUFFER_BYTES: usize = 1 << 20;

/// The format of a file, told by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `>`: sequences.
    Fasta,
    /// `@`: sequences with qualities.
    Fastq,
}

/// What becomes of a record's qualities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Qualities {
    /// They stay with the record.
    #[default]
    Keep,
    /// They are read, checked, and forgotten.
    Drop,
}

/// A record that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The first word of the header line, never empty.
    pub name: &'a [u8],
    /// The sequence.
    pub residues: &'a [u8],
    /// As many quality bytes; none in FASTA.
    pub quality: &'a [u8],
}

/// Why a caller cannot use a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where in the record.
    pub place: Place,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// A place in a record, whose line a message gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The header line.
    Header,
    /// A residue, from 0, less than the length.
    Residue(usize),
    /// A quality byte, from 0, less than the length.
    Quality(usize),
}

/// Refuses records that the caller cannot use, and counts something of the others.
pub type Check = dyn Fn(Record) -> std::result::Result<u64, Refusal> + Send + Sync;

/// What a caller demands of records.
#[derive(Clone, Default)]
pub struct Demands {
    /// What becomes of the qualities.
    pub qualities: Qualities,
    /// Besides the format.
    pub check: Option<Arc<Check>>,
    /// Whether batches tell the lines of their records.
    pub lines: bool,
    /// Whether batches keep the text of their records.
    pub texts: bool,
    /// Whether batches tell the places of their records.
    pub places: bool,
    /// Whether records of FASTQ must have four lines, as whoever looks for their starts needs them to.
    pub four_lines: bool,
}

/// The header line and the location of a record. Its symbols go to the vectors given to [`Reader::read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The first word of the header line, never empty.
    pub name: Vec<u8>,
    /// The rest of the header line, after the blanks that follow the name; often empty.
    pub description: Vec<u8>,
    /// Where the record is in its file.
    pub location: Location,
}

impl Header {
    /// Splits a header line, without its first byte, at the first run of blanks.
    fn new(title: &[u8], location: Location) -> Self {
        let (name, rest) = title.split_at(end_of_name(title));
        let start = rest.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(rest.len());
        Self { name: name.to_vec(), description: rest[start..].to_vec(), location }
    }
}

/// The records of one file, one at a time, in order.
///
/// After an error and at the end, [`Reader::read`] returns `None`.
pub struct Reader {
    grammar: Grammar,
    path: PathBuf,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
}

impl Reader {
    /// Opens a file, or standard input for `-`, and reads its first bytes.
    ///
    /// # Errors
    ///
    /// [`FileError::File`](crate::error::FileError::File) if it is a directory or cannot be opened or read;
    /// [`FileError::Input`](crate::error::FileError::Input) if it starts like neither FASTA nor FASTQ, or if its compressed
    /// stream is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        Self::of(Text::open(path, BUFFER_BYTES, 1)?)
    }

    /// Reads records from `source`, `buffer_bytes` (at least 1) at a time; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::open`], except for opening.
    pub fn new(source: impl Read + Send + 'static, path: PathBuf, buffer_bytes: usize) -> Result<Self> {
        Self::of(Text::new(source, &path, buffer_bytes)?)
    }

    fn of(text: Text) -> Result<Self> {
        let (path, bytes_read, total_bytes) = (text.label().to_path_buf(), text.bytes_read(), text.total_bytes());
        let grammar = Grammar::new(Lines::new(text))?;
        Ok(Self { grammar, path, bytes_read, total_bytes })
    }

    /// FASTA or FASTQ; `None` for an input without records, and after an error.
    pub fn kind(&self) -> Option<Kind> {
        self.grammar.kind()
    }

    /// The name of the input in errors.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes read from the input so far, compressed ones if it is compressed: for a progress bar.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// The size of a regular file in bytes, compressed ones if it is compressed.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// Appends the symbols of the next record to `sequence` and, for FASTQ, as many bytes to `quality`. `None` at the end.
    ///
    /// # Errors
    ///
    /// [`FileError::Input`](crate::error::FileError::Input) if the record breaks the format or the compressed stream is damaged,
    /// [`FileError::File`](crate::error::FileError::File) if the input cannot be read. Both vectors are then unchanged.
    pub fn read(&mut self, sequence: &mut Vec<u8>, quality: &mut Vec<u8>) -> Result<Option<Header>> {
        Ok(match self.grammar.read(sequence, quality)? {
            false => None,
            true => {
                let location = self.grammar.location();
                Some(Header::new(self.grammar.title(), location))
            }
        })
    }
}
