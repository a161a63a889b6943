//! Residues as the lanes see them: a few codes, for those residues that occur.
//!
//! Most scorings only tell equal residues from different ones, once those that do not occur are left out. Then each residue has
//! a class, the score is one comparison, and nothing is looked up ([`Scores::Classes`]). Residues that equal none (N of nucleotides) have a class
//! that the other side does not use. Other scorings are a table of what is left of the matrix, with one row and one column
//! more for padding: a pair is shorter than the lanes that it shares.
//!
//! # Why padding is harmless
//!
//! What lies right of and below a pair's last cell cannot flow back. In local mode it must not hold the maximum either:
//! padding scores below 0, as do gaps, so a cell of the padding is worth less than one that it came from, or 0.

use crate::{Batch, Scoring, Sequences};
use rayon::prelude::*;

/// Classes that no residue has: padding, and residues that equal nothing. Those of queries differ from those of targets.
const QUERY_NONE: u16 = 254;
const TARGET_NONE: u16 = 255;
/// Codes of a table that byte shuffles can look up.
pub const SHUFFLED: usize = super::vector::CODES;

/// How residues are scored in one batch.
pub struct Alphabet {
    /// The code of each residue of a query, of a target.
    pub query: [u16; 256],
    pub target: [u16; 256],
    /// The codes that pad queries and targets. With 256 residues in use they are beyond a byte.
    pub padding: [u16; 2],
    pub scores: Scores,
    /// The smallest and the largest score of residues that occur, padding included.
    pub smallest: i64,
    pub largest: i64,
}

/// The score of two codes.
pub enum Scores {
    /// Equal or not.
    Classes { equal: i32, different: i32 },
    /// `table[query code * size + target code]`.
    Table { size: usize, table: Vec<i32>, shuffled: Option<Box<[[i8; SHUFFLED]; SHUFFLED]>> },
}

impl Alphabet {
    /// The alphabet of the residues in a batch.
    pub fn new(batch: &Batch, scoring: &Scoring) -> Self {
        Self::of_codes(scoring, &occurring(batch.queries(), scoring), &occurring(batch.targets(), scoring))
    }

    fn of_codes(scoring: &Scoring, queries: &[u8], targets: &[u8]) -> Self {
        let score = |q: &u8, t: &u8| scoring.scores[usize::from(*q) * scoring.size + usize::from(*t)];
        let all = || queries.iter().flat_map(|q| targets.iter().map(move |t| score(q, t)));
        let padding = all().min().unwrap_or(-1).min(-1);
        let (smallest, largest) = (i64::from(padding), i64::from(all().max().unwrap_or(-1).max(padding)));
        let classes = classes(queries, targets, score);
        let (of_query, of_target, codes, scores) = classes.unwrap_or_else(|| table(queries, targets, score, padding));
        let recode = |codes: &[u8], new: &[u16], none: u16| {
            let new_of = |code: u8| codes.iter().position(|&c| c == code).map_or(none, |k| new[k]);
            std::array::from_fn(|residue| new_of(scoring.codes[residue]))
        };
        let query = recode(queries, &of_query, codes[0]);
        let target = recode(targets, &of_target, codes[1]);
        Self { query, target, padding: codes, scores, smallest, largest }
    }
}

/// The codes that occur in some sequences, in order.
fn occurring(sequences: &Sequences, scoring: &Scoring) -> Vec<u8> {
    let mark = |residues: &[u8]| {
        let mut seen = [false; 256];
        residues.iter().for_each(|&residue| seen[usize::from(residue)] = true);
        seen
    };
    let either = |a: [bool; 256], b: [bool; 256]| std::array::from_fn(|residue| a[residue] | b[residue]);
    let seen = sequences.residues().par_chunks(1 << 16).map(mark).reduce(|| [false; 256], either);
    let mut codes: Vec<u8> = (0..256).filter(|&residue| seen[residue]).map(|residue| scoring.codes[residue]).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// New codes of the query codes and of the target codes, padding, and how they score.
type Recoded = (Vec<u16>, Vec<u16>, [u16; 2], Scores);

/// Classes, if the scores are two, the lower one below 0, and the sets of target codes that query codes equal do not overlap.
fn classes(queries: &[u8], targets: &[u8], score: impl Fn(&u8, &u8) -> i32) -> Option<Recoded> {
    let all = || queries.iter().flat_map(|q| targets.iter().map(|t| score(q, t)));
    let (equal, least) = (all().max()?, all().min()?);
    let different = if least == equal { equal.min(-1) } else { least };
    if different >= 0 || all().any(|score| score != equal && score != different) {
        return None;
    }
    let partners = |q| targets.iter().map(|t| score(q, t) != different).collect();
    let partners: Vec<Vec<bool>> = queries.iter().map(partners).collect();
    let mut sets: Vec<&Vec<bool>> = partners.iter().filter(|set| set.contains(&true)).collect();
    sets.sort_unstable();
    sets.dedup();
    let class = |set| sets.binary_search(&set).map_or(QUERY_NONE, |class| class as u16);
    let of_query = partners.iter().map(class).collect();
    let of_target = (0..targets.len()).map(|k| only(&sets, k)).collect::<Option<_>>()?;
    let fits = sets.len() <= usize::from(QUERY_NONE);
    fits.then_some((of_query, of_target, [QUERY_NONE, TARGET_NONE], Scores::Classes { equal, different }))
}

/// The number of the only set that holds `k`, if there are not several.
fn only(sets: &[&Vec<bool>], k: usize) -> Option<u16> {
    let mut holding = (0..sets.len()).filter(|&set| sets[set][k]);
    let class = holding.next().map_or(TARGET_NONE, |class| class as u16);
    holding.next().is_none().then_some(class)
}

/// A table of the codes that occur. A residue that does not occur shares the code of the padding, and is never looked up.
fn table(queries: &[u8], targets: &[u8], score: impl Fn(&u8, &u8) -> i32, padding: i32) -> Recoded {
    let size = queries.len().max(targets.len()) + 1;
    let mut table = vec![padding; size * size];
    for (k, q) in queries.iter().enumerate() {
        for (l, t) in targets.iter().enumerate() {
            table[k * size + l] = score(q, t);
        }
    }
    let codes = |count: usize| (0..count).map(|code| code as u16).collect();
    let last = [queries.len(), targets.len()].map(|code| code as u16);
    let scores = Scores::Table { size, shuffled: shuffled(size, &table), table };
    (codes(queries.len()), codes(targets.len()), last, scores)
}

/// The table for byte shuffles, if it is small enough and the scores fit.
fn shuffled(size: usize, table: &[i32]) -> Option<Box<[[i8; SHUFFLED]; SHUFFLED]>> {
    let mut rows = Box::new([[0; SHUFFLED]; SHUFFLED]);
    if size > SHUFFLED {
        return None;
    }
    for (k, &score) in table.iter().enumerate() {
        rows[k / size][k % size] = i8::try_from(score).ok()?;
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::tests::{literal, table};

    /// Whether classes are compared. Every two residues score as they should, padding below 0.
    fn compared(scoring: &Scoring, queries: &[u8], targets: &[u8]) -> bool {
        let [q, t] = [queries, targets].map(|residues| [residues].into_iter().collect::<Sequences>());
        let alphabet = Alphabet::new(&Batch::new(&q, &t, &[]), scoring);
        let score = |q: u16, t: u16| match &alphabet.scores {
            Scores::Classes { equal, different } => *if q == t { equal } else { different },
            Scores::Table { size, table, .. } => table[usize::from(q) * size + usize::from(t)],
        };
        for &q in queries {
            for &t in targets {
                let [code_q, code_t] = [alphabet.query[usize::from(q)], alphabet.target[usize::from(t)]];
                assert_eq!(score(code_q, code_t), scoring.score(q, t));
                assert!((alphabet.smallest..=alphabet.largest).contains(&i64::from(scoring.score(q, t))));
                assert!(score(code_q, alphabet.padding[1]) < 0 && score(alphabet.padding[0], code_t) < 0);
            }
        }
        assert!(score(alphabet.padding[0], alphabet.padding[1]) < 0);
        matches!(alphabet.scores, Scores::Classes { .. })
    }

    #[test]
    fn residues_that_are_equal_or_not_are_compared() {
        let all: Vec<u8> = (0..=255).collect();
        assert!(compared(&literal(1, -1, (1, 1)), b"ACGT", b"TGGAN"));
        assert!(compared(&literal(1, -1, (1, 1)), b"A", b"A"));
        assert!(compared(&literal(1, -1, (1, 1)), b"A", b"C"));
        assert!(compared(&literal(1, -1, (1, 1)), &all[..254], &all));
        assert!(!compared(&literal(1, -1, (1, 1)), &all, &all));
        assert!(!compared(&literal(3, 0, (1, 1)), b"AC", b"AC"));
    }

    #[test]
    fn other_residues_are_looked_up() {
        assert!(compared(&table(3, vec![2, -1, 2, -1, 2, -1, 2, -1, 2], (1, 1)), b"ABC", b"ABC"));
        assert!(compared(&table(3, vec![-1, -1, 2, -1, -1, -1, 2, -1, -1], (1, 1)), b"ABC", b"ABC"));
        assert!(!compared(&table(3, vec![2, 2, -1, -1, 2, 2, 2, -1, 2], (1, 1)), b"ABC", b"ABC"));
        assert!(!compared(&table(2, vec![2, -1, -2, 2], (1, 1)), b"AB", b"AB"));
        assert!(compared(&table(2, vec![2, -1, -2, 2], (1, 1)), b"AB", b"B"));
    }
}
