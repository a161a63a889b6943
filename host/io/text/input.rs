//! What a text is read from: a name, which is opened, and a count of the bytes that have been read.

use super::plain::Place;
use crate::error::{FileError, Result};
use crate::standard;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// An opened input.
pub(super) enum Input {
    /// A regular file, from a place up to its end.
    File(Place, u64),
    /// What must be read in order: a pipe, a terminal, a file that does not tell its size.
    Stream(File),
}

impl Input {
    /// Opens `path`, or standard input for `-`. Returns its name for errors, too.
    pub(super) fn open(path: &Path) -> Result<(Self, PathBuf)> {
        let stdin = path.as_os_str() == "-";
        let label = if stdin { PathBuf::from("standard input") } else { path.to_path_buf() };
        let opened = if stdin { standard::input() } else { File::open(path) };
        match opened.and_then(Self::of) {
            Ok(input) => Ok((input, label)),
            Err(source) => Err(FileError::File { path: label, action: "open", source }),
        }
    }

    pub(super) fn of(mut file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        // Files of /proc have no size and many bytes.
        if !metadata.is_file() || metadata.len() == 0 {
            return Ok(Self::Stream(file));
        }
        // Standard input may have been read up to somewhere by another program.
        let at = file.stream_position()?;
        Ok(Self::File(Place { file: Arc::new(file), at }, metadata.len()))
    }
}

/// Tells whether reading a pipe, a terminal or the like would wait.
pub(super) struct Gate(pub(super) Arc<File>);

impl Gate {
    /// Whether there is something to be read, or the end, within `patience`.
    pub(super) fn is_open(&self, patience: Duration) -> bool {
        let mut wanted = libc::pollfd { fd: self.0.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = i32::try_from(patience.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: the pointer is that of one element, which lives until the call returns.
        let found = unsafe { libc::poll(&raw mut wanted, 1, milliseconds) };
        // What cannot be asked is read, and says so itself.
        found != 0
    }
}

/// A reader that counts its bytes, each as often as it is read.
#[derive(Clone)]
pub(super) struct Counted<R> {
    pub(super) input: R,
    pub(super) bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
