//! Which alignments fall short, and have no row.
//!
//! # Definition
//!
//! ```text
//! --min-score S          score >= S
//! --min-identity F       equal columns >= F * columns
//! --min-query-cover F    query_end - query_start >= F * query_length
//! --evalue X             E-value <= X, of alignments with a place
//! ```
//!
//! Decimals are those that were written: 0.9 of 10 columns is 9. What has no columns has identity 0, an empty query cover 0. A
//! local score of 0 is no alignment, and no E-value.
//!
//! # The law
//!
//! Filters only remove rows: an output is that without them, less the rows that fall short. With `--top` the best are taken first.
//! In SAM, the best of what is left becomes the primary record, and a query of which nothing is left is unmapped.
//!
//! Score and lengths tell of the first and of the last; what falls short by these is not aligned with its path.

use super::scoring::Decimal;
use super::statistics::Statistics;
use super::{Alignment, Mode, Op, Scoring};
use warpseq_engine::error::{Error, Result};
use warpseq_seq::Fraction;

/// What an alignment must have, option by option; `None` is not said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thresholds {
    /// `--min-score`.
    pub score: Option<Decimal>,
    /// `--min-identity`.
    pub identity: Option<Fraction>,
    /// `--min-query-cover`.
    pub query_cover: Option<Fraction>,
    /// `--evalue`: above 0.
    pub evalue: Option<f64>,
}

impl Thresholds {
    /// Checks that scores alone can tell what falls short.
    ///
    /// # Errors
    /// [`Error::Usage`] for thresholds of a path.
    pub fn check_without_paths(&self) -> Result<()> {
        let named = [("--min-identity", self.identity), ("--min-query-cover", self.query_cover)];
        match named.iter().find(|(_, threshold)| threshold.is_some()) {
            Some((option, _)) => Err(Error::Usage(format!(
                "{option} looks at the path, which --score-only leaves out: leave out one of them"
            ))),
            None => Ok(()),
        }
    }
}

/// The thresholds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    /// What an alignment must have.
    pub thresholds: Thresholds,
    /// How alignments are scored.
    pub scoring: &'a Scoring,
    /// What an E-value is; there where there is a threshold of E-values.
    pub statistics: Option<&'a Statistics>,
}

impl Filter<'_> {
    /// Whether a score may tell that an alignment falls short.
    pub fn looks_at_scores(&self) -> bool {
        self.thresholds.score.is_some() || self.thresholds.evalue.is_some()
    }

    /// Whether a path may tell that an alignment falls short.
    pub fn looks_at_paths(&self) -> bool {
        self.thresholds.identity.is_some() || self.thresholds.query_cover.is_some()
    }

    /// Whether an alignment of this score does not fall short by it; the lengths are those of query and target.
    pub fn passes_by_score(&self, score: i64, [query, target]: [usize; 2]) -> bool {
        let Thresholds { score: least, evalue: most, .. } = self.thresholds;
        let is_alignment = self.scoring.mode != Mode::Local || score != 0;
        let evalue = || self.statistics.map(|statistics| statistics.evalue(score, query, target));
        least.is_none_or(|least| Decimal::of_scaled(score, self.scoring.scale) >= least)
            && most.is_none_or(|most| is_alignment && evalue().is_some_and(|evalue| evalue <= most))
    }

    /// Whether an alignment falls short of nothing; the lengths are those of query and target.
    pub fn passes(&self, alignment: &Alignment, lengths: [usize; 2]) -> bool {
        let Thresholds { identity, query_cover, .. } = self.thresholds;
        let columns = |is_wanted: fn(Op) -> bool| -> u64 {
            alignment.path.iter().filter(|run| is_wanted(run.op)).map(|run| u64::from(run.length)).sum()
        };
        self.passes_by_score(alignment.score, lengths)
            && identity.is_none_or(|least| reaches(columns(|op| op == Op::Equal), columns(|_| true), least))
            && query_cover
                .is_none_or(|least| reaches(alignment.query.end - alignment.query.start, lengths[0] as u64, least))
    }
}

/// Whether a part of a whole is at least a fraction of it. No part of nothing is 0.
fn reaches(part: u64, whole: u64, least: Fraction) -> bool {
    least.compared_with(part, whole.max(1)).is_ge()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use crate::scoring::Rules;
    use crate::statistics::{Database, Parameters};

    fn alignment(score: i64, query: std::ops::Range<u64>, runs: &[(Op, u32)]) -> Alignment {
        let path = runs.iter().map(|&(op, length)| Run { op, length }).collect();
        Alignment { score, query, target: 0..10, path }
    }

    fn passes(thresholds: Thresholds, alignment: &Alignment, query: usize) -> bool {
        let rules = Rules { gap: Some("2.5".parse().unwrap()), ..Rules::default() };
        let scoring = &rules.scoring().unwrap();
        Filter { thresholds, scoring, statistics: None }.passes(alignment, [query, 10])
    }

    #[test]
    fn limits_are_reached_by_what_is_equal_to_them() {
        let nine_of_ten = alignment(15, 5..14, &[(Op::Equal, 9), (Op::Deletion, 1)]);
        let score = |text: &str| Thresholds { score: Some(text.parse().unwrap()), ..Thresholds::default() };
        // The scale is 2.
        assert!(passes(score("7.5"), &nine_of_ten, 30) && passes(score("-1"), &nine_of_ten, 30));
        assert!(!passes(score("7.500000001"), &nine_of_ten, 30));
        let identity = |text: &str| Thresholds { identity: Some(text.parse().unwrap()), ..Thresholds::default() };
        assert!(
            passes(identity("0.9"), &nine_of_ten, 30) && !passes(identity("0.900000000000000001"), &nine_of_ten, 30)
        );
        let cover = |text: &str| Thresholds { query_cover: Some(text.parse().unwrap()), ..Thresholds::default() };
        assert!(passes(cover("0.3"), &nine_of_ten, 30) && !passes(cover("0.3"), &nine_of_ten, 31));
        assert!(passes(Thresholds::default(), &nine_of_ten, 30));
    }

    #[test]
    fn what_has_no_columns_has_identity_0_and_cover_0() {
        let none = alignment(0, 0..0, &[]);
        for (text, expected) in [("0", true), ("0.000000000000000001", false)] {
            let least = Some(text.parse().unwrap());
            assert_eq!(passes(Thresholds { identity: least, ..Thresholds::default() }, &none, 0), expected);
            assert_eq!(passes(Thresholds { query_cover: least, ..Thresholds::default() }, &none, 0), expected);
        }
    }

    #[test]
    fn an_evalue_passes_up_to_the_limit_and_no_alignment_has_one() {
        let (rules, database) = (Rules::default(), Database { letters: 1_000, targets: 3 });
        let scoring = &rules.scoring().unwrap();
        let statistics = &Statistics::new(Parameters::of(&rules, scoring).unwrap(), database);
        let by_score = |score, evalue| {
            let thresholds = Thresholds { evalue: Some(evalue), ..Thresholds::default() };
            Filter { thresholds, scoring, statistics: Some(statistics) }.passes_by_score(score, [50, 400])
        };
        let evalue = statistics.evalue(20, 50, 400);
        assert!(by_score(20, evalue) && !by_score(19, evalue));
        assert!(by_score(1, f64::INFINITY) && !by_score(0, f64::INFINITY));
    }
}
