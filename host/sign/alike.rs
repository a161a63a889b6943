//! Files that are compared with one that is already open: their signatures must have been made with the same parameters, and
//! sequences are signed with these.

use super::collection::{Builder, Collection};
use super::signing::{SignOptions, Signed};
use super::wanted::Wanted;
use super::{file, open};
use std::path::Path;
use warpseq_engine::error::{FileError, Result};

/// A file and what it holds.
pub type Opened<'a> = (&'a Path, &'a Collection);

/// How the first of two files is signed: as asked for, or, when only the other file holds signatures, with their parameters.
///
/// # Errors
/// Those of [`open::open`] for the other file.
pub fn signing_of(first: &Path, other: &Path, signing: &SignOptions) -> Result<SignOptions> {
    if is_signed(first)? || !is_signed(other)? {
        return Ok(*signing);
    }
    Ok(like((other, &open::open(other, signing)?), signing))
}

/// Opens signatures or sequences that are compared with those of another file. The file must have sequences.
///
/// # Errors
/// [`FileError::Unusable`] when it has no sequences or was made with other parameters; those of [`open::open`].
pub fn open_some(path: &Path, other: Opened, signing: &SignOptions) -> Result<Collection> {
    let collection = match is_signed(path)? {
        true => mapped(path, other)?,
        false => open::open(path, &like(other, signing))?,
    };
    require_some(path, &collection)?;
    Ok(collection)
}

/// Hands the sequences of a file to `see`, in order: all at once if the file holds signatures, else a batch at a time, so that
/// memory stays bounded. Returns the number of sequences.
///
/// # Errors
/// [`FileError::Unusable`] when it was made with other parameters; those of signing and of `see`.
pub fn each(
    path: &Path,
    other: Opened,
    signing: &SignOptions,
    mut see: impl FnMut(&Collection) -> Result<()>,
) -> Result<u64> {
    if is_signed(path)? {
        let collection = mapped(path, other)?;
        if collection.is_empty() {
            signing.run.console.warn(format_args!("{}: there are no sequences in it", path.display()));
        }
        return see(&collection).map(|()| collection.len() as u64);
    }
    let signing = like(other, signing);
    let unsigned = signing.open(path)?;
    let parameters = unsigned.parameters();
    let summary = unsigned.sign(|Signed { batch, signatures, .. }| {
        let mut builder = Builder::new(&parameters);
        builder.push(batch, signatures);
        see(&builder.finish())
    })?;
    Ok(summary.sequences)
}

/// Refuses a collection without sequences.
///
/// # Errors
/// [`FileError::Unusable`].
pub fn require_some(path: &Path, collection: &Collection) -> Result<()> {
    if collection.is_empty() {
        let message = "there are no sequences in it to compare with".to_owned();
        return Err(FileError::Unusable { path: path.to_path_buf(), message }.into());
    }
    Ok(())
}

fn is_signed(path: &Path) -> Result<bool> {
    Ok(path.as_os_str() != "-" && file::holds_signatures(path)?)
}

fn mapped(path: &Path, (other_path, other): Opened) -> Result<Collection> {
    let collection = Collection::open(path)?;
    collection.require_same_parameters(path, other, other_path)?;
    Ok(collection)
}

fn like((_, other): Opened, signing: &SignOptions) -> SignOptions {
    SignOptions { wanted: Wanted::from(other.parameters), ..*signing }
}
