//! The works of `bench/*.toml`: read, and chosen by name.

use super::Measured;
use crate::error::{Error, FileError, Result};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

/// A file of works that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    pub path: &'static str,
    pub text: &'static str,
}

/// The works of a file, or those shipped, by name.
///
/// # Errors
/// A file that cannot be read or does not describe works.
pub fn read<W: DeserializeOwned>(shipped: Shipped, file: Option<&Path>) -> Result<BTreeMap<String, W>> {
    let path = file.unwrap_or(Path::new(shipped.path));
    let text = match file {
        None => shipped.text.to_owned(),
        Some(path) => std::fs::read_to_string(path).map_err(|source| FileError::File {
            path: path.to_path_buf(),
            action: "read",
            source,
        })?,
    };
    toml::from_str(&text).map_err(|error| {
        // One line: the parser draws the place under its message.
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        FileError::Unusable { path: path.to_path_buf(), message: format!("line {line}: {message}") }.into()
    })
}

/// The works called `names`, in that order.
///
/// # Errors
/// [`Error::Usage`] for a name that is not there, listing those that are.
pub fn select<W: Measured + Clone>(works: &[W], names: &[String]) -> Result<Vec<W>> {
    let find =
        |name: &String| works.iter().find(|work| work.name() == name).cloned().ok_or_else(|| unknown(works, name));
    names.iter().map(find).collect()
}

fn unknown<W: Measured>(works: &[W], name: &str) -> Error {
    let known: Vec<_> = works.iter().map(Measured::name).collect();
    Error::Usage(format!("there is no work {name:?}; there are: {}", known.join(", ")))
}
