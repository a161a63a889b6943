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

/// Planes of a [`Tally`]: two lanes of a window of 65,536 words together count to 131,072.
const PLANES: usize = 18;
/// Planes that are counted in registers.
const NEAR: usize = 8;
/// Rows that these can count, in whole trees: 15 KB, which stay in the nearest cache.
pub const RUN: usize = 240;

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

    /// Counts the ones of more rows, at most [`RUN`].
    #[inline(always)]
    pub fn count(&mut self, rows: &[Lanes]) {
        let mut near = [Lanes::ZERO; NEAR];
        count_near(&mut near, rows);
        self.merge(&near, rows.len() as u32);
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

/// Counts rows, no more than planes hold.
#[inline(always)]
pub fn count_near<const P: usize>(planes: &mut [Lanes; P], mut rows: &[Lanes]) {
    debug_assert!(levels(rows.len() as u32) <= P);
    if P > 4 {
        let (trees, rest) = rows.as_chunks();
        for tree in trees {
            let carry = sixteen(planes, tree);
            ripple(planes, 4, carry);
        }
        rows = rest;
    }
    if let Some((tree, rest)) = rows.split_first_chunk() {
        let carry = eight(planes, tree);
        ripple(planes, 3, carry);
        rows = rest;
    }
    if let Some((tree, rest)) = rows.split_first_chunk() {
        let carry = four(planes, tree);
        ripple(planes, 2, carry);
        rows = rest;
    }
    if let Some(([a, b], rest)) = rows.split_first_chunk() {
        let carry = add(&mut planes[0], *a, *b);
        ripple(planes, 1, carry);
        rows = rest;
    }
    if let Some(row) = rows.first() {
        ripple(planes, 0, *row);
    }
}

/// A full adder: adds two planes to one and returns the carry.
#[inline(always)]
pub fn add(plane: &mut Lanes, a: Lanes, b: Lanes) -> Lanes {
    let carry = plane.and(a).or(b.and(plane.or(a)));
    *plane = plane.xor(a).xor(b);
    carry
}

#[inline(always)]
fn four<const P: usize>(planes: &mut [Lanes; P], [a, b, c, d]: &[Lanes; 4]) -> Lanes {
    let low = add(&mut planes[0], *a, *b);
    let high = add(&mut planes[0], *c, *d);
    add(&mut planes[1], low, high)
}

#[inline(always)]
fn eight<const P: usize>(planes: &mut [Lanes; P], rows: &[Lanes; 8]) -> Lanes {
    let (low, high) = halves(rows);
    let (low, high) = (four(planes, low), four(planes, high));
    add(&mut planes[2], low, high)
}

#[inline(always)]
fn sixteen<const P: usize>(planes: &mut [Lanes; P], rows: &[Lanes; 16]) -> Lanes {
    let (low, high) = halves(rows);
    let (low, high) = (eight(planes, low), eight(planes, high));
    add(&mut planes[3], low, high)
}

/// The first rows and the last ones, as many.
#[inline(always)]
fn halves<const N: usize, const HALF: usize>(rows: &[Lanes; N]) -> (&[Lanes; HALF], &[Lanes; HALF]) {
    const { assert!(N == 2 * HALF) };
    let (low, high) = rows.split_at(HALF);
    (low.try_into().expect("half of them"), high.try_into().expect("half of them"))
}

/// Adds a plane of weight `2^level`.
#[inline(always)]
fn ripple<const P: usize>(planes: &mut [Lanes; P], level: usize, mut carry: Lanes) {
    for plane in &mut planes[level..] {
        let next = plane.and(carry);
        *plane = plane.xor(carry);
        carry = next;
    }
}
