//! Sparse vectors: positions drawn one after another, first those of +1, then those of -1.
//!
//! A number x draws position x mod bits. While the position is taken, another number is drawn. Some drawings would never end: the
//! seed of pcg can run into 0x1ACE07EF, whose number is 0, and stay there. So after [`MOST_DRAWS`] draws for one position, the
//! next free one above the last draw is taken, with 0 after the top.

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
}
