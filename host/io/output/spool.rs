//! Text that waits for its turn: in memory while it is short, and from there on in a file that has no name.
//!
//! What comes out of a batch may be any number of times larger than what went in, and it must wait until all earlier batches
//! are written. The file lies beside the output, where there must be room for as much anyway, or in the system's folder for
//! temporary files when the output is none; nobody else sees it, and it is gone with the process, however that ends.

use super::Output;
use crate::error::{FileError, Result};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Bytes read at a time.
const PIECE: usize = 1 << 18;

/// See the module.
#[derive(Debug)]
pub struct Spool {
    /// What comes behind the file's contents.
    memory: Vec<u8>,
    most: usize,
    folder: PathBuf,
    file: Option<File>,
    /// Bytes in the file.
    filed: u64,
}

impl Spool {
    /// An empty one that keeps `most` bytes in memory, the longest piece apart, and all others in a file in `folder`.
    pub fn new(most: usize, folder: &Path) -> Self {
        Self { memory: Vec::new(), most, folder: folder.to_path_buf(), file: None, filed: 0 }
    }

    /// Appends what `write` writes into memory.
    ///
    /// # Errors
    /// [`FileError::File`] when it must go to a file and cannot.
    pub fn put_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        write(&mut self.memory);
        if self.memory.len() <= self.most { Ok(()) } else { self.spill() }
    }

    /// Appends `bytes`, without another copy when they are many.
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

    /// Moves what is in memory to the file.
    fn spill(&mut self) -> Result<()> {
        let memory = std::mem::take(&mut self.memory);
        self.file(&memory)
    }

    /// Appends to the file, which is made when it is first needed.
    fn file(&mut self, bytes: &[u8]) -> Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.folder).map_err(|error| self.fault("create", error))?);
        }
        let file = self.file.as_mut().expect("it was made just now at the latest");
        file.write_all(bytes).map_err(|error| self.fault("write", error))?;
        self.filed += bytes.len() as u64;
        Ok(())
    }

    /// Bytes in it.
    pub fn len(&self) -> u64 {
        self.filed + self.memory.len() as u64
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands all of it to `take`, in pieces of 256 KiB and two shorter ones; it stays as it was.
    ///
    /// # Errors
    /// [`FileError::File`] when the file cannot be read; those of `take`.
    pub fn each(&mut self, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if let Some(file) = &mut self.file {
            let mut piece = Vec::with_capacity(PIECE);
            let mut read = file.rewind();
            for _ in 0..self.filed.div_ceil(PIECE as u64) {
                piece.clear();
                read = read.and_then(|()| file.take(PIECE as u64).read_to_end(&mut piece).map(drop));
                if let Err(error) = read {
                    return Err(self.fault("read", error));
                }
                take(&piece)?;
            }
        }
        take(&self.memory)
    }

    fn fault(&self, action: &'static str, error: std::io::Error) -> FileError {
        // The kind alone where there is more: the full error would name a file that means nothing to the user.
        let source = error.raw_os_error().map_or_else(|| error.kind().into(), std::io::Error::from_raw_os_error);
        FileError::File { path: self.folder.join("(temporary file)"), action, source }
    }
}

impl Output {
    /// Where temporary files may grow: beside the file to be written, or in the system's folder for them.
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
