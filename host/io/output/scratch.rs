//! Folders for files of the program's own, gone when dropped, or when a signal ends the program.

use super::temporary::live;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// See the module.
pub struct Scratch {
    /// `None` while it is dropped.
    folder: Option<TempDir>,
}

impl Scratch {
    /// A new folder in `parent`, whose name begins with `prefix`.
    ///
    /// # Errors
    /// What kept it from being made.
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
