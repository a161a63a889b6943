//! Ratios of whole numbers, written as decimals without a rounding in between.
//!
//! A mean is a ratio of whole numbers. A quotient in floating point is rounded once when it is divided and once more when it is
//! written, and then 21/640 = 0.0328125 may come out on either side. Here digits come from integers: a ratio is written with the
//! decimals that are nearest to it, and where two are equally near, with those whose last digit is even.

use std::fmt;

/// A ratio of whole numbers.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// `numerator / denominator`. Both are below 2^100, so that six decimals of them can be computed.
    ///
    /// # Panics
    /// When the denominator is 0, or either is too large.
    pub fn new(numerator: u128, denominator: u128) -> Self {
        assert!(denominator > 0, "a ratio has a denominator");
        assert!((numerator | denominator) >> 100 == 0, "the terms of a ratio have at most 100 bits");
        Self { numerator, denominator }
    }
}

/// Takes a precision of at most 6, the one without a precision.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let decimals = f.precision().unwrap_or(6).min(6);
        let unit = 10_u128.pow(decimals as u32);
        let (scaled, denominator) = (self.numerator * unit, self.denominator);
        let (least, rest) = (scaled / denominator, scaled % denominator);
        let digits = match (2 * rest).cmp(&denominator) {
            std::cmp::Ordering::Less => least,
            std::cmp::Ordering::Equal => least + least % 2,
            std::cmp::Ordering::Greater => least + 1,
        };
        write!(f, "{}", digits / unit)?;
        if decimals == 0 { Ok(()) } else { write!(f, ".{:0decimals$}", digits % unit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::exact::Fraction;
    use proptest::prelude::*;

    #[test]
    fn halves_go_to_the_even_digit() {
        for (numerator, denominator, expected) in [
            (0, 7, "0.000000"),
            (2, 3, "0.666667"),
            (1, 128, "0.007812"),
            (3, 128, "0.023438"),
            (21, 640, "0.032812"),
            (1_999_999, 2_000_000, "1.000000"),
            (1_999_997, 2_000_000, "0.999998"),
            (4096, 1, "4096.000000"),
        ] {
            assert_eq!(Ratio::new(numerator, denominator).to_string(), expected);
        }
        assert_eq!(format!("{:.3} {:.0}", Ratio::new(1, 80), Ratio::new(5, 2)), "0.012 2");
    }

    proptest! {
        #[test]
        fn decimals_are_those_of_the_reference(numerator in 0..1_u128 << 98, denominator in 1..1_u128 << 99) {
            for (above, below) in [(numerator, denominator), (numerator % 100_000, 640 * (1 + denominator % 50))] {
                prop_assert_eq!(Ratio::new(above, below).to_string(), Fraction(above, below).decimals(6));
            }
        }

        #[test]
        fn a_ratio_that_is_a_float_is_written_like_one(numerator in 0_u32.., shift in 0..30_u32) {
            let float = f64::from(numerator) / f64::from(1_u32 << shift);
            let ratio = Ratio::new(numerator.into(), 1 << shift);
            prop_assert_eq!(format!("{ratio:.6} {ratio:.3}"), format!("{float:.6} {float:.3}"));
        }
    }
}
