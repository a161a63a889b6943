//! The naive reference of `scan`: the rules written down as plain loops. Tests and `--verify` compare the engines with it.
//!
//! # Definition
//!
//! Signature q of length m matches sequence s of length n at p, 0 <= p <= n - m, when every pair `(s[p+j], q[j])` is compatible:
//!
//! ```text
//! s   A C G N T - A          p = 1: C~C, G~R (R is A or G), N~T         match, 2 wild positions (G~R, N~T)
//! q     C R T                p = 3: N~C, T~R clash
//! ```
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engines: it has its own table of base sets ([`iupac`]), its own reverse complement, and chooses
//! and scores by itself; every start is tried and every pair looked up, until one clashes. The last start is n - m, so
//! no pair lies outside the sequence, and a signature longer than the sequence has no start at all. Each sequence is searched
//! on its own, so nothing can match across two of them.
//!
//! Two ways in: [`Reference`] finds what any other executor finds, [`scan`] goes from signatures to the reported rows.

pub mod iupac;

use super::{Choice, Fraction, Hit, Job, Matching, Options, Pattern, Records, Signature, Strands};
use iupac::{Pair, Relation};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// The naive executor.
pub struct Reference {
    relation: Relation,
    patterns: Vec<Pattern>,
}

impl Reference {
    /// Searches `patterns` by the wildcard rule of `options`; nothing else of the options matters here.
    pub fn new(options: &Options, patterns: Vec<Pattern>) -> Self {
        Self { relation: Relation::new(options.wildcards), patterns }
    }
}

impl Executor<Matching> for Reference {
    fn compute(&mut self, Job { batch, most }: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        let mut hits = Vec::new();
        for sequence in 0..batch.len() {
            for (index, pattern) in self.patterns.iter().enumerate() {
                for (start, wild) in matches(&self.relation, batch.sequence(sequence), pattern.bases()) {
                    if wild <= pattern.wild_limit() {
                        hits.push(Hit { sequence: sequence as u32, pattern: index as u32, start, wild });
                    }
                }
            }
        }
        *output = Some(hits).filter(|hits| hits.len() <= most);
        Ok(())
    }
}

/// One reported match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// Index of the sequence in the batch.
    pub sequence: u32,
    /// Index of the signature.
    pub signature: u32,
    /// Whether the signature's reverse complement lies here.
    pub reverse: bool,
    /// First symbol of the match in the sequence.
    pub start: u64,
    /// One past its last symbol.
    pub end: u64,
    /// Sum of the Phred scores under the match: mean_phred is this over `end - start`. `None` without qualities.
    pub phred_sum: Option<i64>,
    /// Positions at which both symbols are single bases.
    pub informative: u32,
    /// The other positions.
    pub wild: u32,
    /// Sum of the sequence's Phred scores modulo 97, never negative. `None` without qualities.
    pub integrity_hash: Option<u32>,
}

/// Everything `scan` reports, in order: sequences, within them signatures, within them matches by start, `+` first.
pub fn scan(signatures: &[Signature], batch: &Records, options: &Options) -> Vec<Row> {
    let search = Search { relation: Relation::new(options.wildcards), batch, options };
    let patterns = patterns(signatures, options);
    let mut rows = Vec::new();
    for sequence in 0..batch.len() {
        for signature in 0..signatures.len() {
            let mut found = Vec::new();
            for pattern in patterns.iter().filter(|pattern| pattern.signature() as usize == signature) {
                search.add_rows(pattern, sequence, &mut found);
            }
            found.sort_by_key(|row| (row.start, row.reverse));
            choose(&found, options.choice, &mut rows);
        }
    }
    rows
}

/// The patterns to search for: by signature, forward before reverse. A signature equal to its reverse complement, as symbols
/// and not as bytes (`u` is `T`), lies on both strands at once and is searched forward only, whichever strand is asked for.
pub fn patterns(signatures: &[Signature], options: &Options) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (index, signature) in signatures.iter().enumerate() {
        let forward = signature.bases();
        let reverse = iupac::reverse_complement(forward, options.wildcards);
        let wild_limit = most_wild(forward.len(), options.max_n_frac);
        let palindrome = iupac::same(forward, &reverse, options.wildcards);
        if options.strands != Strands::Reverse || palindrome {
            patterns.push(Pattern::new(index as u32, false, forward.to_vec(), wild_limit));
        }
        if options.strands != Strands::Forward && !palindrome {
            patterns.push(Pattern::new(index as u32, true, reverse, wild_limit));
        }
    }
    patterns
}

/// The largest count of wild positions that is not more than `max_n_frac * length`.
fn most_wild(length: usize, max_n_frac: Fraction) -> u32 {
    let (numerator, denominator) = (max_n_frac.numerator() as u128, Fraction::DENOMINATOR as u128);
    let mut most = 0;
    while most < length && (most + 1) as u128 * denominator <= numerator * length as u128 {
        most += 1;
    }
    most as u32
}

/// Every start at which `pattern` matches `sequence`, and the wild positions there.
fn matches(relation: &Relation, sequence: &[u8], pattern: &[u8]) -> Vec<(u64, u32)> {
    let starts = 0..(sequence.len() + 1).saturating_sub(pattern.len());
    starts
        .filter_map(|start| {
            let wild = wild_positions(relation, &sequence[start..start + pattern.len()], pattern)?;
            Some((start as u64, wild))
        })
        .collect()
}

/// The wild positions when all pairs are compatible. Four pairs are looked up before asking whether one clashes: asking at
/// each, which is hard to predict, was 1.4 times slower at 0 to 10 % `N` (and as fast at 50 %).
fn wild_positions(relation: &Relation, place: &[u8], pattern: &[u8]) -> Option<u32> {
    let (fours, rest) = place.as_chunks::<4>();
    let (pattern_fours, pattern_rest) = pattern.as_chunks::<4>();
    let mut wild = 0;
    for (sequence, pattern) in fours.iter().zip(pattern_fours) {
        wild += wild_of_some(relation, sequence, pattern)?;
    }
    Some(wild + wild_of_some(relation, rest, pattern_rest)?)
}

#[inline(always)]
fn wild_of_some(relation: &Relation, sequence: &[u8], pattern: &[u8]) -> Option<u32> {
    let (mut wild, mut clashes) = (0, 0);
    for (&s, &q) in sequence.iter().zip(pattern) {
        let pair = relation.of(s, q);
        clashes += u32::from(pair == Pair::Clash);
        wild += u32::from(pair == Pair::Wild);
    }
    (clashes == 0).then_some(wild)
}

struct Search<'a> {
    relation: Relation,
    batch: &'a Records,
    options: &'a Options,
}

impl Search<'_> {
    /// Adds the scored matches of one pattern in one sequence.
    fn add_rows(&self, pattern: &Pattern, sequence: usize, found: &mut Vec<Row>) {
        let length = pattern.bases().len();
        let wild_limit = most_wild(length, self.options.max_n_frac);
        let quality = self.batch.quality(sequence);
        let integrity_hash = quality.map(|bytes| self.phred_sum(bytes).rem_euclid(97) as u32);
        for (start, wild) in matches(&self.relation, self.batch.sequence(sequence), pattern.bases()) {
            if wild > wild_limit {
                continue;
            }
            let end = start + length as u64;
            found.push(Row {
                sequence: sequence as u32,
                signature: pattern.signature(),
                reverse: pattern.is_reverse(),
                start,
                end,
                phred_sum: quality.map(|bytes| self.phred_sum(&bytes[start as usize..end as usize])),
                informative: length as u32 - wild,
                wild,
                integrity_hash,
            });
        }
    }

    fn phred_sum(&self, bytes: &[u8]) -> i64 {
        bytes.iter().map(|&byte| i64::from(byte) - i64::from(self.options.phred.offset())).sum()
    }
}

/// Adds the reported ones of `found`, which holds all matches of one (sequence, signature) by start, `+` first.
fn choose(found: &[Row], choice: Choice, rows: &mut Vec<Row>) {
    match choice {
        Choice::All => rows.extend_from_slice(found),
        Choice::First => rows.extend(found.first()),
        Choice::Best => {
            let mut best: Option<&Row> = None;
            for row in found {
                let worth = |row: &Row| row.phred_sum.unwrap_or(i64::from(row.informative));
                if best.is_none_or(|best| worth(row) > worth(best)) {
                    best = Some(row);
                }
            }
            rows.extend(best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wildcards;

    #[test]
    fn the_picture_of_the_module() {
        let relation = Relation::new(Wildcards::Iupac);
        assert_eq!(matches(&relation, b"ACGNT-A", b"CRT"), [(1, 2)]);
    }

    #[test]
    fn the_last_start_and_the_signature_that_does_not_fit() {
        let relation = Relation::new(Wildcards::N);
        assert_eq!(matches(&relation, b"ACAC", b"AC"), [(0, 0), (2, 0)]);
        assert_eq!(matches(&relation, b"AC", b"AC"), [(0, 0)]);
        assert_eq!(matches(&relation, b"AC", b"ACA"), []);
        assert_eq!(matches(&relation, b"", b"N"), []);
    }

    #[test]
    fn most_wild_positions_agree_with_the_options() {
        for length in 1..200 {
            for max_n_frac in [0.0, 0.1, 0.29, 0.3, 0.5, 0.57, 0.7, 0.9, 1.0].map(Fraction::printed) {
                let options = Options { max_n_frac, ..Options::default() };
                assert_eq!(most_wild(length, max_n_frac), options.wild_limit(length), "{max_n_frac} of {length}");
            }
        }
    }
}
