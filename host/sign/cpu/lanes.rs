//! Eight 64-bit numbers side by side: a register of AVX-512, two of AVX2, four of SSE2.
//!
//! Plain arrays and loops, which the compiler turns into the vector instructions of the function that they are inlined into
//! ([`super::machine`]).

use std::array::from_fn;

/// Numbers of [`Lanes`].
pub const LANES: usize = 8;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [u64; LANES]);

impl Lanes {
    pub const ZERO: Self = Self([0; LANES]);

    #[inline(always)]
    pub fn splat(number: u64) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k] & other.0[k]))
    }

    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k] | other.0[k]))
    }

    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k] ^ other.0[k]))
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].wrapping_add(other.0[k])))
    }

    #[inline(always)]
    pub fn times(self, number: u64) -> Self {
        Self(from_fn(|k| self.0[k].wrapping_mul(number)))
    }

    #[inline(always)]
    pub fn shifted_right(self, bits: u32) -> Self {
        Self(from_fn(|k| self.0[k] >> bits))
    }

    /// Neighbours exchanged: lanes 1 0 3 2 5 4 7 6.
    #[inline(always)]
    pub fn swapped(self) -> Self {
        Self(from_fn(|k| self.0[k ^ 1]))
    }

    /// Lanes 0, 2, 4 and 6 of this, then of the other.
    #[inline(always)]
    pub fn evens(self, other: Self) -> Self {
        Self(from_fn(|k| if k < LANES / 2 { self.0[2 * k] } else { other.0[2 * k - LANES] }))
    }

    /// Lanes 1, 3, 5 and 7 of this, then of the other.
    #[inline(always)]
    pub fn odds(self, other: Self) -> Self {
        Self(from_fn(|k| if k < LANES / 2 { self.0[2 * k + 1] } else { other.0[2 * k + 1 - LANES] }))
    }

    /// Lanes 1 to 7 of this, then lane 0 of the other.
    #[inline(always)]
    pub fn followed_by(self, other: Self) -> Self {
        Self(from_fn(|k| if k + 1 < LANES { self.0[k + 1] } else { other.0[0] }))
    }
}
