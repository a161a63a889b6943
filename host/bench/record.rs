//! The record of a run as JSON: machine, date, command, version and all figures.

use super::Figure;
use super::machine::Machine;
use crate::date::today;
use crate::error::{FileError, Result};
use crate::output::Output;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The record of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// In UTC.
    pub date: String,
    pub version: &'static str,
    pub command: String,
    pub machine: Machine,
    /// Bytes per second of a pinned copy to the device.
    pub copy_rate: Option<f64>,
    pub figures: Vec<Figure>,
}

impl Record {
    /// A record of today, of this version.
    pub fn new(command: String, machine: Machine, copy_rate: Option<f64>, figures: Vec<Figure>) -> Self {
        Self { date: today(), version: env!("CARGO_PKG_VERSION"), command, machine, copy_rate, figures }
    }

    /// Writes `<engine>-<device>.json` into `folder`, which is created if needed. Returns its path.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn write(&self, engine: &str, folder: &Path) -> Result<PathBuf> {
        let text = serde_json::to_string_pretty(self).expect("numbers and text can be JSON") + "\n";
        write(folder, &format!("{engine}-{}.json", self.machine.slug()), &text)
    }
}

/// Creates the record folder if needed, and checks that files can be written there: a failure after hours would be late.
///
/// # Errors
/// [`FileError::File`].
pub fn prepare(folder: &Path) -> Result<()> {
    let cannot = |source| FileError::File { path: folder.to_path_buf(), action: "write records into", source };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    tempfile::tempfile_in(folder).map_err(cannot)?;
    Ok(())
}

/// Writes a file into a record folder, complete or not at all.
///
/// # Errors
/// [`FileError::File`].
pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let cannot = |source| FileError::File { path: folder.to_path_buf(), action: "create", source };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let path = folder.join(name);
    let mut output = Output::create(Some(&path), &[])?;
    output.put(text.as_bytes())?;
    output.finish()?;
    Ok(path)
}
