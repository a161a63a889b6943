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
}
