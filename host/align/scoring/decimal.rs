//! Decimal numbers as people write scores: exact, never a binary fraction.
//!
//! A number is a whole count of billionths. Scores become whole numbers by one common factor, the *scale*: the least common
//! multiple of the reduced denominators, so that 10 and 0.5 have scale 2 and not 10. A scale divides 10^9, which is why every
//! scaled number divided by its scale is a decimal again, with at most nine decimals.

use std::fmt;
use std::str::FromStr;

const DECIMALS_MAX: usize = 9;
const DIGITS_MAX: usize = 9;
const ONE: i128 = 10_i128.pow(DECIMALS_MAX as u32);

/// A number of up to nine digits before and nine after the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal {
    billionths: i128,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self::whole(0);

    /// A whole number.
    pub const fn whole(number: i64) -> Self {
        Self { billionths: number as i128 * ONE }
    }

    /// What a scaled number stands for. `scale` is one that [`common_scale`] gave.
    pub fn of_scaled(number: i64, scale: u32) -> Self {
        Self { billionths: i128::from(number) * (ONE / i128::from(scale)) }
    }

    /// The least number, at least 1, by which this becomes a whole number. It divides 10^9.
    pub fn denominator(self) -> u32 {
        let denominator = ONE / greatest_divisor(self.billionths.abs(), ONE);
        u32::try_from(denominator).expect("it divides 10^9")
    }

    /// This times `scale`, where that is a whole number of 32 bits.
    pub fn scaled(self, scale: u32) -> Option<i32> {
        let number = self.billionths * i128::from(scale);
        if number % ONE == 0 { i32::try_from(number / ONE).ok() } else { None }
    }
}

/// The least scale, at least 1, by which all of `numbers` become whole.
pub fn common_scale(numbers: &[Decimal]) -> u32 {
    let common = |a: u32, b: u32| (u64::from(a) * u64::from(b) / greatest_divisor(a.into(), b.into()) as u64) as u32;
    numbers.iter().map(|number| number.denominator()).fold(1, common)
}

fn greatest_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

impl std::ops::Add for Decimal {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { billionths: self.billionths + other.billionths }
    }
}

impl std::ops::Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self { billionths: -self.billionths }
    }
}

impl FromStr for Decimal {
    type Err = String;

    /// Reads `2`, `-0.5`, `+.25`.
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = [before, after].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()));
        if !all_digits || before.len() + after.len() == 0 {
            return Err("expected a number such as 2, -1 or 0.5".into());
        }
        let (before, after) = (before.trim_start_matches('0'), after.trim_end_matches('0'));
        if before.len() > DIGITS_MAX || after.len() > DECIMALS_MAX {
            return Err(format!("expected at most {DIGITS_MAX} digits before and {DECIMALS_MAX} after the point"));
        }
        let joined = format!("0{before}{after:0<DECIMALS_MAX$}");
        let billionths = joined.parse::<i128>().expect("few digits");
        Ok(Self { billionths: if text.starts_with('-') { -billionths } else { billionths } })
    }
}

impl fmt::Display for Decimal {
    /// As many decimals as are needed: `591.5`, `-75`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (sign, size) = (if self.billionths < 0 { "-" } else { "" }, self.billionths.abs());
        let fraction = format!("{:0DECIMALS_MAX$}", size % ONE);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{}{point}{fraction}", size / ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimals(texts: &[&str]) -> Vec<Decimal> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn numbers_print_as_they_are() {
        let cases =
            [("2", "2"), ("-1", "-1"), ("+0.50", "0.5"), (".25", "0.25"), ("007", "7"), ("5.", "5"), ("-0", "0")];
        let more = [("999999999.999999999", "999999999.999999999"), ("-0.000000001", "-0.000000001"), ("0.1", "0.1")];
        for (text, want) in cases.into_iter().chain(more) {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), want);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "1e3", "0x2", "1,5", " 1", "--1", "1.2.3", "٣", "1234567890", "0.0000000001"] {
            assert!(text.parse::<Decimal>().unwrap_err().starts_with("expected"), "{text}");
        }
    }

    #[test]
    fn the_scale_is_the_smallest() {
        let cases: [(&[&str], u32); 7] = [
            (&["10", "0.5"], 2),
            (&["1", "-1", "2"], 1),
            (&["0.2", "0.5"], 10),
            (&["0.25", "1.5"], 4),
            (&["0.6", "-0.4"], 5),
            (&["0.000000001", "0.5"], 1_000_000_000),
            (&["0.001953125", "0.000000512"], 1_000_000_000),
        ];
        for (texts, scale) in cases {
            assert_eq!(common_scale(&decimals(texts)), scale, "{texts:?}");
            assert!(decimals(texts).iter().all(|number| number.scaled(scale).is_some()));
        }
        assert_eq!(decimals(&["0.5"])[0].scaled(3), None);
        assert_eq!(decimals(&["999999999"])[0].scaled(10), None);
    }

    #[test]
    fn scaled_numbers_are_printed_back() {
        for (number, scale, want) in
            [(1183, 2, "591.5"), (150, 2, "75"), (-3, 4, "-0.75"), (-1, 1, "-1"), (7, 5, "1.4")]
        {
            assert_eq!(Decimal::of_scaled(number, scale).to_string(), want);
        }
        assert_eq!(Decimal::of_scaled(i64::MIN, 1).to_string(), i64::MIN.to_string());
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        let mut numbers = decimals(&["0.5", "-2", "10", "0.25", "-0.5"]);
        numbers.sort();
        assert_eq!(numbers, decimals(&["-2", "-0.5", "0.25", "0.5", "10"]));
        assert_eq!(decimals(&["5"])[0] + decimals(&["2.5"])[0], decimals(&["7.5"])[0]);
    }
}
