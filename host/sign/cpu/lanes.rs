//! Eight 64-bit numbers side by side: in memory, and in what registers the machine has for them.
//!
//! [`Vector`] has the operations that counting and mixing need. A vector is proof that the machine has its instructions: the
//! first one is made from a proof that [`run`] gets, all others from vectors.
//!
//! Arrays alone are slower, because the compiler spreads them over registers of all widths: 280 instead of 360 million residues
//! per second with the preset `qut`, 90 instead of 110 million bases per second with the defaults for DNA.

#[cfg(target_arch = "x86_64")]
use super::x86;
use std::array::from_fn;
use warpseq_simd::{self as simd, InstructionSet};

/// Numbers of [`Lanes`].
pub const LANES: usize = 8;

/// Numbers in memory, and a vector on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [u64; LANES]);

impl Lanes {
    pub const ZERO: Self = Self([0; LANES]);
}

/// A byte for each byte.
#[derive(Clone)]
pub struct ByteTable {
    all: [u8; 256],
    /// Which sixteens have another byte than 255, and their bytes, plus 1.
    pub rows: Vec<(u8, [u8; 16])>,
}

impl ByteTable {
    pub fn new(all: [u8; 256]) -> Self {
        let (sixteens, _) = all.as_chunks::<16>();
        let rows = (0..).zip(sixteens).filter(|(_, row)| row.iter().any(|&byte| byte != u8::MAX));
        Self { all, rows: rows.map(|(k, row)| (k, row.map(|byte| byte.wrapping_add(1)))).collect() }
    }

    /// What it has for each byte, looked up one by one.
    #[inline(always)]
    pub fn look_up(&self, bytes: &[u8], found: &mut [u8]) {
        for (found, &byte) in found.iter_mut().zip(bytes) {
            *found = self.all[byte as usize];
        }
    }
}

/// [`Lanes`] in registers.
pub trait Vector: Copy {
    /// The numbers in memory.
    fn load(self, lanes: &Lanes) -> Self;
    /// The same as lanes in memory.
    fn store(self) -> Lanes;
    /// The same number in each lane.
    fn splat(self, number: u64) -> Self;
    /// The bits that both have.
    fn and(self, other: Self) -> Self;
    /// The bits that one has.
    fn or(self, other: Self) -> Self;
    /// The bits that differ.
    fn xor(self, other: Self) -> Self;
    /// The bits that one or all three have.
    fn parity(self, a: Self, b: Self) -> Self;
    /// The bits that two or all three have.
    fn majority(self, a: Self, b: Self) -> Self;
    /// The sums.
    fn plus(self, other: Self) -> Self;
    /// The pairs at eight places of a list: the first numbers, and the second ones.
    ///
    /// # Safety
    /// All are places of the list.
    unsafe fn pairs(self, list: &[[u64; 2]], at: [u32; LANES]) -> [Self; 2];
    /// What a table has for each byte.
    fn look_up(self, table: &ByteTable, bytes: &[u8], found: &mut [u8]);
    /// The lower halves of the products.
    fn times(self, other: Self) -> Self;
    /// The numbers divided by `2^BITS`.
    fn shifted_right<const BITS: i64>(self) -> Self;
    /// Neighbours exchanged: lanes 1 0 3 2 5 4 7 6.
    fn swapped(self) -> Self;
}

impl Vector for Lanes {
    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Self {
        *lanes
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        self
    }

    #[inline(always)]
    fn splat(self, number: u64) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k] & other.0[k]))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k] | other.0[k]))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k] ^ other.0[k]))
    }

    #[inline(always)]
    fn parity(self, a: Self, b: Self) -> Self {
        self.xor(a).xor(b)
    }

    #[inline(always)]
    fn majority(self, a: Self, b: Self) -> Self {
        self.and(a).or(self.xor(a).and(b))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].wrapping_add(other.0[k])))
    }

    #[inline(always)]
    unsafe fn pairs(self, list: &[[u64; 2]], at: [u32; LANES]) -> [Self; 2] {
        let pairs = at.map(|at| list[at as usize]);
        [0, 1].map(|k| Self(pairs.map(|pair| pair[k])))
    }

    #[inline(always)]
    fn look_up(self, table: &ByteTable, bytes: &[u8], found: &mut [u8]) {
        table.look_up(bytes, found);
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].wrapping_mul(other.0[k])))
    }

    #[inline(always)]
    fn shifted_right<const BITS: i64>(self) -> Self {
        Self(from_fn(|k| self.0[k] >> BITS))
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        Self(from_fn(|k| self.0[k ^ 1]))
    }
}

/// Work to be compiled for each set of instructions: `run` and all that it calls are inlined.
pub trait Task {
    type Output;

    /// Does it with vectors like `proof`.
    fn run<V: Vector>(self, proof: V) -> Self::Output;
}

/// Does a task with the vectors of a set.
#[inline]
pub fn run<T: Task>(set: InstructionSet, task: T) -> T::Output {
    set.run(WithLanes(task))
}

/// A task that takes vectors.
struct WithLanes<T>(T);

impl<T: Task> simd::Task for WithLanes<T> {
    type Output = T::Output;

    #[inline(always)]
    fn portable(self) -> T::Output {
        self.0.run(Lanes::ZERO)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, proof: simd::Avx2) -> T::Output {
        self.0.run(x86::Avx2::zero(proof))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, proof: simd::Avx512) -> T::Output {
        self.0.run(x86::Avx512::zero(proof))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on vectors of a kind, one after another.
    struct Operations<'a>(&'a [Lanes; 3]);

    impl Task for Operations<'_> {
        type Output = Vec<Lanes>;

        fn run<V: Vector>(self, proof: V) -> Vec<Lanes> {
            let [a, b, c] = self.0.map(|lanes| proof.load(&lanes));
            let (bits, logic) = (proof.splat(77), [a.and(b), a.or(b), a.xor(b), a.parity(b, c), a.majority(b, c)]);
            let numbers = [a.plus(b), a.times(b), a.shifted_right::<30>(), b.shifted_right::<1>(), a.swapped()];
            [proof, bits].into_iter().chain(logic).chain(numbers).map(V::store).collect()
        }
    }

    #[test]
    fn operations_are_those_of_arrays() {
        let mut state = 1u64;
        let mut number = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        for _ in 0..100 {
            let lanes = from_fn(|_| Lanes(from_fn(|_| number())));
            for set in InstructionSet::all() {
                assert_eq!(run(set, Operations(&lanes)), Operations(&lanes).run(Lanes::ZERO), "{set:?}");
            }
        }
    }

    /// What each vector has at places of a list, and in a table for bytes.
    struct LookUps<'a>(&'a [[u64; 2]], [u32; LANES], &'a ByteTable, &'a [u8]);

    impl Task for LookUps<'_> {
        type Output = ([Lanes; 2], Vec<u8>);

        fn run<V: Vector>(self, proof: V) -> Self::Output {
            let Self(list, at, table, bytes) = self;
            let mut found = vec![0; bytes.len()];
            proof.look_up(table, bytes, &mut found);
            // SAFETY: the caller has places of the list.
            (unsafe { proof.pairs(list, at) }.map(V::store), found)
        }
    }

    #[test]
    fn each_set_looks_up_the_same() {
        let list: Vec<[u64; 2]> = (0..99).map(|k| [k, 1000 + k]).collect();
        let at = [98, 0, 7, 7, 31, 64, 97, 1];
        let pairs = [0, 1000].map(|more| Lanes(at.map(|k| u64::from(k) + more)));
        let letters =
            from_fn(|byte| b"ACDEFy".iter().position(|&letter| letter as usize == byte).map_or(255, |k| k as u8));
        for all in [letters, from_fn(|byte| byte as u8), from_fn(|byte| (byte / 2) as u8), [255; 256]] {
            let table = ByteTable::new(all);
            for bytes in [&b""[..], b"ACDx", &(0..=255).chain(b'A'..b'z').collect::<Vec<u8>>()] {
                let expected: Vec<u8> = bytes.iter().map(|&byte| all[byte as usize]).collect();
                for set in InstructionSet::all() {
                    assert_eq!(run(set, LookUps(&list, at, &table, bytes)), (pairs, expected.clone()), "{set:?}");
                }
            }
        }
    }

    #[test]
    fn logic_is_that_of_bits() {
        let [a, b, c] = [0b1111_0000, 0b1100_1100, 0b1010_1010].map(|number| Lanes([number; LANES]));
        assert_eq!(a.parity(b, c).0[0], 0b1001_0110);
        assert_eq!(a.majority(b, c).0[0], 0b1110_1000);
    }
}
