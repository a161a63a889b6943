//! From matches to rows: choosing among the matches of one (sequence, signature), scoring, and the integrity hash.
//!
//! This is done once for all executors. The score of a match is the sum over it of (quality - offset), an exact `i64`; all matches of
//! one signature have the same length, so that comparing sums compares means. Rows come in the order of the sequences, then of
//! the signatures, then of starts, `+` before `-`. Sorting the matches in that order once also decides every tie: the first of
//! equally good ones is reported.
//!
//! A sequence with many matches is summed once, block by block (`QualitySums`); each match then adds two ends of less than a
//! block to a difference of two block sums.

mod quality;

use super::pattern::Patterns;
use super::{Choice, Hit, Options, PhredOffset, Records};
use quality::{QualitySums, sum};
use rayon::prelude::*;
use std::cmp::Reverse;

/// A reported match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index in the batch.
    pub sequence: u32,
    /// Index of the signature.
    pub signature: u32,
    /// Whether the signature's reverse complement matched: strand `-`.
    pub reverse: bool,
    /// Symbols of the sequence before the match.
    pub start: u64,
    /// `start` plus the signature's length. A match over the end of a circular sequence ends beyond its length.
    pub end: u64,
    /// Sum of the match's Phred scores; `None` without qualities.
    pub quality_sum: Option<i64>,
    /// Positions at which both symbols are single bases.
    pub informative: u32,
    /// Compatible positions at which either symbol is not a single base.
    pub wild: u32,
    /// Positions at which the symbols are not compatible.
    pub mismatches: u32,
}

impl Row {
    /// The arithmetic mean of the match's Phred scores; `None` without qualities.
    pub fn mean_phred(&self) -> Option<f64> {
        self.quality_sum.map(|sum| sum as f64 / (self.end - self.start) as f64)
    }
}

/// The rows of a batch, in order. `hits` are all its matches, in any order, each once.
pub fn choose(options: &Options, batch: &Records, patterns: Patterns, hits: Vec<Hit>) -> Vec<Row> {
    let all = in_order(options.choice, batch, patterns, &hits);
    drop(hits);
    let of_sequence = |rows: &[Row]| {
        let mut rows = rows.to_vec();
        score(&mut rows, batch, options.phred);
        if options.choice == Choice::Best {
            rows = rows.chunk_by(|a, b| a.signature == b.signature).map(best).collect();
        }
        rows
    };
    all.par_chunk_by(|a, b| a.sequence == b.sequence).flat_map_iter(of_sequence).collect()
}

/// The rows by sequence, signature, start and strand, without scores; of those of one signature the first, where that is what is wanted.
fn in_order(choice: Choice, batch: &Records, patterns: Patterns, hits: &[Hit]) -> Vec<Row> {
    let signature = |hit: &Hit| patterns.signature(hit.pattern);
    let reverse = |hit: &Hit| patterns.is_reverse(hit.pattern);
    let make = |hit: &Hit| unscored(hit, patterns);
    let bits = |most: u64| u64::BITS - most.leading_zeros();
    let starts = bits(batch.sequences().lengths().max().unwrap_or(0));
    let signatures = bits(hits.par_iter().map(signature).max().unwrap_or(0).into());
    if bits(batch.len() as u64) + signatures + starts < u64::BITS {
        let group = |hit: &Hit| u64::from(hit.sequence) << signatures | u64::from(signature(hit));
        let key = |hit: &Hit| (group(hit) << starts | hit.start) << 1 | u64::from(reverse(hit));
        return sorted(hits, choice, key, |key| key >> starts >> 1, make);
    }
    let key = |hit: &Hit| (hit.sequence, signature(hit), hit.start, reverse(hit));
    sorted(hits, choice, key, |(sequence, signature, ..)| (sequence, signature), make)
}

/// Makes rows of hits, by a key that no two share, of which `group` is the part that the matches of one signature share. Each hit is sorted
/// with its key: to make that anew for every comparison would miss the cache, where there are many patterns.
fn sorted<K: Ord + Copy + Send, G: Eq>(
    hits: &[Hit],
    choice: Choice,
    key: impl Fn(&Hit) -> K + Sync,
    group: impl Fn(K) -> G,
    make: impl Fn(&Hit) -> Row + Sync,
) -> Vec<Row> {
    let mut keyed: Vec<(K, usize)> = hits.par_iter().enumerate().map(|(k, hit)| (key(hit), k)).collect();
    keyed.par_sort_unstable_by_key(|&(key, _)| key);
    if choice == Choice::First {
        keyed.dedup_by_key(|&mut (key, _)| group(key));
    }
    keyed.into_par_iter().map(|(_, k)| make(&hits[k])).collect()
}

/// Chooses the one row of each signature, again, among rows of one sequence.
pub fn choose_again(choice: Choice, mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable_by_key(|row| (row.signature, row.start, row.reverse));
    let one = |rows: &[Row]| if choice == Choice::First { rows[0] } else { best(rows) };
    rows.chunk_by(|a, b| a.signature == b.signature).map(one).collect()
}

fn unscored(hit: &Hit, patterns: Patterns) -> Row {
    let length = patterns.length(hit.pattern);
    Row {
        sequence: hit.sequence,
        signature: patterns.signature(hit.pattern),
        reverse: patterns.is_reverse(hit.pattern),
        start: hit.start,
        end: hit.start + length as u64,
        quality_sum: None,
        informative: length as u32 - hit.wild - hit.mismatches,
        wild: hit.wild,
        mismatches: hit.mismatches,
    }
}

/// Fills in the quality sums of rows of one sequence.
fn score(rows: &mut [Row], batch: &Records, phred: PhredOffset) {
    let Some(quality) = rows.first().and_then(|row| batch.quality(row.sequence as usize)) else { return };
    let sums = QualitySums::new(quality, rows.iter().map(|row| row.end - row.start).sum());
    for row in rows {
        let phred_offset = i64::from(phred.offset()) * (row.end - row.start) as i64;
        let over = row.end.saturating_sub(quality.len() as u64);
        let inside = sums.sum(row.start as usize..(row.end - over) as usize);
        row.quality_sum = Some((inside + sums.sum(0..over as usize)) as i64 - phred_offset);
    }
}

/// The best of the matches of one signature in one sequence, which come by start, `+` first: the first of the best.
fn best(rows: &[Row]) -> Row {
    let worth = |row: &Row| (row.quality_sum, if row.quality_sum.is_none() { row.informative } else { 0 });
    *rows.iter().min_by_key(|row| (row.mismatches, Reverse(worth(row)))).expect("a chunk is not empty")
}

/// The integrity hash of a sequence: the sum of its Phred scores modulo 97, 0 to 96; 0 for an empty sequence.
pub fn integrity_hash(quality: &[u8], phred: PhredOffset) -> u8 {
    let phred_sum = sum(quality) as i64 - i64::from(phred.offset()) * quality.len() as i64;
    phred_sum.rem_euclid(97) as u8
}

/// The integrity hash of each row's sequence, row by row; `None` without qualities. A sequence with several rows, which
/// [`choose`] puts together, is hashed once.
pub fn integrity_hashes(options: &Options, batch: &Records, rows: &[Row]) -> Vec<Option<u8>> {
    let of_sequence = |rows: &[Row]| {
        let quality = batch.quality(rows[0].sequence as usize);
        std::iter::repeat_n(quality.map(|quality| integrity_hash(quality, options.phred)), rows.len())
    };
    rows.par_chunk_by(|a, b| a.sequence == b.sequence).flat_map_iter(of_sequence).collect()
}

#[cfg(test)]
mod tests;
