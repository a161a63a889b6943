//! The workloads of `bench/*.toml`: read, and chosen by name.

use super::Measured;
use crate::error::{Error, FileError, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// A file of workloads that is shipped with the program.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    pub path: &'static str,
    pub text: &'static str,
}

/// The workloads of a file, or those shipped with the program, by name.
///
/// # Errors
/// [`FileError::File`] if the file cannot be read, [`FileError::Unusable`] if it does not describe workloads.
pub fn works<W: Measured>(file: Option<&Path>) -> Result<Vec<W>> {
    let path = file.unwrap_or(Path::new(W::SHIPPED.path));
    let text = match file {
        None => W::SHIPPED.text.to_owned(),
        Some(path) => std::fs::read_to_string(path).map_err(|source| FileError::File {
            path: path.to_path_buf(),
            action: "read",
            source,
        })?,
    };
    let works: BTreeMap<String, W> = toml::from_str(&text).map_err(|error| {
        // The parser draws the place on further lines; an error is one line.
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        FileError::Unusable { path: path.to_path_buf(), message: format!("line {line}: {message}") }
    })?;
    Ok(works.into_iter().map(|(name, work)| work.named(name)).collect())
}

/// The workloads called `names`, in that order.
///
/// # Errors
/// [`Error::Usage`] for an unknown name, with the known ones.
pub fn select<W: Measured>(works: &[W], names: &[String]) -> Result<Vec<W>> {
    let find =
        |name: &String| works.iter().find(|work| work.name() == name).cloned().ok_or_else(|| unknown(works, name));
    names.iter().map(find).collect()
}

fn unknown<W: Measured>(works: &[W], name: &str) -> Error {
    let known: Vec<_> = works.iter().map(Measured::name).collect();
    Error::Usage(format!("there is no workload {name:?}: choose from {}", known.join(", ")))
}
