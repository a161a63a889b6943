//! Where several outputs of a run will be: each in a place of its own, which is known before anything is written.

use super::Output;
use super::target::{Identity, Target};
use crate::error::{FileError, Result};
use std::collections::HashMap;
use std::path::Path;

/// The places of a run's outputs.
pub struct Places<'i> {
    inputs: &'i [&'i Path],
    taken: HashMap<Identity, String>,
}

/// The place of one output.
pub struct Place(Target);

impl<'i> Places<'i> {
    /// For outputs of a run that reads `inputs`.
    pub fn new(inputs: &'i [&'i Path]) -> Self {
        Self { inputs, taken: HashMap::new() }
    }

    /// The place of the output that `option` names, or of standard output for `None` and `-`.
    ///
    /// # Errors
    /// [`FileError::Unusable`] if it is an input; [`FileError::Usage`] if another output is there, under any name.
    pub fn add(&mut self, option: &str, path: Option<&Path>) -> Result<Place> {
        let target = Target::find(path, self.inputs)?;
        for identity in target.identities() {
            if let Some(other) = self.taken.insert(identity, option.to_owned()) {
                return Err(FileError::Usage(format!(
                    "{option} {}: {other} goes to the same place: write them to different files",
                    target.label().display()
                )));
            }
        }
        Ok(Place(target))
    }
}

impl Place {
    /// Opens the output.
    ///
    /// # Errors
    /// [`FileError::File`] if it cannot be written.
    pub fn open(self) -> Result<Output> {
        Output::open(self.0)
    }
}
