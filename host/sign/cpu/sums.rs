//! Sums of the vectors of k-mers, held as counts of ones, and their signs.

use super::lanes::{LANES, Lanes, Vector};
use super::planes::{RUN, Tally};
use super::vectors::{KMERS, Vectors};
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
    /// The layout for these parameters.
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
    kmers: u32,
    /// Buffer of the rows to count.
    rows: Box<[Lanes; RUN]>,
}

/// A sum of any number of vectors.
#[derive(Clone, Default)]
pub struct Totals {
    /// Ones of each element.
    ones: Vec<u64>,
    kmers: u64,
}

impl Sums {
    /// An empty sum.
    pub fn new(layout: Layout) -> Self {
        Self { layout, tallies: vec![Tally::EMPTY; layout.blocks()], kmers: 0, rows: Box::new([Lanes::ZERO; RUN]) }
    }

    /// Makes the sum empty again.
    #[inline(always)]
    pub fn clear(&mut self) {
        for tally in &mut self.tallies {
            tally.clear();
        }
        self.kmers = 0;
    }

    /// Adds the vectors of the k-mers that start in `starts`.
    #[inline(always)]
    pub fn count<V: Vector>(&mut self, proof: V, vectors: &mut impl Vectors, sequence: &[u8], starts: Range<usize>) {
        let mut start = starts.start;
        while start < starts.end {
            let end = starts.end.min(start + KMERS);
            let kmers = vectors.find(sequence, start..end);
            for (block, tally) in self.tallies.iter_mut().enumerate() {
                for first in (0..kmers).step_by(RUN) {
                    let rows = &mut self.rows[..RUN.min(kmers - first)];
                    vectors.lay_out(proof, block, first, rows);
                    tally.count(proof, rows);
                }
            }
            self.kmers += kmers as u32;
            start = end;
        }
    }

    /// Adds another sum.
    #[inline(always)]
    pub fn add<V: Vector>(&mut self, proof: V, other: &Self) {
        for (tally, other) in self.tallies.iter_mut().zip(&other.tallies) {
            tally.add(proof, other);
        }
        self.kmers += other.kmers;
    }

    /// Writes the signs, and returns whether there was a k-mer.
    #[inline(always)]
    pub fn sign<V: Vector>(&self, proof: V, signature: &mut [u8]) -> bool {
        let lanes = self.layout.lanes();
        for (tally, bytes) in self.tallies.iter().zip(signature.chunks_mut(8 * LANES / lanes)) {
            let signs = match self.layout.paired {
                true => tally.folded(proof).above(proof, self.kmers),
                false => tally.above(proof, self.kmers / 2),
            };
            for (bytes, sign) in bytes.chunks_exact_mut(8).zip(signs.0.iter().step_by(lanes)) {
                bytes.copy_from_slice(&sign.to_be_bytes());
            }
        }
        self.kmers > 0
    }

    /// The same sum in wide numbers.
    pub fn totals(&self) -> Totals {
        let lanes = self.layout.lanes();
        let ones = (0..64 * self.layout.columns).map(|element| {
            let (first, bit) = (element / 64 * lanes, 63 - element % 64);
            let lane = |lane: usize| u64::from(self.tallies[lane / LANES].get(lane % LANES, bit));
            (first..first + lanes).map(lane).sum()
        });
        Totals { ones: ones.collect(), kmers: self.kmers.into() }
    }
}

impl Totals {
    /// The sum of both.
    pub fn plus(mut self, other: Self) -> Self {
        if self.ones.is_empty() {
            return other;
        }
        self.ones.iter_mut().zip(&other.ones).for_each(|(ones, other)| *ones += other);
        self.kmers += other.kmers;
        self
    }

    /// Writes the signs, and returns whether there was a k-mer.
    pub fn sign(&self, layout: Layout, signature: &mut [u8]) -> bool {
        let limit = if layout.paired { self.kmers } else { self.kmers / 2 };
        for (byte, ones) in signature.iter_mut().zip(self.ones.chunks_exact(8)) {
            *byte = ones.iter().fold(0, |byte, &ones| byte << 1 | u8::from(ones > limit));
        }
        self.kmers > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;

    #[test]
    fn more_kmers_than_32_bits_can_count_are_added_up() {
        let layout = Layout::new(&Parameters::DNA);
        let half = (1_u64 << 32) - 1;
        let ones = |more: u64| (0..64 * layout.columns as u64).map(|element| half + more * (element % 2)).collect();
        // K-mers: 4 * (2^32 - 1) + 2. Every second element has one more 1 than half of them.
        let part = Totals { ones: ones(1), kmers: 2 * half + 1 };
        let total = Totals { ones: ones(1), kmers: 2 * half + 1 }.plus(part);
        let mut signature = vec![0; 8 * layout.columns];
        assert!(total.sign(layout, &mut signature));
        assert_eq!(signature, vec![0b0101_0101; 8 * layout.columns]);
    }
}
