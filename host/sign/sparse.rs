//! Sparse vectors of k-mers: a few elements are +1, as many are -1, all others 0.
//!
//! # Definition
//!
//! A k-mer seeds a generator (PCG, or ISAAC in `isaac`). Of its values modulo the number of elements, the first
//! [`Parameters::drawn`] different ones are the places of +1, the next ones those of -1. A place that is taken is drawn
//! again. After 1000 draws for one place, the next free place above the last draw is taken, with 0 after the top. So every
//! k-mer gets a vector, even if its generator repeats itself.
//!
//! ```text
//! element    0 1 2 ... 63 | 64 ...      element e is bit 63 - e % 64 of word e / 64; the words
//! positive   . + . ... .  |  .          in big-endian bytes are laid out like a signature
//! negative   - . . ... .  |  .
//! ```
//!
//! # Counting instead of adding
//!
//! Of n vectors, let P have +1 at an element and N have -1. Their positive bits and their *inverted* negative bits together
//! have `P + (n - N)` ones: more than n exactly if P - N > 0. So it is enough to count bits. A missing k-mer counts as a vector
//! with all positive bits set and all inverted negative bits clear: at each element one of its two bits is 1, which does not
//! change the sum. A [`Table`] holds vectors in this form.

mod isaac;
mod table;

pub use table::Table;
pub(super) use table::{canonical, spelled};

use super::{Hash, Parameters};
use isaac::Isaac;

/// Draws for one place before the next free one is taken.
const PATIENCE: usize = 1000;

/// Draws the vectors of k-mers.
#[derive(Clone, Copy, Debug)]
pub struct Sparse {
    hash: Hash,
    bits: u32,
    drawn: u32,
}

impl Sparse {
    /// Draws the vectors of these parameters, whose hash is pcg or isaac.
    pub fn new(parameters: &Parameters) -> Self {
        assert_ne!(parameters.hash, Hash::Mix64, "the vectors of mix64 are dense");
        Self { hash: parameters.hash, bits: parameters.bits, drawn: parameters.drawn() }
    }

    /// Writes the vector of a k-mer: its elements that are +1 and those that are -1, `bits / 64` numbers each.
    pub fn vector(&self, kmer: &[u8], positive: &mut [u64], negative: &mut [u64]) {
        match self.hash {
            Hash::Pcg => self.draw(Pcg::new(kmer), positive, negative),
            Hash::Isaac => self.draw(Isaac::new(kmer), positive, negative),
            Hash::Mix64 => unreachable!("`new` takes sparse hashes only"),
        }
    }

    fn draw(&self, mut values: impl Iterator<Item = u32>, positive: &mut [u64], negative: &mut [u64]) {
        positive.fill(0);
        negative.fill(0);
        for _ in 0..self.drawn {
            let place = self.place(&mut values, positive, negative);
            positive[place / 64] |= bit(place);
        }
        for _ in 0..self.drawn {
            let place = self.place(&mut values, positive, negative);
            negative[place / 64] |= bit(place);
        }
    }

    /// The next place that is free.
    fn place(&self, values: &mut impl Iterator<Item = u32>, positive: &[u64], negative: &[u64]) -> usize {
        let taken = |place: usize| (positive[place / 64] | negative[place / 64]) & bit(place) != 0;
        let mut place = 0;
        for value in values.take(PATIENCE) {
            place = (value % self.bits) as usize;
            if !taken(place) {
                return place;
            }
        }
        while taken(place) {
            place = (place + 1) % self.bits as usize;
        }
        place
    }
}

fn bit(element: usize) -> u64 {
    1 << (63 - element % 64)
}

/// PCG, RXS-M-XS with 32 bits of state (O'Neill 2014), as a hash that is fed its own values, for k-mers of at most 4 residues.
struct Pcg {
    seed: u32,
}

impl Pcg {
    /// The k-mer's bytes, the first one highest, are the seed.
    fn new(kmer: &[u8]) -> Self {
        Self { seed: kmer.iter().fold(0, |seed, &residue| seed << 8 | u32::from(residue)) }
    }
}

impl Iterator for Pcg {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let value = permuted(self.seed);
        self.seed ^= value;
        Some(value)
    }
}

/// One step of the generator and its output permutation.
fn permuted(x: u32) -> u32 {
    let state = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let mixed = (state >> ((state >> 28) + 4) ^ state).wrapping_mul(277_803_737);
    mixed >> 22 ^ mixed
}

#[cfg(test)]
mod tests;
