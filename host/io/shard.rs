//! Shards: a run cut into parts that other processes or machines may do.
//!
//! ```text
//! inputs     |------ file 1 ------|--- file 2 ---|---------- file 3 ----------|    S bytes
//! shards     |         1        |         2         |        3        |   4   ...  N, each S / N
//! record     o: the place of its first byte among the S
//! ```
//!
//! A record belongs to shard `floor(o N / S) + 1`, so to exactly one. Plain files and BGZF are measured in bytes on disk, and a record
//! of BGZF is where its block begins; of other files, the bytes of the text count. So a shard of a plain file or BGZF finds its records without
//! what is before them.

use crate::error::Result;
use crate::text::{Measure, measure};
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

/// Shard `number` of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

/// The records of a file that belong to a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// What places are counted in.
    pub measure: Measure,
    /// The places of the records.
    pub span: Range<u64>,
}

impl Shard {
    /// Whether it begins the output of all.
    pub fn is_first(self) -> bool {
        self.number == 1
    }

    /// Its share of each of some files, in their order.
    ///
    /// # Errors
    /// Those of [`measure`].
    pub fn shares<'a>(self, paths: impl IntoIterator<Item = &'a Path>) -> Result<Vec<Share>> {
        let sizes = paths.into_iter().map(measure).collect::<Result<Vec<_>>>()?;
        let total = sizes.iter().map(|(_, size)| size).sum();
        let (bounds, mut before) = (self.bounds(total), 0);
        let share = |(measure, size)| {
            let [start, end] = [bounds.start, bounds.end].map(|at| at.saturating_sub(before).min(size));
            before += size;
            Share { measure, span: start..end }
        };
        Ok(sizes.into_iter().map(share).collect())
    }

    /// The places of its records among `total` bytes.
    fn bounds(self, total: u64) -> Range<u64> {
        let bound = |shards: u64| (u128::from(shards) * u128::from(total)).div_ceil(u128::from(self.of)) as u64;
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|&number: &u64| number > 0);
        let numbers = text.split_once('/').and_then(|(number_, of)| Some((number(number_)?, number(of)?)));
        match numbers {
            Some((number, of)) if number <= of => Ok(Self { number, of }),
            Some((number, of)) => Err(format!("there is no shard {number} of {of}: the last one is {of}/{of}")),
            None => Err("expected K/N, shard K of N, such as 1/8 for the first of eight".into()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_in_the_shard_of_the_definition() {
        for (total, of) in [(1, 1), (10, 3), (7, 7), (5, 16), (1000, 7)] {
            let shards: Vec<_> = (1..=of).map(|number| Shard { number, of }.bounds(total)).collect();
            for place in 0..total {
                let number = (place * of / total) as usize;
                let found: Vec<_> = (0..of as usize).filter(|&k| shards[k].contains(&place)).collect();
                assert_eq!(found, [number], "{place} of {total}");
            }
        }
        let large = Shard { number: 3, of: 3 }.bounds(u64::MAX);
        assert_eq!((large.start, large.end), (u64::MAX / 3 * 2, u64::MAX));
    }

    #[test]
    fn numbers_are_from_1_to_n() {
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, of: 16 }));
        assert_eq!("3/16".parse::<Shard>().unwrap().to_string(), "3/16");
        for (text, words) in [
            ("0/3", "expected K/N"),
            ("4/3", "no shard 4 of 3: the last one is 3/3"),
            ("x", "such as 1/8"),
            ("1/0", "expected K/N"),
            ("1/-2", "expected K/N"),
            ("1", "expected K/N"),
            ("", "expected K/N"),
        ] {
            let told = text.parse::<Shard>().unwrap_err();
            assert!(told.contains(words), "{text}: {told}");
        }
    }
}
