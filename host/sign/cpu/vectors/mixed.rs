//! Dense vectors: 64 elements at a time are the output of splitmix64 (Steele, Lea and Flood 2014, OOPSLA, p. 453) for the
//! word's key, eight times 64 side by side.

use super::super::lanes::{LANES, Lanes};
use super::super::planes::Rows;
use super::{Key, Vectors};
use std::array::from_fn;
use std::ops::Range;

/// The generator's increment: 2^64 divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Computes vectors where they are counted.
#[derive(Clone)]
pub struct Mixed<K> {
    key: K,
    keys: Vec<u64>,
    found: usize,
}

impl<K: Key> Mixed<K> {
    /// The vectors of words with these keys.
    pub fn new(key: K) -> Self {
        Self { key, keys: Vec::new(), found: 0 }
    }
}

impl<K: Key> Vectors for Mixed<K> {
    #[inline(always)]
    fn begin(&mut self) {
        self.key.begin();
    }

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize {
        self.found = self.key.find(sequence, starts, &mut self.keys);
        self.found
    }

    #[inline(always)]
    fn rows(&self, block: usize) -> impl Rows {
        let column = |lane| (block * LANES + lane) as u64;
        let increments = Lanes(from_fn(|lane| (column(lane) + 1).wrapping_mul(GAMMA)));
        Mixes { keys: &self.keys[..self.found], increments }
    }
}

/// A block of vectors.
struct Mixes<'a> {
    keys: &'a [u64],
    increments: Lanes,
}

impl Rows for Mixes<'_> {
    #[inline(always)]
    fn row(&self, k: usize) -> Lanes {
        let state = Lanes::splat(self.keys[k]).plus(self.increments);
        let state = state.xor(state.shifted_right(30)).times(0xbf58_476d_1ce4_e5b9);
        let state = state.xor(state.shifted_right(27)).times(0x94d0_49bb_1331_11eb);
        state.xor(state.shifted_right(31))
    }
}
