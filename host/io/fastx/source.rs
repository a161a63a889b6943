//! The bytes of a file or of standard input, counted, and decompressed if they start like gzip.
//!
//! A plain input is read straight into the caller's buffer. The two bytes that were read to tell are put back in front.

use crate::error::{FileError, Result};
use crate::gzip::{self, Members};
use crate::standard;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Decompressed bytes.
pub(super) struct Source {
    bytes: Box<dyn Read + Send>,
    bytes_read: Arc<AtomicU64>,
}

/// Why reading failed before the end of the input.
pub(super) enum Damage {
    /// The gzip stream is truncated or damaged.
    Gzip(String),
    /// The system cannot read the input.
    Unreadable(io::Error),
}

impl Source {
    /// Reads the first two bytes of `input`, and decompresses it if they are those of gzip.
    pub(super) fn new(input: impl Read + Send + 'static, path: &Path, buffer_bytes: usize) -> Result<Self> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let mut input = Counted { input, bytes_read: Arc::clone(&bytes_read) };
        let mut start = Vec::with_capacity(gzip::MAGIC.len());
        let looked = input.by_ref().take(gzip::MAGIC.len() as u64).read_to_end(&mut start);
        looked.map_err(|source| FileError::File { path: path.to_path_buf(), action: "read", source })?;
        let compressed = start == gzip::MAGIC;
        let input = Cursor::new(start).chain(input);
        let bytes: Box<dyn Read + Send> = if compressed {
            Box::new(Members::new(BufReader::with_capacity(buffer_bytes.max(1), input)))
        } else {
            Box::new(input)
        };
        Ok(Self { bytes, bytes_read })
    }

    pub(super) fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// Fills the start of `buffer`; 0 at the end of the input.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> std::result::Result<usize, Damage> {
        loop {
            match self.bytes.read(buffer) {
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(match gzip::damage(&error) {
                        Some(damage) => Damage::Gzip(damage.to_string()),
                        None => Damage::Unreadable(error),
                    });
                }
            }
        }
    }
}

/// Opens `path`, or standard input for `-`. Returns its name for errors, and its size if it is a regular file.
pub(super) fn open(path: &Path) -> Result<(File, PathBuf, Option<u64>)> {
    let stdin = is_stdin(path);
    let label = if stdin { PathBuf::from("standard input") } else { path.to_path_buf() };
    let opened = if stdin { standard::input() } else { File::open(path) };
    let checked = opened.and_then(|file| {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::from(ErrorKind::IsADirectory));
        }
        Ok((file, metadata.is_file().then_some(metadata.len())))
    });
    match checked {
        Ok((file, total_bytes)) => Ok((file, label, total_bytes)),
        Err(source) => Err(FileError::File { path: label, action: "open", source }),
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses inputs, each with its role, of which two are one stream: standard input, a pipe or a terminal, under any names. What
/// one of them read, the other would miss.
///
/// # Errors
/// [`FileError::Usage`].
pub fn refuse_one_stream(inputs: &[(&str, &Path)]) -> Result<()> {
    let streams: Vec<_> = inputs.iter().filter_map(|&(role, path)| Some((role, path, stream_of(path)?))).collect();
    for (k, (second, path, stream)) in streams.iter().enumerate() {
        if let Some((first, ..)) = streams[..k].iter().find(|(.., other)| other == stream) {
            let name = if is_stdin(path) { "standard input".into() } else { path.to_string_lossy() };
            let message = format!("{first} and {second} cannot both come from {name}: give one of them as a file");
            return Err(FileError::Usage(message));
        }
    }
    Ok(())
}

/// Device and inode of what is read, if whoever reads it takes it from others. Files and `/dev/null` may be read twice.
fn stream_of(path: &Path) -> Option<(u64, u64)> {
    let metadata = standard::metadata_of_input(path).ok()?;
    let kind = metadata.file_type();
    let is_stream =
        kind.is_fifo() || kind.is_socket() || kind.is_char_device() && libc::major(metadata.rdev()) != MEMORY;
    (is_stream || is_stdin(path)).then(|| (metadata.dev(), metadata.ino()))
}

/// The number of the driver of `/dev/null`, `/dev/zero` and the like.
const MEMORY: u32 = 1;

/// A reader that counts its bytes.
struct Counted<R> {
    input: R,
    bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
