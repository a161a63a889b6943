//! Distances of sequences as fractions, compared and written by the arithmetic of school.
//!
//! ```text
//! compare   a/b against c/d: a * d against c * b
//! decimals  long division: one digit, and ten times the rest for the next; what is left then is compared with a half
//! ```
//!
//! It shares nothing with [`dist`](crate::dist), which has its own sums, comparison and decimals.

use super::hamming::least_sum;
use crate::Points;
use std::cmp::Ordering;

/// A fraction: what is above the line, and what is below, which is not 0.
#[derive(Clone, Copy, Debug)]
pub struct Fraction(pub u128, pub u128);

impl Fraction {
    /// The mean of two means, each given by a sum and by how many numbers it is over.
    pub fn mean(sums: [u64; 2], counts: [u64; 2]) -> Self {
        let ([p, q], [m, n]) = (sums.map(u128::from), counts.map(u128::from));
        Self(p * n + q * m, 2 * m * n)
    }

    /// Divided by a whole number.
    pub fn over(self, divisor: u32) -> Self {
        Self(self.0, self.1 * u128::from(divisor))
    }

    /// Which of two fractions is larger.
    ///
    /// # Panics
    /// When a product takes more than 128 bits.
    pub fn compare(self, other: Self) -> Ordering {
        let product = |a: u128, b: u128| a.checked_mul(b).expect("the reference is for small numbers");
        product(self.0, other.1).cmp(&product(other.0, self.1))
    }

    /// With so many decimals, the nearest; of two that are equally near, the one whose last digit is even.
    pub fn decimals(self, count: usize) -> String {
        let mut digits: Vec<u8> = (self.0 / self.1).to_string().into_bytes();
        let mut rest = self.0 % self.1;
        for _ in 0..count {
            rest *= 10;
            digits.push(b'0' + (rest / self.1) as u8);
            rest %= self.1;
        }
        let is_odd = digits[digits.len() - 1] % 2 == 1;
        if 2 * rest > self.1 || 2 * rest == self.1 && is_odd {
            add_one(&mut digits);
        }
        let text = String::from_utf8(digits).expect("digits are text");
        let (whole, decimals) = text.split_at(text.len() - count);
        format!("{whole}.{decimals}")
    }
}

/// Adds 1 to a number in digits: nines become zeros up to the first digit that is none.
fn add_one(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

/// The distance in bits of two sequences, given by their windows that have a k-mer: the mean, over the windows of one, of the
/// least distance to a window of the other; then the mean of both directions. `None` if one has no such window.
pub fn distance(a: Points, b: Points) -> Option<Fraction> {
    let there = least_sum(a, b)?;
    let back = least_sum(b, a)?;
    Some(Fraction::mean([there, back], [a.len() as u64, b.len() as u64]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_by_hand() {
        for (above, below, expected) in [
            (1, 3, "0.333"),
            (2, 3, "0.667"),
            (1, 16, "0.062"),
            (3, 16, "0.188"),
            (1999, 2000, "1.000"),
            (39, 4, "9.750"),
        ] {
            assert_eq!(Fraction(above, below).decimals(3), expected);
        }
        assert_eq!(Fraction(999_999, 100_000).decimals(4), "10.0000");
        assert_eq!(Fraction(1, 3).compare(Fraction(2, 6)), Ordering::Equal);
        assert_eq!(Fraction(1, 3).compare(Fraction(33, 100)), Ordering::Greater);
    }

    /// Two queries and three targets of 64 bits; the distances are 0 2 2 and 8 6 10. There 0 + 6 over 2 windows, back
    /// 0 + 2 + 2 over 3.
    #[test]
    fn the_distance_of_sequences_is_the_mean_of_both_directions() {
        let none = Points::new(64, &[]);
        let queries = Points::new(64, &[0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0, 0]);
        let targets = [[0; 8], [0x81, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0x11]].concat();
        let targets = Points::new(64, &targets);
        assert_eq!(distance(queries, targets).unwrap().compare(Fraction(26, 12)), Ordering::Equal);
        assert_eq!(distance(targets, queries).unwrap().decimals(6), "2.166667");
        assert!([(none, targets), (queries, none), (none, none)].iter().all(|&(a, b)| distance(a, b).is_none()));
    }
}
