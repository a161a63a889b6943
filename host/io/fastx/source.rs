//! The bytes of a file or of standard input, counted, and decompressed if they start like gzip.
//!
//! A plain input is read straight into the caller's buffer. The two bytes that were read to tell are put back in front.

use crate::error::{FileError, Result};
use crate::gzip::{self, Members};
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::os::fd::AsFd;
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
    let opened = if stdin { io::stdin().as_fd().try_clone_to_owned().map(File::from) } else { File::open(path) };
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

/// Refuses two inputs, each with its role, if both are standard input.
///
/// # Errors
/// [`FileError::Usage`].
pub fn refuse_shared_stdin([(one, first), (other, second)]: [(&str, &Path); 2]) -> Result<()> {
    if is_stdin(first) && is_stdin(second) {
        let message = format!("{one} and {other} cannot both come from standard input: give one of them as a file");
        return Err(FileError::Usage(message));
    }
    Ok(())
}

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
