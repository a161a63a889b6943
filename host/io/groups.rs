//! Tables of names and groups, tab-separated, read line by line. Further columns are ignored, and so are empty lines and lines that
//! start with `#`.

pub mod field;

use crate::error::{FileError, Result};
use crate::lines::{Fault, Lines};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The group of each name.
#[derive(Debug)]
pub struct Table {
    groups: HashMap<Vec<u8>, Vec<u8>>,
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// [`FileError::File`]; [`FileError::Input`] for what is no text, for a line without a group, and for a name in two groups.
    pub fn read(path: &Path) -> Result<Self> {
        let unreadable = |source| FileError::File { path: path.to_path_buf(), action: "read", source };
        let file = File::open(path).map_err(unreadable)?;
        Self::parse(BufReader::new(file)).map_err(|fault| fault.of_file(path.to_path_buf(), |line| line))
    }

    fn parse(source: impl BufRead) -> std::result::Result<Self, Fault> {
        let mut groups: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        let mut lines = Lines::new(source);
        while lines.read()? {
            let line = lines.line();
            if line.is_empty() || line[0] == b'#' {
                continue;
            }
            let mut columns = line.split(|&byte| byte == b'\t');
            let (Some(name), Some(group)) = (columns.next(), columns.next().filter(|group| !group.is_empty())) else {
                return Err(lines.fault("expected a name, a tab and a group".into()));
            };
            let known = groups.entry(name.to_vec()).or_insert_with(|| group.to_vec());
            if known != group {
                let [name, known, group] = [name, known, group].map(String::from_utf8_lossy);
                let message =
                    format!("`{name}` is in group `{known}` above and in group `{group}` here: give it one group");
                return Err(lines.fault(message));
            }
        }
        Ok(Self { groups })
    }

    /// The group of a name.
    pub fn group(&self, name: &[u8]) -> Option<&[u8]> {
        self.groups.get(name).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let table = Table::parse(&b"# virus\nz1\tZika\textra\r\n\nd1\tDengue\nz1\tZika"[..]).unwrap();
        assert_eq!(table.group(b"z1"), Some(&b"Zika"[..]));
        assert_eq!(table.group(b"d1"), Some(&b"Dengue"[..]));
        assert_eq!(table.group(b"x"), None);
    }

    #[test]
    fn a_line_that_is_no_pair_is_named() {
        for (text, line, words) in
            [("a\tb\nc", 2, "a tab"), ("a\t", 1, "a tab"), ("a\tb\n\na\tc", 3, "`a` is in group `b` above")]
        {
            match Table::parse(text.as_bytes()) {
                Err(Fault::Line(number, message)) => assert!(number == line && message.contains(words), "{message}"),
                other => panic!("must be refused: {other:?}"),
            }
        }
    }
}
