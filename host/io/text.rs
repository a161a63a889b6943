//! The text of an input: its bytes, decompressed, as blocks in order.
//!
//! ```text
//! Text::next (one thread, in order) -> Block -> Block::fill (any thread, in any order) -> text
//! ```
//!
//! A block that is handed out is still to be made: what can be done without the blocks before it, such as reading a part of a
//! file, is done by the thread that fills it. Blocks end anywhere, within a line too.

use crate::error::{FileError, Result};
use crate::gzip::{self, Members};
use crate::standard;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why reading failed before the end of the input.
#[derive(Debug)]
pub enum Damage {
    /// The compressed stream is truncated or damaged.
    Compressed(String),
    /// The system cannot read the input.
    Unreadable(io::Error),
}

/// A block that is still to be made.
pub struct Block(Box<dyn FnOnce(&mut Vec<u8>) -> std::result::Result<(), Damage> + Send>);

impl Block {
    /// Appends the text of the block to `text`.
    ///
    /// # Errors
    /// Why the block is not whole. What comes before the damage has been appended then.
    pub fn fill(self, text: &mut Vec<u8>) -> std::result::Result<(), Damage> {
        (self.0)(text)
    }
}

/// The text of one input.
pub struct Text {
    bytes: Box<dyn Read + Send>,
    block_bytes: usize,
    ended: bool,
    label: PathBuf,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
}

impl Text {
    /// Opens a file, or standard input for `-`, whose blocks have about `block_bytes`. At most `ahead` of them exist at a time.
    ///
    /// # Errors
    /// [`FileError::File`] if it is a directory or cannot be opened or read.
    pub fn open(path: &Path, block_bytes: usize, ahead: usize) -> Result<Self> {
        let stdin = path.as_os_str() == "-";
        let label = if stdin { PathBuf::from("standard input") } else { path.to_path_buf() };
        let opened = if stdin { standard::input() } else { File::open(path) };
        let checked = opened.and_then(|file| {
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::Error::from(ErrorKind::IsADirectory));
            }
            Ok((file, metadata.is_file().then_some(metadata.len())))
        });
        let (file, total_bytes) =
            checked.map_err(|source| FileError::File { path: label.clone(), action: "open", source })?;
        Ok(Self { total_bytes, ..Self::new(file, &label, block_bytes, ahead)? })
    }

    /// The text of what `source` reads, which errors call `label`.
    ///
    /// # Errors
    /// [`FileError::File`] if it cannot be read.
    pub fn new(source: impl Read + Send + 'static, label: &Path, block_bytes: usize, _ahead: usize) -> Result<Self> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let mut input = Counted { input: source, bytes_read: Arc::clone(&bytes_read) };
        let mut start = Vec::with_capacity(gzip::MAGIC.len());
        let looked = input.by_ref().take(gzip::MAGIC.len() as u64).read_to_end(&mut start);
        looked.map_err(|source| FileError::File { path: label.to_path_buf(), action: "read", source })?;
        let compressed = start == gzip::MAGIC;
        let (input, block_bytes) = (Cursor::new(start).chain(input), block_bytes.max(1));
        let bytes: Box<dyn Read + Send> = match compressed {
            true => Box::new(Members::new(BufReader::with_capacity(block_bytes, input))),
            false => Box::new(input),
        };
        Ok(Self { bytes, block_bytes, ended: false, label: label.to_path_buf(), bytes_read, total_bytes: None })
    }

    /// The next block; `None` at the end and after damage. May wait for the input.
    pub fn next(&mut self) -> Option<Block> {
        if self.ended {
            return None;
        }
        let mut text = vec![0; self.block_bytes];
        let (read, damage) = self.read(&mut text);
        text.truncate(read);
        self.ended = read == 0 || damage.is_some();
        if read == 0 && damage.is_none() {
            return None;
        }
        Some(Block(Box::new(move |into| {
            match into.is_empty() {
                true => *into = text,
                false => into.extend_from_slice(&text),
            }
            damage.map_or(Ok(()), Err)
        })))
    }

    fn read(&mut self, text: &mut [u8]) -> (usize, Option<Damage>) {
        loop {
            match self.bytes.read(text) {
                Ok(read) => return (read, None),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let damage = match gzip::damage(&error) {
                        Some(damage) => Damage::Compressed(damage.to_string()),
                        None => Damage::Unreadable(error),
                    };
                    return (0, Some(damage));
                }
            }
        }
    }

    /// The name of the input in errors.
    pub fn label(&self) -> &Path {
        &self.label
    }

    /// Bytes read from the input so far, compressed ones if it is compressed: for a progress bar.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// The size of a regular file in bytes, compressed ones if it is compressed.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }
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
