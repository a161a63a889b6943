//! How many positions of a match may be mismatches: a number, or a percentage of the signature.

use super::Fraction;
use std::fmt;
use std::str::FromStr;

/// How many positions of a match may be mismatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatches {
    /// So many, whatever the length of the signature.
    Count(u32),
    /// The largest integer not above this share of the signature's length.
    Share(Fraction),
}

impl Mismatches {
    /// Every pair of symbols is compatible.
    pub const NONE: Self = Self::Count(0);

    /// The most mismatches in a match of a signature of `length` symbols.
    pub const fn of(self, length: u32) -> u32 {
        match self {
            Self::Count(count) => count,
            Self::Share(share) => share.of(length),
        }
    }
}

/// `2`, or `2.5%`.
impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self::Share(share) = self else { return write!(f, "{}", self.of(0)) };
        let (hundredths, one) = (u128::from(share.numerator()) * 100, u128::from(Fraction::DENOMINATOR));
        match format!("{:018}", hundredths % one).trim_end_matches('0') {
            "" => write!(f, "{}%", hundredths / one),
            decimals => write!(f, "{}.{decimals}%", hundredths / one),
        }
    }
}

impl FromStr for Mismatches {
    type Err = String;

    /// Reads `2` and `2.5%`, the decimal as it is written.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a number such as 2, or a percentage of the signature such as 5%".to_owned();
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().map(Self::Count).map_err(|_| expected());
        };
        if !percent.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Err(expected());
        }
        format!("{percent}e-2").parse().map(Self::Share).map_err(|_| expected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_that_of_the_decimal_as_written() {
        for (text, length, count) in [
            ("0", 5, 0),
            ("7", 5, 7),
            ("10%", 20, 2),
            ("10%", 19, 1),
            ("2.5%", 40, 1),
            ("2.5%", 39, 0),
            ("29%", 100, 29),
            ("57%", 100, 57),
            (".7%", 1000, 7),
            ("100%", 3, 3),
            ("0%", 1000, 0),
        ] {
            assert_eq!(text.parse::<Mismatches>().unwrap().of(length), count, "{text} of {length}");
        }
    }

    #[test]
    fn what_was_read_is_printed() {
        for text in ["0", "12", "5%", "2.5%", "0.001%", "100%", "0%"] {
            assert_eq!(text.parse::<Mismatches>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn all_else_is_refused() {
        for text in ["", "%", "-1", "0.5", "101%", "1e1%", "-5%", "5 %", "4294967296", "1.2.3%", "5%%"] {
            assert!(text.parse::<Mismatches>().unwrap_err().contains("such as 5%"), "{text}");
        }
    }
}
