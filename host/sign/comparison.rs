//! What a comparison of signatures takes and gives: [`Points`] against points, and their [`Neighbour`]s or least distances.
//!
//! The fields are private, so that signatures are always whole, of the same bits as those they are compared with, and in groups
//! that lie among the targets. Executors rely on this.

use crate::Parameters;
use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Problem};

/// Signatures side by side. Each is of a window that has a k-mer.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    bits: u32,
    bytes: &'a [u8],
}

impl<'a> Points<'a> {
    /// Signatures of `bits` bits, a multiple of 64 from 64 to 65,536, in `bits / 8` bytes each.
    ///
    /// # Panics
    /// For any other number of bits, and when the bytes do not divide into whole signatures.
    pub const fn new(bits: u32, bytes: &'a [u8]) -> Self {
        assert!(
            bits >= 64 && bits <= Parameters::MOST_BITS && bits.is_multiple_of(64),
            "signatures have 64 to 65536 bits, a multiple of 64"
        );
        assert!(bytes.len().is_multiple_of(bits as usize / 8), "the bytes are whole signatures");
        Self { bits, bytes }
    }

    /// Bits of a signature.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The bytes of all signatures.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of signatures.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.width()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes of a signature.
    pub fn width(&self) -> usize {
        self.bits as usize / 8
    }

    /// The signatures `range`.
    pub fn part(&self, range: Range<usize>) -> Self {
        Self { bits: self.bits, bytes: &self.bytes[range.start * self.width()..range.end * self.width()] }
    }

    /// Signature `k`.
    pub fn get(&self, k: usize) -> &'a [u8] {
        &self.bytes[k * self.width()..][..self.width()]
    }
}

/// How many neighbours are wanted, and how near they must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most neighbours of a query, at least 1; `None`: all within the distance.
    pub top: Option<u32>,
    /// The most bits in which a neighbour may differ.
    pub distance: u32,
}

/// A target near a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    /// The query, by its number.
    pub query: u32,
    /// Bits that differ.
    pub distance: u32,
    /// The target, by its number.
    pub target: u32,
}

/// What [`least`] returns for a group without targets.
pub const NO_TARGET: u32 = u32::MAX;

/// The comparison of signatures in Hamming space.
pub struct Comparing;

/// Queries and what is wanted of their distances to targets.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'j> {
    queries: Points<'j>,
    targets: Points<'j>,
    wanted: Distances<'j>,
}

impl<'j> Comparison<'j> {
    /// A comparison of `queries` with `targets`.
    ///
    /// # Panics
    /// When their signatures differ in their number of bits, when `top` is 0, and when groups overlap or leave the targets.
    pub fn new(queries: Points<'j>, targets: Points<'j>, wanted: Distances<'j>) -> Self {
        assert_eq!(queries.bits, targets.bits, "queries and targets have the same number of bits");
        match wanted {
            Distances::Nearest(limits) => assert_ne!(limits.top, Some(0), "at least one neighbour is wanted"),
            Distances::Least(groups) => {
                let inside = groups.last().is_none_or(|&end| end as usize <= targets.len());
                assert!(inside && groups.is_sorted(), "groups follow one another among the targets");
            }
        }
        Self { queries, targets, wanted }
    }

    /// What is compared.
    pub fn queries(&self) -> Points<'j> {
        self.queries
    }

    /// What it is compared with.
    pub fn targets(&self) -> Points<'j> {
        self.targets
    }

    /// The comparison of some of its queries.
    pub fn part(&self, queries: Range<usize>) -> Self {
        Self { queries: self.queries.part(queries), ..*self }
    }

    /// Which distances are wanted.
    pub fn wanted(&self) -> Distances<'j> {
        self.wanted
    }
}

/// Which distances are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Distances<'j> {
    /// See [`nearest`].
    Nearest(Limits),
    /// See [`least`].
    Least(&'j [u32]),
}

/// The result of a comparison. What is not wanted is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// See [`nearest`].
    pub neighbours: Vec<Neighbour>,
    /// See [`least`].
    pub least: Vec<u32>,
}

impl Problem for Comparing {
    type Job<'j> = Comparison<'j>;
    type Output = Compared;
}

/// An executor that compares signatures.
pub type Comparer<'e> = dyn Executor<Comparing> + 'e;

/// The targets near each query, sorted by query, distance and target. Of targets at the same distance, the first are kept.
///
/// # Errors
/// Those of the executor.
pub fn nearest(comparer: &mut Comparer, queries: Points, targets: Points, limits: Limits) -> Result<Vec<Neighbour>> {
    let mut compared = Compared::default();
    comparer.compute(Comparison::new(queries, targets, Distances::Nearest(limits)), &mut compared)?;
    Ok(compared.neighbours)
}

/// For each query, and in it for each group of targets, the least distance to a target of the group. Group g is the targets
/// `groups[g]..groups[g + 1]`; [`NO_TARGET`] where it is empty.
///
/// # Errors
/// Those of the executor.
pub fn least(comparer: &mut Comparer, queries: Points, targets: Points, groups: &[u32]) -> Result<Vec<u32>> {
    let mut compared = Compared::default();
    comparer.compute(Comparison::new(queries, targets, Distances::Least(groups)), &mut compared)?;
    Ok(compared.least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(queries: Points, targets: Points, wanted: Distances) {
        Comparison::new(queries, targets, wanted);
    }

    #[test]
    #[should_panic(expected = "the bytes are whole signatures")]
    fn part_of_a_signature_is_refused() {
        Points::new(128, &[0; 24]);
    }

    #[test]
    #[should_panic(expected = "signatures have 64 to 65536 bits, a multiple of 64")]
    fn signatures_without_bits_are_refused() {
        Points::new(0, &[]);
    }

    #[test]
    #[should_panic(expected = "queries and targets have the same number of bits")]
    fn signatures_of_other_bits_are_not_compared() {
        let limits = Limits { top: None, distance: 64 };
        compare(Points::new(64, &[0; 16]), Points::new(128, &[0; 16]), Distances::Nearest(limits));
    }

    #[test]
    #[should_panic(expected = "groups follow one another among the targets")]
    fn groups_outside_the_targets_are_refused() {
        let points = Points::new(64, &[0; 16]);
        compare(points, points, Distances::Least(&[0, 2]));
        compare(points, points, Distances::Least(&[0, 3]));
    }
}
