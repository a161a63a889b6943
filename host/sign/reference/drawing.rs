//! Sparse vectors: positions drawn one after another, first those of +1, then those of -1.
//!
//! A number x draws position x mod bits. While the position is taken, another number is drawn. Some drawings would never
//! end: the seed of pcg can run into 0x1ACE07EF, whose number is 0, and stay there. So after [`MOST_DRAWS`] draws for one
//! position, the next free one above the last draw is taken, with 0 after the top.

/// How often one position is drawn.
pub const MOST_DRAWS: usize = 1000;

/// The positions of a sparse vector in the order in which they are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Of +1.
    pub positive: Vec<usize>,
    /// Of -1.
    pub negative: Vec<usize>,
}

impl Drawing {
    /// Draws `count` positions of each sign below `bits`, which is at least twice `count`.
    pub fn new(mut numbers: impl Iterator<Item = u32>, bits: u32, count: u32) -> Self {
        let mut taken = vec![false; bits as usize];
        let mut some = || (0..count).map(|_| take(&mut numbers, &mut taken)).collect();
        Self { positive: some(), negative: some() }
    }

    /// The vector: one number per element.
    pub fn vector(&self, bits: u32) -> Vec<i8> {
        let mut vector = vec![0; bits as usize];
        self.positive.iter().for_each(|&position| vector[position] = 1);
        self.negative.iter().for_each(|&position| vector[position] = -1);
        vector
    }
}

/// Draws a position that is free, and takes it.
fn take(numbers: &mut impl Iterator<Item = u32>, taken: &mut [bool]) -> usize {
    let mut position = 0;
    for _ in 0..MOST_DRAWS {
        position = numbers.next().expect("generators never end") as usize % taken.len();
        if !taken[position] {
            break;
        }
    }
    while taken[position] {
        position = (position + 1) % taken.len();
    }
    taken[position] = true;
    position
}

/// The endless numbers of pcg for a k-mer of at most 4 bytes. The seed is its bytes, the first highest; each number is
/// exclusive-ored into it.
pub fn pcg(kmer: &[u8]) -> impl Iterator<Item = u32> {
    let mut seed = kmer.iter().fold(0_u32, |seed, &byte| seed << 8 | u32::from(byte));
    std::iter::repeat_with(move || {
        let number = permuted(seed);
        seed ^= number;
        number
    })
}

/// The output permutation of PCG-RXS-M-XS-32 (O'Neill 2014, HMC-CS-2014-0905).
fn permuted(x: u32) -> u32 {
    let s = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let t = ((s >> ((s >> 28) + 4)) ^ s).wrapping_mul(277_803_737);
    (t >> 22) ^ t
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers given, and then the last one for ever.
    fn stuck(numbers: &[u32]) -> impl Iterator<Item = u32> {
        numbers.iter().copied().chain(std::iter::repeat(numbers[numbers.len() - 1]))
    }

    #[test]
    fn a_taken_position_is_drawn_again() {
        let drawing = Drawing::new([5, 69, 64 + 7, 5, 7, 9, 0].into_iter(), 64, 2);
        assert_eq!((drawing.positive, drawing.negative), (vec![5, 7], vec![9, 0]));
    }

    #[test]
    fn a_drawing_that_is_stuck_goes_upward_and_around() {
        let drawing = Drawing::new(stuck(&[1, 62]), 64, 2);
        assert_eq!((drawing.positive, drawing.negative), (vec![1, 62], vec![63, 0]));
        let drawing = Drawing::new(stuck(&[0, 63]), 64, 2);
        assert_eq!((drawing.positive, drawing.negative), (vec![0, 63], vec![1, 2]));
    }

    #[test]
    fn a_position_is_drawn_a_thousand_times() {
        let late = |draws: usize| [vec![3; 1 + draws], vec![40, 50, 60]].concat().into_iter();
        assert_eq!(Drawing::new(late(MOST_DRAWS - 1), 64, 1).negative, [40]);
        assert_eq!(Drawing::new(late(MOST_DRAWS), 64, 1).negative, [4]);
        // The draws begin anew with each position.
        let drawing = Drawing::new(late(MOST_DRAWS), 64, 2);
        assert_eq!((drawing.positive, drawing.negative), (vec![3, 4], vec![40, 50]));
    }

    /// The permutation is a bijection, so there is one such seed: the s of it is 0.
    #[test]
    fn there_is_a_seed_that_stays() {
        assert_eq!(permuted(0x1ACE_07EF), 0);
        assert!(pcg(&[0x1A, 0xCE, 0x07, 0xEF]).take(100).all(|number| number == 0));
    }
}
