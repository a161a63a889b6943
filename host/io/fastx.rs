//! `fastx`: strict reading of FASTA and FASTQ, plain or gzip, with the line of everything.
//!
//! # Definition
//!
//! ```text
//! FASTA record = ">" header line, sequence lines until a line starting with ">" or the end
//! FASTQ record = "@" header line, sequence lines until a line starting with "+",
//!                "+" line (bare, or the header again), quality lines until as many symbols as the sequence has
//! ```
//!
//! The first byte says which of the two a file is; `1f 8b` says gzip (all members, so BGZF too). LF and CRLF end a line,
//! the last one may be missing, and empty lines may end the file, in FASTA a record. Sequence and quality are bytes 33..=126,
//! kept as they are; no line of sequence starts with `@`, in FASTA none with `;`. Everything else is an [`FileError::Input`](crate::error::FileError::Input) with file, line and record. Nothing is skipped and nothing repaired.
//!
//! # Who does what
//!
//! ```text
//! Source (bytes, counted, decompressed) -> Lines (buffer, line numbers) -> fasta | fastq (grammar) -> caller's vectors
//! ```
//!
//! A line is found by `memchr` in a buffer that stays in the L2 cache, appended once to the caller's flat vectors, and
//! checked there, still cached, by one vectorised pass. No byte is looked at by scalar code, and memory is the buffer plus
//! what the caller keeps: the longest record.
//!
//! # Why it is right at the edges
//!
//! - A line is appended piece by piece as the buffer refills, and judged only when whole, so the buffer's size cannot
//!   change a result; the only look ahead is at one byte, the first of the next line.
//! - A quality line may start with `@` or `+`: only the length decides where quality ends. The byte after it must then be
//!   `@`, an empty line or the end, so quality that is too long is blamed on its own record, not on the next.
//! - A read of length zero has an empty line, or none, for sequence and quality.
//!
//! # Why not a published reader
//!
//! `needletail` and `noodles-fastq` read FASTQ of four lines only; `needletail`'s errors carry no line number. Neither can
//! say on which line of a wrapped record a letter stands, which is what [`Location`] is for. The grammar is FASTQ's as
//! described by Cock et al. (2010), Nucleic Acids Res. 38:1767.

mod fasta;
mod fastq;
mod lines;
mod location;
mod printable;
mod source;

pub use location::Location;
pub use source::refuse_shared_stdin;

use crate::error::Result;
use lines::Lines;
use location::Wrapping;
use source::Source;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use warpseq_seq::Records;

/// Bytes read at a time: large enough for few system calls, small enough to stay in the L2 cache.
pub const BUFFER_BYTES: usize = 1 << 20;

/// Bytes of a name from which on it is worth a vector of its own, with what that keeps in reserve.
const LONG_NAME: usize = 1 << 16;

/// What a file is, by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `>`: sequences.
    Fasta,
    /// `@`: sequences with qualities.
    Fastq,
}

/// What becomes of a record's qualities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualities {
    /// They stay with the record.
    Keep,
    /// They are read, checked, and forgotten.
    Drop,
}

/// A record's header line and place; its symbols are in the vectors given to [`Reader::read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The first word of the header line, never empty.
    pub name: Vec<u8>,
    /// What follows the first word and the blanks after it; often empty.
    pub description: Vec<u8>,
    /// Where the record stands in its file.
    pub location: Location,
}

impl Header {
    /// Splits a header line, without its first byte, at the first run of blanks. A long one is moved, not copied.
    fn new(title: &mut Vec<u8>, location: Location) -> Self {
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let end = title.iter().position(blank).unwrap_or(title.len());
        let rest = &title[end..];
        let start = rest.iter().position(|b| !blank(b)).unwrap_or(rest.len());
        let description = rest[start..].to_vec();
        title.truncate(end);
        let name = if end > LONG_NAME { std::mem::take(title) } else { title.clone() };
        Self { name, description, location }
    }
}

/// The records of one file, in order.
///
/// After an error, or at the end, there is nothing more to read: [`Reader::read`] answers `None`.
pub struct Reader {
    lines: Lines,
    kind: Option<Kind>,
    draft: Draft,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
    /// The last record's qualities where nobody wants them; kept to reuse the memory.
    unwanted: Vec<u8>,
}

/// What is known of the record being read; kept between records to reuse the memory.
#[derive(Default)]
struct Draft {
    title: Vec<u8>,
    header_line: u64,
    sequence: Wrapping,
    quality: Wrapping,
}

impl Draft {
    fn clear(&mut self) {
        self.title.clear();
        (self.sequence, self.quality) = Default::default();
    }
}

impl Reader {
    /// Opens a file, or standard input for `-`, and looks at its first bytes.
    ///
    /// # Errors
    ///
    /// [`FileError::File`](crate::error::FileError::File) when it cannot be opened or read (or is a directory); [`FileError::Input`](crate::error::FileError::Input) when it starts neither as
    /// FASTA nor as FASTQ, or is damaged gzip.
    pub fn open(path: &Path) -> Result<Self> {
        let (file, label, total_bytes) = source::open(path)?;
        let mut reader = Self::new(file, label, BUFFER_BYTES)?;
        reader.total_bytes = total_bytes;
        Ok(reader)
    }

    /// Reads records from `source`, `buffer_bytes` (at least 1) at a time; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`], opening aside.
    pub fn new(source: impl Read + Send + 'static, path: PathBuf, buffer_bytes: usize) -> Result<Self> {
        let source = Source::new(source, &path, buffer_bytes)?;
        let bytes_read = source.bytes_read();
        let mut lines = Lines::new(source, path, buffer_bytes);
        let kind = kind_of(&mut lines)?;
        Ok(Self { lines, kind, draft: Draft::default(), bytes_read, total_bytes: None, unwanted: Vec::new() })
    }

    /// FASTA or FASTQ; `None` for an input without records.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// The input's name as in errors.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// Bytes taken from the input so far, compressed if it is: for a progress bar.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// The size of the input in bytes, compressed if it is, when it is a regular file.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// Appends the next record's symbols to `sequence` and, for FASTQ, as many bytes to `quality` (FASTA: none); `None` at
    /// the end.
    ///
    /// # Errors
    ///
    /// [`FileError::Input`](crate::error::FileError::Input) when the record breaks the format or the gzip stream is damaged, [`FileError::File`](crate::error::FileError::File) when the input
    /// cannot be read. Both vectors are then as they were.
    pub fn read(&mut self, sequence: &mut Vec<u8>, quality: &mut Vec<u8>) -> Result<Option<Header>> {
        let (bases, qualities) = (sequence.len(), quality.len());
        self.draft.clear();
        let found = match self.kind {
            None => Ok(false),
            Some(Kind::Fasta) => fasta::read(&mut self.lines, &mut self.draft, sequence),
            Some(Kind::Fastq) => fastq::read(&mut self.lines, &mut self.draft, sequence, quality),
        };
        match found {
            Ok(true) => Ok(Some(self.header())),
            Ok(false) => Ok(None),
            Err(error) => {
                self.kind = None;
                sequence.truncate(bases);
                quality.truncate(qualities);
                Err(error)
            }
        }
    }

    /// Appends the next record to `records`, with or without its qualities. Where it stands in the file; `None` at the end.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`]. The records are then as they were.
    pub fn read_record(&mut self, records: &mut Records, qualities: Qualities) -> Result<Option<Location>> {
        let mut unwanted = std::mem::take(&mut self.unwanted);
        let found = records.append(|residues, kept| {
            let quality = if qualities == Qualities::Keep { kept } else { &mut unwanted };
            let header = self.read(residues, quality)?;
            Ok(header.map(|Header { name, location, .. }| (name, location)))
        });
        unwanted.clear();
        self.unwanted = unwanted;
        found
    }

    /// Whether a record begins here, as far as one byte tells: where empty lines follow, which only the end may have, it says no.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub fn is_at_record(&mut self) -> Result<bool> {
        let start = match self.kind {
            None => return Ok(false),
            Some(Kind::Fasta) => b'>',
            Some(Kind::Fastq) => b'@',
        };
        Ok(self.lines.peek()? == Some(start))
    }

    fn header(&mut self) -> Header {
        let Draft { title, header_line, sequence, quality } = &mut self.draft;
        Header::new(title, Location::new(self.lines.record(), *header_line, sequence, quality))
    }
}

fn kind_of(lines: &mut Lines) -> Result<Option<Kind>> {
    const FIRST_LINE: u64 = 1;
    match lines.peek()? {
        Some(b'>') => Ok(Some(Kind::Fasta)),
        Some(b'@') => Ok(Some(Kind::Fastq)),
        Some(b'\n' | b'\r') if lines.only_empty_lines_left()? => Ok(None),
        None => Ok(None),
        Some(first) => {
            let (found, hint) = (printable::name_of(first), printable::hint_at_start(first));
            let message = format!("expected `>` (FASTA) or `@` (FASTQ) at the start of the file, found {found}{hint}");
            Err(lines.fault_at(FIRST_LINE, message))
        }
    }
}

/// Starts a record: takes its header line, whose first byte has been seen, into `draft`.
fn read_header(lines: &mut Lines, draft: &mut Draft) -> Result<()> {
    lines.next_record();
    lines.append(&mut draft.title)?;
    draft.header_line = lines.line();
    draft.title.remove(0);
    if let Some(&bad) = draft.title.iter().find(|b| b.is_ascii_control() && **b != b'\t') {
        return Err(lines.fault(format!("{} in the header line", printable::name_of(bad))));
    }
    if matches!(draft.title.first(), None | Some(b' ' | b'\t')) {
        return Err(lines.fault("the header line has no name: expected a word right after its first character".into()));
    }
    Ok(())
}

/// Appends the next line to `into` and answers its length, when all its bytes are legal symbols of `part`.
fn append_symbols(lines: &mut Lines, part: &str, into: &mut Vec<u8>) -> Result<u64> {
    let start = into.len();
    lines.append(into)?;
    let line = &into[start..];
    match printable::first_illegal(line) {
        None => Ok(line.len() as u64),
        Some(at) => {
            Err(lines.fault(format!("{} in the {part}, column {}", printable::name_of(line[at]), at as u64 + 1)))
        }
    }
}
