//! The statistics once more, from what their terms mean: probabilities and means are sums over small steps, not error functions.
//!
//! # Definition
//!
//! The length of a protein alignment of score S is normally distributed. What is left of a sequence to begin in is then normal,
//! too: P is the probability that it is above 0, p the mean of it, counting nothing where it is below. The E-value of nucleotides
//! follows from the length adjustment, which is what NCBI's iteration ends with. That is seldom (17 of 52,000 random
//! inputs) one or two below the largest length that the adjustment's definition allows, so the steps are part of the rule.

use crate::statistics::{Database, Gumbel, Karlin, Parameters};

/// How many alignments of that score or a better one chance gives.
pub fn evalue(parameters: &Parameters, database: Database, score: i64, query: usize, target: usize) -> f64 {
    match parameters {
        Parameters::Protein(gumbel) => of_proteins(gumbel, database, score as f64, [query as f64, target as f64]),
        Parameters::Nucleotide(karlin) => of_nucleotides(karlin, database, score, query as u64),
    }
}

fn of_proteins(gumbel: &Gumbel, database: Database, score: f64, [m, n]: [f64; 2]) -> f64 {
    let Gumbel { lambda, k, gap, a, alpha, sigma, a_ungapped, alpha_ungapped } = *gumbel;
    let mean = a * score + 2.0 * gap * (a_ungapped - a);
    let variance = f64::max(2.0 * alpha / lambda, alpha * score + 2.0 * gap * (alpha_ungapped - alpha));
    let covariance = f64::max(2.0 * sigma / lambda, sigma * score + 2.0 * gap * (alpha_ungapped - sigma));
    let (chance_m, left_m) = above_zero(m - mean, variance);
    let (chance_n, left_n) = above_zero(n - mean, variance);
    let places = left_m * left_n + covariance * chance_m * chance_n;
    places * k * (-lambda * score).exp() * database.letters as f64 / n
}

/// Of a normal number: the probability that it is above 0, and its mean where what is below 0 counts as 0. Simpson's rule.
fn above_zero(mean: f64, variance: f64) -> (f64, f64) {
    const STEPS: u32 = 20_000;
    let deviation = variance.sqrt();
    let (from, to) = ((mean - 12.0 * deviation).max(0.0), mean.max(0.0) + 12.0 * deviation);
    let step = (to - from) / f64::from(STEPS);
    let (mut probability, mut sum) = (0.0, 0.0);
    for place in 0..=STEPS {
        let number = from + step * f64::from(place);
        let weight = match place {
            0 | STEPS => 1.0,
            _ if place % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let z = (number - mean) / deviation;
        let density = (-z * z / 2.0).exp() / (deviation * (2.0 * std::f64::consts::PI).sqrt());
        probability += weight * density * step / 3.0;
        sum += weight * density * number * step / 3.0;
    }
    (probability, sum)
}

fn of_nucleotides(karlin: &Karlin, Database { letters, targets }: Database, score: i64, query: u64) -> f64 {
    let length = length_adjustment(karlin, query as f64, letters as f64, targets as f64) as i128;
    let database = i128::from(letters) - i128::from(targets) * length;
    let space = if database > 0 { database } else { 1 } * (i128::from(query) - length);
    let score = if karlin.even { score / 2 * 2 } else { score };
    space as f64 * karlin.k * (-karlin.lambda * score as f64).exp()
}

/// NCBI's `BLAST_ComputeLengthAdjustment`, line by line.
fn length_adjustment(karlin: &Karlin, m: f64, n: f64, count: f64) -> f64 {
    let Karlin { lambda, k, alpha, beta, .. } = *karlin;
    let f = |ell: f64| alpha / lambda * (k.ln() + ((m - ell) * (n - count * ell)).ln()) + beta;
    let c = n * m - m.max(n) / k;
    if c < 0.0 {
        return 0.0;
    }
    let mb = m * count + n;
    let (mut ell_min, mut ell_max) = (0.0, 2.0 * c / (mb + (mb * mb - 4.0 * count * c).sqrt()));
    let (mut ell_next, mut converged) = (0.0, false);
    for i in 1..=20 {
        let ell = ell_next;
        let ell_bar = f(ell);
        if ell_bar >= ell {
            ell_min = ell;
            if ell_bar - ell_min <= 1.0 {
                converged = true;
                break;
            }
            if ell_min == ell_max {
                break;
            }
        } else {
            ell_max = ell;
        }
        ell_next = if ell_min <= ell_bar && ell_bar <= ell_max {
            ell_bar
        } else if i == 1 {
            ell_max
        } else {
            (ell_min + ell_max) / 2.0
        };
    }
    let above: f64 = ell_min.ceil();
    if converged && above <= ell_max && f(above) >= above { above } else { ell_min.floor() }
}
