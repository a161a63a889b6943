//! Scores by codes that byte shuffles can look up: one for each residue that queries have and that scores otherwise than others,
//! one for each kind of target residue that these tell apart.

use crate::Scoring;
use crate::cpu::vector::CODES;
use warpseq_seq::Sequences;

/// The code of a target past its end.
pub const PADDING: u8 = CODES as u8 - 1;

/// See the module.
pub struct Table {
    /// The code of each residue of a query.
    query: [u8; 256],
    /// The code of each residue of a target, below [`PADDING`].
    pub target: [u8; 256],
    /// The scores of each code of queries, by the codes of targets.
    pub scores: Vec<[i8; CODES]>,
}

impl Table {
    /// The table for these queries, if there are few enough codes and all scores fit a byte.
    pub fn new<'a>(scoring: &Scoring, queries: impl Iterator<Item = &'a Sequences>) -> Option<Self> {
        let mut occurs = [false; 256];
        for residue in queries.flat_map(Sequences::residues) {
            occurs[usize::from(scoring.codes[usize::from(*residue)])] = true;
        }
        let row = |code: usize| &scoring.scores[code * scoring.size..][..scoring.size];
        let (query, rows) = kinds((0..scoring.size).map(|code| occurs[code].then(|| row(code))));
        let column = |code: usize| rows.iter().map(|row| row[code]).collect::<Vec<i32>>();
        let (target, columns) = kinds((0..scoring.size).map(|code| Some(column(code))));
        if rows.len() > CODES || columns.len() > usize::from(PADDING) {
            return None;
        }
        let mut scores = vec![[i8::MIN; CODES]; rows.len()];
        for (column, of_column) in columns.iter().enumerate() {
            for (scores, &score) in scores.iter_mut().zip(of_column) {
                scores[column] = i8::try_from(score).ok()?;
            }
        }
        let coded = |kinds: &[usize]| scoring.codes.map(|code| kinds[usize::from(code)] as u8);
        Some(Self { query: coded(&query), target: coded(&target), scores })
    }

    /// Queries as codes, all residues one after another.
    pub fn code(&self, queries: &Sequences) -> Vec<u8> {
        queries.residues().iter().map(|&residue| self.query[usize::from(residue)]).collect()
    }
}

/// The different ones of some items, and the number among them of each item; 0 for none.
fn kinds<T: PartialEq>(items: impl Iterator<Item = Option<T>>) -> (Vec<usize>, Vec<T>) {
    let mut kinds: Vec<T> = Vec::new();
    let number = |item: Option<T>| {
        let Some(item) = item else { return 0 };
        kinds.iter().position(|kind| *kind == item).unwrap_or_else(|| {
            kinds.push(item);
            kinds.len() - 1
        })
    };
    (items.map(number).collect(), kinds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::tests::{literal, table};

    /// Whether there is a table, which then has the scores of the scoring, and padding below all.
    fn agrees(scoring: &Scoring, queries: &[u8], targets: &[u8]) -> bool {
        let sequences = Sequences::from_iter([queries]);
        let Some(table) = Table::new(scoring, [&sequences].into_iter()) else { return false };
        for (&query, code) in queries.iter().zip(table.code(&sequences)) {
            let scores = &table.scores[usize::from(code)];
            for &target in targets {
                let code = usize::from(table.target[usize::from(target)]);
                assert_eq!(i32::from(scores[code]), scoring.score(query, target));
            }
            assert_eq!(scores[usize::from(PADDING)], i8::MIN);
        }
        true
    }

    #[test]
    fn residues_that_score_alike_share_a_code() {
        let all: Vec<u8> = (0..=255).collect();
        let any = |size: usize| table(size, (0..size * size).map(|k| (k * 7 % 251) as i32 - 125).collect(), (3, 1));
        assert!(agrees(&literal(1, -1, (1, 1)), b"ACGTNACGT", &all));
        assert!(agrees(&literal(1, -1, (1, 1)), &all[..30], &all));
        assert!(!agrees(&literal(1, -1, (1, 1)), &all[..31], &all));
        assert!(agrees(&literal(1, -1, (1, 1)), b"", &all));
        assert!(agrees(&literal(127, -128, (1, 1)), b"AC", &all));
        assert!(!agrees(&literal(128, -1, (1, 1)), b"AC", &all));
        assert!(!agrees(&literal(1, -129, (1, 1)), b"AC", &all));
        assert!(agrees(&any(31), &all[65..96], &all[65..96]));
        assert!(!agrees(&any(32), &all[65..97], &all[65..97]));
        assert!(agrees(&literal(1, -1000, (1, 1)), b"", b"AC"));
    }
}
