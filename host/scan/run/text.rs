//! The rows of a batch as text, also where they come for one group of signatures after another.
//!
//! ```text
//! one group       row row row ...                                        as they are written
//! several         head row head row ... | head row ... | ...             a head: the sequence and the bytes of its row
//! put together    rows of sequence 0, those of group 1 first | rows of sequence 1 | ...
//! ```
//!
//! Rows come by sequence, and those of a sequence by signature. Groups are of signatures in a row: so where those of one are put behind
//! those of the group before, sequence by sequence, they come as if there were one group.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufRead, BufReader, Read, Take};
use std::path::{Path, PathBuf};
use warpseq_io::error::{FileError, Result};
use warpseq_io::output::spool::{Rest, Spool};

/// Bytes of a group that are read at a time.
const READ: usize = 16 << 10;
/// A sequence, and the bytes of a row.
const HEAD: usize = size_of::<u32>() + size_of::<u64>();

/// Rows that wait to be written.
pub struct Text {
    rows: Spool,
    /// Where each group begins; empty: there is one.
    groups: Vec<u64>,
    most: usize,
    folder: PathBuf,
}

impl Text {
    /// None so far. Up to `most` bytes stay in memory, twice as many while groups are put together; the rest goes to a file in `folder`.
    pub fn new(most: usize, folder: &Path) -> Self {
        Self { rows: Spool::new(most, folder), groups: Vec::new(), most, folder: folder.into() }
    }

    /// Rows from now on are of the next group, from the first sequence on again. The first of all is told of, too.
    pub fn next_group(&mut self) {
        self.groups.push(self.rows.len());
    }

    /// Appends a row of `sequence`, as `write` writes it.
    ///
    /// # Errors
    /// Those of the file.
    pub fn put(&mut self, sequence: u32, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let has_head = !self.groups.is_empty();
        self.rows.put_with(|text| {
            let at = text.len();
            if has_head {
                text.extend_from_slice(&sequence.to_le_bytes());
                text.extend_from_slice(&[0; HEAD - size_of::<u32>()]);
            }
            write(text);
            if has_head {
                let bytes = (text.len() - at - HEAD) as u64;
                text[at + size_of::<u32>()..at + HEAD].copy_from_slice(&bytes.to_le_bytes());
            }
        })
    }

    /// All rows, in order.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(self) -> Result<Spool> {
        if self.groups.is_empty() {
            return Ok(self.rows);
        }
        let mut all = Spool::new(self.most, &self.folder);
        let ends = self.groups[1..].iter().copied().chain([self.rows.len()]);
        let group = |(&start, end): (&u64, u64)| Group::new(self.rows.rest(start).take(end - start));
        let mut groups: Vec<Group> = self.groups.iter().zip(ends).map(group).collect();
        put_together(&mut groups, &mut all, |error| self.rows.fault("read", error))?;
        Ok(all)
    }
}

/// Puts the rows of all groups behind one another, sequence by sequence.
fn put_together(groups: &mut [Group], all: &mut Spool, fault: impl Fn(io::Error) -> FileError) -> Result<()> {
    let mut next = BinaryHeap::new();
    for (number, group) in groups.iter_mut().enumerate() {
        next.extend(group.head().map_err(&fault)?.map(|sequence| Reverse((sequence, number))));
    }
    let mut row = Vec::new();
    while let Some(Reverse((sequence, number))) = next.pop() {
        let group = &mut groups[number];
        let mut of_group = Some(sequence);
        while of_group == Some(sequence) {
            group.row(&mut row).map_err(&fault)?;
            all.put(&row)?;
            of_group = group.head().map_err(&fault)?;
        }
        next.extend(of_group.map(|sequence| Reverse((sequence, number))));
    }
    Ok(())
}

/// The rows of a group that are still to come.
struct Group<'s> {
    rest: BufReader<Take<Rest<'s>>>,
    /// Bytes of the next row.
    bytes: u64,
}

impl<'s> Group<'s> {
    fn new(rest: Take<Rest<'s>>) -> Self {
        Self { rest: BufReader::with_capacity(READ, rest), bytes: 0 }
    }

    /// The sequence of the next row; `None`: there is none.
    fn head(&mut self) -> io::Result<Option<u32>> {
        if self.rest.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let (mut sequence, mut bytes) = ([0; size_of::<u32>()], [0; size_of::<u64>()]);
        self.rest.read_exact(&mut sequence)?;
        self.rest.read_exact(&mut bytes)?;
        self.bytes = u64::from_le_bytes(bytes);
        Ok(Some(u32::from_le_bytes(sequence)))
    }

    /// Reads the row behind a head.
    fn row(&mut self, row: &mut Vec<u8>) -> io::Result<()> {
        row.clear();
        self.rest.by_ref().take(self.bytes).read_to_end(row).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: Text) -> String {
        let mut all = Vec::new();
        let take = |piece: &[u8]| {
            all.extend_from_slice(piece);
            Ok(())
        };
        text.finish().unwrap().each(take).unwrap();
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn groups_are_put_together_sequence_by_sequence() {
        let groups =
            [&[(0, "a"), (0, "b"), (3, "c")][..], &[], &[(3, "d")], &[(0, ""), (1, "e\n"), (3, "f"), (3, "g")]];
        for most in [0, 20, 1 << 20] {
            let mut text = Text::new(most, &std::env::temp_dir());
            for group in groups {
                text.next_group();
                group.iter().for_each(|(sequence, row)| text.put(*sequence, |to| to.extend(row.bytes())).unwrap());
            }
            assert_eq!(told(text), "abe\ncdfg", "{most}");
        }
    }

    #[test]
    fn rows_of_one_group_come_as_they_were_put() {
        let mut text = Text::new(3, &std::env::temp_dir());
        ["x", "", "yyyyy", "z"].iter().for_each(|row| text.put(7, |to| to.extend(row.bytes())).unwrap());
        assert_eq!(told(text), "xyyyyyz");
    }
}
