//! What a task works on: a stretch of the flat batch, encoded, and the exact test of one candidate.
//!
//! Nearly all bases are upper-case A, C, G, T and N. Where 64 in a row are, they are encoded by comparisons that compile to vector
//! code; a table encodes the others.

use super::alphabet::Alphabet;
use crate::Limits;
use crate::seeds::plan::{Plan, Queries, Query, TOLD};
use crate::seeds::planes::Planes;
use crate::seeds::{CODES, REACH, WINDOW};
use std::ops::Range;
use warpseq_seq::iupac::WILD;
use warpseq_simd::InstructionSet;

/// Padding behind the encoded symbols: a block of 64 positions and the tiles of a span that begins there may be read.
const PADDING: usize = 512;
const _: () = assert!(PADDING >= 64 + REACH, "codes of all windows at a block are there");
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
    /// Digits: [`WILD`] for symbols that are wild and `-`.
    digits: Vec<u8>,
    /// The digits in planes.
    pub planes: Planes,
    /// Entry k: wild digits before symbol 64 k.
    wild: Vec<usize>,
}

impl Segment {
    /// Encodes the positions `owned` of `bases`, and as much on both sides as the matches that they own can cover, with the instructions of
    /// `set`.
    #[inline(always)]
    pub fn encode<A: Alphabet>(&mut self, bases: &[u8], owned: Range<usize>, (plan, set): (&Plan, InstructionSet)) {
        self.first = owned.start.saturating_sub(plan.before);
        let covered = &bases[self.first..bases.len().min(owned.end + plan.after)];
        self.owned = owned.start - self.first..owned.end - self.first;
        self.length = covered.len();
        self.symbols.resize(self.length + PADDING, 0);
        self.digits.resize(self.length, 0);
        let (symbols, padding) = self.symbols.split_at_mut(self.length);
        padding.fill(A::PADDING);
        for at in (0..covered.len()).step_by(CHUNK) {
            let chunk = at..covered.len().min(at + CHUNK);
            encode::<A>(&covered[chunk.clone()], &mut symbols[chunk.clone()], &mut self.digits[chunk]);
        }
        self.planes.fill(&self.digits, set);
        self.wild.clear();
        self.wild.push(0);
        let words = (0..self.length.div_ceil(CHUNK)).map(|word| self.planes.wild(word * CHUNK).count_ones() as usize);
        self.wild.extend(words.scan(0, |wild, word| {
            *wild += word;
            Some(*wild)
        }));
    }

    /// Wild digits in `range`.
    #[inline]
    pub fn wild(&self, range: Range<usize>) -> usize {
        let before = |at: usize| {
            let below = self.planes.wild(at / CHUNK * CHUNK) & ((1 << (at % CHUNK)) - 1);
            self.wild[at / CHUNK] + below.count_ones() as usize
        };
        before(range.end) - before(range.start)
    }

    /// For each position, the four digits from there on as a number of base 5; wild ones behind the last, as far as [`crate::seeds::Rows`] look.
    #[inline(always)]
    pub fn codes(&self, codes: &mut Vec<u16>) {
        const WILD_ONES: u16 = CODES as u16 - 1;
        let digit = |at: usize| u16::from(self.digits.get(at).copied().unwrap_or(WILD));
        let code = |at: usize| (0..WINDOW).fold(0, |code, k| 5 * code + digit(at + k));
        codes.clear();
        let whole =
            self.digits.windows(WINDOW).map(|window| window.iter().fold(0, |code, &digit| 5 * code + u16::from(digit)));
        codes.extend(whole);
        codes.extend((codes.len()..self.length).map(code));
        codes.resize(self.length + PADDING, WILD_ONES);
    }

    /// The positions of `query` at `start` that are not informative, if they are within its limits. `start + query.length()` lies
    /// inside.
    #[inline(always)]
    pub fn verify<A: Alphabet>(&self, queries: &Queries, query: &Query, start: usize) -> Option<Limits> {
        if let Some([low, high]) = query.planes() {
            let [sequence_low, sequence_high, wild] = self.planes.digits(start as isize);
            let all = u64::MAX >> (64 - query.length());
            if wild & all == 0 {
                let mismatches = (((low ^ sequence_low) | (high ^ sequence_high)) & all).count_ones();
                return (mismatches <= query.limits.mismatches).then_some(Limits { wild: 0, mismatches });
            }
        }
        self.verify_symbols::<A>(queries, query, start)
    }

    /// The same, symbol by symbol.
    fn verify_symbols<A: Alphabet>(&self, queries: &Queries, query: &Query, start: usize) -> Option<Limits> {
        let (range, limits) = (start..start + query.length(), query.limits);
        if self.wild(range.clone()) > limits.wild as usize + limits.mismatches as usize {
            return None;
        }
        let room = &mut [0; TOLD];
        let (symbols, digits) = (queries.symbols(query, room), queries.digits(query));
        let pairs = self.symbols[range.clone()].chunks(CHUNK).zip(symbols.chunks(CHUNK));
        let mut found = Limits::default();
        for (s, q) in pairs {
            found.mismatches += count_mismatches::<A>(s, q);
            if found.mismatches > limits.mismatches {
                return None;
            }
        }
        let pairs = self.digits[range].chunks(CHUNK).zip(digits.chunks(CHUNK));
        found.wild = pairs.map(|(s, q)| count_wild(s, q)).sum::<u32>();
        if found.mismatches > 0 {
            found.wild -= self.wild_mismatches::<A>(start, symbols, digits);
        }
        (found.wild <= limits.wild).then_some(found)
    }

    /// Pairs of which either is wild, and which are not compatible all the same.
    #[cold]
    fn wild_mismatches<A: Alphabet>(&self, start: usize, symbols: &[u8], digits: &[u8]) -> u32 {
        let is = |(k, &q): (usize, &u8)| {
            let wild = self.digits[start + k] == WILD || digits[k] == WILD;
            u32::from(wild && !A::compatible(self.symbols[start + k], q))
        };
        symbols.iter().enumerate().map(is).sum()
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

/// Pairs that are not compatible, of at most 64.
#[inline(always)]
fn count_mismatches<A: Alphabet>(sequence: &[u8], query: &[u8]) -> u32 {
    u32::from(sequence.iter().zip(query).map(|(&s, &q)| u8::from(!A::compatible(s, q))).sum::<u8>())
}

/// Pairs of which either is wild, of at most 64.
#[inline(always)]
fn count_wild(sequence: &[u8], query: &[u8]) -> u32 {
    u32::from(sequence.iter().zip(query).map(|(&s, &q)| u8::from((s == WILD) | (q == WILD))).sum::<u8>())
}
