//! Lanes on any machine: arrays, which the compiler turns into what vector instructions its target has.

use super::{Lane, Vector, Work};
use std::array::from_fn;

/// `LANES` numbers.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Array<T, const LANES: usize>([T; LANES]);

impl<T: Lane, const LANES: usize> Array<T, LANES> {
    /// All zero.
    pub fn zero() -> Self {
        Self([T::clamped(0); LANES])
    }
}

impl<T: Lane, const LANES: usize> Vector for Array<T, LANES> {
    type Lane = T;
    const LANES: usize = LANES;
    const SHUFFLES: bool = false;
    const ROOMY: bool = false;

    #[inline(always)]
    fn splat(self, lane: T) -> Self {
        Self([lane; LANES])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].plus(other.0[k])))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].minus(other.0[k])))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].max(other.0[k])))
    }

    #[inline(always)]
    fn if_equal(self, other: Self, yes: Self, no: Self) -> Self {
        Self(from_fn(|k| if self.0[k] == other.0[k] { yes.0[k] } else { no.0[k] }))
    }

    #[inline(always)]
    fn if_greater(self, other: Self, yes: Self, no: Self) -> Self {
        Self(from_fn(|k| if self.0[k] > other.0[k] { yes.0[k] } else { no.0[k] }))
    }

    #[inline(always)]
    fn lanes(&self) -> &[T] {
        &self.0
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [T] {
        &mut self.0
    }

    #[inline(always)]
    fn compiled<W: Work>(self, work: W) -> W::Output {
        work.work()
    }
}
