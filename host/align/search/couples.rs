//! A database as a GPU takes it: targets in couples, a residue of both in one letter.
//!
//! ```text
//! order      a b c d e            the longest first
//! couples    (a b) (c d) (e -)    neighbours, so of like lengths; each as long as its first
//! letters    code of a | code of b << 8, ..., times LETTER; padding past the shorter one, and SEARCH_GAP letters of it before each
//!            couple and after the last one
//! ```
//!
//! Targets without residues are in no couple.

use super::Database;
use rayon::prelude::*;
use std::ops::Range;
use warpseq_gpu::tuning::{LETTER, SEARCH_GAP};

/// Targets in couples.
#[derive(Debug)]
pub struct Couples {
    letters: Vec<u16>,
    /// The padding before each couple, and that after the last one.
    starts: Vec<u64>,
    order: Vec<u32>,
    /// What they were made with.
    codes: [u8; 256],
    padding: u8,
}

/// In the place of the second target of a couple that has none.
pub const NO_TARGET: u32 = u32::MAX;
/// Letters of padding.
const GAP: u64 = SEARCH_GAP as u64;
/// Letters that a thread writes at a time, about.
const GRAIN: u64 = 1 << 18;

impl Couples {
    /// The targets of a database, their residues as `codes`.
    pub fn new(database: &Database, codes: &[u8; 256], padding: u8) -> Self {
        let targets = database.targets();
        let some = database.order().partition_point(|&target| targets.length(target as usize) > 0);
        let mut order = database.order()[..some].to_vec();
        let mut starts = vec![0];
        starts.extend(order.chunks(2).scan(0, |end, couple| {
            *end += GAP + targets.length(couple[0] as usize) as u64;
            Some(*end)
        }));
        order.resize(2 * (starts.len() - 1), NO_TARGET);
        let mut couples = Self { letters: Vec::new(), starts, order, codes: *codes, padding };
        couples.letters = couples.write(database);
        couples
    }

    fn write(&self, database: &Database) -> Vec<u16> {
        let mut letters = vec![self.letter(self.padding, self.padding); (self.starts[self.len()] + GAP) as usize];
        let (mut rest, mut first, mut parts) = (&mut letters[..], 0, Vec::new());
        while first < self.len() {
            let end = self.end_of(first, GRAIN);
            let (part, others) = rest.split_at_mut((self.starts[end] - self.starts[first]) as usize);
            parts.push((first..end, part));
            (rest, first) = (others, end);
        }
        parts.into_par_iter().for_each(|(range, part)| self.write_part(database, range, part));
        letters
    }

    fn letter(&self, first: u8, second: u8) -> u16 {
        (u16::from(first) | u16::from(second) << 8) * LETTER as u16
    }

    fn write_part(&self, database: &Database, range: Range<usize>, mut part: &mut [u16]) {
        let code = |residue: u8| self.codes[usize::from(residue)];
        for k in range {
            let [first, second] = [self.order[2 * k], self.order[2 * k + 1]];
            let first = database.targets().get(first as usize);
            let second = if second == NO_TARGET { &[] } else { database.targets().get(second as usize) };
            let (letters, rest) = part.split_at_mut(GAP as usize + first.len());
            let (both, alone) = letters[GAP as usize..].split_at_mut(second.len());
            for ((letter, &a), &b) in both.iter_mut().zip(first).zip(second) {
                *letter = self.letter(code(a), code(b));
            }
            for (letter, &a) in alone.iter_mut().zip(&first[second.len()..]) {
                *letter = self.letter(code(a), self.padding);
            }
            part = rest;
        }
    }

    /// Whether they were made with these codes.
    pub fn are_of(&self, codes: &[u8; 256], padding: u8) -> bool {
        (&self.codes, self.padding) == (codes, padding)
    }

    /// How many couples there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Columns of couple `k`: residues of its longer target.
    pub fn columns(&self, k: usize) -> u64 {
        self.starts[k + 1] - self.starts[k] - GAP
    }

    /// The first letter of couple `k` among those of the couples from `first` on.
    pub fn start(&self, first: usize, k: usize) -> u64 {
        self.starts[k] - self.starts[first] + GAP
    }

    /// Columns of all couples.
    pub fn all_columns(&self) -> u64 {
        self.starts[self.len()] - self.len() as u64 * GAP
    }

    /// The end of the couples from `first` on that have `letters` together, or more if the first one has.
    pub fn end_of(&self, first: usize, letters: u64) -> usize {
        let end = self.starts[first].saturating_add(letters);
        let fitting = self.starts[first + 1..].partition_point(|&start| start <= end);
        first + fitting.max(1).min(self.len() - first)
    }

    /// The letters of some couples, padding first and last.
    pub fn letters(&self, range: Range<usize>) -> &[u16] {
        &self.letters[self.starts[range.start] as usize..(self.starts[range.end] + GAP) as usize]
    }

    /// The numbers of the targets, two a couple, [`NO_TARGET`] where there is no second.
    pub fn targets(&self, range: Range<usize>) -> &[u32] {
        &self.order[2 * range.start..2 * range.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpseq_seq::Sequences;

    #[test]
    fn neighbours_in_the_order_of_lengths_share_letters() {
        let targets: Sequences = ["C", "ACG", "", "GG", "TTTT", "AC"].iter().collect();
        let codes =
            std::array::from_fn(|residue| b"ACGT".iter().position(|&b| usize::from(b) == residue).unwrap_or(9) as u8);
        let couples = Couples::new(&Database::new(&targets), &codes, 7);
        assert_eq!(couples.targets(0..couples.len()), [4, 1, 3, 5, 0, NO_TARGET]);
        assert_eq!(
            (0..3).map(|k| (couples.start(0, k), couples.columns(k))).collect::<Vec<_>>(),
            [(16, 4), (36, 2), (54, 1)]
        );
        assert_eq!((couples.start(1, 2), couples.all_columns()), (34, 7));
        let letters = |range| {
            let codes = couples.letters(range).iter().map(|letter| ((letter / 8) & 31, letter >> 11));
            codes.collect::<Vec<_>>().split(|&codes| codes == (7, 7)).map(<[_]>::to_vec).collect::<Vec<_>>()
        };
        let padded = |couples: &[&[(u16, u16)]]| {
            let gap = || vec![Vec::new(); 15];
            let padded = couples.iter().flat_map(|couple| gap().into_iter().chain([couple.to_vec()]));
            [Vec::new()].into_iter().chain(padded).chain(gap()).chain([Vec::new()]).collect::<Vec<_>>()
        };
        assert_eq!(letters(0..1), padded(&[&[(3, 0), (3, 1), (3, 2), (3, 7)]]));
        assert_eq!(letters(1..3), padded(&[&[(2, 0), (2, 1)], &[(1, 7)]]));
        let ends = |first| [0, 20, 37, 38, 55, 100].map(|letters| couples.end_of(first, letters));
        assert_eq!((ends(0), ends(1)), ([1, 1, 1, 2, 3, 3], [2, 2, 3, 3, 3, 3]));
        assert_eq!(Couples::new(&Database::new(&Sequences::default()), &codes, 7).len(), 0);
    }
}
