//! Pure functions on words: bases to planes, planes to digits, digits to codes of tiles, and the comparisons.
//!
//! Bit j of a plane belongs to symbol j of 32. A symbol's digit is A 0, C 1, G 2, T 3, other 4. Its three bits are
//! called *low* (C or T), *high* (G or T) and *wild*; wild excludes the other two.

use crate::tuning::{BESIDE, SHARED, SPAN_BITS};
use cuda_std::bits::{dot_product, funnel_shift_right};
use cuda_std::{U32x2, U32x4};

/// A truth table over the low five bits of an IUPAC code: bit `b'X' & 31` is set if `codes` has X.
const fn table(codes: &[u8]) -> u32 {
    let mut table = 0;
    let mut i = 0;
    while i < codes.len() {
        table |= 1 << (codes[i] & 31);
        i += 1;
    }
    table
}

/// The IUPAC codes that may stand for A, C, G, T (NC-IUB 1984, "Nomenclature for incompletely specified bases").
const MAY_BE: [u32; 4] = [table(b"ADHMNRVW"), table(b"BCHMNSVY"), table(b"BDGKNRSV"), table(b"BDHKNTUWY")];

const N: u32 = table(b"N");
const PLAIN: u32 = table(b"ACGTN");

/// Bit `bit` of each of 32 bases.
#[inline(always)]
fn plane(bases: &[u32; 8], bit: u32) -> u32 {
    let mut plane = 0;
    let mut k = 0;
    while k < 4 {
        let below = dot_product(bases[2 * k] >> bit & 0x0101_0101, 0x0804_0201, 0);
        plane |= dot_product(bases[2 * k + 1] >> bit & 0x0101_0101, 0x8040_2010, below) << (8 * k);
        k += 1;
    }
    plane
}

/// Evaluates a truth table of five variables for 32 symbols at once. For a constant table the compiler folds the tree
/// of selections into a few three-input operations.
#[inline(always)]
fn evaluate(table: u32, bits: &[u32; 5]) -> u32 {
    let mut level = [0u32; 32];
    let mut i = 0;
    while i < 32 {
        level[i] = 0u32.wrapping_sub(table >> i & 1);
        i += 1;
    }
    let mut width = 16;
    let mut b = 0;
    while b < 5 {
        let mut i = 0;
        while i < width {
            level[i] = level[2 * i] & !bits[b] | level[2 * i + 1] & bits[b];
            i += 1;
        }
        width /= 2;
        b += 1;
    }
    level[0]
}

/// The planes of 32 bases, and which of them are not one of ACGTN.
///
/// Only the low five bits count, which folds the case. Bit 6 tells letters from `.` (which has the low bits of N, and
/// means the same) and from `-` (which has those of M, and stands for no base). `unknown` says what a letter that is no
/// IUPAC code becomes: 0 for no base, all ones for wild.
#[inline(always)]
pub fn pack(bases: &[u32; 8], unknown: u32) -> (U32x4, u32) {
    let bits = [plane(bases, 0), plane(bases, 1), plane(bases, 2), plane(bases, 3), plane(bases, 4)];
    let is_letter = plane(bases, 6);
    let dot = evaluate(N, &bits) & !is_letter;
    let may = |base: usize| evaluate(MAY_BE[base], &bits) & is_letter | dot;
    let (a, c, g, t) = (may(0), may(1), may(2), may(3));
    let wild = !(a | c | g | t) & unknown;
    let plain = evaluate(PLAIN, &bits) & is_letter & !plane(bases, 5);
    (U32x4([a | wild, c | wild, g | wild, t | wild]), !plain)
}

/// Symbols that are exactly one base.
#[inline(always)]
pub fn single(planes: U32x4) -> u32 {
    let [a, c, g, t] = planes.0;
    (a ^ c ^ g ^ t) & !(a & c | g & t)
}

/// The low, high and wild digit planes.
#[inline(always)]
pub fn digit_planes(planes: U32x4) -> [u32; 3] {
    let [_, c, g, t] = planes.0;
    let single = single(planes);
    [(c | t) & single, (g | t) & single, !single]
}

/// Symbols of two windows that have no base in common.
#[inline(always)]
pub fn incompatible(sequence: U32x4, pattern: U32x4) -> u32 {
    let ([a, c, g, t], [qa, qc, qg, qt]) = (sequence.0, pattern.0);
    !(a & qa | c & qc | g & qg | t & qt)
}

/// Positions at which the digits of two windows differ and neither is wild.
#[inline(always)]
pub fn differ(sequence: [u32; 3], pattern: [u32; 3]) -> u32 {
    let ([low, high, wild], [qlow, qhigh, qwild]) = (sequence, pattern);
    ((low ^ qlow) | (high ^ qhigh)) & !(wild | qwild)
}

/// Wild digits of a tile of `length` symbols that begins at bit 0.
#[inline(always)]
pub fn wild_in_tile(wild: u32, length: u32) -> u32 {
    (wild & ((1 << length) - 1)).count_ones()
}

/// Bit j: a tile of `length` digits that begins at symbol j of 64 has no wild one. `wild` says which of them are.
#[inline(always)]
pub fn clean(wild: [u32; 2], length: u32) -> u32 {
    let mut dirty = u64::from(wild[0]) | u64::from(wild[1]) << 32;
    let mut covered = 1;
    while covered < length {
        let step = if covered < length - covered { covered } else { length - covered };
        dirty |= dirty >> step;
        covered += step;
    }
    !(dirty as u32)
}

/// Bit j: a tile of `length` digits, 32 at most, that begins at symbol j of 64 has one wild digit at most. `wild` says which of them are.
#[inline(always)]
pub fn few_wild(wild: [u32; 2], length: u32) -> u32 {
    let (mut any, mut several, mut k) = (0, 0, 0);
    while k < length {
        let digits = funnel_shift_right(wild[0], wild[1], k);
        several |= any & digits;
        any |= digits;
        k += 1;
    }
    !several
}

/// Bit j of word k: a tile of `length` digits, 32 at most, that begins at symbol 32 k + j has a wild one. `wild` says which of the 192
/// are.
#[inline(always)]
pub fn dirty(wild: [u32; 6], length: u32) -> [u32; 5] {
    let mut dirty = wild;
    let mut covered = 1;
    while covered < length {
        let step = if covered < length - covered { covered } else { length - covered };
        unroll!(k in 0 1 2 3 4; { dirty[k] |= funnel_shift_right(dirty[k], dirty[k + 1], step); });
        dirty[5] |= dirty[5] >> step;
        covered += step;
    }
    [dirty[0], dirty[1], dirty[2], dirty[3], dirty[4]]
}

/// The code of a tile of `length` single bases: bit 0 of digit k at bit k, bit 1 at bit `length` + k.
#[inline(always)]
pub fn code(low: u32, high: u32, length: u32) -> u32 {
    let single = (1 << length) - 1;
    low & single | (high & single) << length
}

/// From one subset of the bits of `set` to the next; 0 behind the last one.
#[inline(always)]
pub fn next_subset(subset: u32, set: u32) -> u32 {
    subset.wrapping_sub(set) & set
}

const BESIDE_MASK: u32 = (1 << BESIDE) - 1;

/// The first digits of a window in one word, as entries hold them: low plane, then high plane.
#[inline(always)]
pub fn digest(low: u32, high: u32) -> u32 {
    low & BESIDE_MASK | (high & BESIDE_MASK) << BESIDE
}

/// The span of a list entry.
#[inline(always)]
pub fn entry_span(entry: U32x2) -> u32 {
    entry.0[0] & ((1 << SPAN_BITS) - 1)
}

/// Whether an entry is listed under a code with these last bits, of the codes that share its list.
#[inline(always)]
pub fn is_under(entry: U32x2, code: u32) -> bool {
    entry.0[0] >> SPAN_BITS == code & (SHARED - 1)
}

/// How many of the single bases beside an entry's tile differ from those of a sequence.
#[inline(always)]
pub fn differences(entry: U32x2, sequence: u32, wild: u32) -> u32 {
    let [_, beside] = entry.0;
    let different = beside ^ sequence;
    ((different | different >> BESIDE) & beside >> (2 * BESIDE) & !wild).count_ones()
}

/// Counts of up to 64 for 32 positions at a time, a plane for each bit: which positions have been counted `needed` times.
#[derive(Clone, Copy)]
pub struct Counter {
    planes: [u32; 7],
}

impl Counter {
    /// Begins at 64 less what is `needed`, 1 to 64, so that bit 6 says when that is reached.
    #[inline(always)]
    pub fn new(needed: u32) -> Self {
        let begin = 64 - needed;
        let mut planes = [0; 7];
        unroll!(k in 0 1 2 3 4 5; { planes[k] = 0u32.wrapping_sub(begin >> k & 1); });
        Self { planes }
    }

    /// Counts the positions of `mask` once more, 63 times at most beyond what is needed.
    #[inline(always)]
    pub fn add(&mut self, mask: u32) {
        let mut carry = mask;
        unroll!(k in 0 1 2 3 4 5 6; {
            let next = self.planes[k] & carry;
            self.planes[k] ^= carry;
            carry = next;
        });
        let _ = carry;
    }

    /// The positions that have been counted often enough.
    #[inline(always)]
    pub fn reached(&self) -> u32 {
        self.planes[6]
    }
}

/// The 32 symbols from bit `from` on of two neighbouring groups of planes.
#[inline(always)]
pub fn window(left: U32x4, right: U32x4, from: u32) -> U32x4 {
    let shift = |k: usize| funnel_shift_right(left.0[k], right.0[k], from);
    U32x4([shift(0), shift(1), shift(2), shift(3)])
}

/// Which symbols of word `word` of a pattern of `length` symbols exist.
#[inline(always)]
pub fn present(word: u32, length: u32) -> u32 {
    let left = length - 32 * word;
    if left >= 32 { u32::MAX } else { (1 << left) - 1 }
}

#[cfg(test)]
pub(super) mod tests;
