//! The distance of two sequences, exactly: sums of least distances, and how many windows each is over.
//!
//! # Definition
//!
//! ```text
//! d = (there / a + back / b) / 2 = (there * b + back * a) / (2 * a * b)
//! ```
//!
//! in bits, for sequences of a and b windows. Two distances are compared by cross-multiplication, so those that are equal are
//! equal here, whatever their terms are: 65/3 + 33/3 and 64/3 + 34/3 are both 98/3. Rounded quotients told them apart.
//!
//! # Why it is right at the edges
//!
//! A sequence has fewer than 2^32 windows and a signature at most 2^16 bits, so the sum there * b + back * a is below 2^81 and
//! a * b below 2^64. Their product takes up to 145 bits: it is compared in two words.

use crate::ratio::Ratio;
use std::cmp::Ordering;
use std::num::NonZeroU32;

/// The distance of two sequences that have signatures.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The sum, over the windows of one sequence, of the least distances to the other's; and the way back.
    sums: [u64; 2],
    /// How many windows these sums are over.
    windows: [NonZeroU32; 2],
}

impl Distance {
    /// The distance of sequences of so many windows by the sums over these, there and back; `None` where one has no window.
    pub fn new(sums: [u64; 2], windows: [usize; 2]) -> Option<Self> {
        let [a, b] = windows.map(|count| u32::try_from(count).expect("a sequence has fewer than 2^32 windows"));
        Some(Self { sums, windows: [NonZeroU32::new(a)?, NonZeroU32::new(b)?] })
    }

    /// There * b + back * a.
    fn numerator(self) -> u128 {
        let ([there, back], [a, b]) = (self.sums, self.windows);
        u128::from(there) * u128::from(b.get()) + u128::from(back) * u128::from(a.get())
    }

    /// A * b.
    fn product(self) -> u64 {
        let [a, b] = self.windows.map(|count| u64::from(count.get()));
        a * b
    }

    /// In bits.
    pub fn bits(self) -> Ratio {
        self.share(1)
    }

    /// Divided by the bits of a signature.
    pub fn share(self, bits: u32) -> Ratio {
        Ratio::new(self.numerator(), 2 * u128::from(self.product()) * u128::from(bits))
    }

    /// Whether it is at most this many bits.
    pub fn is_within(self, bits: u32) -> bool {
        self.numerator() <= 2 * u128::from(self.product()) * u128::from(bits)
    }

    /// In bits, rounded to what a map computes with.
    pub fn rounded(self) -> f64 {
        let ([there, back], [a, b]) = (self.sums, self.windows.map(|count| f64::from(count.get())));
        (there as f64 / a + back as f64 / b) / 2.0
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Self) -> Ordering {
        let ours = times(self.numerator(), other.product());
        ours.cmp(&times(other.numerator(), self.product()))
    }
}

/// A product in two words, the upper one first. The first factor is below 2^127.
fn times(number: u128, factor: u64) -> (u128, u64) {
    let factor = u128::from(factor);
    let low = u128::from(number as u64) * factor;
    ((number >> 64) * factor + (low >> 64), low as u64)
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Distance {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Distance {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::exact::Fraction;
    use proptest::prelude::*;

    fn distance(sums: [u64; 2], windows: [usize; 2]) -> Distance {
        Distance::new(sums, windows).unwrap()
    }

    #[test]
    fn equal_distances_of_other_terms_are_equal() {
        let one = distance([65, 33], [3, 3]);
        for (sums, windows) in [([64, 34], [3, 3]), ([98, 0], [3, 7]), ([49, 49], [3, 3]), ([130, 66], [6, 6])] {
            assert_eq!(one, distance(sums, windows), "{sums:?} over {windows:?}");
        }
        assert!(distance([65, 34], [3, 3]) > one && distance([65, 32], [3, 3]) < one);
        assert_eq!(Distance::new([0, 5], [0, 3]), None);
    }

    #[test]
    fn a_distance_at_the_limit_is_within() {
        // 49/3 + 50/3 = 33 halves: 16.5 bits.
        let half = distance([49, 50], [3, 3]);
        assert!(half.is_within(17) && !half.is_within(16));
        assert!(distance([49, 47], [3, 3]).is_within(16) && !distance([49, 48], [3, 3]).is_within(16));
    }

    /// Signatures of 2^16 bits, all of which differ, but for one of 2^32 windows.
    #[test]
    fn the_largest_sums_are_told_apart() {
        let windows = [u32::MAX as usize; 2];
        let most = u64::from(u32::MAX) << 16;
        let (one, other) = (distance([most, most], windows), distance([most, most - 1], windows));
        assert!(other < one && one.is_within(1 << 16) && other.is_within(1 << 16) && !other.is_within((1 << 16) - 1));
        assert_eq!(one.bits().to_string(), "65536.000000");
        assert_eq!(one.share(1 << 16).to_string(), "1.000000");
    }

    proptest! {
        #[test]
        fn order_and_decimals_are_those_of_the_reference(
            sums in any::<[[u16; 2]; 2]>(), windows in any::<[[u8; 2]; 2]>(), scale in 1..1000_u64
        ) {
            let terms = [0, 1].map(|k| (sums[k].map(u64::from), windows[k].map(|count| usize::from(count) + 1)));
            let [one, other] = terms.map(|(sums, windows)| distance(sums, windows));
            let [first, second] = terms.map(|(sums, windows)| Fraction::mean(sums, windows.map(|count| count as u64)));
            prop_assert_eq!(one.cmp(&other), first.compare(second));
            prop_assert_eq!(one.share(1024).to_string(), first.over(1024).decimals(6));
            let (sums, windows) = terms[0];
            let wider = distance(sums.map(|sum| sum * scale), windows.map(|count| count * scale as usize));
            prop_assert_eq!(one, wider);
        }
    }
}
