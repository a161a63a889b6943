//! Counts of ones for 64 elements, transposed: plane p holds bit p of all 64 counts.

use super::super::cell::{add2, add3, majority};
use crate::tuning::PIECE_PLANES;
use cuda_std::{Shared, SharedMemory, U32x2, warp};

/// Counts in registers: up to 255 ones.
#[derive(Clone, Copy, Default)]
pub struct Counts([u64; 8]);

impl Counts {
    /// Adds eight words (Harley and Seal's tree, as in Warren, Hacker's Delight, 2nd ed., 5-1).
    #[inline(always)]
    pub fn add(&mut self, [a, b, c, d, e, f, g, h]: [u64; 8]) {
        let [ones, twos, fours, ..] = self.0;
        let (ones, t0) = add3(ones, a, b);
        let (ones, t1) = add3(ones, c, d);
        let (ones, t2) = add3(ones, e, f);
        let (ones, t3) = add3(ones, g, h);
        let (twos, f0) = add3(twos, t0, t1);
        let (twos, f1) = add3(twos, t2, t3);
        let (fours, carry) = add3(fours, f0, f1);
        let (eights, carry) = add2(self.0[3], carry);
        let (p4, carry) = add2(self.0[4], carry);
        let (p5, carry) = add2(self.0[5], carry);
        let (p6, carry) = add2(self.0[6], carry);
        self.0 = [ones, twos, fours, eights, p4, p5, p6, self.0[7] ^ carry];
    }

    /// The elements with more than `least` ones: the carry of adding `!least`.
    #[inline(always)]
    pub fn above(&self, least: u32) -> u64 {
        let mut carry = 0;
        unroll!(at in 0 1 2 3 4 5 6 7; { carry = majority(self.0[at], plane_of(!least, at as u32), carry) });
        carry
    }
}

/// Bit `at` of a number, in all 64 elements.
#[inline(always)]
fn plane_of(number: u32, at: u32) -> u64 {
    0u64.wrapping_sub(u64::from(number >> at & 1))
}

/// Counts in shared memory: up to 2^14 - 1 ones. Each lane has its own.
#[derive(Clone, Copy)]
pub struct Planes(Shared<U32x2>);

impl Planes {
    /// The planes of a warp's lanes.
    #[inline(always)]
    pub fn new(shared: &mut SharedMemory) -> Self {
        Self(shared.array(PIECE_PLANES * warp::LANES))
    }

    #[inline(always)]
    fn read(&self, plane: u32) -> u64 {
        let U32x2([low, high]) = self.0.read(plane * warp::LANES + warp::lane_id());
        u64::from(high) << 32 | u64::from(low)
    }

    #[inline(always)]
    fn write(&self, plane: u32, bits: u64) {
        self.0.write(plane * warp::LANES + warp::lane_id(), U32x2([bits as u32, (bits >> 32) as u32]));
    }

    /// Sets all counts to 0.
    #[inline(always)]
    pub fn clear(&self) {
        for plane in 0..PIECE_PLANES {
            self.write(plane, 0);
        }
    }

    /// Adds counts.
    #[inline(always)]
    pub fn add(&self, counts: Counts) {
        let mut carry = 0;
        unroll!(at in 0 1 2 3 4 5 6 7; {
            let (sum, over) = add3(self.read(at as u32), counts.0[at], carry);
            self.write(at as u32, sum);
            carry = over;
        });
        for plane in 8..PIECE_PLANES {
            let (sum, over) = add2(self.read(plane), carry);
            self.write(plane, sum);
            carry = over;
        }
    }

    /// The elements with more than `least` ones.
    #[inline(always)]
    pub fn above(&self, least: u32) -> u64 {
        let mut carry = 0;
        for plane in 0..PIECE_PLANES {
            carry = majority(self.read(plane), plane_of(!least, plane), carry);
        }
        carry
    }

    /// The count of one element: that of bit `bit` of the planes.
    #[inline(always)]
    pub fn count(&self, bit: u32) -> u32 {
        let mut count = 0;
        for plane in 0..PIECE_PLANES {
            count |= ((self.read(plane) >> bit) as u32 & 1) << plane;
        }
        count
    }
}
