//! Which scorings are tabulated, and what is said of one that is not.

use super::nucleotides::{self, Karlin};
use super::proteins::Table;
use super::{Parameters, proteins};
use crate::matrix::Matrix;
use crate::scoring::{Alphabet, Rules};
use crate::{Mode, Scoring};
use warpseq_engine::error::{Error, Result};

impl Parameters {
    /// The parameters of a scoring, which was made from these rules.
    ///
    /// # Errors
    /// [`Error::Usage`] for alignments that are not local, and for scorings that NCBI has not tabulated; it lists those that
    /// are.
    pub fn of(rules: &Rules, scoring: &Scoring) -> Result<Self> {
        if rules.mode != Mode::Local {
            return Err(Error::Usage("E-values are of local alignments: write --mode local, or leave them out".into()));
        }
        let (existence, extension) = (scoring.gap.open - scoring.gap.extend, scoring.gap.extend);
        // Numbers with decimals are multiplied by the scale, and those of the tables are whole.
        let is_whole = scoring.scale == 1;
        let found = match &rules.alphabet {
            Alphabet::Literal => {
                return Err(Error::Usage("E-values are of nucleotides and proteins: leave out --literal".into()));
            }
            Alphabet::Nucleotides => {
                Karlin::of([scoring.scores[0], scoring.scores[1]], existence, extension).map(Self::Nucleotide)
            }
            Alphabet::Matrix(matrix) => {
                let table = Table::of(matrix).ok_or_else(|| unknown_matrix(matrix))?;
                table.parameters(existence, extension).map(Self::Protein)
            }
        };
        found.filter(|_| is_whole).ok_or_else(|| not_tabulated(rules, scoring))
    }
}

fn unknown_matrix(matrix: &Matrix) -> Error {
    let hint = match matrix.name.as_str() {
        "BLOSUM80" => "; it is in thirds of bits, and BLAST's is BLOSUM80-BLAST",
        "NUC.4.4" => "; for nucleotides, write --match 5 --mismatch -4",
        _ => "",
    };
    let names: Vec<_> = proteins::TABLES.iter().map(|table| table.matrix).collect();
    Error::Usage(format!(
        "--matrix {}: E-values are known for the amino acids' scores of {}{hint}",
        matrix.name,
        names.join(", ")
    ))
}

/// What is tabulated beside a matrix, or for nucleotides.
fn not_tabulated(rules: &Rules, scoring: &Scoring) -> Error {
    let (subject, costs) = match &rules.alphabet {
        Alphabet::Matrix(matrix) => {
            let rows = Table::of(matrix).map_or(&[][..], |table| table.rows);
            let costs: Vec<_> = rows.iter().map(|row| gap(row[0], row[1])).collect();
            (format!("--matrix {}", matrix.name), costs.join(", "))
        }
        _ => ("nucleotides and multiples of these".to_owned(), of_nucleotides()),
    };
    Error::Usage(format!(
        "E-values are not known for {}; for {subject} they are known with --gap-open/--gap-extend (in brackets as BLAST counts \
         them, for --gap-model blast) {costs}",
        rules.statement(scoring)
    ))
}

fn of_nucleotides() -> String {
    let lines = nucleotides::TABLES.iter().map(|table| {
        let [reward, penalty] = table.scores;
        let linear = f64::from(reward) / 2.0 - f64::from(penalty);
        let is_own = table.rows.iter().all(|row| row[..2] != [0.0, linear]);
        let greedy = table.greedy.filter(|_| is_own && linear.fract() == 0.0).map(|_| gap(0.0, linear));
        let costs: Vec<_> = table.rows.iter().map(|row| gap(row[0], row[1])).chain(greedy).collect();
        format!("--match {reward} --mismatch {penalty}: {}", costs.join(", "))
    });
    lines.collect::<Vec<_>>().join("; ")
}

/// A gap's costs in both conventions.
fn gap(existence: f64, extension: f64) -> String {
    format!("{}/{extension} ({existence}/{extension})", existence + extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::{Decimal, GapModel};

    fn matrix(name: &str) -> Alphabet {
        Alphabet::Matrix(Matrix::built_in(name).unwrap())
    }

    /// Match, mismatch, open, extend; without the first two for a matrix.
    fn rules(alphabet: Alphabet, numbers: &[&str], gap_model: GapModel) -> Rules {
        let numbers: Vec<Option<Decimal>> = numbers.iter().map(|number| Some(number.parse().unwrap())).collect();
        let (scores, costs) = numbers.split_at(numbers.len() - 2);
        let [match_, mismatch] = [0, 1].map(|k| scores.get(k).copied().flatten());
        Rules { alphabet, match_, mismatch, gap_open: costs[0], gap_extend: costs[1], gap_model, ..Rules::default() }
    }

    fn of(rules: &Rules) -> Result<Parameters> {
        Parameters::of(rules, &rules.scoring().unwrap())
    }

    #[test]
    fn both_conventions_and_all_multiples_are_known() {
        let proteins = rules(matrix("BLOSUM62"), &["12", "1"], GapModel::Affine);
        assert!(matches!(of(&proteins), Ok(Parameters::Protein(found)) if found.lambda == 0.267));
        assert_eq!(of(&proteins).unwrap(), of(&rules(matrix("BLOSUM62"), &["11", "1"], GapModel::Blast)).unwrap());
        let nucleotides = rules(Alphabet::Nucleotides, &["2", "-3", "7", "2"], GapModel::Affine);
        assert!(matches!(of(&nucleotides), Ok(Parameters::Nucleotide(found)) if found.lambda == 0.625));
        let twice = rules(Alphabet::Nucleotides, &["4", "-6", "10", "4"], GapModel::Blast);
        assert!(matches!(of(&twice), Ok(Parameters::Nucleotide(found)) if found.lambda == 0.3125));
        assert!(of(&Rules::default()).is_ok());
    }

    #[test]
    fn what_is_not_tabulated_is_refused_with_a_list() {
        let cases = [
            (rules(matrix("BLOSUM62"), &["20", "1"], GapModel::Affine), "11/1 (10/1), 10/1 (9/1)"),
            (
                rules(matrix("PAM30"), &["11", "2"], GapModel::Affine),
                "E-values are not known for local, matrix PAM30, gap open 11",
            ),
            (rules(matrix("BLOSUM80"), &["12", "1"], GapModel::Affine), "BLAST's is BLOSUM80-BLAST"),
            (rules(matrix("NUC.4.4"), &["12", "1"], GapModel::Affine), "write --match 5 --mismatch -4"),
            (
                rules(Alphabet::Nucleotides, &["7", "-1", "7", "2"], GapModel::Affine),
                "--match 5 --mismatch -4: 16/6 (10/6)",
            ),
            (rules(Alphabet::Nucleotides, &["2", "-5", "9", "2"], GapModel::Affine), "4/2 (2/2), 6/6 (0/6); "),
            (rules(Alphabet::Nucleotides, &["2", "-3", "7", "2.5"], GapModel::Affine), "extend 2.5"),
            (rules(Alphabet::Nucleotides, &["0.2", "-0.3", "0.7", "0.2"], GapModel::Affine), "match 0.2"),
            (rules(Alphabet::Literal, &["2", "-3", "7", "2"], GapModel::Affine), "leave out --literal"),
            (Rules { mode: Mode::Fit, ..Rules::default() }, "write --mode local"),
        ];
        for (rules, said) in cases {
            let error = of(&rules).unwrap_err();
            assert!(error.exit_code() == 2 && error.to_string().contains(said), "{error}");
        }
    }
}
