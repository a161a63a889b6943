//! Temporary files, and the list of them for the thread that handles signals.
//!
//! Files are created, renamed and removed under the lock of the list, so the list is exact for whoever holds the lock. A signal
//! takes effect either before a rename, and the old file stays, or after it, and the new one is complete.

use crate::error::{FileError, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use tempfile::{TempDir, TempPath};

/// The temporary files and folders that exist now.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Locks the list. It is valid even after a panic in a holder, since each change is one insertion or removal.
fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file and folder of this program. An [`Output`](super::Output) still open on one cannot finish.
pub fn remove_temporaries() {
    drop(removed());
}

/// Removes every temporary file. None can be created or renamed while the returned lock is held.
fn removed() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let mut paths = live();
    while let Some(path) = paths.pop_first() {
        // Go on with the others if this one is gone already or cannot be removed.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    paths
}

/// From now on, SIGINT and SIGTERM remove all temporary files and end the process with code 130.
///
/// A thread waits for the signals, so that ordinary code handles them. It holds the list until the process ends, so that no
/// other thread can create or rename a file in between.
///
/// # Errors
/// [`FileError::File`] if the system refuses the handler or the thread.
pub fn catch_signals() -> Result<()> {
    let refused = |source| FileError::File { path: PathBuf::from("signals"), action: "listen for", source };
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(refused)?;
    let wait = move || {
        if signals.forever().next().is_some() {
            let _held_to_the_end = removed();
            std::process::exit(i32::from(FileError::Interrupted.exit_code()));
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait).map_err(refused)?;
    Ok(())
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file in the folder of the one it will replace. It is removed when dropped.
pub(super) struct Temporary {
    /// `None` once renamed.
    path: Option<TempPath>,
    place: PathBuf,
}

impl Temporary {
    /// Creates a file in the folder of `place`, with the permissions that `place` has, or would have if it existed.
    ///
    /// # Errors
    ///
    /// The reason why the file cannot be created.
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
        // Only the kind: the full error would name the temporary file, which means nothing to the user.
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

    /// The folder of the file.
    pub(super) fn folder(&self) -> PathBuf {
        folder_of(&self.place).to_path_buf()
    }

    /// Renames files to their final names, all before a signal takes effect. The paths are their names in errors.
    ///
    /// # Errors
    /// [`FileError::Interrupted`] if a signal has removed them; [`FileError::File`].
    pub(super) fn rename_all(complete: Vec<(Self, PathBuf)>) -> Result<()> {
        let taken = |(mut file, label): (Self, PathBuf)| {
            let path = file.path.take().expect("a temporary file is renamed once, and this consumes it");
            (path, std::mem::take(&mut file.place), label)
        };
        // Before locking: dropping a file locks too.
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

/// A temporary folder, removed when it is dropped and when a signal ends the program.
pub struct Scratch {
    /// `None` only while this is dropped.
    folder: Option<TempDir>,
}

impl Scratch {
    /// Creates a folder in `parent`, with a name that starts with `prefix`.
    ///
    /// # Errors
    /// The reason why it cannot be created.
    pub fn new(parent: &Path, prefix: &str) -> io::Result<Self> {
        let mut paths = live();
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        paths.insert(folder.path().to_path_buf());
        Ok(Self { folder: Some(folder) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.as_ref().expect("it is there until dropped").path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut paths = live();
        if let Some(folder) = self.folder.take() {
            paths.remove(folder.path());
            drop(folder);
        }
    }
}
