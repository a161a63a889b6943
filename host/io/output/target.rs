//! What an output path names: standard output, a special file, or a file to replace.

use super::temporary::{Temporary, cannot_create, folder_of};
use crate::error::{FileError, Result};
use crate::standard;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Where to write, which is none of the inputs.
pub(super) enum Target {
    Stdout,
    /// A device, pipe or socket. It has no old content, so it is written directly.
    Special(PathBuf),
    /// A regular file, or one to create: the name as given, and the path without symbolic links.
    Regular {
        label: PathBuf,
        place: PathBuf,
    },
}

impl Target {
    pub(super) fn find(path: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            // Only a regular file can be overwritten; a terminal may well be input and output.
            if let Some(metadata) = metadata_of_stdout().filter(Metadata::is_file) {
                refuse_input(Self::Stdout.label(), &metadata, inputs)?;
            }
            return Ok(Self::Stdout);
        };
        let label = path.to_path_buf();
        if path.as_os_str().as_bytes().ends_with(b"/") {
            return Err(cannot_create(&label, io::ErrorKind::IsADirectory.into()));
        }
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::Regular { place: without_links(path), label });
            }
            Err(error) => return Err(cannot_create(&label, error)),
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

    /// What another output has in common with this one if both are in the same place, under any names. `/dev/null` and the like take
    /// several outputs.
    pub(super) fn identities(&self) -> Vec<Identity> {
        let named = match self {
            Self::Stdout => Some(Identity::Stdout),
            Self::Special(_) => None,
            Self::Regular { place, .. } => Some(Identity::Place(place.clone())),
        };
        let kept = self.metadata().filter(|file| !file.file_type().is_char_device());
        named.into_iter().chain(kept.map(|file| Identity::File(file.dev(), file.ino()))).collect()
    }

    fn metadata(&self) -> Option<Metadata> {
        match self {
            Self::Stdout => metadata_of_stdout(),
            Self::Special(path) | Self::Regular { place: path, .. } => metadata_of(path),
        }
    }

    /// Opens the file to write. Returns also the temporary file to rename, if that is one.
    pub(super) fn open(self) -> Result<(File, Option<Temporary>)> {
        let opened = match &self {
            Self::Stdout => standard::output().map(|file| (file, None)),
            Self::Special(path) => OpenOptions::new().write(true).open(path).map(|file| (file, None)),
            Self::Regular { place, .. } => Temporary::create(place).map(|(file, temporary)| (file, Some(temporary))),
        };
        opened.map_err(|source| match self {
            Self::Stdout => super::fault(self.label(), source),
            _ => cannot_create(self.label(), source),
        })
    }
}

/// What two outputs may have in common.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Identity {
    Stdout,
    /// A path without symbolic links.
    Place(PathBuf),
    /// A file that is there: device and inode.
    File(u64, u64),
}

/// The path of a file to create, with symbolic links resolved, its own and those of its folder.
fn without_links(path: &Path) -> PathBuf {
    let path = match fs::read_link(path) {
        Ok(target) => return without_links(&folder_of(path).join(target)),
        Err(_) => path,
    };
    match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// The metadata of the file that a path names, if there is one.
fn metadata_of(path: &Path) -> Option<Metadata> {
    fs::metadata(path).ok()
}

fn metadata_of_stdout() -> Option<Metadata> {
    standard::output().and_then(|file| file.metadata()).ok()
}

/// Whether both are the same file and it keeps what is written. A character device (`/dev/null`, a terminal) does not.
fn is_one_file(a: &Metadata, b: &Metadata) -> bool {
    (a.dev(), a.ino()) == (b.dev(), b.ino()) && !a.file_type().is_char_device()
}

/// Refuses an output that is an input under any name.
fn refuse_input(label: &Path, output: &Metadata, inputs: &[&Path]) -> Result<()> {
    let same = |input: &&&Path| standard::metadata_of_input(input).is_ok_and(|input| is_one_file(&input, output));
    match inputs.iter().find(same) {
        Some(input) => Err(FileError::Unusable {
            path: label.to_path_buf(),
            message: format!("this output is the input {}: write to another file", input.display()),
        }),
        None => Ok(()),
    }
}
