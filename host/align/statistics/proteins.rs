//! The proteins' tables: NCBI's parameters for each matrix and gap cost, from `blast_stat.c` (`blosum62_values` and its like).
//!
//! The rows are keyed by what a matrix scores, not by its name: NCBI estimated them for 20 by 20 numbers, and a file may
//! have any name. Of the built-in matrices all but one score the 20 amino acids as BLAST does. The exception is BLOSUM80, which is
//! NCBI's file in thirds of bits; BLAST's, in half bits, is built in as `BLOSUM80-BLAST`. B, Z, X and `*` differ a little
//! between NCBI's files and BLAST, and have no part in the statistics.

use crate::matrix::Matrix;

/// The amino acids that the parameters were estimated with.
const AMINO_ACIDS: &[u8; 20] = b"ARNDCQEGHILKMFPSTWYV";

/// What NCBI tabulates for a matrix.
pub(super) struct Table {
    /// The name of the built-in matrix that has these scores.
    pub matrix: &'static str,
    /// a and alpha of alignments without gaps.
    ungapped: [f64; 2],
    /// Existence and extension of gaps as BLAST counts them, lambda, K, a, alpha, sigma.
    pub rows: &'static [[f64; 7]],
}

/// The parameters of Spouge's finite-size correction, in BLAST's names (`Blast_GumbelBlk`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    /// The scale of scores.
    pub lambda: f64,
    /// The prefactor.
    pub k: f64,
    /// The cost of a gap's first symbol: existence and extension.
    pub gap: f64,
    /// How fast the mean length of an alignment grows with its score.
    pub a: f64,
    /// How fast the variance of that length grows.
    pub alpha: f64,
    /// How fast the covariance of the lengths in both sequences grows.
    pub sigma: f64,
    /// `a` without gaps.
    pub a_ungapped: f64,
    /// `alpha` without gaps.
    pub alpha_ungapped: f64,
}

impl Table {
    /// The table of a matrix that scores amino acids as this one does.
    pub fn of(matrix: &Matrix) -> Option<&'static Self> {
        let scores = |matrix: &Matrix| -> Option<Vec<i32>> {
            let places: Vec<usize> = AMINO_ACIDS.iter().map(|&residue| matrix.place(residue)).collect::<Option<_>>()?;
            let size = matrix.residues.len();
            Some(
                places
                    .iter()
                    .flat_map(|q| places.iter().map(move |t| (q, t)))
                    .map(|(q, t)| matrix.scores[q * size + t])
                    .collect(),
            )
        };
        let own = scores(matrix)?;
        TABLES
            .iter()
            .find(|table| Matrix::built_in(table.matrix).and_then(|known| scores(&known)).as_ref() == Some(&own))
    }

    /// The parameters for gaps of these costs, as BLAST counts them.
    pub fn parameters(&self, existence: i32, extension: i32) -> Option<Gumbel> {
        let wanted = [f64::from(existence), f64::from(extension)];
        let &[.., lambda, k, a, alpha, sigma] = self.rows.iter().find(|row| row[..2] == wanted)?;
        let [a_ungapped, alpha_ungapped] = self.ungapped;
        Some(Gumbel { lambda, k, gap: f64::from(existence + extension), a, alpha, sigma, a_ungapped, alpha_ungapped })
    }
}

/// The tables of all matrices.
pub(super) const TABLES: [Table; 8] = [
    Table {
        matrix: "BLOSUM45",
        ungapped: [0.9113, 9.61106],
        rows: &[
            [13.0, 3.0, 0.207, 0.049, 1.5, 35.8559, 35.9639],
            [12.0, 3.0, 0.199, 0.039, 1.8, 45.6936, 45.8517],
            [11.0, 3.0, 0.19, 0.031, 2.0, 62.8741, 63.1037],
            [10.0, 3.0, 0.179, 0.023, 2.4, 88.2868, 88.6391],
            [16.0, 2.0, 0.21, 0.051, 1.5, 36.2798, 36.4524],
            [15.0, 2.0, 0.203, 0.041, 1.7, 44.8257, 45.0604],
            [14.0, 2.0, 0.195, 0.032, 1.9, 60.7362, 61.1023],
            [13.0, 2.0, 0.185, 0.024, 2.2, 85.1481, 85.6894],
            [12.0, 2.0, 0.171, 0.016, 2.8, 127.758, 128.582],
            [19.0, 1.0, 0.205, 0.04, 1.9, 53.0714, 53.8282],
            [18.0, 1.0, 0.198, 0.032, 2.0, 72.3424, 73.4039],
            [17.0, 1.0, 0.189, 0.024, 2.4, 103.055, 104.721],
            [16.0, 1.0, 0.176, 0.016, 2.8, 170.1, 173.003],
        ],
    },
    Table {
        matrix: "BLOSUM50",
        ungapped: [0.6895, 5.38831],
        rows: &[
            [13.0, 3.0, 0.212, 0.063, 1.1, 18.1138, 18.2028],
            [12.0, 3.0, 0.206, 0.055, 1.2, 22.6546, 22.7777],
            [11.0, 3.0, 0.197, 0.042, 1.4, 29.8611, 30.0457],
            [10.0, 3.0, 0.186, 0.031, 1.7, 42.3938, 42.674],
            [9.0, 3.0, 0.172, 0.022, 2.1, 66.0696, 66.5164],
            [16.0, 2.0, 0.215, 0.066, 1.05, 17.9518, 18.0921],
            [15.0, 2.0, 0.21, 0.058, 1.2, 21.9401, 22.1418],
            [14.0, 2.0, 0.202, 0.045, 1.4, 28.6812, 28.9619],
            [13.0, 2.0, 0.193, 0.035, 1.6, 42.0595, 42.4716],
            [12.0, 2.0, 0.181, 0.025, 1.9, 63.7476, 64.3973],
            [19.0, 1.0, 0.212, 0.057, 1.2, 26.3112, 26.9233],
            [18.0, 1.0, 0.207, 0.05, 1.4, 34.9037, 35.7348],
            [17.0, 1.0, 0.198, 0.037, 1.6, 48.8958, 50.1486],
            [16.0, 1.0, 0.186, 0.025, 1.9, 76.4691, 78.443],
            [15.0, 1.0, 0.171, 0.015, 2.7, 140.053, 144.16],
        ],
    },
    Table {
        matrix: "BLOSUM62",
        ungapped: [0.7916, 4.96466],
        rows: &[
            [11.0, 2.0, 0.297, 0.082, 1.1, 12.6738, 12.7576],
            [10.0, 2.0, 0.291, 0.075, 1.3, 16.474, 16.6026],
            [9.0, 2.0, 0.279, 0.058, 1.5, 22.7519, 22.95],
            [8.0, 2.0, 0.264, 0.045, 1.8, 35.4838, 35.8213],
            [7.0, 2.0, 0.239, 0.027, 2.5, 61.2383, 61.886],
            [6.0, 2.0, 0.201, 0.012, 3.3, 140.417, 141.882],
            [13.0, 1.0, 0.292, 0.071, 1.2, 19.5063, 19.8931],
            [12.0, 1.0, 0.283, 0.059, 1.5, 27.8562, 28.4699],
            [11.0, 1.0, 0.267, 0.041, 1.9, 42.6028, 43.6362],
            [10.0, 1.0, 0.243, 0.024, 2.5, 83.1787, 85.0656],
            [9.0, 1.0, 0.206, 0.01, 4.0, 210.333, 214.842],
        ],
    },
    Table {
        matrix: "BLOSUM80-BLAST",
        ungapped: [0.5222, 1.91813],
        rows: &[
            [25.0, 2.0, 0.342, 0.17, 0.52, 1.731, 1.7313],
            [13.0, 2.0, 0.336, 0.15, 0.59, 2.67347, 2.6923],
            [9.0, 2.0, 0.319, 0.11, 0.76, 5.57609, 5.66786],
            [8.0, 2.0, 0.308, 0.09, 0.89, 7.53695, 7.68623],
            [7.0, 2.0, 0.293, 0.07, 1.1, 11.5866, 11.8404],
            [6.0, 2.0, 0.268, 0.045, 1.4, 19.9581, 20.4412],
            [11.0, 1.0, 0.314, 0.095, 0.9, 8.80861, 9.22332],
            [10.0, 1.0, 0.299, 0.071, 1.1, 13.8338, 14.5334],
            [9.0, 1.0, 0.279, 0.048, 1.4, 24.252, 25.4904],
        ],
    },
    Table {
        matrix: "BLOSUM90",
        ungapped: [0.4434, 1.37776],
        rows: &[
            [9.0, 2.0, 0.31, 0.12, 0.67, 4.23229, 4.33417],
            [8.0, 2.0, 0.3, 0.099, 0.76, 5.79702, 5.96142],
            [7.0, 2.0, 0.283, 0.072, 0.93, 9.04088, 9.3216],
            [6.0, 2.0, 0.259, 0.048, 1.2, 16.0244, 16.5316],
            [11.0, 1.0, 0.302, 0.093, 0.78, 7.14325, 7.61919],
            [10.0, 1.0, 0.29, 0.075, 1.04, 11.4839, 12.2698],
            [9.0, 1.0, 0.265, 0.044, 1.3, 21.4083, 22.8409],
        ],
    },
    Table {
        matrix: "PAM30",
        ungapped: [0.1938, 0.161818],
        rows: &[
            [7.0, 2.0, 0.305, 0.15, 0.35, 1.01401, 1.16273],
            [6.0, 2.0, 0.287, 0.11, 0.42, 1.68806, 1.95143],
            [5.0, 2.0, 0.264, 0.079, 0.59, 3.37701, 3.87195],
            [10.0, 1.0, 0.309, 0.15, 0.35, 1.37205, 1.78877],
            [9.0, 1.0, 0.294, 0.11, 0.48, 2.46392, 3.18615],
            [8.0, 1.0, 0.27, 0.072, 0.68, 5.36813, 6.76348],
        ],
    },
    Table {
        matrix: "PAM70",
        ungapped: [0.325, 0.633439],
        rows: &[
            [8.0, 2.0, 0.301, 0.12, 0.56, 2.88165, 3.02571],
            [7.0, 2.0, 0.286, 0.093, 0.67, 4.53454, 4.78578],
            [6.0, 2.0, 0.264, 0.064, 0.9, 7.94263, 8.40272],
            [11.0, 1.0, 0.305, 0.12, 0.59, 3.6814, 4.10802],
            [10.0, 1.0, 0.291, 0.091, 0.71, 6.00297, 6.71657],
            [9.0, 1.0, 0.27, 0.06, 0.97, 11.3608, 12.6367],
        ],
    },
    Table {
        matrix: "PAM250",
        ungapped: [0.98, 11.7543],
        rows: &[
            [15.0, 3.0, 0.205, 0.049, 1.6, 34.5784, 34.928],
            [14.0, 3.0, 0.2, 0.043, 1.7, 43.353, 43.4438],
            [13.0, 3.0, 0.194, 0.036, 1.9, 50.9485, 51.0817],
            [12.0, 3.0, 0.186, 0.029, 2.2, 69.6065, 69.7936],
            [11.0, 3.0, 0.174, 0.02, 2.5, 98.6535, 98.9271],
            [17.0, 2.0, 0.204, 0.047, 1.7, 41.5838, 41.7358],
            [16.0, 2.0, 0.198, 0.038, 1.8, 51.6352, 51.8439],
            [15.0, 2.0, 0.191, 0.031, 2.2, 67.2567, 67.5585],
            [14.0, 2.0, 0.182, 0.024, 2.5, 96.3151, 96.7568],
            [13.0, 2.0, 0.171, 0.017, 2.9, 135.653, 136.339],
            [21.0, 1.0, 0.205, 0.045, 1.8, 48.7282, 49.2188],
            [20.0, 1.0, 0.199, 0.037, 1.9, 60.832, 61.5141],
            [19.0, 1.0, 0.192, 0.029, 2.3, 84.0197, 84.9856],
            [18.0, 1.0, 0.183, 0.021, 2.6, 113.829, 115.184],
            [17.0, 1.0, 0.171, 0.014, 3.3, 175.071, 177.196],
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_is_of_a_built_in_matrix_and_no_two_of_one() {
        for table in &TABLES {
            let found = Table::of(&Matrix::built_in(table.matrix).unwrap()).unwrap();
            assert_eq!(found.matrix, table.matrix);
            for (k, row) in table.rows.iter().enumerate() {
                assert!(table.rows[..k].iter().all(|other| other[..2] != row[..2]), "{} {row:?}", table.matrix);
            }
        }
        assert_eq!(TABLES.iter().map(|table| table.rows.len()).sum::<usize>(), 82);
    }

    #[test]
    fn scores_and_not_names_choose_the_table() {
        let mut own = Matrix { name: "own.txt".into(), ..Matrix::built_in("BLOSUM62").unwrap() };
        assert_eq!(Table::of(&own).unwrap().matrix, "BLOSUM62");
        own.scores[1] += 1;
        assert!(Table::of(&own).is_none());
        assert!(Table::of(&Matrix::built_in("BLOSUM80").unwrap()).is_none());
        assert!(Table::of(&Matrix::built_in("NUC.4.4").unwrap()).is_none());
    }

    #[test]
    fn a_row_is_found_by_both_costs() {
        let table = Table::of(&Matrix::built_in("BLOSUM62").unwrap()).unwrap();
        let Gumbel { lambda, k, gap, sigma, .. } = table.parameters(11, 1).unwrap();
        assert_eq!((lambda, k, gap, sigma), (0.267, 0.041, 12.0, 43.6362));
        assert_eq!(table.parameters(11, 2).unwrap().lambda, 0.297);
        assert_eq!((table.parameters(12, 2), table.parameters(1, 11)), (None, None));
    }
}
