//! Files that have no name yet, and the list of them that a signal needs.
//!
//! Creating, renaming and dropping a file happen under the lock of the list, so whoever holds it sees every file that
//! exists, and a signal comes either before a rename (the old file stays) or after it (the new one is complete).

use crate::error::{FileError, Result};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempPath;

/// The temporary files and folders that exist now.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The list; it stays valid whatever a panicking holder was doing, each change being one insertion or removal.
pub(super) fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file and folder of this program. An [`Output`](super::Output) still open on one cannot finish.
pub fn remove_temporaries() {
    drop(removed());
}

/// Removes every temporary file, and lets none be created or renamed while the answer is held.
pub(super) fn removed() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let mut paths = live();
    while let Some(path) = paths.pop_first() {
        // A file that is gone already, or that cannot be removed, must not keep the others.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    paths
}

/// The folder that a path of a file lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside the one it will replace, removed when dropped.
pub(super) struct Temporary {
    /// `None` once renamed.
    path: Option<TempPath>,
    place: PathBuf,
}

impl Temporary {
    /// Makes a file beside `place` with the permissions that `place` has or would have.
    ///
    /// # Errors
    ///
    /// What kept the file from being made.
    pub(super) fn create(place: &Path) -> io::Result<(File, Self)> {
        let parent = folder_of(place);
        let replaced = match OpenOptions::new().write(true).open(place) {
            Ok(file) => Some(file.metadata()?.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        fs::metadata(parent)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".warpseq.").suffix(".tmp").permissions(Permissions::from_mode(0o666));
        let mut paths = live();
        // The kind alone: the full error would name the temporary file, which means nothing to the user.
        let made = builder.tempfile_in(parent).map_err(|error| io::Error::from(error.kind()))?;
        let (file, path) = made.into_parts();
        paths.insert(path.to_path_buf());
        let temporary = Self { path: Some(path), place: place.to_path_buf() };
        drop(paths);
        if let Some(permissions) = replaced {
            file.set_permissions(permissions)?;
        }
        Ok((file, temporary))
    }

    /// Where the file lies.
    pub(super) fn folder(&self) -> PathBuf {
        folder_of(&self.place).to_path_buf()
    }

    /// Gives files their names, all of them before a signal is heeded; the paths are those names in errors.
    ///
    /// # Errors
    /// [`FileError::Interrupted`] when a signal has removed them, [`FileError::File`].
    pub(super) fn rename_all(complete: Vec<(Self, PathBuf)>) -> Result<()> {
        let taken = |(mut file, label): (Self, PathBuf)| {
            let path = file.path.take().expect("a temporary file is renamed once, and this consumes it");
            (path, std::mem::take(&mut file.place), label)
        };
        // Before the lock, which a file that is dropped takes, too.
        let complete: Vec<(TempPath, PathBuf, PathBuf)> = complete.into_iter().map(taken).collect();
        let mut paths = live();
        let here = complete.iter().filter(|(path, ..)| paths.remove(&**path)).count();
        if here < complete.len() {
            return Err(FileError::Interrupted);
        }
        complete.into_iter().try_for_each(|(path, place, label)| {
            path.persist(place).map_err(|failure| {
                let source = io::Error::from(failure.error.kind());
                FileError::File { path: label, action: "create", source }
            })
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let mut paths = live();
            paths.remove(&*path);
            drop(path);
        }
    }
}
