//! Distances to eight targets at a time.
//!
//! A compiler that is given these loops over arrays turns them inside out and gathers words, ten times as slow; so vectors
//! are written out. They are proof that the machine has their instructions: the first one comes from [`Sums::zero`], which
//! only the dispatch in [`super::machine`] calls, all others from operations on them.

mod array;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use array::Array;

/// Targets that are compared side by side.
pub const LANES: usize = 8;

/// For each of eight targets, the bits in which a query differs from it.
pub trait Sums: Copy {
    /// No bits.
    ///
    /// # Safety
    /// The machine has the instructions for this type.
    unsafe fn zero() -> Self;

    /// With the bits in which a word of the query differs from that of each target.
    fn plus(self, word: u64, targets: &[u64; LANES]) -> Self;

    /// Whether any sum is below `below`, which is at most 65,535.
    fn any_below(self, below: u32) -> bool;

    /// The sums.
    fn get(self) -> [u16; LANES];

    /// The distances of a query to the targets of a group, given word by word.
    #[inline(always)]
    fn of(self, query: &[u64], group: &[[u64; LANES]]) -> Self {
        query.iter().zip(group).fold(self, |sums, (&word, targets)| sums.plus(word, targets))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Every operation against the same on single numbers.
    pub fn agree_with_numbers<S: Sums>(zero: S) {
        let words = [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef, 0x5555_5555_5555_5555, 0xff00_ff00_ff00_ff00, 7];
        let (mut sums, mut expected) = (zero, [0; LANES]);
        for round in 0..64 {
            let query = words[round % 8].rotate_left(round as u32);
            sums = sums.plus(query, &words);
            expected.iter_mut().zip(words).for_each(|(sum, word)| *sum += (query ^ word).count_ones() as u16);
            assert_eq!(sums.get(), expected);
            let least = u32::from(*expected.iter().min().unwrap());
            assert_eq!([0, least, least + 1, 65_535].map(|below| sums.any_below(below)), [false, false, true, true]);
        }
    }
}
