//! Quality bytes of a sample: normal around its mean with standard deviation 3, rounded, clamped to a range; offset 33.
//!
//! The values and their probabilities form an alias table (Walker 1977, built as by Vose 1991): 128 equal columns, each shared
//! by at most two values. A value takes one 32-bit draw and one look-up:
//!
//! ```text
//! draw  |  7 bits: column  |  25 bits: below the column's threshold ? its own value : its alias  |
//! ```
//!
//! The probability of value v is P(v + 1/2) - P(v - 1/2), where P is the distribution function of the normal. The ends of the
//! range take the whole tails.

use std::ops::RangeInclusive;

const COLUMNS: usize = 128;
const STEP_BITS: u32 = 25;
/// Standard deviation of the qualities of a sample.
pub(super) const DEVIATION: f64 = 3.0;
/// Added to a Phred score to get its byte.
pub(super) const OFFSET: u8 = 33;
/// The largest Phred score that a byte can hold.
pub(super) const GREATEST: u8 = 126 - OFFSET;

#[derive(Clone, Copy, Default)]
struct Column {
    threshold: u32,
    own: u8,
    alias: u8,
}

/// Draws quality bytes.
pub(super) struct Qualities {
    columns: [Column; COLUMNS],
}

impl Qualities {
    /// Qualities around `mean` within `range`, as Phred scores. `range` ends at [`GREATEST`] or before.
    pub(super) fn new(mean: f64, range: &RangeInclusive<u8>) -> Self {
        let (least, greatest) = (*range.start(), *range.end());
        let mut weights = [0.0; COLUMNS];
        let mut before = 0.0;
        for value in least..=greatest {
            let until = if value == greatest { 1.0 } else { distribution((f64::from(value) + 0.5 - mean) / DEVIATION) };
            weights[usize::from(value - least)] = (until - before) * COLUMNS as f64;
            before = until;
        }
        Self { columns: share(weights, least + OFFSET) }
    }

    /// The quality byte of a random word.
    #[inline]
    pub(super) fn quality(&self, word: u32) -> u8 {
        let column = self.columns[(word >> STEP_BITS) as usize];
        if word & ((1 << STEP_BITS) - 1) < column.threshold { column.own } else { column.alias }
    }
}

/// The construction of Vose: a value with weight above 1 fills up a column below 1. The weights add up to the number of columns.
fn share(mut weights: [f64; COLUMNS], first: u8) -> [Column; COLUMNS] {
    let mut columns = [Column::default(); COLUMNS];
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..COLUMNS).partition(|&at| weights[at] < 1.0);
    let value = |at: usize| first.saturating_add(at as u8);
    while let (Some(&poor), Some(&rich)) = (small.last(), large.last()) {
        small.pop();
        let threshold = (weights[poor] * f64::from(1u32 << STEP_BITS)).round() as u32;
        columns[poor] = Column { threshold, own: value(poor), alias: value(rich) };
        weights[rich] -= 1.0 - weights[poor];
        if weights[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    // The rest has weight 1, apart from rounding.
    for at in small.into_iter().chain(large) {
        columns[at] = Column { threshold: 1 << STEP_BITS, own: value(at), alias: value(at) };
    }
    columns
}

/// The distribution function of the standard normal, to 1e-7 (Abramowitz and Stegun, 26.2.17).
fn distribution(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let tail = t
        * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
        * (-0.5 * x * x).exp()
        / (2.0 * std::f64::consts::PI).sqrt();
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact share of each byte among all 2^32 words.
    fn shares(qualities: &Qualities) -> [f64; 256] {
        let mut shares = [0.0; 256];
        for column in qualities.columns {
            let own = f64::from(column.threshold) / f64::from(1u32 << STEP_BITS);
            shares[usize::from(column.own)] += own / COLUMNS as f64;
            shares[usize::from(column.alias)] += (1.0 - own) / COLUMNS as f64;
        }
        shares
    }

    #[test]
    fn shares_are_those_of_the_normal() {
        let shares = shares(&Qualities::new(30.0, &(0..=93)));
        assert!((shares[63] - 0.132_365).abs() < 1e-5, "{}", shares[63]);
        assert!((shares[60] - 0.080_656).abs() < 1e-4 && (shares[60] - shares[66]).abs() < 1e-5);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_lies_outside_the_range_and_the_ends_take_the_tails() {
        for (mean, range) in [(10.0, 10..=30), (30.0, 10..=30), (20.0, 20..=20), (93.0, 0..=93), (0.0, 0..=93)] {
            let shares = shares(&Qualities::new(mean, &range));
            for (byte, &share) in shares.iter().enumerate() {
                let inside = (range.start() + OFFSET..=range.end() + OFFSET).contains(&(byte as u8));
                assert!(inside || share == 0.0, "{share} of byte {byte}, mean {mean}");
            }
        }
        let shares = shares(&Qualities::new(10.0, &(10..=30)));
        assert!((shares[43] - 0.566_184).abs() < 1e-5, "{}", shares[43]);
    }
}
