//! The targets of a SAM header: each name once, in the order of their first appearance.

use super::{check_length, unnameable};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;
use warpseq_io::error::{FileError, Result};

/// SAM's LN and POS are 31-bit numbers.
const LENGTH_MAX: u64 = i32::MAX as u64;

/// What the @SQ lines say. Letters are not kept, only a 64-bit hash of them.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Name, length, hash.
    targets: Vec<(Vec<u8>, u64, u64)>,
    places: HashMap<Vec<u8>, usize>,
}

impl Targets {
    /// Adds a target of the file `path`; one that was added before, name and letters, is the same target.
    ///
    /// # Errors
    /// [`FileError::Unusable`] for a name that SAM cannot hold or that has other letters already, and for more than 2^31 - 1
    /// letters.
    pub fn add(&mut self, path: &Path, name: &[u8], letters: &[u8]) -> Result<()> {
        check_length(path, name)?;
        if let Some(b'*' | b'=') = name.first() {
            return Err(unnameable(path, name, "starts with a character that is no name in SAM"));
        }
        let length = letters.len() as u64;
        if length > LENGTH_MAX {
            return Err(unnameable(path, name, &format!("has {length} letters, and SAM allows {LENGTH_MAX}")));
        }
        let hash = hash_of(letters);
        let Some(&place) = self.places.get(name) else {
            self.places.insert(name.into(), self.targets.len());
            self.targets.push((name.into(), length, hash));
            return Ok(());
        };
        let (_, known_length, known_hash) = self.targets[place];
        if (known_length, known_hash) == (length, hash) {
            return Ok(());
        }
        let name = String::from_utf8_lossy(name);
        let message = format!(
            "two targets with different letters have the name {name}, which SAM cannot tell apart: rename one, or write \
             --format paf"
        );
        Err(FileError::Unusable { path: path.into(), message })
    }

    /// Writes a line for each target that has letters.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, length, _) in self.targets.iter().filter(|(_, length, _)| *length > 0) {
            out.write_all(b"@SQ\tSN:")?;
            out.write_all(name)?;
            writeln!(out, "\tLN:{length}")?;
        }
        Ok(())
    }
}

fn hash_of(letters: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(letters);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_once_in_order() {
        let mut targets = Targets::default();
        for (name, letters) in [("b", "ACG"), ("a", "AC"), ("b", "ACG"), ("empty", "")] {
            targets.add(Path::new("t.fa"), name.as_bytes(), letters.as_bytes()).unwrap();
        }
        let mut out = vec![];
        targets.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "@SQ\tSN:b\tLN:3\n@SQ\tSN:a\tLN:2\n");
    }

    #[test]
    fn what_sam_cannot_hold() {
        let long = "n".repeat(255);
        let cases = [
            ("b", "ACC", "two targets"),
            (long.as_str(), "A", "255 bytes"),
            ("*", "A", "no name"),
            ("=x", "A", "no name"),
        ];
        for (name, letters, want) in cases {
            let mut targets = Targets::default();
            targets.add(Path::new("t.fa"), b"b", b"ACG").unwrap();
            let error = targets.add(Path::new("t.fa"), name.as_bytes(), letters.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("t.fa: ") && error.contains(want), "{error}");
        }
    }
}
