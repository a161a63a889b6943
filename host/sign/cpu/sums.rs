//! The vectors of a stretch's words, summed as counts of ones, and the signs of the sum.

use super::lanes::{LANES, Lanes, Vector};
use super::planes::{RUN, Tally};
use super::vectors::{Vectors, WORDS};
use crate::{Hash, Parameters};
use std::ops::Range;

/// How a sum is laid out in lanes.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Numbers of 64 signs.
    columns: usize,
    /// Whether a column has two lanes, for +1 and for -1, or one.
    paired: bool,
}

impl Layout {
    /// That of signatures with these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        Self { columns: parameters.bits as usize / 64, paired: parameters.hash != Hash::Mix64 }
    }

    /// Lanes of a column.
    fn lanes(self) -> usize {
        if self.paired { 2 } else { 1 }
    }

    /// Rows of a vector.
    fn blocks(self) -> usize {
        (self.columns * self.lanes()).div_ceil(LANES)
    }
}

/// A sum of at most 65,536 vectors.
pub struct Sums {
    layout: Layout,
    tallies: Vec<Tally>,
    words: u32,
    /// Rows to be counted.
    rows: Box<[Lanes; RUN]>,
}

/// A sum of any number of vectors.
#[derive(Clone, Default)]
pub struct Totals {
    /// Ones of each element.
    ones: Vec<u64>,
    words: u64,
}

impl Sums {
    /// A sum of none.
    pub fn new(layout: Layout) -> Self {
        Self { layout, tallies: vec![Tally::EMPTY; layout.blocks()], words: 0, rows: Box::new([Lanes::ZERO; RUN]) }
    }

    /// Sums none again.
    #[inline(always)]
    pub fn clear(&mut self) {
        for tally in &mut self.tallies {
            tally.clear();
        }
        self.words = 0;
    }

    /// Adds the vectors of the words that start in `starts`.
    #[inline(always)]
    pub fn count<V: Vector>(&mut self, proof: V, vectors: &mut impl Vectors, sequence: &[u8], starts: Range<usize>) {
        let mut start = starts.start;
        while start < starts.end {
            let end = starts.end.min(start + WORDS);
            let words = vectors.find(sequence, start..end);
            for (block, tally) in self.tallies.iter_mut().enumerate() {
                for first in (0..words).step_by(RUN) {
                    let rows = &mut self.rows[..RUN.min(words - first)];
                    vectors.lay_out(proof, block, first, rows);
                    tally.count(proof, rows);
                }
            }
            self.words += words as u32;
            start = end;
        }
    }

    /// Adds another sum.
    #[inline(always)]
    pub fn add<V: Vector>(&mut self, proof: V, other: &Self) {
        for (tally, other) in self.tallies.iter_mut().zip(&other.tallies) {
            tally.add(proof, other);
        }
        self.words += other.words;
    }

    /// Writes the signs, and returns whether there was a word.
    #[inline(always)]
    pub fn sign<V: Vector>(&self, proof: V, signature: &mut [u8]) -> bool {
        let lanes = self.layout.lanes();
        for (tally, bytes) in self.tallies.iter().zip(signature.chunks_mut(8 * LANES / lanes)) {
            let signs = match self.layout.paired {
                true => tally.folded(proof).above(proof, self.words),
                false => tally.above(proof, self.words / 2),
            };
            for (bytes, sign) in bytes.chunks_exact_mut(8).zip(signs.0.iter().step_by(lanes)) {
                bytes.copy_from_slice(&sign.to_be_bytes());
            }
        }
        self.words > 0
    }

    /// The same in wide numbers.
    pub fn totals(&self) -> Totals {
        let lanes = self.layout.lanes();
        let ones = (0..64 * self.layout.columns).map(|element| {
            let (first, bit) = (element / 64 * lanes, 63 - element % 64);
            let lane = |lane: usize| u64::from(self.tallies[lane / LANES].get(lane % LANES, bit));
            (first..first + lanes).map(lane).sum()
        });
        Totals { ones: ones.collect(), words: self.words.into() }
    }
}

impl Totals {
    /// The sum of both.
    pub fn plus(mut self, other: Self) -> Self {
        if self.ones.is_empty() {
            return other;
        }
        self.ones.iter_mut().zip(&other.ones).for_each(|(ones, other)| *ones += other);
        self.words += other.words;
        self
    }

    /// Writes the signs, and returns whether there was a word.
    pub fn sign(&self, layout: Layout, signature: &mut [u8]) -> bool {
        let limit = if layout.paired { self.words } else { self.words / 2 };
        for (byte, ones) in signature.iter_mut().zip(self.ones.chunks_exact(8)) {
            *byte = ones.iter().fold(0, |byte, &ones| byte << 1 | u8::from(ones > limit));
        }
        self.words > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;

    #[test]
    fn more_words_than_32_bits_can_count_are_added_up() {
        let layout = Layout::new(&Parameters::DNA);
        let half = (1_u64 << 32) - 1;
        let ones = |more: u64| (0..64 * layout.columns as u64).map(|element| half + more * (element % 2)).collect();
        // Words: 4 * (2^32 - 1) + 2. Every second element has one more 1 than half of them.
        let part = Totals { ones: ones(1), words: 2 * half + 1 };
        let total = Totals { ones: ones(1), words: 2 * half + 1 }.plus(part);
        let mut signature = vec![0; 8 * layout.columns];
        assert!(total.sign(layout, &mut signature));
        assert_eq!(signature, vec![0b0101_0101; 8 * layout.columns]);
    }
}
