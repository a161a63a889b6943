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
//! with AVX-512. The first eight planes stay in registers for as many rows as they can count.

use super::lanes::{LANES, Lanes, Vector};

/// Planes of a [`Tally`]: two lanes of a window of 65,536 k-mers together count to 131,072.
const PLANES: usize = 18;
/// Planes that are counted in registers.
const NEAR: usize = 8;
/// Rows that these can count, in whole trees: 15 KB, which stay in the nearest cache.
pub const RUN: usize = 240;

/// Counts of ones in rows.
#[derive(Clone, Copy)]
pub struct Tally {
    /// Planes of weights that `rows` does not reach are unspecified.
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

    /// Sets all counts to 0.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.rows = 0;
    }

    /// Counts the ones of more rows, at most [`RUN`].
    #[inline(always)]
    pub fn count<V: Vector>(&mut self, proof: V, rows: &[Lanes]) {
        let mut near = [proof.splat(0); NEAR];
        count_near(&mut near, rows);
        let mut planes = [Lanes::ZERO; NEAR];
        for (plane, near) in planes.iter_mut().zip(&near[..levels(rows.len() as u32)]) {
            *plane = near.store();
        }
        self.merge(proof, &planes, rows.len() as u32);
    }

    /// Counts another tally's rows as well.
    #[inline(always)]
    pub fn add<V: Vector>(&mut self, proof: V, other: &Self) {
        self.merge(proof, &other.planes, other.rows);
    }

    #[inline(always)]
    fn merge<V: Vector>(&mut self, proof: V, planes: &[Lanes], rows: u32) {
        let (here, there) = (levels(self.rows), levels(rows));
        self.rows += rows;
        let zero = proof.splat(0);
        let mut carry = zero;
        for (level, plane) in self.planes[..levels(self.rows)].iter_mut().enumerate() {
            let mut sum = if level < here { proof.load(plane) } else { zero };
            let other = if level < there { proof.load(&planes[level]) } else { zero };
            carry = add(&mut sum, other, carry);
            *plane = sum.store();
        }
    }

    /// Each lane's counts and its neighbour's together, in both of them.
    #[inline(always)]
    pub fn folded<V: Vector>(&self, proof: V) -> Self {
        let (mut folded, mut others) = (*self, [Lanes::ZERO; PLANES]);
        for (other, plane) in others.iter_mut().zip(&self.planes[..levels(self.rows)]) {
            *other = proof.load(plane).swapped().store();
        }
        folded.merge(proof, &others, self.rows);
        folded
    }

    /// The bits whose count is more than `limit`.
    #[inline(always)]
    pub fn above<V: Vector>(&self, proof: V, limit: u32) -> Lanes {
        let mut above = proof.splat(0);
        for (level, plane) in self.planes[..levels(self.rows)].iter().enumerate() {
            above = or_more(above, proof.load(plane), limit >> level);
        }
        above.store()
    }

    /// The count of one bit, from the lowest, of a lane.
    pub fn get(&self, lane: usize, bit: usize) -> u32 {
        debug_assert!(lane < LANES && bit < 64);
        let planes = self.planes[..levels(self.rows)].iter();
        planes.rev().fold(0, |count, plane| count << 1 | (plane.0[lane] >> bit & 1) as u32)
    }
}

/// The bits whose count is more than a limit in the planes up to this one; `above` are those for the planes below it, and
/// `limit` is shifted so that this plane's bit is the lowest.
#[inline(always)]
pub fn or_more<V: Vector>(above: V, plane: V, limit: u32) -> V {
    if limit & 1 == 0 { plane.or(above) } else { plane.and(above) }
}

/// Counts rows, no more than planes hold.
#[inline(always)]
pub fn count_near<V: Vector, const P: usize>(planes: &mut [V; P], rows: &[Lanes]) {
    debug_assert!(levels(rows.len() as u32) <= P);
    let proof = planes[0];
    let (trees, rest) = rows.as_chunks::<16>();
    for tree in trees {
        count_pairs(planes, 8, &(proof, &tree[..]));
    }
    count_pairs(planes, rest.len() / 2, &(proof, rest));
    if let (_, [row]) = rest.as_chunks::<2>() {
        ripple(planes, 0, proof.load(row));
    }
}

/// Rows, two at a time. Not a closure, which would not be compiled for the set of instructions.
pub trait Pairs<V> {
    /// The rows of a pair.
    fn pair(&self, at: usize) -> [V; 2];
}

/// Rows in memory, with a proof that there are the vectors.
impl<V: Vector> Pairs<V> for (V, &[Lanes]) {
    #[inline(always)]
    fn pair(&self, at: usize) -> [V; 2] {
        let (proof, rows) = self;
        [proof.load(&rows[2 * at]), proof.load(&rows[2 * at + 1])]
    }
}

/// Counts so many pairs of rows, no more than planes hold.
#[inline(always)]
pub fn count_pairs<V: Vector, const P: usize>(planes: &mut [V; P], count: usize, pairs: &impl Pairs<V>) {
    let mut at = 0;
    for _ in 0..count / 8 {
        let carry = sixteen(planes, pairs, at);
        ripple(planes, 4, carry);
        at += 8;
    }
    if count & 4 != 0 {
        let carry = eight(planes, pairs, at);
        ripple(planes, 3, carry);
        at += 4;
    }
    if count & 2 != 0 {
        let carry = four(planes, pairs, at);
        ripple(planes, 2, carry);
        at += 2;
    }
    if count & 1 != 0 {
        let carry = two(planes, pairs, at);
        ripple(planes, 1, carry);
    }
}

/// A full adder: adds two planes to one and returns the carry.
#[inline(always)]
pub fn add<V: Vector>(plane: &mut V, a: V, b: V) -> V {
    let carry = plane.majority(a, b);
    *plane = plane.parity(a, b);
    carry
}

#[inline(always)]
fn two<V: Vector, const P: usize>(planes: &mut [V; P], pairs: &impl Pairs<V>, at: usize) -> V {
    let [one, other] = pairs.pair(at);
    add(&mut planes[0], one, other)
}

#[inline(always)]
fn four<V: Vector, const P: usize>(planes: &mut [V; P], pairs: &impl Pairs<V>, at: usize) -> V {
    let (low, high) = (two(planes, pairs, at), two(planes, pairs, at + 1));
    add(&mut planes[1], low, high)
}

#[inline(always)]
fn eight<V: Vector, const P: usize>(planes: &mut [V; P], pairs: &impl Pairs<V>, at: usize) -> V {
    let (low, high) = (four(planes, pairs, at), four(planes, pairs, at + 2));
    add(&mut planes[2], low, high)
}

#[inline(always)]
fn sixteen<V: Vector, const P: usize>(planes: &mut [V; P], pairs: &impl Pairs<V>, at: usize) -> V {
    let (low, high) = (eight(planes, pairs, at), eight(planes, pairs, at + 4));
    add(&mut planes[3], low, high)
}

/// Adds a plane of weight `2^level`.
#[inline(always)]
fn ripple<V: Vector, const P: usize>(planes: &mut [V; P], level: usize, mut carry: V) {
    for plane in &mut planes[level..] {
        let next = plane.and(carry);
        *plane = plane.xor(carry);
        carry = next;
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{self, Task};
    use super::*;
    use warpseq_simd::InstructionSet;

    /// Counts rows in runs of a length, and again into a second tally that is added.
    struct Counting<'a>(&'a [Lanes], usize);

    impl Task for Counting<'_> {
        type Output = Tally;

        fn run<V: Vector>(self, proof: V) -> Tally {
            let mut tallies = [Tally::EMPTY; 2];
            for tally in &mut tallies {
                self.0.chunks(self.1).for_each(|rows| tally.count(proof, rows));
            }
            let [mut tally, other] = tallies;
            tally.add(proof, &other);
            tally
        }
    }

    /// What a tally tells with a limit.
    struct Told<'a>(&'a Tally, u32);

    impl Task for Told<'_> {
        type Output = (Tally, Lanes);

        fn run<V: Vector>(self, proof: V) -> (Tally, Lanes) {
            (self.0.folded(proof), self.0.above(proof, self.1))
        }
    }

    /// Bit 0 of lane k is set in all rows but k, bit 1 in every row whose number k + 2 divides.
    fn rows(count: usize) -> Vec<Lanes> {
        let row = |row: usize| {
            Lanes(std::array::from_fn(|k| u64::from(row != k) | u64::from(row.is_multiple_of(k + 2)) << 1))
        };
        (0..count).map(row).collect()
    }

    #[test]
    fn counts_are_those_of_a_loop() {
        for set in InstructionSet::all() {
            for (count, run) in (0..70).map(|count| (count, RUN)).chain([(239, 7), (240, 240), (5000, 240), (5000, 33)])
            {
                let rows = rows(count);
                let ones = |lane: usize, bit| 2 * rows.iter().map(|row| (row.0[lane] >> bit & 1) as u32).sum::<u32>();
                let tally = lanes::run(set, Counting(&rows, run));
                for (lane, bit) in (0..LANES).flat_map(|lane| [(lane, 0), (lane, 1), (lane, 2)]) {
                    let expected = ones(lane, bit);
                    assert_eq!(tally.get(lane, bit), expected, "{count} rows, lane {lane}, bit {bit}");
                    for limit in [expected.saturating_sub(1), expected, count as u32] {
                        let (folded, above) = lanes::run(set, Told(&tally, limit));
                        assert_eq!(folded.get(lane, bit), expected + ones(lane ^ 1, bit));
                        assert_eq!(above.0[lane] >> bit & 1 == 1, expected > limit);
                    }
                }
            }
        }
    }
}
