//! Text that waits to be written: in memory while it is short, then in a file without a name.
//!
//! The output of a batch may be much larger than its input, and it waits until all earlier batches are written. The file is in
//! the folder of the output, which must have room for as much anyway, or in the system's temporary folder if the output is not
//! a file. No one else sees the file, and it disappears with the process, however that ends.

use super::Output;
use crate::error::{FileError, Result};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes read at a time.
const PIECE: usize = 1 << 18;

/// A queue of bytes in memory and in a file.
#[derive(Debug)]
pub struct Spool {
    /// The bytes that follow those in the file.
    memory: Vec<u8>,
    most: usize,
    folder: PathBuf,
    file: Option<File>,
    /// Bytes in the file.
    filed: u64,
}

impl Spool {
    /// An empty queue that keeps up to `most` bytes in memory, or one longer piece, and the rest in a file in `folder`.
    pub fn new(most: usize, folder: &Path) -> Self {
        Self { memory: Vec::new(), most, folder: folder.to_path_buf(), file: None, filed: 0 }
    }

    /// Appends what `write` writes into memory.
    ///
    /// # Errors
    /// [`FileError::File`] if the bytes must go to a file and that fails.
    pub fn put_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        write(&mut self.memory);
        if self.memory.len() <= self.most { Ok(()) } else { self.spill() }
    }

    /// Appends `bytes`, which are not copied to memory first if they are many.
    ///
    /// # Errors
    /// As [`Spool::put_with`].
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        if self.memory.len() + bytes.len() <= self.most {
            self.memory.extend_from_slice(bytes);
            return Ok(());
        }
        self.spill()?;
        self.file(bytes)
    }

    /// Moves the bytes in memory to the file.
    fn spill(&mut self) -> Result<()> {
        let memory = std::mem::take(&mut self.memory);
        self.file(&memory)
    }

    /// Appends to the file, and creates it at the first call.
    fn file(&mut self, bytes: &[u8]) -> Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.folder).map_err(|error| self.fault("create", error))?);
        }
        let file = self.file.as_mut().expect("the lines above create it");
        file.write_all(bytes).map_err(|error| self.fault("write", error))?;
        self.filed += bytes.len() as u64;
        Ok(())
    }

    /// Number of bytes.
    pub fn len(&self) -> u64 {
        self.filed + self.memory.len() as u64
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives all bytes to `take`, in order and in pieces. The queue does not change.
    ///
    /// # Errors
    /// [`FileError::File`] if the file cannot be read; those of `take`.
    pub fn each(&mut self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.each_filed(|piece| take(piece))?;
        take(&self.memory)
    }

    /// The same in pieces whose memory `take` may keep. The queue is over then.
    ///
    /// # Errors
    /// As [`Spool::each`].
    pub fn give_each(mut self, mut take: impl FnMut(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        self.each_filed(&mut take)?;
        take(&mut self.memory)
    }

    /// Keeps up to `most` bytes in memory from here on.
    pub fn keep(&mut self, most: usize) {
        self.most = most;
    }

    fn each_filed(&mut self, mut take: impl FnMut(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        if let Some(file) = &mut self.file {
            let mut piece = Vec::with_capacity(PIECE);
            let mut read = file.rewind();
            for _ in 0..self.filed.div_ceil(PIECE as u64) {
                piece.clear();
                read = read.and_then(|()| file.take(PIECE as u64).read_to_end(&mut piece).map(drop));
                if let Err(error) = read {
                    return Err(self.fault("read", error));
                }
                take(&mut piece)?;
            }
        }
        Ok(())
    }

    /// Gives the bytes in `range` to `take`, in pieces.
    ///
    /// # Errors
    /// As [`Spool::each`].
    pub fn copy(&self, range: Range<u64>, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let (mut rest, mut piece) = (self.rest(range.start).take(range.end - range.start), Vec::new());
        loop {
            piece.clear();
            match rest.by_ref().take(PIECE as u64).read_to_end(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(_) => take(&piece)?,
                Err(error) => return Err(self.fault("read", error)),
            }
        }
    }

    /// The bytes from `at` on.
    pub fn rest(&self, at: u64) -> Rest<'_> {
        Rest { spool: self, at }
    }

    /// What is said of a temporary file that fails.
    pub fn fault(&self, action: &'static str, error: io::Error) -> FileError {
        // Only the code or kind: the full error would name a temporary file, which means nothing to the user.
        let source = error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
        FileError::File { path: self.folder.join("(temporary file)"), action, source }
    }
}

/// Bytes of a [`Spool`] that are read without changing it.
#[derive(Debug)]
pub struct Rest<'s> {
    spool: &'s Spool,
    at: u64,
}

impl Read for Rest<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let Spool { memory, file, filed, .. } = self.spool;
        let count = match file {
            Some(file) if self.at < *filed => {
                let most = to.len().min((*filed - self.at).min(PIECE as u64) as usize);
                file.read_at(&mut to[..most], self.at)?
            }
            _ => (&memory[memory.len().min((self.at - *filed) as usize)..]).read(to)?,
        };
        self.at += count as u64;
        Ok(count)
    }
}

impl Output {
    /// The folder for large temporary files: that of the output file, or the system's temporary folder.
    pub fn folder(&self) -> PathBuf {
        self.temporary.as_ref().map_or_else(std::env::temp_dir, super::Temporary::folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(spool: &mut Spool) -> Vec<u8> {
        let mut all = Vec::new();
        spool
            .each(|piece| {
                all.extend_from_slice(piece);
                Ok(())
            })
            .unwrap();
        all
    }

    #[test]
    fn what_comes_out_is_what_went_in_whether_it_fits_or_not() {
        let pieces: Vec<Vec<u8>> = (0..500_usize).map(|k| vec![k as u8; k * 37 % 2000]).collect();
        for most in [0, 1, 1000, usize::MAX] {
            let mut spool = Spool::new(most, &std::env::temp_dir());
            for piece in &pieces {
                spool.put(piece).unwrap();
                assert!(spool.memory.len() <= most);
            }
            assert_eq!(spool.file.is_some(), most <= 1000, "{most}");
            let all = pieces.concat();
            assert_eq!((contents(&mut spool), spool.len()), (all.clone(), all.len() as u64));
            for range in [0..0, 0..1, 700..5000, 100..all.len(), all.len() - 3..all.len()] {
                let mut some = Vec::new();
                let (start, end) = (range.start as u64, range.end as u64);
                let take = |bytes: &[u8]| {
                    some.extend_from_slice(bytes);
                    Ok(())
                };
                spool.copy(start..end, take).unwrap();
                assert!(some == all[range]);
            }
            spool.put(b"more").unwrap();
            assert_eq!(contents(&mut spool), [&all[..], b"more"].concat());
        }
    }

    #[test]
    fn a_folder_that_takes_no_file_is_an_error_with_its_name() {
        let mut spool = Spool::new(3, Path::new("/nowhere"));
        spool.put(b"abc").unwrap();
        let error = spool.put(b"d").unwrap_err();
        assert!(error.to_string().contains("/nowhere") && matches!(error, FileError::File { action: "create", .. }));
    }
}
