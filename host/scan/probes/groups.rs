//! The groups of references, which probes tell apart: each reference by itself, or by a part of its name, or by a table.

use super::Records;
use std::collections::HashMap;
use std::path::PathBuf;
use warpseq_io::console::Console;
use warpseq_io::error::{FileError, Result};
use warpseq_io::groups::Table;
pub use warpseq_io::groups::field::Field;

/// What puts a reference into a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Each is a group.
    #[default]
    References,
    /// A part of each name.
    Field(Field),
    /// A table of names and groups.
    Table(PathBuf),
}

/// The group of each reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// In the order of their first references.
    pub names: Vec<Vec<u8>>,
    /// The group of each reference, by number.
    pub of: Vec<u32>,
    /// Whether each reference was given a group. Others are groups of their own.
    pub given: Vec<bool>,
}

impl Groups {
    /// Groups `references`. Those without a group, which are warned of, are groups of their own.
    ///
    /// # Errors
    /// Those of [`Table::read`]; [`FileError::Unusable`] for a table with none of the references, and for a group whose name cannot be
    /// part of the name of a signature; [`FileError::Usage`] when no name has the part.
    pub fn of(references: &Records, grouping: &Grouping, console: Console) -> Result<Self> {
        let names = || (0..references.len()).map(|k| references.name(k));
        let groups = match grouping {
            Grouping::References => return Ok(Self::new(names().map(|name| (name, None)))),
            Grouping::Field(field) => Self::new(names().map(|name| (name, field.of(name)))),
            Grouping::Table(path) => {
                let table = Table::read(path)?;
                Self::new(names().map(|name| (name, table.group(name))))
            }
        };
        groups.check(grouping)?;
        let mut alone = names().zip(&groups.given).filter(|(_, given)| !**given);
        if let Some((first, _)) = alone.next() {
            let (first, count) = (String::from_utf8_lossy(first), alone.count() + 1);
            console.warn(format_args!(
                "references without a group, each a group of its own: {count}, the first is {first}"
            ));
        }
        Ok(groups)
    }

    fn new<'a>(named: impl Iterator<Item = (&'a [u8], Option<&'a [u8]>)>) -> Self {
        let (mut groups, mut numbers) = (Self::default(), HashMap::new());
        for (name, group) in named {
            // A group and a reference without one may have the same name.
            let number = *numbers.entry((group.is_some(), group.unwrap_or(name))).or_insert_with(|| {
                groups.names.push(group.unwrap_or(name).to_vec());
                groups.names.len() as u32 - 1
            });
            groups.of.push(number);
            groups.given.push(group.is_some());
        }
        groups
    }

    /// Refuses what cannot be meant, and groups that a summary could not read again.
    fn check(&self, grouping: &Grouping) -> Result<()> {
        let refused = |message: String| match grouping {
            Grouping::Table(path) => Err(FileError::Unusable { path: path.clone(), message }),
            _ => Err(FileError::Usage(format!("--group-by: {message}"))),
        };
        if !self.given.contains(&true) {
            return refused(
                "none of the references has a group by it: groups are given to the first words of their header lines"
                    .into(),
            );
        }
        let unreadable = |group: &Vec<u8>| group.iter().any(|byte| *byte == b'|' || byte.is_ascii_whitespace());
        let given = |number: u32| self.of.iter().zip(&self.given).any(|(&of, &given)| given && of == number);
        let mut numbered = (0..).zip(&self.names);
        if let Some((_, group)) = numbered.find(|&(number, group)| unreadable(group) && given(number)) {
            let group = String::from_utf8_lossy(group);
            return refused(format!(
                "group `{group}` cannot be part of the name of a signature: write it without blanks and without `|`"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(named: &[(&str, Option<&str>)]) -> Groups {
        Groups::new(named.iter().map(|(name, group)| (name.as_bytes(), group.map(str::as_bytes))))
    }

    #[test]
    fn groups_are_numbered_by_their_first_references_and_those_without_stay_alone() {
        let groups = grouped(&[("a", Some("x")), ("x", None), ("b", Some("y")), ("c", Some("x")), ("d", None)]);
        assert_eq!(groups.names, ["x", "x", "y", "d"].map(|name| name.as_bytes().to_vec()));
        assert_eq!((groups.of, groups.given), (vec![0, 1, 2, 0, 3], vec![true, false, true, true, false]));
    }

    #[test]
    fn what_no_name_of_a_signature_can_hold_is_refused() {
        let field = Grouping::Field("_:2".parse().unwrap());
        let refused = |named| grouped(named).check(&field).unwrap_err().to_string();
        assert!(refused(&[("a", None)]).contains("--group-by: none of the references"));
        assert!(refused(&[("a", Some("b")), ("c", Some("Zika virus"))]).contains("`Zika virus`"));
        assert!(refused(&[("a", Some("b|c"))]).contains("without `|`"));
        assert!(grouped(&[("a|b", None), ("c", Some("d"))]).check(&field).is_ok());
    }
}
