//! The bytes of a file of one format: mapped, or in memory when it cannot be mapped or is compressed.

use crate::error::{FileError, Result};
use crate::format::Format;
use crate::gzip::{self, Members};
use crate::mapped::Mapped;
use crate::standard;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// See the module.
#[derive(Debug)]
pub enum Contents {
    /// As they are in the file.
    Mapped(Mapped),
    /// In memory.
    Read(Vec<u8>),
}

impl Contents {
    /// Those of `path`, standard input for `-`, with its name for errors; decompressed if they are gzip's.
    ///
    /// # Errors
    /// [`FileError::File`] when it cannot be read, [`FileError::Unusable`] when it is damaged gzip.
    pub fn of(path: &Path, format: &'static Format) -> Result<(Self, PathBuf)> {
        let (label, contents) = match path.as_os_str() == "-" {
            true => (PathBuf::from("standard input"), standard::input().and_then(|input| read(input, format))),
            false => (path.to_path_buf(), File::open(path).and_then(|file| map_or_read(file, path, format))),
        };
        match contents {
            Err(source) => Err(FileError::File { path: label, action: "read", source }),
            Ok(contents) if contents.starts_with(&gzip::MAGIC) => match contents.decompressed(format) {
                Ok(decompressed) => Ok((decompressed, label)),
                Err(message) => Err(FileError::Unusable { path: label, message }),
            },
            Ok(contents) => Ok((contents, label)),
        }
    }

    fn decompressed(&self, format: &Format) -> std::result::Result<Self, String> {
        read(Members::new(&self[..]), format).map_err(|error| error.to_string())
    }

    /// Notes the checksum that the file has.
    pub fn with_checksum(self, checksum: u64) -> Self {
        match self {
            Self::Mapped(mapped) => Self::Mapped(mapped.with_checksum(checksum)),
            read => read,
        }
    }

    /// Refuses a file that is not as it was when its checksum was taken.
    ///
    /// # Errors
    /// Those of [`Mapped::require_unchanged`].
    pub fn require_unchanged(&self) -> Result<()> {
        match self {
            Self::Mapped(mapped) => mapped.require_unchanged(),
            Self::Read(_) => Ok(()),
        }
    }
}

/// Whether a file is of this format, plain or compressed, by its first bytes. Pipes are not looked into: `false`.
///
/// # Errors
/// [`FileError::File`] when it cannot be opened.
pub fn is_of(path: &Path, format: &Format) -> Result<bool> {
    let fault = |source| FileError::File { path: path.to_path_buf(), action: "open", source };
    // Asked before it is opened: a pipe that is opened and closed loses what its writer has for it.
    if !path.metadata().map_err(fault)?.is_file() {
        return Ok(false);
    }
    let file = File::open(path).map_err(fault)?;
    let start = |source: &mut dyn Read| {
        let mut start = Vec::new();
        // What cannot be read is none of these, and is complained of by whoever reads it as something else.
        let _ = source.take(format.magic.len() as u64).read_to_end(&mut start);
        start
    };
    let plain = start(&mut &file);
    let compressed = || Some(start(&mut Members::new(BufReader::new(File::open(path).ok()?))));
    let is_compressed = || compressed().is_some_and(|start| start == format.magic);
    Ok(plain == format.magic || plain.starts_with(&gzip::MAGIC) && is_compressed())
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

impl AsRef<[u8]> for Contents {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

fn map_or_read(file: File, path: &Path, format: &'static Format) -> io::Result<Contents> {
    // Files that the system makes up when they are read say that they are regular, and empty.
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return read(file, format);
    }
    match Mapped::new(&file, path, format)? {
        Some(mapped) => Ok(Contents::Mapped(mapped)),
        None => read(file, format),
    }
}

/// Reads all, unless the first bytes are those of another file, which says enough.
fn read(mut source: impl Read, format: &Format) -> io::Result<Contents> {
    let mut bytes = Vec::new();
    source.by_ref().take(format.magic.len() as u64).read_to_end(&mut bytes)?;
    if bytes.starts_with(&format.magic) || bytes.starts_with(&gzip::MAGIC) {
        source.read_to_end(&mut bytes)?;
    }
    Ok(Contents::Read(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::FORMAT;

    /// Regression: it was read to its end, of which `/dev/zero` has none.
    #[test]
    fn what_does_not_begin_like_the_format_is_not_read_on() {
        for start in [&b">a"[..], b"\0", b"WARPTES"] {
            let endless = start.chain(io::repeat(0));
            assert_eq!(read(endless, &FORMAT).unwrap().len(), FORMAT.magic.len());
        }
        assert_eq!(read(&b"WARP"[..], &FORMAT).unwrap().len(), 4);
        assert_eq!(read(&b"WARPTEST and more"[..], &FORMAT).unwrap().len(), 17);
    }
}
