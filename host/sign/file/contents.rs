//! The bytes of a file: mapped, or in memory when it cannot be mapped or is compressed.

use super::MAGIC;
use super::mapped::Mapped;
use crate::collection::Bytes;
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
    Mapped(Mapped),
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
            false => (path.to_path_buf(), File::open(path).and_then(|file| map_or_read(file, path))),
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

    /// The bytes of two sections of a file with that checksum; `small` is copied and `large` moved when they are in memory.
    pub fn sections(self, small: Range<usize>, large: Range<usize>, checksum: u64) -> (Bytes, Bytes) {
        match self {
            Self::Mapped(mapped) => {
                let mapped = Arc::new(mapped.with_checksum(checksum));
                (Bytes::Mapped(mapped.clone(), small), Bytes::Mapped(mapped, large))
            }
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

fn map_or_read(file: File, path: &Path) -> io::Result<Contents> {
    // Files that the system makes up when they are read say that they are regular, and empty.
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return read(file);
    }
    match Mapped::new(&file, path)? {
        Some(mapped) => Ok(Contents::Mapped(mapped)),
        None => read(file),
    }
}

/// Reads all, unless the first bytes are those of another file, which says enough.
fn read(mut source: impl Read) -> io::Result<Contents> {
    let mut bytes = Vec::new();
    source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes.starts_with(&MAGIC) || bytes.starts_with(&gzip::MAGIC) {
        source.read_to_end(&mut bytes)?;
    }
    Ok(Contents::Read(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: it was read to its end, of which `/dev/zero` has none.
    #[test]
    fn what_does_not_begin_like_a_signature_file_is_not_read_on() {
        for start in [&b">a"[..], b"\0", b"WARPSIG"] {
            let endless = start.chain(io::repeat(0));
            assert_eq!(read(endless).unwrap().len(), MAGIC.len());
        }
        assert_eq!(read(&b"WARP"[..]).unwrap().len(), 4);
        assert_eq!(read(&b"WARPSIG\x1a and more"[..]).unwrap().len(), 17);
    }
}
