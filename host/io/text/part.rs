//! Parts of regular files: how large a file is, and its text from some place on.
//!
//! ```text
//! plain   bytes on disk; read from any place on
//! BGZF    bytes on disk; read from any block on
//! others  bytes of text, for which the file is decompressed once; read from the beginning
//! ```
//!
//! The blocks before the end of a part are made ahead, as those of a whole file are. Behind it, one is made when it is asked for:
//! the last record of a part may go on there.

use super::compression::Compression;
use super::input::Input;
use super::plain::Parts;
use super::{Block, Damage, Fill, Source, Text, of_file, unreadable};
use crate::error::{FileError, Result};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

/// Bytes read at a time to measure a text.
const BLOCK: usize = 1 << 20;

/// What places in a file are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes of the file, which is not compressed.
    Plain,
    /// Bytes of the file, which is BGZF.
    Bgzf,
    /// Bytes of its text.
    Text,
}

/// Part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the file is measured in. [`Measure::Text`]: its first bytes tell how it is compressed.
    pub measure: Measure,
    /// Where in the file reading begins: of BGZF at a block, else at 0 if it is compressed.
    pub start: u64,
    /// Bytes of text that are left out there: fewer than the first block has, or none.
    pub skipped: usize,
    /// Where in the file the part ends. The text goes on.
    pub end: u64,
}

impl Part {
    /// A whole file.
    pub const WHOLE: Self = Self { measure: Measure::Text, start: 0, skipped: 0, end: u64::MAX };
}

/// What a file is measured in, and its size.
///
/// # Errors
/// [`FileError::Usage`] for what can be read only once; [`FileError::File`]; [`FileError::Unusable`] for a damaged file.
pub fn measure(path: &Path) -> Result<(Measure, u64)> {
    let opened = if path.as_os_str() == "-" { None } else { Some(Input::open(path)?.0) };
    // An empty file is no less a file.
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let bytes = match opened {
        Some(Input::File(place, end)) => {
            let compression = Compression::tell(&mut place.clone()).map_err(|source| unreadable(path, source))?.0;
            match compression {
                Compression::None => return Ok((Measure::Plain, end)),
                Compression::Bgzf => return Ok((Measure::Bgzf, end)),
                _ => text_bytes(path)?,
            }
        }
        Some(Input::Stream(_)) if is_file => 0,
        _ => {
            let name = if path.as_os_str() == "-" { "standard input".into() } else { path.to_string_lossy() };
            return Err(FileError::Usage(format!(
                "--shard needs to know how long the inputs are, and {name} can be read only once: give it as a file"
            )));
        }
    };
    Ok((Measure::Text, bytes))
}

/// How long the text of a compressed file is.
fn text_bytes(path: &Path) -> Result<u64> {
    let mut text = Text::open(path, BLOCK, rayon::current_num_threads())?;
    let (mut bytes, mut block) = (0, Vec::new());
    while let Some(next) = text.next() {
        block.clear();
        Block::fill(next, &mut block).map_err(|damage| damaged(path, damage))?;
        bytes += block.len() as u64;
    }
    Ok(bytes)
}

/// What is wrong with a file of which nobody counts lines.
pub(super) fn damaged(path: &Path, damage: Damage) -> FileError {
    match damage {
        Damage::Compressed(message) => FileError::Unusable { path: path.to_path_buf(), message },
        Damage::Unreadable(source) => unreadable(path, source),
    }
}

impl Text {
    /// Opens part of a regular file, as [`Text::open`] opens a whole one.
    ///
    /// # Errors
    /// [`FileError::File`] if it cannot be opened or read.
    pub fn open_part(path: &Path, block_bytes: usize, ahead: usize, part: Part) -> Result<Self> {
        let (input, label) = Input::open(path)?;
        let Input::File(mut place, end) = input else {
            // It has become something else, or empty, since it was measured.
            return Self::of(input, &label, block_bytes, ahead).map_err(|source| unreadable(&label, source));
        };
        place.at = part.start;
        let (bytes_read, held) = (Arc::default(), block_bytes.saturating_mul(ahead));
        let (source, phase) = match part.measure {
            // Within a file, text may look like the beginning of a compressed one.
            Measure::Plain => {
                let parts = Parts::new(place, end, part.end, block_bytes.max(1), Arc::clone(&bytes_read));
                (Box::new(parts) as Box<dyn Source>, Compression::None.phase())
            }
            _ => of_file((place, end), (block_bytes.max(1), held), part.end, &bytes_read)
                .map_err(|source| unreadable(&label, source))?,
        };
        let source: Box<dyn Source> = match part.skipped {
            0 => source,
            bytes => Box::new(Skipping { source, bytes }),
        };
        let total_bytes = Some(end.min(part.end).saturating_sub(part.start));
        Ok(Self { source: Some(source), phase, label, bytes_read, total_bytes })
    }
}

/// A source without the first bytes of its first block.
struct Skipping {
    source: Box<dyn Source>,
    bytes: usize,
}

impl Source for Skipping {
    fn next(&mut self) -> Option<Box<Fill>> {
        let fill = self.source.next()?;
        let bytes = std::mem::take(&mut self.bytes);
        Some(Box::new(move |text: &mut Vec<u8>| {
            let start = text.len();
            let filled = fill(text);
            text.drain(start..text.len().min(start + bytes));
            filled
        }))
    }

    fn is_ready(&mut self) -> bool {
        self.source.is_ready()
    }

    fn makes(&self) -> bool {
        self.source.makes()
    }

    fn then(&mut self) -> Option<Box<dyn Source>> {
        self.source.then()
    }
}

/// The error of a file that begins with blocks of BGZF and goes on with something else at `at`.
pub(super) fn not_bgzf(path: &Path, at: u64) -> FileError {
    let message = format!(
        "expected a block of BGZF at byte {at}, found something else: the file is damaged, or other gzip was appended to it; \
         compress it again with bgzip, or leave out --shard"
    );
    FileError::Unusable { path: path.to_path_buf(), message }
}

/// The error of a file that is none any more.
pub(super) fn gone(path: &Path) -> FileError {
    unreadable(path, io::Error::new(ErrorKind::UnexpectedEof, "it has become shorter"))
}
