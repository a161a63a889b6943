//! Dense vectors: each 64 elements are an output of splitmix64 (Steele, Lea and Flood 2014, OOPSLA, p. 453) for the key of the
//! k-mer. Eight outputs are computed side by side.

use super::super::lanes::{LANES, Lanes, Vector};
use super::{Key, Vectors};
use std::array::from_fn;
use std::ops::Range;

/// The generator's increment: 2^64 divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Computes vectors before they are counted.
#[derive(Clone)]
pub struct Mixed<K> {
    key: K,
    keys: Vec<u64>,
    found: usize,
}

impl<K: Key> Mixed<K> {
    /// The vectors of k-mers with these keys.
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
    fn lay_out<V: Vector>(&self, proof: V, block: usize, first: usize, rows: &mut [Lanes]) {
        let column = |lane| (block * LANES + lane) as u64;
        let increments = proof.load(&Lanes(from_fn(|lane| (column(lane) + 1).wrapping_mul(GAMMA))));
        let (a, b) = (proof.splat(0xbf58_476d_1ce4_e5b9), proof.splat(0x94d0_49bb_1331_11eb));
        for (row, &key) in rows.iter_mut().zip(&self.keys[first..self.found]) {
            let state = proof.splat(key).plus(increments);
            let state = state.xor(state.shifted_right::<30>()).times(a);
            let state = state.xor(state.shifted_right::<27>()).times(b);
            *row = state.xor(state.shifted_right::<31>()).store();
        }
    }
}
