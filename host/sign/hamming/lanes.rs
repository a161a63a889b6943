//! Distances to eight targets at a time.
//!
//! The vector instructions are written out, because from loops over arrays the compiler makes code that gathers words and is
//! ten times as slow. A vector is proof that the machine has its instructions: the first one is made from a proof that
//! [`run`] gets, all others by operations on vectors.

#[cfg(target_arch = "x86_64")]
use super::x86;
use warpseq_simd::{self as simd, InstructionSet};

/// Targets that are compared side by side.
pub const LANES: usize = 8;

/// For each of eight targets, the bits in which a query differs from it.
pub trait Sums: Copy {
    /// Adds the number of bits in which a word of the query differs from that of each target.
    fn plus(self, word: u64, targets: &[u64; LANES]) -> Self;

    /// Whether any sum is below `below`, which is at most 65,537.
    fn any_below(self, below: u32) -> bool;

    /// The sums.
    fn get(self) -> [u32; LANES];

    /// The distances of a query to the targets of a group, given word by word.
    #[inline(always)]
    fn of(self, query: &[u64], group: &[[u64; LANES]]) -> Self {
        query.iter().zip(group).fold(self, |sums, (&word, targets)| sums.plus(word, targets))
    }
}

/// Sums for any machine: eight numbers.
#[derive(Clone, Copy)]
struct Array([u64; LANES]);

impl Array {
    /// No bits.
    #[inline(always)]
    fn zero() -> Self {
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
    fn get(self) -> [u32; LANES] {
        self.0.map(|sum| sum as u32)
    }
}

/// Work that any set of instructions can do. Its code is `#[inline(always)]`, so that it is compiled for the set.
pub trait Task {
    /// Does it with sums like `zero`.
    fn run<S: Sums>(self, zero: S);
}

/// Does a task with the sums of a set.
pub fn run<T: Task>(set: InstructionSet, task: T) {
    set.run(WithSums(task));
}

/// A task that takes sums.
struct WithSums<T>(T);

impl<T: Task> simd::Task for WithSums<T> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.0.run(Array::zero());
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, proof: simd::Avx2) {
        self.0.run(x86::Avx2::zero(proof));
    }

    /// AVX-512 that cannot count bits has nothing that AVX2 has not.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, proof: simd::Avx512) {
        InstructionSet::from(simd::Avx2::from(proof)).run(self);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512_popcnt(self, proof: simd::Avx512Popcnt) {
        self.0.run(x86::Avx512::zero(proof));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against the same on single numbers.
    fn agree_with_numbers<S: Sums>(zero: S) {
        let words = [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef, 0x5555_5555_5555_5555, 0xff00_ff00_ff00_ff00, 7];
        let (mut sums, mut expected) = (zero, [0; LANES]);
        for round in 0..1024 {
            let query = words[round % 8].rotate_left(round as u32);
            sums = sums.plus(query, &words);
            expected.iter_mut().zip(words).for_each(|(sum, word)| *sum += (query ^ word).count_ones());
            assert_eq!(sums.get(), expected);
            let least = *expected.iter().min().unwrap();
            assert_eq!([0, least, least + 1, 65_537].map(|below| sums.any_below(below)), [false, false, true, true]);
        }
    }

    struct Agree;

    impl Task for Agree {
        fn run<S: Sums>(self, zero: S) {
            agree_with_numbers(zero);
        }
    }

    #[test]
    fn sums_are_those_of_numbers() {
        InstructionSet::all().into_iter().for_each(|set| run(set, Agree));
    }
}
