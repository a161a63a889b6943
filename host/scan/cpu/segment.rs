//! What a task works on: a stretch of the flat batch, encoded, and the exact test of one candidate.
//!
//! Nearly all bases are upper-case A, C, G, T and N. Where 64 in a row are, they are encoded by comparisons that compile to vector
//! code; a table encodes the others.

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
    #[inline(always)]
    pub fn encode<A: Alphabet>(&mut self, bases: &[u8], owned: Range<usize>, plan: &Plan) {
        self.first = owned.start.saturating_sub(plan.before);
        let covered = &bases[self.first..bases.len().min(owned.end + plan.after)];
        self.owned = owned.start - self.first..owned.end - self.first;
        self.length = covered.len();
        self.symbols.resize(self.length + PADDING, 0);
        self.digits.resize(self.length + PADDING, 0);
        let (symbols, padding) = self.symbols.split_at_mut(self.length);
        padding.fill(A::PADDING);
        let (digits, padding) = self.digits.split_at_mut(self.length);
        padding.fill(WILD);
        for at in (0..covered.len()).step_by(CHUNK) {
            let chunk = at..covered.len().min(at + CHUNK);
            encode::<A>(&covered[chunk.clone()], &mut symbols[chunk.clone()], &mut digits[chunk]);
        }
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

/// Encodes at most 64 bases.
#[inline(always)]
fn encode<A: Alphabet>(bases: &[u8], symbols: &mut [u8], digits: &mut [u8]) {
    let whole = (bases.as_array(), symbols.as_mut_array(), digits.as_mut_array());
    if let (Some(bases), Some(symbols), Some(digits)) = whole
        && encode_plain::<A>(bases, symbols, digits)
    {
        return;
    }
    for (&base, (symbol, digit)) in bases.iter().zip(symbols.iter_mut().zip(digits)) {
        (*symbol, *digit) = (A::SYMBOLS[base as usize], A::DIGITS[base as usize]);
    }
}

/// Encodes 64 bases, if they are all upper-case A, C, G, T or N; false otherwise.
#[inline(always)]
fn encode_plain<A: Alphabet>(bases: &[u8; CHUNK], symbols: &mut [u8; CHUNK], digits: &mut [u8; CHUNK]) -> bool {
    let plain = const { [plain::<A>(b'A'), plain::<A>(b'C'), plain::<A>(b'G'), plain::<A>(b'T'), plain::<A>(b'N')] };
    let is = |base: u8, which: usize| u8::from(base == plain[which].0);
    // Sums of ones, in a loop for each array: so all of it compiles to vector code.
    let known = bases.iter().map(|&b| is(b, 0) | is(b, 1) | is(b, 2) | is(b, 3) | is(b, 4)).sum::<u8>();
    if usize::from(known) < CHUNK {
        return false;
    }
    let pick = |base, all: [u8; 5]| (0..5).map(|which| is(base, which) * all[which]).sum::<u8>();
    for (symbol, &base) in symbols.iter_mut().zip(bases) {
        *symbol = pick(base, [plain[0].1, plain[1].1, plain[2].1, plain[3].1, plain[4].1]);
    }
    for (digit, &base) in digits.iter_mut().zip(bases) {
        *digit = pick(base, [plain[0].2, plain[1].2, plain[2].2, plain[3].2, plain[4].2]);
    }
    true
}

/// A base, its symbol and its digit.
const fn plain<A: Alphabet>(base: u8) -> (u8, u8, u8) {
    (base, A::SYMBOLS[base as usize], A::DIGITS[base as usize])
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
