//! Sums for any machine.

use super::{LANES, Sums};

/// Eight numbers.
#[derive(Clone, Copy)]
pub struct Array([u64; LANES]);

impl Array {
    /// No bits.
    #[inline(always)]
    pub fn zero() -> Self {
        Self([0; LANES])
    }
}

impl Sums for Array {
    #[inline(always)]
    fn plus(self, word: u64, targets: &[u64; LANES]) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + u64::from((targets[lane] ^ word).count_ones())))
    }

    #[inline(always)]
    fn any_below(self, below: u32) -> bool {
        self.0.iter().fold(false, |any, &sum| any | (sum < u64::from(below)))
    }

    #[inline(always)]
    fn get(self) -> [u16; LANES] {
        self.0.map(|sum| sum as u16)
    }
}
