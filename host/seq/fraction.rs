//! A part of a whole, from 0 to 1, as the decimal that somebody wrote.
//!
//! 0.29 of 100 is 29. In binary it is a little less, and the whole number below is 28: a limit that is computed from an `f64`
//! is wrong where it matters most, at the limit. So a fraction is a whole number over a power of ten.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The most decimals of a fraction.
const DECIMALS_MAX: u32 = 18;

/// A number from 0 to 1 with up to 18 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction {
    /// In units of 10^-18.
    units: u64,
}

impl Fraction {
    /// The whole.
    pub const ONE: Self = Self { units: Self::DENOMINATOR };
    /// A half.
    pub const HALF: Self = Self { units: Self::DENOMINATOR / 2 };
    /// What a fraction is counted in.
    pub const DENOMINATOR: u64 = 10_u64.pow(DECIMALS_MAX);

    /// The fraction that `{}` prints for `number`: 0.29 for 0.29.
    ///
    /// # Panics
    /// When that is not from 0 to 1, or has more than 18 decimals.
    pub fn printed(number: f64) -> Self {
        format!("{number}").parse().expect("a number from 0 to 1 with few decimals")
    }

    /// How often the fraction holds 1 / [`Fraction::DENOMINATOR`].
    pub const fn numerator(self) -> u64 {
        self.units
    }

    /// The nearest `f64`, for what is computed in binary all the same.
    pub fn as_f64(self) -> f64 {
        self.units as f64 / Self::DENOMINATOR as f64
    }

    /// Whether `part` is less than this fraction of `whole`, equal to it, or more. Exact.
    pub fn compared_with(self, part: u64, whole: u64) -> Ordering {
        (u128::from(part) * u128::from(Self::DENOMINATOR)).cmp(&(u128::from(self.units) * u128::from(whole)))
    }

    /// This part of `whole`, rounded down.
    pub const fn of(self, whole: u32) -> u32 {
        // At most `whole`.
        (self.units as u128 * whole as u128 / Self::DENOMINATOR as u128) as u32
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (whole, part) = (self.units / Self::DENOMINATOR, self.units % Self::DENOMINATOR);
        match format!("{part:018}").trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            part => write!(f, "{whole}.{part}"),
        }
    }
}

impl FromStr for Fraction {
    type Err = String;

    /// Reads `0.5`, `.29`, `1` and `5e-3`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a number from 0 to 1, such as 0.25".to_owned();
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().map_err(|_| expected())?;
        let mantissa = mantissa.strip_prefix('+').unwrap_or(mantissa);
        let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [before, after].concat();
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(expected());
        }
        let significant = digits.trim_start_matches('0').trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Self { units: 0 });
        }
        let trailing = digits.len() - digits.trim_end_matches('0').len();
        let decimals = after.len() as i64 - trailing as i64 - i64::from(exponent);
        if significant.len() as i64 - decimals > 1 {
            return Err(expected());
        }
        let places = u32::try_from(i64::from(DECIMALS_MAX) - decimals)
            .map_err(|_| format!("expected a number with at most {DECIMALS_MAX} decimals"))?;
        let number: u64 = significant.parse().map_err(|_| expected())?;
        let units = 10_u64.checked_pow(places).and_then(|unit| number.checked_mul(unit));
        units.filter(|&units| units <= Self::DENOMINATOR).map(|units| Self { units }).ok_or_else(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Fraction {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_part_is_that_of_the_decimal_as_written() {
        for (text, whole, part) in [
            ("0.29", 100, 29),
            ("0.57", 100, 57),
            ("0.58", 100, 58),
            ("0.1", 30, 3),
            ("0.7", 10, 7),
            ("0.999999999999999999", u32::MAX, u32::MAX - 1),
            ("0.289999999999999999", 100, 28),
            ("0.3", 9, 2),
            ("1", u32::MAX, u32::MAX),
            ("0", u32::MAX, 0),
        ] {
            assert_eq!(read(text).of(whole), part, "{text} of {whole}");
        }
        for hundredths in 0..=100 {
            assert_eq!(Fraction::printed(f64::from(hundredths) / 100.0).of(100), hundredths);
        }
    }

    #[test]
    fn all_ways_to_write_a_number_are_one() {
        for same in
            [&["0.25", ".25", "+0.25", "0.250", "25e-2", "2.5E-1", "00.25", "0.025e1"][..], &["1", "1.", "1.0", "1e0"]]
        {
            assert!(same.iter().all(|text| read(text) == read(same[0])), "{same:?}");
            assert_eq!(read(same[0]).to_string(), same[0]);
        }
        assert_eq!([read("0"), read("0.0"), read("0e9")], [Fraction { units: 0 }; 3]);
        assert_eq!((Fraction::HALF, Fraction::ONE), (read("0.5"), read("1")));
    }

    #[test]
    fn what_is_no_fraction_is_refused() {
        for text in ["", ".", "-0.1", "1.0000001", "2", "1e1", "nan", "inf", "0,5", "0.5x", "e", "1e", "--1", "5%"] {
            assert!(text.parse::<Fraction>().unwrap_err().contains("0 to 1"), "{text}");
        }
        assert!("0.1234567890123456789".parse::<Fraction>().unwrap_err().contains("18 decimals"));
        assert!("1e-19".parse::<Fraction>().unwrap_err().contains("18 decimals"));
        assert_eq!(read("1e-18").numerator(), 1);
    }
}
