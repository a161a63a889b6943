//! Sequences by their windows that have a k-mer.

use crate::Points;
use crate::collection::{Collection, Present};
use std::ops::Range;
use warpseq_engine::error::{Error, Result};

/// Some sequences of a collection.
pub struct Sequences<'a> {
    held: Held<'a>,
    /// Sequence s has the points `groups[s]..groups[s + 1]`.
    groups: Vec<u32>,
}

enum Held<'a> {
    Part(Present<'a>),
    Copied { bits: u32, bytes: Vec<u8> },
}

impl<'a> Sequences<'a> {
    /// Sequences `range` of a collection. They are copied only if some windows have no k-mer.
    ///
    /// # Errors
    /// [`Error::Usage`] when they have 2^32 windows or more.
    pub fn range(collection: &'a Collection, range: Range<usize>) -> Result<Self> {
        let windows = collection.firsts[range.start] as usize..collection.firsts[range.end] as usize;
        check_count(collection, &range, windows.len())?;
        let present = collection.points_of(windows);
        let groups =
            collection.firsts[range.start..=range.end].iter().map(|&first| present.before(first as usize) as u32);
        Ok(Self { groups: groups.collect(), held: Held::Part(present) })
    }

    /// Any sequences of a collection in any order, copied.
    ///
    /// # Errors
    /// [`Error::Usage`] when one of them has 2^32 windows or more.
    pub fn list(collection: &'a Collection, list: &[usize]) -> Result<Self> {
        let (mut bytes, mut groups, mut points) = (Vec::new(), vec![0], 0);
        for &sequence in list {
            let present = collection.points_of(collection.windows(sequence));
            bytes.extend_from_slice(present.points().bytes());
            points += present.points().len();
            check_count(collection, &(sequence..sequence + 1), points)?;
            groups.push(points as u32);
        }
        Ok(Self { held: Held::Copied { bits: collection.parameters.bits, bytes }, groups })
    }

    /// The number of sequences.
    pub fn len(&self) -> usize {
        self.groups.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their windows that have a k-mer, sequence after sequence.
    pub fn points(&self) -> Points<'_> {
        match &self.held {
            Held::Part(present) => present.points(),
            Held::Copied { bits, bytes } => Points::new(*bits, bytes),
        }
    }

    /// Sequence s has the points `groups[s]..groups[s + 1]`.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// The points of sequence `s`.
    pub fn windows(&self, s: usize) -> Range<u32> {
        self.groups[s]..self.groups[s + 1]
    }

    /// Whether no sequence has two points.
    pub fn are_single(&self) -> bool {
        self.groups.windows(2).all(|ends| ends[1] - ends[0] <= 1)
    }
}

fn check_count(collection: &Collection, range: &Range<usize>, windows: usize) -> Result<()> {
    if u32::try_from(windows).is_ok() {
        return Ok(());
    }
    let name = |s: usize| String::from_utf8_lossy(&collection.names[s]).into_owned();
    Err(Error::Usage(format!(
        "the sequences {} to {} have {windows} windows, but at most {} can be compared at a time: sign them with a longer \
         --window",
        name(range.start),
        name(range.end - 1),
        u32::MAX
    )))
}

/// Cuts sequences into blocks of at most `most_sequences` sequences and `most_windows` windows, but at least one sequence.
pub fn blocks(
    collection: &Collection,
    range: Range<usize>,
    most_sequences: usize,
    most_windows: usize,
) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = range.start;
    std::iter::from_fn(move || {
        let limit = collection.firsts[start] + most_windows as u64;
        let most = range.end.min(start.saturating_add(most_sequences));
        let fitting = collection.firsts[start..=most].partition_point(|&first| first <= limit);
        let block = start..(start + fitting - 1).max(start + 1).min(range.end);
        start = block.end;
        (!block.is_empty()).then_some(block)
    })
}
