//! The nucleotides' tables: NCBI's parameters for each pair of scores and gap cost, from `blast_stat.c`
//! (`blastn_values_2_3` and its like, `s_GetNuclValuesArray`).
//!
//! - Scores with a common divisor have the row of the divided ones: lambda and alpha are divided by it, gap costs are multiplied
//!   (`s_AdjustGapParametersByGcd`).
//! - For some pairs of scores only even scores were simulated: an odd score counts as the even one below it, but in bits.
//! - The *greedy* row is BLAST's for gap costs 0 and 0, which stand for linear ones of half a match less a mismatch. Where
//!   that is a whole number, scores are the same and the row holds; else BLAST rounds scores down, and there is no row here.
//! - Gaps dearer than all rows are not tabulated: BLAST computes their parameters from the letters of each query.

use super::length::Adjustment;

/// What NCBI tabulates for a match and a mismatch without a common divisor.
pub(super) struct Table {
    /// Scores of a match and of a mismatch.
    pub scores: [i32; 2],
    /// Only even scores have an E-value of their own.
    even: bool,
    /// Lambda, K, alpha, beta of linear gaps that cost half a match less a mismatch.
    pub greedy: Option<[f64; 4]>,
    /// Existence and extension of gaps as BLAST counts them, lambda, K, alpha, beta.
    pub rows: &'static [[f64; 6]],
}

/// The parameters of Karlin and Altschul's statistics, and of the length adjustment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Karlin {
    /// The scale of scores.
    pub lambda: f64,
    /// The prefactor.
    pub k: f64,
    /// How fast the mean length of an alignment grows with its score.
    pub alpha: f64,
    /// What is added to that length.
    pub beta: f64,
    /// An odd score has the E-value of the even one below it.
    pub even: bool,
}

impl Karlin {
    /// The parameters for a match and a mismatch and for gaps of these costs, as BLAST counts them.
    pub fn of([reward, penalty]: [i32; 2], existence: i32, extension: i32) -> Option<Self> {
        let divisor = divisor(reward, penalty);
        let table = TABLES.iter().find(|table| table.scores == [reward / divisor, penalty / divisor])?;
        let wanted = [existence, extension].map(|cost| f64::from(cost) / f64::from(divisor));
        let row = table
            .rows
            .iter()
            .find(|row| row[..2] == wanted)
            .map(|&[.., lambda, k, alpha, beta]| [lambda, k, alpha, beta]);
        let is_greedy = existence == 0 && i64::from(extension) * 2 == i64::from(reward) - 2 * i64::from(penalty);
        let [lambda, k, alpha, beta] = row.or_else(|| table.greedy.filter(|_| is_greedy))?;
        let scale = f64::from(divisor);
        Some(Self { lambda: lambda / scale, k, alpha: alpha / scale, beta, even: table.even })
    }

    /// How many alignments of that score chance gives in `targets` sequences of `letters` letters.
    pub fn evalue(&self, score: i64, query_length: usize, letters: u64, targets: u64) -> f64 {
        let length = Adjustment { karlin: self, query_length: query_length as u64, letters, targets }.length();
        let database = i128::from(letters) - i128::from(targets) * i128::from(length);
        let space = database.max(1) * (query_length as i128 - i128::from(length));
        let score = if self.even { score & !1 } else { score };
        space as f64 * libm::exp(-self.lambda * score as f64 + libm::log(self.k))
    }
}

/// The greatest number that divides both scores.
fn divisor(reward: i32, penalty: i32) -> i32 {
    let (mut a, mut b) = (reward, penalty);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.saturating_abs().max(1)
}

/// The tables of all pairs of scores.
pub(super) const TABLES: [Table; 12] = [
    Table {
        scores: [1, -5],
        even: false,
        greedy: Some([1.39, 0.747, 1.0, 0.0]),
        rows: &[[3.0, 3.0, 1.39, 0.747, 1.0, 0.0]],
    },
    Table {
        scores: [1, -4],
        even: false,
        greedy: Some([1.383, 0.738, 1.02, 0.0]),
        rows: &[
            [1.0, 2.0, 1.36, 0.67, 1.1, 0.0],
            [0.0, 2.0, 1.26, 0.43, 1.4, -1.0],
            [2.0, 1.0, 1.35, 0.61, 1.2, -1.0],
            [1.0, 1.0, 1.22, 0.35, 1.7, -3.0],
        ],
    },
    Table {
        scores: [2, -7],
        even: true,
        greedy: Some([0.69, 0.73, 0.515, 0.0]),
        rows: &[
            [2.0, 4.0, 0.68, 0.67, 0.55, 0.0],
            [0.0, 4.0, 0.63, 0.43, 0.7, -1.0],
            [4.0, 2.0, 0.675, 0.62, 0.6, -1.0],
            [2.0, 2.0, 0.61, 0.35, 1.7, -3.0],
        ],
    },
    Table {
        scores: [1, -3],
        even: false,
        greedy: Some([1.374, 0.711, 1.05, 0.0]),
        rows: &[
            [2.0, 2.0, 1.37, 0.7, 1.1, 0.0],
            [1.0, 2.0, 1.35, 0.64, 1.2, -1.0],
            [0.0, 2.0, 1.25, 0.42, 1.5, -2.0],
            [2.0, 1.0, 1.34, 0.6, 1.2, -1.0],
            [1.0, 1.0, 1.21, 0.34, 1.7, -2.0],
        ],
    },
    Table {
        scores: [2, -5],
        even: true,
        greedy: Some([0.675, 0.65, 0.6, -1.0]),
        rows: &[
            [2.0, 4.0, 0.67, 0.59, 0.6, -1.0],
            [0.0, 4.0, 0.62, 0.39, 0.8, -2.0],
            [4.0, 2.0, 0.67, 0.61, 0.65, -2.0],
            [2.0, 2.0, 0.56, 0.32, 0.95, -4.0],
        ],
    },
    Table {
        scores: [1, -2],
        even: false,
        greedy: Some([1.28, 0.46, 1.5, -2.0]),
        rows: &[
            [2.0, 2.0, 1.33, 0.62, 1.2, 0.0],
            [1.0, 2.0, 1.3, 0.52, 1.4, -2.0],
            [0.0, 2.0, 1.19, 0.34, 1.8, -3.0],
            [3.0, 1.0, 1.32, 0.57, 1.3, -1.0],
            [2.0, 1.0, 1.29, 0.49, 1.4, -1.0],
            [1.0, 1.0, 1.14, 0.26, 2.2, -5.0],
        ],
    },
    Table {
        scores: [2, -3],
        even: true,
        greedy: Some([0.55, 0.21, 1.2, -5.0]),
        rows: &[
            [4.0, 4.0, 0.63, 0.42, 0.75, -2.0],
            [2.0, 4.0, 0.615, 0.37, 0.85, -3.0],
            [0.0, 4.0, 0.55, 0.21, 1.2, -5.0],
            [3.0, 3.0, 0.615, 0.37, 0.9, -3.0],
            [6.0, 2.0, 0.63, 0.42, 0.75, -2.0],
            [5.0, 2.0, 0.625, 0.41, 0.8, -2.0],
            [4.0, 2.0, 0.61, 0.35, 0.9, -3.0],
            [2.0, 2.0, 0.515, 0.14, 1.55, -9.0],
        ],
    },
    Table {
        scores: [3, -4],
        even: true,
        greedy: None,
        rows: &[
            [6.0, 3.0, 0.389, 0.25, 0.7, -5.0],
            [5.0, 3.0, 0.375, 0.21, 0.8, -6.0],
            [4.0, 3.0, 0.351, 0.14, 1.0, -9.0],
            [6.0, 2.0, 0.362, 0.16, 0.8, -4.0],
            [5.0, 2.0, 0.33, 0.092, 1.2, -13.0],
            [4.0, 2.0, 0.281, 0.046, 1.8, -23.0],
        ],
    },
    Table {
        scores: [4, -5],
        even: false,
        greedy: Some([0.22, 0.061, 1.0, -15.0]),
        rows: &[
            [6.0, 5.0, 0.28, 0.21, 0.6, -7.0],
            [5.0, 5.0, 0.27, 0.17, 0.7, -9.0],
            [4.0, 5.0, 0.25, 0.1, 0.8, -10.0],
            [3.0, 5.0, 0.23, 0.065, 0.9, -11.0],
        ],
    },
    Table {
        scores: [1, -1],
        even: false,
        greedy: None,
        rows: &[
            [3.0, 2.0, 1.09, 0.31, 2.0, -2.0],
            [2.0, 2.0, 1.07, 0.27, 2.2, -3.0],
            [1.0, 2.0, 1.02, 0.21, 2.8, -6.0],
            [0.0, 2.0, 0.8, 0.064, 4.8, -16.0],
            [4.0, 1.0, 1.08, 0.28, 2.0, -2.0],
            [3.0, 1.0, 1.06, 0.25, 2.3, -4.0],
            [2.0, 1.0, 0.99, 0.17, 3.3, -10.0],
        ],
    },
    Table { scores: [3, -2], even: false, greedy: None, rows: &[[5.0, 5.0, 0.208, 0.03, 2.9, -47.0]] },
    Table {
        scores: [5, -4],
        even: false,
        greedy: None,
        rows: &[[10.0, 6.0, 0.163, 0.068, 1.0, -19.0], [8.0, 6.0, 0.146, 0.039, 1.3, -29.0]],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_scores_and_costs() {
        let karlin = |lambda, k, alpha, beta, even| Some(Karlin { lambda, k, alpha, beta, even });
        assert_eq!(Karlin::of([2, -3], 5, 2), karlin(0.625, 0.41, 0.8, -2.0, true));
        assert_eq!(Karlin::of([1, -1], 0, 2), karlin(0.8, 0.064, 4.8, -16.0, false));
        for (scores, existence, extension) in [([2, -3], 5, 3), ([2, -3], 7, 2), ([7, -1], 5, 2), ([1, 0], 2, 2)] {
            assert_eq!(Karlin::of(scores, existence, extension), None, "{scores:?}");
        }
    }

    #[test]
    fn a_common_divisor_goes_into_lambda_and_alpha() {
        assert_eq!(
            Karlin::of([2, -2], 4, 2),
            Karlin::of([1, -1], 2, 1).map(|k| Karlin { lambda: 0.495, alpha: 1.65, ..k })
        );
        assert_eq!(Karlin::of([2, -2], 2, 1), None);
        assert_eq!(Karlin::of([2, -2], 3, 2), None);
        assert!(Karlin::of([6, -9], 15, 6).unwrap().even);
    }

    #[test]
    fn greedy_rows_are_of_linear_gaps_of_half_a_match_less_a_mismatch() {
        assert_eq!(Karlin::of([2, -5], 0, 6).unwrap().lambda, 0.675);
        assert_eq!(Karlin::of([4, -5], 0, 7).unwrap().lambda, 0.22);
        assert_eq!(Karlin::of([2, -10], 0, 11).unwrap().lambda, 0.695);
        // BLAST rounds these scores down, for 1 + 2 * 5 is odd.
        assert_eq!((Karlin::of([1, -5], 0, 5), Karlin::of([1, -5], 0, 6)), (None, None));
        assert_eq!((Karlin::of([2, -5], 1, 6), Karlin::of([2, -5], 0, 7)), (None, None));
    }

    #[test]
    fn only_the_evalue_of_an_odd_score_is_that_of_the_even_one_below() {
        let of = |scores| Karlin::of(scores, 5, 2).unwrap();
        let evalue = |karlin: Karlin, score| karlin.evalue(score, 100, 10_000, 10);
        assert_eq!(evalue(of([2, -3]), 41), evalue(of([2, -3]), 40));
        assert!(evalue(of([2, -3]), 41) > evalue(of([2, -3]), 42));
        let one = Karlin::of([1, -1], 0, 2).unwrap();
        assert!(evalue(one, 41) < evalue(one, 40));
    }
}
