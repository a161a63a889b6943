//! What comes before the first row. SAM's names every target, so a targets file that is not held is read once beforehand.

use crate::format::Layout;
use crate::format::sam::Targets;
use crate::pairing::Works;
use std::path::Path;
use warpseq_engine::error::{Error, Result};
use warpseq_io::fastx::Reader;

/// The header.
///
/// # Errors
/// Those of reading; targets that the format cannot name; [`Error::Usage`] for targets that can be read only once.
pub fn text(layout: &Layout, works: &Works) -> Result<Vec<u8>> {
    let (mut targets, path) = (Targets::default(), works.targets().path());
    if layout.format.names_targets() {
        match works.held_targets() {
            Some(held) => (0..held.len()).try_for_each(|k| targets.add(path, held.name(k), held.sequence(k)))?,
            None => add_all(&mut targets, path)?,
        }
    }
    let mut text = Vec::new();
    layout.write_header(&mut text, &targets).expect("writing to memory does not fail");
    Ok(text)
}

fn add_all(targets: &mut Targets, path: &Path) -> Result<()> {
    if !path.is_file() {
        return Err(Error::Usage(format!(
            "{}: sam names all targets before the first query, so they are read twice: give the targets as a file, or \
             write --format paf",
            path.display()
        )));
    }
    let mut reader = Reader::open(path)?;
    let (mut letters, mut quality) = (Vec::new(), Vec::new());
    while let Some(header) = reader.read(&mut letters, &mut quality)? {
        targets.add(path, &header.name, &letters)?;
        letters.clear();
        quality.clear();
    }
    Ok(())
}
