//! Groups of records, which colour a map and show how well it separates them: from a table, or from a part of the names.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::str::FromStr;
use warpseq_io::error::{FileError, Result};
use warpseq_io::lines::{Fault, Lines};

/// The group of each record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// In the order of their first records; every group has one.
    pub names: Vec<Vec<u8>>,
    /// `None`: no group.
    pub of: Vec<Option<usize>>,
}

impl Groups {
    /// Numbers the groups in the order of their first records.
    pub fn new<'a>(group_of_record: impl Iterator<Item = Option<&'a [u8]>>) -> Self {
        let (mut groups, mut numbers) = (Self::default(), HashMap::new());
        for group in group_of_record {
            let number = group.map(|name| {
                *numbers.entry(name).or_insert_with(|| {
                    groups.names.push(name.to_vec());
                    groups.names.len() - 1
                })
            });
            groups.of.push(number);
        }
        groups
    }

    /// Records of each group.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.names.len()];
        self.of.iter().flatten().for_each(|&group| sizes[group] += 1);
        sizes
    }

    /// The groups from the largest to the smallest, equal ones in their order.
    pub fn by_size(&self) -> Vec<usize> {
        let sizes = self.sizes();
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&group| std::cmp::Reverse(sizes[group]));
        order
    }
}

/// What puts a record into a group.
#[derive(Debug)]
pub enum Rule {
    /// A table of names and groups.
    Table(Table),
    /// A part of each name.
    Field(Field),
}

impl Rule {
    /// The groups of records with these names.
    pub fn groups(&self, names: &[&[u8]]) -> Groups {
        Groups::new(names.iter().map(|name| match self {
            Self::Table(table) => table.group(name),
            Self::Field(field) => field.of(name),
        }))
    }
}

/// A table of names and groups, tab-separated, read line by line. Further columns are ignored, and so are empty lines and lines
/// that start with `#`.
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
        Self::parse(BufReader::new(file)).map_err(|fault| match fault {
            Fault::Unreadable(source) => unreadable(source),
            Fault::Line(line, message) => FileError::Input { path: path.to_path_buf(), line, record: line, message },
        })
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

/// A part of a name: the names are split at each `delimiter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// What separates the parts of a name.
    pub delimiter: u8,
    /// Counted from 1, or back from -1, the last one.
    pub number: isize,
}

impl Field {
    /// The part; `None` where there is none, or an empty one.
    pub fn of(self, name: &[u8]) -> Option<&[u8]> {
        let parts: Vec<&[u8]> = name.split(|&byte| byte == self.delimiter).collect();
        let place = match self.number {
            number if number > 0 => number as usize - 1,
            number => parts.len().checked_sub(number.unsigned_abs())?,
        };
        parts.get(place).copied().filter(|part| !part.is_empty())
    }
}

/// From `_:2` or `|:-1`.
impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let parts = match text.as_bytes() {
            &[delimiter, b':', ..] if delimiter.is_ascii_graphic() => {
                text[2..].parse().ok().map(|number| (delimiter, number))
            }
            _ => None,
        };
        match parts {
            Some((delimiter, number)) if number != 0 => Ok(Self { delimiter, number }),
            _ => Err("expected a character, a colon and the number of a part, such as _:2 or '|:-1' (the last)".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_by_their_first_records() {
        let names: [Option<&[u8]>; 5] = [Some(b"b"), None, Some(b"a"), Some(b"a"), Some(b"b")];
        let groups = Groups::new(names.into_iter());
        assert_eq!(groups.names, [b"b", b"a"]);
        assert_eq!(groups.of, [Some(0), None, Some(1), Some(1), Some(0)]);
        assert_eq!((groups.sizes(), groups.by_size()), (vec![2, 2], vec![0, 1]));
    }

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

    #[test]
    fn fields_of_names() {
        let part = |field: &str, name: &'static str| {
            let part = field.parse::<Field>().unwrap().of(name.as_bytes());
            part.map(|part| std::str::from_utf8(part).unwrap())
        };
        assert_eq!(part("_:2", "OR258483_DENV1"), Some("DENV1"));
        assert_eq!(part("_:-1", "OR258483_DENV1"), Some("DENV1"));
        assert_eq!(part("/:1", "A/Utah/82/2024"), Some("A"));
        assert_eq!(part("|:3", "sp|P12345|CATA_HUMAN"), Some("CATA_HUMAN"));
        assert_eq!(part("_:3", "OR258483_DENV1"), None);
        assert_eq!(part("_:-3", "OR258483_DENV1"), None);
        assert_eq!(part("_:2", "x_"), None);
        assert_eq!(part("::2", "a:b"), Some("b"));
        for text in ["", "_", "_2", "_:", "_:0", "__:2", "é:1"] {
            assert!(text.parse::<Field>().unwrap_err().contains("_:2"), "{text}");
        }
    }
}
