//! The bytes of a file: mapped, or in memory when it cannot be mapped or is compressed.

use crate::collection::Bytes;
use memmap2::{Advice, Mmap};
use std::fs::File;
use std::io::{self, Read};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warpseq_io::error::{FileError, Result};
use warpseq_io::gzip::{self, Members};
use warpseq_io::standard;

/// See the module.
pub(super) enum Contents {
    Mapped(Arc<Mmap>),
    Read(Vec<u8>),
}

impl Contents {
    /// Those of `path`, standard input for `-`, with its name for errors; decompressed if they are gzip's.
    ///
    /// # Errors
    /// [`FileError::File`] when it cannot be read, [`FileError::Unusable`] when it is damaged gzip.
    pub fn of(path: &Path) -> Result<(Self, PathBuf)> {
        let (label, contents) = match path.as_os_str() == "-" {
            true => (PathBuf::from("standard input"), standard::input().and_then(read)),
            false => (path.to_path_buf(), File::open(path).and_then(map_or_read)),
        };
        match contents {
            Err(source) => Err(FileError::File { path: label, action: "read", source }),
            Ok(contents) if contents.starts_with(&gzip::MAGIC) => match contents.decompressed() {
                Ok(decompressed) => Ok((decompressed, label)),
                Err(message) => Err(FileError::Unusable { path: label, message }),
            },
            Ok(contents) => Ok((contents, label)),
        }
    }

    fn decompressed(&self) -> std::result::Result<Self, String> {
        read(Members::new(&self[..])).map_err(|error| error.to_string())
    }

    /// The bytes of two sections, of which `small` is copied and `large` moved when they are in memory.
    pub fn sections(self, small: Range<usize>, large: Range<usize>) -> (Bytes, Bytes) {
        match self {
            Self::Mapped(map) => (Bytes::Mapped(map.clone(), small), Bytes::Mapped(map, large)),
            Self::Read(mut bytes) => {
                let copied = bytes[small].to_vec();
                bytes.truncate(large.end);
                bytes.drain(..large.start);
                (Bytes::Owned(copied), Bytes::Owned(bytes))
            }
        }
    }
}

impl Deref for Contents {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

fn map_or_read(file: File) -> io::Result<Contents> {
    // Files that the system makes up when they are read say that they are regular, and empty.
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return read(file);
    }
    // SAFETY: the file must not change while it is mapped: warpseq itself replaces files by renaming and never writes into
    // one, and that nobody else may is documented with the format.
    let Ok(map) = (unsafe { Mmap::map(&file) }) else { return read(file) };
    // Faster where the system listens, and no different where it does not.
    let _ = map.advise(Advice::Sequential);
    Ok(Contents::Mapped(Arc::new(map)))
}

fn read(mut source: impl Read) -> io::Result<Contents> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    Ok(Contents::Read(bytes))
}
