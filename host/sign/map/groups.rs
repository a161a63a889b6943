//! Groups of records, which colour a map and show how well it separates them: from a table, or from a part of the names.

use std::collections::HashMap;
use warpseq_io::groups::Table;
pub use warpseq_io::groups::field::Field;

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
}
