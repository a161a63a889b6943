//! From what a person says about scores to what an executor computes with.
//!
//! # Definition
//!
//! A person gives decimals: scores of a match and a mismatch, or a matrix, and costs of gaps, positive. [`Rules::scoring`]
//! multiplies them all by the smallest number that makes them whole (10 and 0.5: 2), so that every executor computes with
//! integers and the output prints the exact decimal back ([`Decimal::of_scaled`]).
//!
//! A gap of n symbols costs `open + (n - 1) * extend` (Gotoh 1982; EMBOSS, parasail, SSW). BLAST and minimap2 charge
//! `open + n * extend`: [`GapModel::Blast`] says that the numbers are meant so, and their 5/2 becomes our 7/2.
//!
//! Not given: match 1, mismatch -1, gap 2, linear; with a matrix gap open 11, extend 1. Costs that are not given are the
//! default ones one by one, but never under [`GapModel::Blast`], where both must be said.
//!
//! Anything that makes no sense is an [`Error::Usage`] that shows the right spelling: a match of 0 or less, a mismatch above
//! 0 (0 is legal), a gap cost that is not above 0, an extension dearer than the opening, numbers beyond 32 bits once scaled.

pub mod decimal;
mod gap;
pub mod preset;
pub mod residues;

pub use decimal::Decimal;
pub use gap::GapModel;
pub use residues::{Alphabet, Residues};

use super::{Gap, Mode, Scoring, Stop};
use decimal::common_scale;
use residues::AMBIGUOUS;
use warpseq_engine::error::{Error, Result};

/// What a person says about scores, option by option; `None` is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Which ends are free.
    pub mode: Mode,
    /// Where a local traceback stops.
    pub stop: Stop,
    /// What the residues are.
    pub alphabet: Alphabet,
    /// `--match`: the score of two equal residues.
    pub match_: Option<Decimal>,
    /// `--mismatch`: the score of two different residues.
    pub mismatch: Option<Decimal>,
    /// `--gap`: the cost of every symbol of a gap, the same in both conventions.
    pub gap: Option<Decimal>,
    /// `--gap-open`, as `gap_model` has it.
    pub gap_open: Option<Decimal>,
    /// `--gap-extend`.
    pub gap_extend: Option<Decimal>,
    /// How the costs of gaps are counted.
    pub gap_model: GapModel,
}

fn usage<T>(message: String) -> Result<T> {
    Err(Error::Usage(message))
}

impl Rules {
    /// What an executor computes with.
    ///
    /// # Errors
    /// [`Error::Usage`]; see the module.
    pub fn scoring(&self) -> Result<Scoring> {
        let costs = self.costs()?;
        let (match_, mismatch) = self.match_and_mismatch()?;
        let scale = common_scale(&[costs.open, costs.extend, match_, mismatch]);
        let gap = Gap {
            open: scaled("the gap opening", costs.open, scale)?,
            extend: scaled("--gap-extend", costs.extend, scale)?,
        };
        let [equal, different] = [scaled("--match", match_, scale)?, scaled("--mismatch", mismatch, scale)?];
        let residues = self.alphabet.residues();
        let scores = match &self.alphabet {
            Alphabet::Matrix(matrix) => scaled_matrix(&matrix.scores, scale)?,
            alphabet => square(residues.size, |q, t| {
                let wild = *alphabet == Alphabet::Nucleotides && q == usize::from(AMBIGUOUS);
                if q == t && !wild { equal } else { different }
            }),
        };
        let Residues { codes, size, identity, .. } = residues;
        Ok(Scoring { mode: self.mode, stop: self.stop, gap, codes, size, scores, identity, scale })
    }

    /// What `scoring`, made from these rules, is: one line for people, in the numbers they gave, for the head of an output.
    /// It has no tabs and no line end.
    pub fn statement(&self, scoring: &Scoring) -> String {
        let exact = |number: i32| Decimal::of_scaled(number.into(), scoring.scale);
        let mode = match self.mode {
            Mode::Local => "local",
            Mode::Global => "global",
            Mode::Fit => "fit",
            Mode::Overlap => "overlap",
        };
        let stop = if (self.mode, self.stop) == (Mode::Local, Stop::ThroughZero) { " through zero" } else { "" };
        let scores = match &self.alphabet {
            Alphabet::Matrix(matrix) => format!("matrix {}", matrix.name),
            alphabet => {
                let residues = if *alphabet == Alphabet::Literal { "literal" } else { "nucleotides" };
                format!("{residues}, match {}, mismatch {}", exact(scoring.scores[0]), exact(scoring.scores[1]))
            }
        };
        let (open, extend) = (exact(scoring.gap.open), exact(scoring.gap.extend));
        let gap = format!("gap open {open}, extend {extend}: a gap of n symbols costs open + (n - 1) * extend");
        format!("{mode}{stop}, {scores}, {gap}")
    }

    fn match_and_mismatch(&self) -> Result<(Decimal, Decimal)> {
        if let Alphabet::Matrix(matrix) = &self.alphabet {
            return match self.match_.or(self.mismatch) {
                None => Ok((Decimal::ZERO, Decimal::ZERO)),
                Some(_) => usage(format!(
                    "--match and --mismatch mean nothing beside --matrix {}, which has all scores: leave them out",
                    matrix.name
                )),
            };
        }
        let match_ = self.match_.unwrap_or(Decimal::whole(1));
        let mismatch = self.mismatch.unwrap_or(Decimal::whole(-1));
        if match_ <= Decimal::ZERO {
            let right = if match_ == Decimal::ZERO { Decimal::whole(1) } else { -match_ };
            return usage(format!("--match {match_}: a match must score above 0; write --match {right}"));
        }
        if mismatch > Decimal::ZERO {
            return usage(format!(
                "--mismatch {mismatch}: a mismatch is a score and not a cost, so it is not above 0; write --mismatch -{mismatch}"
            ));
        }
        Ok((match_, mismatch))
    }
}

fn scaled(what: &str, number: Decimal, scale: u32) -> Result<i32> {
    let fit = number.scaled(scale);
    fit.ok_or_else(|| {
        Error::Usage(format!(
            "{what} {number} is too large: all scores are multiplied by {scale} to be whole, and must then fit 32 bits; \
             write fewer decimals or smaller scores"
        ))
    })
}

fn scaled_matrix(scores: &[i32], scale: u32) -> Result<Vec<i32>> {
    scores.iter().map(|&score| scaled("the matrix's score", Decimal::whole(score.into()), scale)).collect()
}

fn square(size: usize, score: impl Fn(usize, usize) -> i32) -> Vec<i32> {
    (0..size).flat_map(|q| (0..size).map(move |t| (q, t))).map(|(q, t)| score(q, t)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    /// `match=2 mismatch=-3 gap=2 open=5 extend=2`, any of them.
    fn rules(alphabet: Alphabet, said: &str) -> Rules {
        let value = |key: &str| {
            let word = said.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            word.map(|number| number.parse().unwrap())
        };
        let gap_model = if said.ends_with("blast") { GapModel::Blast } else { GapModel::Affine };
        let (gap, gap_open, gap_extend) = (value("gap"), value("open"), value("extend"));
        let (match_, mismatch) = (value("match"), value("mismatch"));
        Rules { alphabet, match_, mismatch, gap, gap_open, gap_extend, gap_model, ..Rules::default() }
    }

    fn matrix() -> Alphabet {
        Alphabet::Matrix(Matrix::built_in("BLOSUM62").unwrap())
    }

    fn gap(open: i32, extend: i32) -> Gap {
        Gap { open, extend }
    }

    #[test]
    fn defaults_and_conventions() {
        let cases = [
            (Alphabet::Nucleotides, "", gap(2, 2), 1),
            (matrix(), "", gap(11, 1), 1),
            (matrix(), "open=12", gap(12, 1), 1),
            (Alphabet::Nucleotides, "gap=3", gap(3, 3), 1),
            (Alphabet::Nucleotides, "gap=3 blast", gap(3, 3), 1),
            (Alphabet::Nucleotides, "match=2 mismatch=-3 open=5 extend=2 blast", gap(7, 2), 1),
            (matrix(), "open=11 extend=1 blast", gap(12, 1), 1),
            (Alphabet::Nucleotides, "open=0 extend=2 blast", gap(2, 2), 1),
            (matrix(), "open=10 extend=0.5", gap(20, 1), 2),
            (Alphabet::Nucleotides, "match=0.2 mismatch=-0.5 gap=1", gap(10, 10), 10),
        ];
        for (alphabet, said, want, scale) in cases {
            let scoring = rules(alphabet, said).scoring().unwrap();
            assert_eq!((scoring.gap, scoring.scale), (want, scale), "{said}");
        }
    }

    #[test]
    fn scores_of_residues() {
        let scoring = rules(Alphabet::Nucleotides, "match=2 mismatch=-3").scoring().unwrap();
        let cases =
            [(b'A', b'a', 2), (b'U', b'T', 2), (b'A', b'C', -3), (b'N', b'N', -3), (b'N', b'A', -3), (b'G', b'R', -3)];
        for (query, target, want) in cases {
            assert_eq!(scoring.score(query, target), want);
            assert_eq!(scoring.equal(query, target), want == 2);
        }
        let scoring = rules(Alphabet::Literal, "").scoring().unwrap();
        assert_eq!([(b'N', b'N'), (b'a', b'A'), (b'-', b'-')].map(|(q, t)| scoring.score(q, t)), [1, -1, 1]);
        let scoring = rules(matrix(), "extend=0.5").scoring().unwrap();
        assert_eq!([(b'W', b'w'), (b'U', b'A'), (b'U', b'U')].map(|(q, t)| scoring.score(q, t)), [22, 0, -2]);
        assert!(scoring.equal(b'u', b'U') && !scoring.equal(b'U', b'X'));
    }

    #[test]
    fn a_matrix_has_the_query_in_its_rows() {
        let own = Matrix { name: "own".into(), residues: b"AC".to_vec(), scores: vec![1, 2, -3, 4] };
        let scoring = rules(Alphabet::Matrix(own), "").scoring().unwrap();
        assert_eq!((scoring.score(b'A', b'C'), scoring.score(b'C', b'A')), (2, -3));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_the_right_spelling() {
        let cases = [
            ("match=0", "write --match 1"),
            ("match=-2", "write --match 2"),
            ("match=2 mismatch=3", "write --mismatch -3"),
            ("gap=-2", "write --gap 2"),
            ("gap=0", "write --gap 1"),
            ("open=-5 extend=1", "write --gap-open 5"),
            ("open=0 extend=1", "write --gap-open 1"),
            ("open=5 extend=-0.5", "write --gap-extend 0.5"),
            ("open=0 extend=0 blast", "write --gap-extend 1"),
            ("open=2 extend=5", "write --gap-open 5 --gap-extend 2 if"),
            ("open=1", "write --gap-open 1 --gap-extend 1"),
            ("extend=3", "write --gap-open 3 --gap-extend 3"),
            ("gap=2 extend=1", "leave it out, or them"),
            ("open=5 blast", "give both"),
            ("blast", "give both"),
            ("match=999999999 mismatch=-0.001", "--match 999999999 is too large: all scores are multiplied by 1000 "),
        ];
        for (said, advice) in cases {
            let error = rules(Alphabet::Nucleotides, said).scoring().unwrap_err();
            assert_eq!(error.exit_code(), 2, "{said}");
            assert!(error.to_string().contains(advice), "{said}: {error}");
        }
        for said in ["match=2", "mismatch=-1"] {
            let error = rules(matrix(), said).scoring().unwrap_err().to_string();
            assert!(error.contains("--matrix BLOSUM62"), "{error}");
        }
        assert_eq!(rules(Alphabet::Nucleotides, "mismatch=0").scoring().unwrap().score(b'A', b'C'), 0);
    }

    #[test]
    fn statements() {
        let cases = [
            (Alphabet::Nucleotides, "", "local, nucleotides, match 1, mismatch -1, gap open 2, extend 2"),
            (matrix(), "open=10 extend=0.5", "local, matrix BLOSUM62, gap open 10, extend 0.5"),
            (Alphabet::Literal, "open=5 extend=2 blast", "local, literal, match 1, mismatch -1, gap open 7, extend 2"),
        ];
        for (alphabet, said, want) in cases {
            let rules = rules(alphabet, said);
            let statement = rules.statement(&rules.scoring().unwrap());
            assert_eq!(statement, format!("{want}: a gap of n symbols costs open + (n - 1) * extend"));
        }
        let rules = Rules { mode: Mode::Fit, stop: Stop::ThroughZero, ..Rules::default() };
        assert!(rules.statement(&rules.scoring().unwrap()).starts_with("fit, nucleotides"));
        let rules = Rules { stop: Stop::ThroughZero, ..Rules::default() };
        assert!(rules.statement(&rules.scoring().unwrap()).starts_with("local through zero, nucleotides"));
    }
}
