//! `fastx`: strict reading of FASTA and FASTQ, plain or gzipped, with line numbers.
//!
//! # Definition
//!
//! ```text
//! FASTA record = ">" header line, sequence lines until a line starting with ">" or the end
//! FASTQ record = "@" header line, sequence lines until a line starting with "+",
//!                "+" line (bare, or the header again), quality lines until as many symbols as the sequence has
//! ```
//!
//! The first byte tells FASTA from FASTQ. `1f 8b` marks gzip, of which all members are read, so BGZF works too. A line ends
//! with LF or CRLF; the last line may lack it. Empty lines may end a file, and in FASTA also a record. Sequence and quality are
//! bytes 33..=126 and are kept as they are. No line of sequence starts with `@`, nor in FASTA with `;`. Anything else is a
//! [`FileError::Input`] with file, line and record: nothing is skipped or repaired.
//!
//! # Who does what
//!
//! ```text
//! Source (bytes, counted, decompressed) -> Lines (buffer, line numbers) -> fasta | fastq (grammar) -> caller's vectors
//! ```
//!
//! `memchr` finds the end of a line in a buffer that stays in the L2 cache. The line is appended once to the caller's flat
//! vectors and checked there, still in the cache, by one vectorised pass. No scalar code looks at each byte. The memory is the
//! buffer plus what the caller keeps, at least the longest record.
//!
//! # Why it is right at the edges
//!
//! - A line is appended piece by piece as the buffer refills. Each piece is checked before the next is read, so that the first bad
//!   byte is told, and nothing behind it, whatever the size of the buffer. A carriage return at the end of a piece waits for the next:
//!   it may belong to the end of the line. The only look-ahead is one byte, the first of the next line.
//! - A quality line may start with `@` or `+`, so only the length decides where the quality ends. After it comes `@`, an empty
//!   line or the end. Quality that is too long is therefore an error of its own record, not of the next one.
//! - A read of length 0 has an empty line, or none, for sequence and quality.
//!
//! # Why not a published reader
//!
//! `needletail` and `noodles-fastq` read only FASTQ of four lines a record, and the errors of `needletail` have no line numbers.
//! Neither knows the line of a letter in a wrapped record, as [`Location`] does. The grammar of FASTQ is that of Cock et al.
//! (2010), Nucleic Acids Res. 38:1767.

mod fasta;
mod fastq;
mod foreign;
mod lines;
mod location;
mod printable;
mod source;

pub use location::Location;
pub use source::refuse_one_stream;

use crate::error::{FileError, Result};
use lines::Lines;
use location::Wrapping;
use source::Source;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use warpseq_seq::Records;

/// Bytes read at a time: many, to save system calls, but few enough to stay in the L2 cache.
pub const BUFFER_BYTES: usize = 1 << 20;

/// From this many bytes on, a name is moved into the record instead of copied.
const LONG_NAME: usize = 1 << 16;

/// The format of a file, told by its first byte.
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
    /// Splits a header line, without its first byte, at the first run of blanks. A long name is moved, not copied.
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
/// After an error and at the end, [`Reader::read`] returns `None`.
pub struct Reader {
    lines: Lines,
    kind: Option<Kind>,
    draft: Draft,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
    /// The last record's qualities where nobody wants them; kept to reuse the memory.
    unwanted: Vec<u8>,
}

/// The parts of the record being read. It is kept between records to reuse its memory.
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
    /// Opens a file, or standard input for `-`, and reads its first bytes.
    ///
    /// # Errors
    ///
    /// [`FileError::File`] if it is a directory or cannot be opened or read;
    /// [`FileError::Input`] if it starts like neither FASTA nor FASTQ, or if it is damaged gzip.
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
    /// Those of [`Reader::open`], except for opening.
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

    /// The name of the input in errors.
    pub fn path(&self) -> &Path {
        self.lines.path()
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
    /// [`FileError::Input`] if the record breaks the format or the gzip stream is damaged,
    /// [`FileError::File`] if the input cannot be read. Both vectors are then unchanged.
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
                Err(self.or_sam(error))
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

    /// Whether the next byte starts a record. It does not if empty lines follow: only the end of the file may have those.
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

    /// Says of a first record that broke the format if it begins like SAM.
    fn or_sam(&self, mut error: FileError) -> FileError {
        let Draft { title, header_line, .. } = &self.draft;
        if let FileError::Input { record: 1, message, .. } = &mut error
            && *header_line == 1
            && foreign::is_sam_header(title)
        {
            message.push_str(foreign::SAM_ADVICE);
        }
        error
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
            let found = match foreign::told_by(&lines.take_start(foreign::TELLING)) {
                Some((what, advice)) => format!("{what}: {advice}"),
                None => printable::name_of(first),
            };
            let message = format!("expected `>` (FASTA) or `@` (FASTQ) at the start of the file, found {found}");
            Err(lines.fault_at(FIRST_LINE, message))
        }
    }
}

/// Starts a record: reads its header line, whose first byte has been checked, into `draft`.
fn read_header(lines: &mut Lines, draft: &mut Draft) -> Result<()> {
    lines.next_record();
    lines.append_legal(&mut draft.title, "header line", printable::first_control)?;
    draft.header_line = lines.line();
    draft.title.remove(0);
    if matches!(draft.title.first(), None | Some(b' ' | b'\t')) {
        return Err(lines.fault("the header line has no name: expected a word right after its first character".into()));
    }
    Ok(())
}

/// Appends the next line to `into` and returns its length, if all its bytes are legal symbols of `part`.
fn append_symbols(lines: &mut Lines, part: &str, into: &mut Vec<u8>) -> Result<u64> {
    let start = into.len();
    lines.append_legal(into, part, printable::first_illegal)?;
    Ok((into.len() - start) as u64)
}
