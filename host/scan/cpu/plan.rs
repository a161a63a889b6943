//! How each pattern is searched, decided once from the first batch.

use super::Algorithm;
use super::alphabet::Alphabet;
use crate::Pattern;
use crate::anchor::{Anchor, Bitmap, FOLLOWING, Frequencies, Table, WINDOW, agreeing};
use rayon::prelude::*;
use warpseq_seq::iupac::WILD;

/// Symbols that are compared before a candidate is looked at any further.
pub const PROBE: usize = 16;

/// List entries that `Algorithm::Auto` builds, 128 MB; patterns beyond go to brute force.
const MOST_ENTRIES: u64 = 1 << 25;
/// Candidates per position above which brute force is the faster way for a pattern.
const CROWDED: f64 = 0.1;

/// A pattern, encoded.
pub struct Query {
    /// Index of the pattern.
    pub pattern: u32,
    pub symbols: Vec<u8>,
    pub digits: Vec<u8>,
    pub wild_limit: usize,
}

impl Query {
    /// Encodes the patterns, less those that can never match: too many wild symbols of their own.
    pub fn all<A: Alphabet>(patterns: &[Pattern]) -> Vec<Self> {
        let encode = |(k, pattern): (usize, &Pattern)| {
            let digits: Vec<u8> = pattern.bases().iter().map(|&base| A::DIGITS[base as usize]).collect();
            let symbols = pattern.bases().iter().map(|&base| A::pattern_symbol(base)).collect();
            let wild_limit = pattern.limits().wild as usize;
            let possible = digits.iter().filter(|&&digit| digit == WILD).count() <= wild_limit;
            possible.then_some(Self { pattern: k as u32, symbols, digits, wild_limit })
        };
        patterns.par_iter().enumerate().filter_map(encode).collect()
    }

    /// Symbols of the pattern.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// How deep in a run of wild symbols of a sequence the anchor must lie, on either side, for the run to exceed the limit: the
    /// least d with min(offset, d) + min(len - offset, d) > wild_limit. `None` when no run can.
    fn depth(&self, offset: usize) -> Option<usize> {
        let short = offset.min(self.len() - offset);
        let needed = self.wild_limit + 1;
        (needed <= self.len()).then_some(if needed <= 2 * short { needed.div_ceil(2) } else { needed - short })
    }
}

/// An anchored pattern.
pub struct Anchored {
    /// Index of the query.
    pub query: u32,
    /// Symbols of the query before the anchor.
    pub offset: usize,
    /// The symbols that follow the anchor, and padding.
    pub probe: [u8; PROBE],
}

/// What the tasks share.
pub struct Plan {
    /// In the order of the table's lists.
    pub anchored: Vec<Anchored>,
    pub table: Table,
    /// The codes that agree with the first window behind an anchor, and those that agree with the second.
    pub followed: [Bitmap; FOLLOWING],
    /// Queries that are searched by brute force.
    pub brute: Vec<u32>,
    /// The furthest a match begins before the position that owns it, in symbols.
    pub before: usize,
    /// The furthest a match ends after that position.
    pub after: usize,
    /// At a position with that many wild symbols before it, and from it on, no anchored pattern matches.
    pub depth: Option<usize>,
}

impl Plan {
    /// Decides for all queries by how often windows occur in `bases`.
    pub fn new<A: Alphabet>(queries: &[Query], bases: &[u8], algorithm: Algorithm) -> Self {
        let frequencies = Frequencies::of(bases, A::DIGITS);
        let anchors: Vec<Anchor> = queries.par_iter().map(|query| frequencies.rarest(&query.digits)).collect();
        let (chosen, brute) = divide(&anchors, &frequencies, algorithm);
        let anchored: Vec<Anchored> = chosen.iter().map(|&k| anchored::<A>(k, queries, &anchors)).collect();
        let table = || Table::new(&chosen.iter().map(|&k| anchors[k as usize]).collect::<Vec<_>>());
        let (table, followed) = rayon::join(table, || [1, 2].map(|window| following(&anchored, queries, window)));
        let query = |a: &Anchored| &queries[a.query as usize];
        let before = anchored.iter().map(|a| a.offset).max().unwrap_or(0);
        let tails = anchored.iter().map(|a| query(a).len() - a.offset);
        let after = tails.chain(brute.iter().map(|&k| queries[k as usize].len())).max().unwrap_or(0);
        let depth = anchored.iter().map(|a| query(a).depth(a.offset)).try_fold(0, |most, d| Some(d?.max(most)));
        Self { anchored, table, followed, brute, before, after, depth }
    }
}

fn anchored<A: Alphabet>(query: u32, queries: &[Query], anchors: &[Anchor]) -> Anchored {
    let offset = anchors[query as usize].offset;
    let mut probe = [A::PADDING; PROBE];
    let rest = queries[query as usize].symbols.get(offset + WINDOW..).unwrap_or_default();
    let length = rest.len().min(PROBE);
    probe[..length].copy_from_slice(&rest[..length]);
    Anchored { query, offset, probe }
}

/// The codes that agree with what lies so many windows behind one of the anchors.
fn following(anchored: &[Anchored], queries: &[Query], windows: usize) -> Bitmap {
    let code = |a: &Anchored| Anchor::at(&queries[a.query as usize].digits, a.offset + windows * WINDOW).code();
    let mut bitmap = Bitmap::default();
    let counts = agreeing(anchored.iter().map(code));
    (0..).zip(counts).filter(|&(_, count)| count > 0).for_each(|(code, _)| bitmap.add(code));
    bitmap
}

/// The queries for the table and those for brute force. The table takes those with the fewest entries first.
fn divide(anchors: &[Anchor], frequencies: &Frequencies, algorithm: Algorithm) -> (Vec<u32>, Vec<u32>) {
    let (mut left, crowded) = match algorithm {
        Algorithm::Auto => (MOST_ENTRIES, CROWDED),
        Algorithm::Anchor => (u64::from(u32::MAX), f64::INFINITY),
        Algorithm::Brute => (0, 0.0),
    };
    let mut order: Vec<u32> = (0..anchors.len() as u32).collect();
    order.sort_by_key(|&k| anchors[k as usize].entries());
    order.into_iter().partition(|&k| {
        let anchor = &anchors[k as usize];
        let taken = anchor.entries() <= left && frequencies.share(anchor) <= crowded;
        left -= if taken { anchor.entries() } else { 0 };
        taken
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_the_least_that_exceeds_the_limit() {
        for (length, limit) in [(1, 0), (7, 3), (8, 8), (20, 10), (20, 19), (33, 0), (33, 2)] {
            let query = Query { pattern: 0, symbols: vec![1; length], digits: vec![0; length], wild_limit: limit };
            for offset in 0..length {
                let covered = |d: &usize| offset.min(*d) + (length - offset).min(*d);
                assert_eq!(query.depth(offset), (0..=length).find(|d| covered(d) > limit), "{length} {limit} {offset}");
            }
        }
    }
}
