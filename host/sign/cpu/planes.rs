//! Counts of ones in bit planes: 512 counts side by side, one for each bit of [`Lanes`].
//!
//! ```text
//!             bit 511 ...  1  0
//! plane 0           1      0  1     the counts' bits of weight 1
//! plane 1           0      1  1     those of weight 2            bit 0 was set in 3 rows, bit 1 in 2
//! ```
//!
//! Rows are added by full adders in a tree: 15 of them turn 16 rows and planes 0 to 3 into new planes and one carry of weight
//! 16 (Harley and Seal; Muła, Kurz and Lemire 2018, Computer Journal 61(1)). So a row costs a full adder, two instructions
//! with AVX-512, whatever the number of bits. The first eight planes stay in registers for as many rows as they can count.

use super::lanes::{LANES, Lanes};
use std::ops::Range;

/// Planes of a [`Tally`]: two lanes of a window of 65,536 words together count to 131,072.
const PLANES: usize = 18;
/// Planes that are counted in registers.
pub const NEAR: usize = 8;
/// Rows that these can count, in whole trees.
const RUN: usize = 240;

/// The rows to count.
pub trait Rows {
    /// Row `k`.
    fn row(&self, k: usize) -> Lanes;
}

/// Counts of ones in rows.
#[derive(Clone, Copy)]
pub struct Tally {
    /// Those of weights that `rows` does not reach hold anything.
    planes: [Lanes; PLANES],
    rows: u32,
}

/// Planes that hold the numbers up to `rows`.
#[inline(always)]
fn levels(rows: u32) -> usize {
    (u32::BITS - rows.leading_zeros()) as usize
}

impl Tally {
    /// Counts of no rows.
    pub const EMPTY: Self = Self { planes: [Lanes::ZERO; PLANES], rows: 0 };

    /// Counts no rows again.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.rows = 0;
    }

    /// Counts the ones of more rows.
    #[inline(always)]
    pub fn count<R: Rows>(&mut self, rows: &R, range: Range<usize>) {
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start + RUN);
            let mut near = [Lanes::ZERO; NEAR];
            count_near(&mut near, rows, start..end);
            self.merge(&near, (end - start) as u32);
            start = end;
        }
    }

    /// Counts another tally's rows as well.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.merge(&other.planes, other.rows);
    }

    #[inline(always)]
    fn merge(&mut self, planes: &[Lanes], rows: u32) {
        let (here, there) = (levels(self.rows), levels(rows));
        self.rows += rows;
        let mut carry = Lanes::ZERO;
        for level in 0..levels(self.rows) {
            let mut plane = if level < here { self.planes[level] } else { Lanes::ZERO };
            let other = if level < there { planes[level] } else { Lanes::ZERO };
            carry = add(&mut plane, other, carry);
            self.planes[level] = plane;
        }
    }

    /// Each lane's counts and its neighbour's together, in both of them.
    #[inline(always)]
    pub fn folded(&self) -> Self {
        let mut folded = *self;
        folded.merge(&self.planes.map(Lanes::swapped), self.rows);
        folded
    }

    /// The bits whose count is more than `limit`.
    #[inline(always)]
    pub fn above(&self, limit: u32) -> Lanes {
        above(&self.planes[..levels(self.rows)], limit)
    }

    /// The count of one bit, from the lowest, of a lane.
    pub fn get(&self, lane: usize, bit: usize) -> u32 {
        debug_assert!(lane < LANES && bit < 64);
        let planes = self.planes[..levels(self.rows)].iter();
        planes.rev().fold(0, |count, plane| count << 1 | (plane.0[lane] >> bit & 1) as u32)
    }
}

/// The bits whose count in `planes`, which hold `limit`, is more than it.
#[inline(always)]
pub fn above(planes: &[Lanes], limit: u32) -> Lanes {
    debug_assert!(levels(limit) <= planes.len());
    let mut above = Lanes::ZERO;
    for (level, &plane) in planes.iter().enumerate() {
        above = if limit >> level & 1 == 0 { plane.or(above) } else { plane.and(above) };
    }
    above
}

/// Counts up to 255 rows.
#[inline(always)]
pub fn count_near<R: Rows>(planes: &mut [Lanes; NEAR], rows: &R, range: Range<usize>) {
    let (mut k, count) = (range.start, range.len());
    for _ in 0..count / 16 {
        let carry = sixteen(planes, rows, k);
        ripple(planes, 4, carry);
        k += 16;
    }
    if count & 8 != 0 {
        let carry = eight(planes, rows, k);
        ripple(planes, 3, carry);
        k += 8;
    }
    if count & 4 != 0 {
        let carry = four(planes, rows, k);
        ripple(planes, 2, carry);
        k += 4;
    }
    if count & 2 != 0 {
        let carry = two(planes, rows, k);
        ripple(planes, 1, carry);
        k += 2;
    }
    if count & 1 != 0 {
        ripple(planes, 0, rows.row(k));
    }
}

/// A full adder: adds two planes to one and returns the carry.
#[inline(always)]
pub fn add(plane: &mut Lanes, a: Lanes, b: Lanes) -> Lanes {
    let half = plane.xor(a);
    let carry = plane.and(a).or(half.and(b));
    *plane = half.xor(b);
    carry
}

#[inline(always)]
fn two<R: Rows>(planes: &mut [Lanes; NEAR], rows: &R, k: usize) -> Lanes {
    add(&mut planes[0], rows.row(k), rows.row(k + 1))
}

#[inline(always)]
fn four<R: Rows>(planes: &mut [Lanes; NEAR], rows: &R, k: usize) -> Lanes {
    let (a, b) = (two(planes, rows, k), two(planes, rows, k + 2));
    add(&mut planes[1], a, b)
}

#[inline(always)]
fn eight<R: Rows>(planes: &mut [Lanes; NEAR], rows: &R, k: usize) -> Lanes {
    let (a, b) = (four(planes, rows, k), four(planes, rows, k + 4));
    add(&mut planes[2], a, b)
}

#[inline(always)]
fn sixteen<R: Rows>(planes: &mut [Lanes; NEAR], rows: &R, k: usize) -> Lanes {
    let (a, b) = (eight(planes, rows, k), eight(planes, rows, k + 8));
    add(&mut planes[3], a, b)
}

/// Adds a plane of weight `2^level`.
#[inline(always)]
fn ripple(planes: &mut [Lanes; NEAR], level: usize, mut carry: Lanes) {
    for plane in &mut planes[level..] {
        let next = plane.and(carry);
        *plane = plane.xor(carry);
        carry = next;
    }
}
