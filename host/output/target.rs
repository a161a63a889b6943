//! What a path given for output is: standard output, a special file, or a file to be replaced.

use super::temporary::Temporary;
use crate::error::{Error, Result};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Where to write, known to be none of the inputs.
pub(super) enum Target {
    Stdout,
    /// A device, pipe or socket: has no content that could be left half replaced.
    Special(PathBuf),
    /// A regular file, or one to be made: the name as given, and without symbolic links.
    Regular {
        label: PathBuf,
        place: PathBuf,
    },
}

impl Target {
    pub(super) fn find(path: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self::Stdout);
        };
        let label = path.to_path_buf();
        if path.as_os_str().as_bytes().ends_with(b"/") {
            return Err(cannot_create(&label, io::ErrorKind::IsADirectory.into()));
        }
        let Ok(metadata) = fs::metadata(path) else {
            return Ok(Self::Regular { place: label.clone(), label });
        };
        if metadata.is_dir() {
            return Err(cannot_create(&label, io::ErrorKind::IsADirectory.into()));
        }
        refuse_input(&label, &metadata, inputs)?;
        if !metadata.is_file() {
            return Ok(Self::Special(label));
        }
        let place = path.canonicalize().map_err(|source| cannot_create(&label, source))?;
        Ok(Self::Regular { label, place })
    }

    /// The name in errors.
    pub(super) fn label(&self) -> &Path {
        match self {
            Self::Stdout => Path::new("standard output"),
            Self::Special(label) | Self::Regular { label, .. } => label,
        }
    }

    /// The file to write, and what is to be renamed when it is complete.
    pub(super) fn open(self) -> Result<(File, Option<Temporary>)> {
        let opened = match &self {
            Self::Stdout => io::stdout().as_fd().try_clone_to_owned().map(|fd| (File::from(fd), None)),
            Self::Special(path) => OpenOptions::new().write(true).open(path).map(|file| (file, None)),
            Self::Regular { place, .. } => Temporary::create(place).map(|(file, temporary)| (file, Some(temporary))),
        };
        opened.map_err(|source| cannot_create(self.label(), source))
    }
}

fn cannot_create(label: &Path, source: io::Error) -> Error {
    Error::File { path: label.to_path_buf(), action: "create", source }
}

/// Refuses an output that is an input under any name. A character device (`/dev/null`, a terminal) may be both.
fn refuse_input(label: &Path, output: &Metadata, inputs: &[&Path]) -> Result<()> {
    let same = |input: &&&Path| {
        fs::metadata(input).is_ok_and(|input| (input.dev(), input.ino()) == (output.dev(), output.ino()))
    };
    match inputs.iter().find(same) {
        Some(input) if !output.file_type().is_char_device() => Err(Error::Unusable {
            path: label.to_path_buf(),
            message: format!("this output is the input {}: write to another file", input.display()),
        }),
        _ => Ok(()),
    }
}
