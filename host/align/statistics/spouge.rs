//! Spouge's finite-size correction: the E-value of a protein alignment (`BLAST_SpougeStoE` in NCBI's `blast_stat.c`; Park,
//! Sheetlin, Ma, Madden and Spouge 2012, BMC Research Notes 5:286).
//!
//! An alignment of score S takes a random length in either sequence. Its mean in the query is a S + b, its variance v, and the
//! covariance of both lengths c. With m letters, m - (a S + b) is what is left on average for it to begin in, and
//!
//! ```text
//! l = m - (a S + b)     v = max(2 alpha / lambda, alpha S + beta)     P = Phi(l / sqrt v)     p = l P + sqrt v phi(l / sqrt v)
//! ```
//!
//! the mean of what is left where something is. The same for a target of n letters gives P', p', and with
//! c = max(2 sigma / lambda, sigma S + tau) and N letters in all targets
//!
//! ```text
//! E = (p p' + c P P') K e^(-lambda S) N / n
//! ```
//!
//! Both sequences have the same parameters, as the matrices are symmetric. b, beta and tau follow from the parameters without
//! gaps: b = 2 G (a_ungapped - a), where G is what a gap's first symbol costs, and so on.

use super::Gumbel;
use std::f64::consts::{PI, SQRT_2};

/// Where alignments of a score can begin in a sequence.
struct Room {
    /// P: the probability that there is any.
    probability: f64,
    /// p: how many letters, on average.
    letters: f64,
}

impl Gumbel {
    /// How many alignments of that score chance gives in targets of `letters` letters, for a target of that length.
    pub fn evalue(&self, score: i64, query_length: usize, target_length: usize, letters: u64) -> f64 {
        let score = score as f64;
        let [query, target] = [query_length, target_length].map(|length| self.room(score, length as f64));
        let covariance = self.grown(score, self.sigma, 2.0 * self.gap * (self.alpha_ungapped - self.sigma));
        let area = query.letters * target.letters + covariance * query.probability * target.probability;
        let times = letters as f64 / target_length as f64;
        // Far below a length of an alignment, what is left is 0 but for an error of rounding.
        (area * self.k * libm::exp(-self.lambda * score) * times).max(0.0)
    }

    fn room(&self, score: f64, length: f64) -> Room {
        let left = length - (self.a * score + 2.0 * self.gap * (self.a_ungapped - self.a));
        let variance = self.grown(score, self.alpha, 2.0 * self.gap * (self.alpha_ungapped - self.alpha));
        let deviation = variance.sqrt();
        let x = left / deviation;
        let probability = libm::erfc(-x / SQRT_2) / 2.0;
        let density = libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt();
        Room { probability, letters: left * probability + deviation * density }
    }

    /// A variance of lengths: `slope` for each unit of the score and a constant, but not below the one of short alignments.
    fn grown(&self, score: f64, slope: f64, constant: f64) -> f64 {
        (2.0 * slope / self.lambda).max(slope * score + constant)
    }
}
