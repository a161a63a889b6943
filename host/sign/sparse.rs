//! Sparse vectors of words: a few elements are +1, as many are -1, all others 0.
//!
//! # Definition
//!
//! A word seeds a generator ([`pcg`], [`isaac`]). Of its values modulo the number of elements, the first
//! [`Parameters::drawn`] that differ are the places of +1, the next ones those of -1. A place that is taken is drawn again;
//! after 1000 draws for one place, the next free one above the last draw is taken, from the top on to 0. So every word gets
//! its vector, also where a generator repeats itself.
//!
//! ```text
//! element    0 1 2 ... 63 | 64 ...      element e is bit 63 - e % 64 of word e / 64: the words' big-endian bytes
//! positive   . + . ... .  |  .          are laid out as a signature's
//! negative   - . . ... .  |  .
//! ```
//!
//! # Counting instead of adding
//!
//! Of n vectors, let P have +1 at an element and N have -1. The ones among their positive bits and their *inverted* negative
//! bits are P + (n - N): more than n exactly when P - N > 0. So a signature is a matter of counting bits, and a word that is
//! missing counts as one with all positive bits set and all inverted negative bits clear: one and no change to the sum. A
//! [`Table`] holds vectors in this form.

mod isaac;
mod pcg;
mod table;

pub use table::Table;
pub(super) use table::{canonical, spelled};

use super::{Hash, Parameters};
use isaac::Isaac;
use pcg::Pcg;

/// Draws for one place before the next free one is taken.
const PATIENCE: usize = 1000;

/// Draws the vectors of words.
#[derive(Clone, Copy, Debug)]
pub struct Sparse {
    hash: Hash,
    bits: u32,
    drawn: u32,
}

impl Sparse {
    /// The vectors of these parameters, whose hash is pcg or isaac.
    pub fn new(parameters: &Parameters) -> Self {
        assert_ne!(parameters.hash, Hash::Mix64, "the vectors of mix64 are dense");
        Self { hash: parameters.hash, bits: parameters.bits, drawn: parameters.drawn() }
    }

    /// Writes the vector of a word: its elements that are +1 and those that are -1, `bits / 64` numbers each.
    pub fn vector(&self, word: &[u8], positive: &mut [u64], negative: &mut [u64]) {
        match self.hash {
            Hash::Pcg => self.draw(Pcg::new(word), positive, negative),
            Hash::Isaac => self.draw(Isaac::new(word), positive, negative),
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

#[cfg(test)]
mod tests;
