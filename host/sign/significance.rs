//! How surprising it is that two signatures differ in so few bits.
//!
//! # Definition
//!
//! ```text
//! x, y   ones of the two signatures, of b bits each
//! p      (x (b - y) + y (b - x)) / b^2              how often a bit differs by chance
//! P      P[Binomial(b, p) <= d]                     d or fewer bits differ by chance
//! E      P x windows of the database that have a signature
//! ```
//!
//! So E, the E-value, is the number of windows that one expects to find at least as near as this one in a database of so many
//! unrelated windows. That holds for dense vectors (mix64), where the bits of unrelated windows are independent coins. The bits
//! of sparse vectors (pcg, isaac) are not, and hits by them are not judged by E unless that is asked for.
//!
//! # Why it is right at the edges
//!
//! P is summed from the largest of its terms, which is computed by logarithms, to either side by ratios of neighbours, until a
//! term no longer changes the sum. So neither the first term, (1 - p)^b, nor the binomial coefficients leave the range of
//! numbers. An E below [`LEAST`] is 0, as numbers with fewer digits would be told.

use super::collection::Collection;
use super::{Parameters, Points};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// E-values below are 0.
pub const LEAST: f64 = 1e-308;

/// The E-values of hits in one database.
#[derive(Clone, Debug)]
pub struct Significance {
    bits: u32,
    /// Windows that have a signature.
    windows: f64,
    /// The fewest and the most ones of their signatures.
    ones: RangeInclusive<u32>,
    /// The logarithms of 0!, 1!, ..., bits!.
    factorials: Vec<f64>,
}

impl Significance {
    /// Of hits in that database.
    pub fn new(database: &Collection) -> Self {
        let bits = database.parameters.bits;
        let present = (0..database.window_count()).into_par_iter().filter(|&window| database.is_present(window));
        let (count, fewest, most) = present
            .map(|window| ones(database.signature(window)))
            .fold(|| (0_u64, bits, 0), |(count, fewest, most), ones| (count + 1, fewest.min(ones), most.max(ones)))
            .reduce(|| (0, bits, 0), |a, b| (a.0 + b.0, a.1.min(b.1), a.2.max(b.2)));
        Self { bits, windows: count as f64, ones: fewest..=most, factorials: factorials(bits) }
    }

    /// The E-value of a window that differs in `distance` bits, by the ones of both signatures.
    pub fn evalue(&self, ones: [u32; 2], distance: u32) -> f64 {
        self.expected(chance(self.bits, ones), distance)
    }

    /// Bits above which no window of the database differs from any of the queries with an E-value of at most `most`; `None`: none
    /// does at all.
    pub fn farthest_of(&self, queries: Points, most: f64) -> Option<u32> {
        let ones = (0..queries.len()).into_par_iter().map(|query| ones(queries.get(query)));
        // A bit differs the more often the farther the ones are from half of the bits.
        let ends = ones.map(|ones| [ones; 2]).reduce_with(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        ends.into_iter().filter_map(|ones| self.farthest(ones, most)).max()
    }

    /// Bits above which no window of the database differs from a signature of so many ones with an E-value of at most `most`;
    /// `None`: none does at all. One more at the most, for what is lost in rounding.
    fn farthest(&self, ones: u32, most: f64) -> Option<u32> {
        let ends = [*self.ones.start(), *self.ones.end()].map(|other| chance(self.bits, [ones, other]));
        let often = ends[0].max(ends[1]);
        let near = |distance: u32| self.expected(often, distance) <= most;
        let (mut within, mut beyond) = (0, self.bits + 1);
        while within < beyond {
            let middle = within.midpoint(beyond);
            if middle <= self.bits && near(middle) { within = middle + 1 } else { beyond = middle }
        }
        if within == 0 && most < 0.5 * self.expected(often, 0) { None } else { Some(within.min(self.bits)) }
    }

    /// The windows that one expects within `distance` where a bit differs that often.
    fn expected(&self, often: f64, distance: u32) -> f64 {
        let expected = (self.logarithm(often, distance) + self.windows.ln()).exp();
        if expected < LEAST { 0.0 } else { expected }
    }

    /// The logarithm of P[Binomial(bits, often) <= most].
    fn logarithm(&self, often: f64, most: u32) -> f64 {
        let bits = f64::from(self.bits);
        if often == 0.0 || most >= self.bits {
            return 0.0;
        }
        if often == 1.0 {
            return f64::NEG_INFINITY;
        }
        // The term of the largest probability.
        let start = most.min(((bits + 1.0) * often) as u32);
        let odds = often / (1.0 - often);
        let (mut sum, mut term) = (1.0, 1.0);
        for number in (1..=start).rev() {
            term *= f64::from(number) / (f64::from(self.bits - number + 1) * odds);
            sum += term;
            if term < sum * f64::EPSILON / 16.0 {
                break;
            }
        }
        term = 1.0;
        for number in start + 1..=most {
            term *= f64::from(self.bits - number + 1) / f64::from(number) * odds;
            sum += term;
            if term < sum * f64::EPSILON / 16.0 {
                break;
            }
        }
        let chosen = |k: u32| self.factorials[k as usize];
        let ways = chosen(self.bits) - chosen(start) - chosen(self.bits - start);
        let first = ways + f64::from(start) * often.ln() + f64::from(self.bits - start) * (-often).ln_1p();
        (first + sum.ln()).min(0.0)
    }
}

/// How often a bit of two signatures of so many ones differs by chance.
fn chance(bits: u32, [x, y]: [u32; 2]) -> f64 {
    let [b, x, y] = [bits, x, y].map(u64::from);
    (x * (b - y) + y * (b - x)) as f64 / (b * b) as f64
}

/// The ones of a signature.
pub fn ones(signature: &[u8]) -> u32 {
    let words = signature.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("chunks of 8")));
    words.map(u64::count_ones).sum()
}

/// The logarithms of 0!, 1!, ..., n!, each as near as a float can be (Neumaier's sum).
fn factorials(n: u32) -> Vec<f64> {
    debug_assert!(n <= Parameters::MOST_BITS);
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    let next = |number: u32| {
        let logarithm = f64::from(number).ln();
        let total = sum + logarithm;
        lost += if sum >= logarithm { sum - total + logarithm } else { logarithm - total + sum };
        sum = total;
        sum + lost
    };
    std::iter::once(0.0).chain((1..=n).map(next)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use proptest::prelude::*;

    fn significance(bits: u32, windows: u32) -> Significance {
        Significance { bits, windows: f64::from(windows), ones: 0..=bits, factorials: factorials(bits) }
    }

    fn near(one: f64, other: f64, share: f64) -> bool {
        one == other || (one - other).abs() <= share * one.abs().max(other.abs())
    }

    /// By exact fractions of whole numbers, in another language.
    #[test]
    #[rustfmt::skip]
    fn evalues_are_exact() {
        for (bits, ones, distance, windows, expected) in [
            (64, [32, 32], 10, 1, 9.9824911189311e-9),
            (64, [20, 40], 3, 1000, 7.5900086874631e-15),
            (64, [60, 3], 50, 7, 3.6470582780377e-2),
            (1024, [512, 512], 400, 1_000_000, 1.3150214043912e-6),
            (1024, [500, 530], 416, 1_000_000, 9.1578415473521e-4),
            (1024, [256, 512], 450, 90, 5.3570952018058e-3),
            (1024, [512, 512], 300, 1, 2.3647300265158e-41),
            (1024, [512, 512], 560, 1, 9.9879043051542e-1),
            (4096, [2040, 2050], 1800, 502, 2.4195115611608e-12),
            (4096, [2048, 2048], 700, 1, 0.0),
        ] {
            let ours = significance(bits, windows).evalue(ones, distance);
            let naive = reference::evalue(bits, ones, distance, windows.into());
            assert!(near(ours, expected, 1e-12) && near(naive, expected, 1e-11), "{ours:e} {naive:e} {expected:e}");
        }
    }

    #[test]
    fn ends_of_the_range() {
        let all = significance(64, 10);
        // Equal bits by chance only, and always.
        let same = [all.evalue([0, 0], 0), all.evalue([64, 64], 5), all.evalue([20, 30], 64), all.evalue([64, 0], 64)];
        assert!(same.iter().all(|&evalue| near(evalue, 10.0, 1e-14)), "{same:?}");
        assert_eq!(all.evalue([64, 0], 63), 0.0);
        // 2^-65536 is below the range of floats, and its logarithm is not.
        let wide = significance(65_536, 1);
        assert_eq!(wide.evalue([32_768, 32_768], 0), 0.0);
        assert!(near(wide.logarithm(0.5, 0), -65_536.0 * std::f64::consts::LN_2, 1e-14));
    }

    proptest! {
        #[test]
        fn evalues_are_those_of_the_reference(
            words in 1..17_u32, ones in any::<[u16; 2]>(), distance: u16, windows in 1..1_000_000_u32
        ) {
            let bits = 64 * words;
            let ones = ones.map(|ones| u32::from(ones) % (bits + 1));
            let distance = u32::from(distance) % (bits + 1);
            let ours = significance(bits, windows).evalue(ones, distance);
            let naive = reference::evalue(bits, ones, distance, windows.into());
            prop_assert!(near(ours, naive, 1e-9), "{ours:e}, {naive:e}");
        }

        #[test]
        fn nothing_beyond_the_farthest_is_significant(
            words in 1..40_u32, ones in any::<[u16; 3]>(), windows in 1..1000_u32, exponent in -40..3
        ) {
            let bits = 64 * words;
            let [x, y, z] = ones.map(|ones| u32::from(ones) % (bits + 1));
            let found = Significance { ones: y.min(z)..=y.max(z), ..significance(bits, windows) };
            let most = 10_f64.powi(exponent);
            let farthest = found.farthest(x, most);
            for other in [y, z, y.midpoint(z)] {
                let last = (0..=bits).rev().find(|&distance| found.evalue([x, other], distance) <= most);
                prop_assert!(last <= farthest, "{last:?} {farthest:?}");
            }
        }
    }
}
