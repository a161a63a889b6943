//! Blocks of a BGZF file by their places, without reading what is before them.
//!
//! A block begins with bytes that nothing else is likely to have, says how long it is, and has a checksum. What looks like one from
//! some place on and is what it says is one: its text is decompressed to know. From there, the lengths lead to the next ones.

use super::bgzf::{Blocks, TEXT_MAX};
use super::input::{Counted, Input};
use super::part::{gone, not_bgzf};
use super::plain::Place;
use super::unreadable;
use crate::error::Result;
use memchr::memmem;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first bytes of a block.
const START: &[u8] = &[0x1f, 0x8b, 8, 4];
/// A block begins within so many bytes, for none is longer.
const REACH: u64 = 1 << 16;

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where it begins in the file.
    pub at: u64,
    /// Bytes of its text.
    pub text: u64,
}

/// The blocks of a file.
pub struct Marks {
    place: Place,
    end: u64,
    path: PathBuf,
}

impl Marks {
    /// Opens a file, which begins with a block.
    ///
    /// # Errors
    /// [`FileError::File`](crate::error::FileError::File).
    pub fn open(path: &Path) -> Result<Self> {
        match Input::open(path)?.0 {
            Input::File(place, end) => Ok(Self { place, end, path: path.to_path_buf() }),
            Input::Stream(_) => Err(gone(path)),
        }
    }

    fn at(&self, at: u64) -> Blocks<Counted<Place>> {
        let input = Place { at, ..self.place.clone() };
        Blocks::new(Counted { input, bytes_read: Arc::default() }, 1, None)
    }

    /// The block at a place, and where the next one begins; `None` at the end of the file.
    fn mark(&self, at: u64) -> Result<Option<(Mark, u64)>> {
        if at == self.end {
            return Ok(None);
        }
        let found = self.at(at).sizes().map_err(|source| unreadable(&self.path, source))?;
        let (bytes, text) = found.ok_or_else(|| not_bgzf(&self.path, at))?;
        Ok(Some((Mark { at, text: text as u64 }, at + bytes as u64)))
    }

    /// The blocks from the one at `at` on, up to the first at or behind `end`, which must be one, or the end of the file; and where that
    /// is.
    ///
    /// # Errors
    /// [`FileError::Unusable`](crate::error::FileError::Unusable) where the file has something else than a block.
    pub fn walk(&self, mut at: u64, end: u64, mut see: impl FnMut(Mark)) -> Result<u64> {
        while let Some((mark, next)) = self.mark(at)?
            && at < end
        {
            see(mark);
            at = next;
        }
        Ok(at)
    }

    /// Where the first block at or behind `place` begins, or the end of the file; and whether a line begins there.
    ///
    /// # Errors
    /// As [`Marks::walk`].
    pub fn find(&self, place: u64) -> Result<(u64, bool)> {
        let mut from = place;
        loop {
            // Where all blocks between are empty, the last text is farther back.
            from = from.saturating_sub(REACH);
            let start = if from == 0 { 0 } else { self.first_block(from)? };
            let mut last = None;
            let found = self.walk(start, place, |mark| last = Some(mark).filter(|mark| mark.text > 0).or(last))?;
            match last {
                Some(last) => return Ok((found, self.last_byte(last.at)? == Some(b'\n'))),
                None if start == 0 => return Ok((found, true)),
                None => {}
            }
        }
    }

    /// Where the first block from `from` on begins.
    fn first_block(&self, from: u64) -> Result<u64> {
        let mut bytes = Vec::new();
        let read = Place { at: from, ..self.place.clone() }.take(REACH + START.len() as u64).read_to_end(&mut bytes);
        read.map_err(|source| unreadable(&self.path, source))?;
        let is_block = |at: &u64| self.at(*at).text().is_some();
        let found = memmem::find_iter(&bytes, START).map(|at| from + at as u64).find(is_block);
        found.ok_or_else(|| not_bgzf(&self.path, from))
    }

    fn last_byte(&self, at: u64) -> Result<Option<u8>> {
        let text = self.at(at).text().ok_or_else(|| not_bgzf(&self.path, at))?;
        debug_assert!(text.len() <= TEXT_MAX);
        Ok(text.last().copied())
    }
}
