//! The naive reference of `scan`: the rules written down as plain loops. Tests and `--verify` compare the engines with it.
//!
//! # Definition
//!
//! Signature q of length m matches sequence s of length n at p, 0 <= p <= n - m, when no more pairs `(s[p+j], q[j])` than its limits
//! allow are incompatible (mismatches) or compatible without being two equal single bases (wild):
//!
//! ```text
//! s   A C G N T - A          p = 1: C~C, G~R (R is A or G), N~T         match, 2 wild positions (G~R, N~T)
//! q     C R T                p = 3: N~C, T~R clash
//! ```
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engines: it has its own table of base sets ([`iupac`]), its own reverse complement, and chooses
//! and scores by itself; every start is tried and every pair looked up, until too many clash. The last start is n - m, so
//! no pair lies outside the sequence, and a signature longer than the sequence has no start at all. Each sequence is searched
//! on its own, so nothing can match across two of them. A circular sequence is one whose symbols are looked up at their index modulo
//! n: with it, p < n and m <= n are all there is to ask.
//!
//! Two ways in: [`Reference`] finds what any other executor finds, [`scan`] goes from signatures to the reported rows.

pub mod iupac;

use super::{Choice, Fraction, Hit, Job, Limits, Matching, Mismatches, Options, Pattern, Records, Signature, Strands};
use iupac::{Pair, Relation};
use std::borrow::Cow;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// The naive executor.
pub struct Reference {
    relation: Relation,
    circular: bool,
    patterns: Vec<Pattern>,
}

impl Reference {
    /// Searches `patterns` by the wildcard rule of `options`, in lines or circles; nothing else of the options matters here.
    pub fn new(options: &Options, patterns: Vec<Pattern>) -> Self {
        Self { relation: Relation::new(options.wildcards), circular: options.circular, patterns }
    }
}

impl Executor<Matching> for Reference {
    fn compute(&mut self, Job { batch, most, .. }: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        let mut hits = Vec::new();
        for sequence in 0..batch.len() {
            for (index, pattern) in self.patterns.iter().enumerate() {
                for (start, found) in matches(&self.relation, batch.sequence(sequence), self.circular, pattern) {
                    let Limits { wild, mismatches } = found;
                    hits.push(Hit { sequence: sequence as u32, pattern: index as u32, start, wild, mismatches });
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
    /// One past its last symbol, counted on over the end of a circular sequence.
    pub end: u64,
    /// Sum of the Phred scores under the match: mean_phred is this over `end - start`. `None` without qualities.
    pub phred_sum: Option<i64>,
    /// Positions at which both symbols are single bases.
    pub informative: u32,
    /// Compatible positions at which either symbol is not a single base.
    pub wild: u32,
    /// Positions at which the symbols are not compatible.
    pub mismatches: u32,
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
        let limits = limits(forward.len(), options);
        let palindrome = iupac::same(forward, &reverse, options.wildcards);
        if options.strands != Strands::Reverse || palindrome {
            patterns.push(Pattern::new(index as u32, false, forward.to_vec(), limits));
        }
        if options.strands != Strands::Forward && !palindrome {
            patterns.push(Pattern::new(index as u32, true, reverse, limits));
        }
    }
    patterns
}

/// What a match of a signature of `length` symbols may have.
fn limits(length: usize, options: &Options) -> Limits {
    let mismatches = match options.max_mismatch {
        Mismatches::Count(count) => count,
        Mismatches::Share(share) => most(length, share),
    };
    Limits { wild: most(length, options.max_n_frac), mismatches }
}

/// The largest count that is not more than `share * length`.
fn most(length: usize, share: Fraction) -> u32 {
    let (numerator, denominator) = (share.numerator() as u128, Fraction::DENOMINATOR as u128);
    let mut most = 0;
    while most < length && (most + 1) as u128 * denominator <= numerator * length as u128 {
        most += 1;
    }
    most as u32
}

/// Every start at which `pattern` matches `sequence` within its limits, and its positions there that are not informative.
fn matches(relation: &Relation, sequence: &[u8], circular: bool, pattern: &Pattern) -> Vec<(u64, Limits)> {
    let length = pattern.bases().len();
    let starts = match circular {
        true if length <= sequence.len() => 0..sequence.len(),
        _ => 0..(sequence.len() + 1).saturating_sub(length),
    };
    let found = |start: usize| count(relation, &around(sequence, start, length), pattern);
    starts.filter_map(|start| Some((start as u64, found(start)?))).collect()
}

/// So many of `items`, from `start` on and after the last again from the first.
fn around(items: &[u8], start: usize, length: usize) -> Cow<'_, [u8]> {
    match items.get(start..start + length) {
        Some(inside) => inside.into(),
        None => (start..start + length).map(|at| items[at % items.len()]).collect(),
    }
}

/// The positions that are not informative, when they are within the pattern's limits. Four pairs are looked up before asking
/// for too many mismatches: asking at each, which is hard to predict, was 1.4 times slower at 0 to 10 % `N` (and as fast at
/// 50 %).
fn count(relation: &Relation, place: &[u8], pattern: &Pattern) -> Option<Limits> {
    let (mut found, limits) = (Limits::default(), pattern.limits());
    for (sequence, pattern) in place.chunks(4).zip(pattern.bases().chunks(4)) {
        for (&s, &q) in sequence.iter().zip(pattern) {
            let pair = relation.of(s, q);
            found.mismatches += u32::from(pair == Pair::Clash);
            found.wild += u32::from(pair == Pair::Wild);
        }
        if found.mismatches > limits.mismatches {
            return None;
        }
    }
    (found.wild <= limits.wild).then_some(found)
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
        let quality = self.batch.quality(sequence);
        let integrity_hash = quality.map(|bytes| self.phred_sum(bytes).rem_euclid(97) as u32);
        let bases = self.batch.sequence(sequence);
        for (start, found_there) in matches(&self.relation, bases, self.options.circular, pattern) {
            let Limits { wild, mismatches } = found_there;
            let end = start + length as u64;
            found.push(Row {
                sequence: sequence as u32,
                signature: pattern.signature(),
                reverse: pattern.is_reverse(),
                start,
                end,
                phred_sum: quality.map(|bytes| self.phred_sum(&around(bytes, start as usize, length))),
                informative: length as u32 - wild - mismatches,
                wild,
                mismatches,
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
                let better = |best: &Row| {
                    row.mismatches < best.mismatches || row.mismatches == best.mismatches && worth(row) > worth(best)
                };
                if best.is_none_or(better) {
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

    /// Start, wild positions and mismatches of each match.
    fn starts(relation: &Relation, sequence: &[u8], bases: &[u8], mismatches: u32) -> Vec<(u64, u32, u32)> {
        let pattern = Pattern::new(0, false, bases.to_vec(), Limits { wild: bases.len() as u32, mismatches });
        let found = matches(relation, sequence, false, &pattern);
        found.into_iter().map(|(start, found)| (start, found.wild, found.mismatches)).collect()
    }

    #[test]
    fn the_picture_of_the_module() {
        let relation = Relation::new(Wildcards::Iupac);
        assert_eq!(starts(&relation, b"ACGNT-A", b"CRT", 0), [(1, 2, 0)]);
        assert_eq!(starts(&relation, b"ACGNT-A", b"CRT", 1), [(1, 2, 0), (2, 1, 1)]);
    }

    #[test]
    fn the_last_start_and_the_signature_that_does_not_fit() {
        let relation = Relation::new(Wildcards::N);
        assert_eq!(starts(&relation, b"ACAC", b"AC", 0), [(0, 0, 0), (2, 0, 0)]);
        assert_eq!(starts(&relation, b"AC", b"AC", 0), [(0, 0, 0)]);
        assert_eq!(starts(&relation, b"AC", b"ACA", 0), []);
        assert_eq!(starts(&relation, b"", b"N", 0), []);
    }

    #[test]
    fn a_circle_is_as_long_as_its_sequence() {
        let relation = Relation::new(Wildcards::Iupac);
        let found = |sequence: &[u8], bases: &[u8]| {
            let pattern = Pattern::new(0, false, bases.to_vec(), Limits::default());
            matches(&relation, sequence, true, &pattern).into_iter().map(|(start, _)| start).collect::<Vec<_>>()
        };
        assert_eq!(found(b"ACGT", b"GTA"), [2]);
        assert_eq!(found(b"AAA", b"AAA"), [0, 1, 2]);
        assert_eq!(found(b"AAA", b"AAAA"), [0; 0]);
        assert_eq!(found(b"", b"A"), [0; 0]);
    }

    #[test]
    fn limits_agree_with_the_options() {
        for length in 1..200 {
            for max_n_frac in [0.0, 0.1, 0.29, 0.3, 0.5, 0.57, 0.7, 0.9, 1.0].map(Fraction::printed) {
                let max_mismatch = Mismatches::Share(max_n_frac);
                let options = Options { max_n_frac, max_mismatch, ..Options::default() };
                assert_eq!(limits(length, &options), options.limits(length), "{max_n_frac} of {length}");
            }
        }
    }
}
