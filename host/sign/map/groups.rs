//! Groups of records, which colour a map and show how well it separates them: from a table, or from a part of the names.

use std::collections::HashMap;
use std::str::FromStr;
use warpseq_io::groups::Table;

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
