//! What a task works on: a stretch of the flat batch, encoded, and the exact test of one candidate.

use super::alphabet::Alphabet;
use super::plan::{Plan, Query};
use std::ops::Range;
use warpseq_seq::iupac::WILD;

/// Padding behind the encoded symbols: a block of 64 positions, its windows and its probes may all be read.
const PADDING: usize = 128;
/// Symbols compared between two checks of the outcome.
const CHUNK: usize = 64;

/// Encoded symbols of a stretch of the batch. Positions in here count from its first symbol.
#[derive(Default)]
pub struct Segment {
    /// Where the stretch begins in the batch.
    pub first: usize,
    /// The positions this task owns.
    pub owned: Range<usize>,
    /// Symbols without padding.
    pub length: usize,
    /// Symbols, then padding.
    pub symbols: Vec<u8>,
    /// Digits, then padding: [`WILD`] for symbols that are wild, `-` and padding.
    pub digits: Vec<u8>,
    /// Entry k: wild digits before symbol 64 k.
    wild: Vec<usize>,
}

impl Segment {
    /// Encodes the positions `owned` of `bases`, and as much on both sides as the matches that they own can cover.
    pub fn encode<A: Alphabet>(&mut self, bases: &[u8], owned: Range<usize>, plan: &Plan) {
        self.first = owned.start.saturating_sub(plan.before);
        let covered = &bases[self.first..bases.len().min(owned.end + plan.after)];
        self.owned = owned.start - self.first..owned.end - self.first;
        self.length = covered.len();
        self.symbols.clear();
        self.symbols.extend(covered.iter().map(|&base| plan.symbols[base as usize]));
        self.symbols.resize(self.length + PADDING, A::PADDING);
        self.digits.clear();
        self.digits.extend(covered.iter().map(|&base| A::DIGITS[base as usize]));
        self.digits.resize(self.length + PADDING, WILD);
        self.wild.clear();
        self.wild.push(0);
        self.wild.extend(self.digits.chunks_exact(CHUNK).scan(0, |wild, chunk| {
            *wild += count_wild(chunk, chunk);
            Some(*wild)
        }));
    }

    /// A lower bound on the wild symbols in `range`: those of its whole blocks of 64.
    pub fn wild_at_least(&self, range: Range<usize>) -> usize {
        let (from, to) = (range.start.div_ceil(CHUNK), range.end / CHUNK);
        if from < to { self.wild[to] - self.wild[from] } else { 0 }
    }

    /// The run of wild digits around position `at`, which is one.
    pub fn run(&self, at: usize) -> Range<usize> {
        let before = self.digits[..at].iter().rev().take_while(|&&digit| digit == WILD).count();
        let after = self.digits[at..].iter().take_while(|&&digit| digit == WILD).count();
        at - before..at + after
    }

    /// The wild positions of `query` at `start`, if it matches there with few enough. `start + query.len()` lies inside.
    pub fn verify<A: Alphabet>(&self, query: &Query, start: usize) -> Option<u32> {
        let end = start + query.len();
        if self.wild_at_least(start..end) > query.wild_limit || !matches::<A>(&self.symbols[start..end], &query.symbols)
        {
            return None;
        }
        let pairs = self.digits[start..end].chunks(CHUNK).zip(query.digits.chunks(CHUNK));
        let wild = pairs.map(|(s, q)| count_wild(s, q)).sum::<usize>();
        (wild <= query.wild_limit).then_some(wild as u32)
    }
}

/// Whether all pairs are compatible.
#[inline(always)]
fn matches<A: Alphabet>(sequence: &[u8], query: &[u8]) -> bool {
    let (sequence, sequence_rest) = sequence.as_chunks::<CHUNK>();
    let (query, query_rest) = query.as_chunks::<CHUNK>();
    let agree = |s: &[u8], q: &[u8]| s.iter().zip(q).fold(true, |all, (&s, &q)| all & A::compatible(s, q));
    sequence.iter().zip(query).all(|(s, q)| agree(s, q)) && agree(sequence_rest, query_rest)
}

/// Pairs of which either is wild, of at most 64.
#[inline(always)]
fn count_wild(sequence: &[u8], query: &[u8]) -> usize {
    usize::from(sequence.iter().zip(query).map(|(&s, &q)| u8::from((s == WILD) | (q == WILD))).sum::<u8>())
}
