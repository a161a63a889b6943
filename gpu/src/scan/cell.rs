//! Pure functions on words: bases to planes, planes to digits, digits to codes, and the comparisons.
//!
//! Bit j of a plane belongs to symbol j of 32. A symbol's digit is A 0, C 1, G 2, T 3, other 4. Its three bits are
//! called *low* (C or T), *high* (G or T) and *wild*; wild excludes the other two.

use cuda_std::bits::{byte_permute, dot_product, funnel_shift_right};
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

/// Four digits as bytes, from bits `from..from + 4` of the digit planes. A multiplication moves bit j to byte j.
#[inline(always)]
fn digit_bytes(planes: [u32; 3], from: u32) -> u32 {
    let [low, high, wild] = planes;
    (low >> from & 15).wrapping_mul(0x0020_4081) & 0x0101_0101
        | (high >> from & 15).wrapping_mul(0x0040_8102) & 0x0202_0202
        | (wild >> from & 15).wrapping_mul(0x0081_0204) & 0x0404_0404
}

/// 32 digits of 4 bits: byte j of word k has symbol 8k+j in its low half and symbol 8k+4+j in its high half.
#[inline(always)]
pub fn nibbles(planes: [u32; 3]) -> U32x4 {
    let word = |k: u32| digit_bytes(planes, 8 * k) | digit_bytes(planes, 8 * k + 4) << 4;
    U32x4([word(0), word(1), word(2), word(3)])
}

/// 40 digits as bytes: the 32 of `group` and the first 8 after it.
#[inline(always)]
pub fn unpack(group: U32x4, next: u32) -> [u32; 10] {
    let [a, b, c, d] = group.0;
    let (below, above) = (|w: u32| w & 0x0f0f_0f0f, |w: u32| w >> 4 & 0x0f0f_0f0f);
    [below(a), above(a), below(b), above(b), below(c), above(c), below(d), above(d), below(next), above(next)]
}

/// The place values of four digits: 125, 25, 5, 1.
const PLACES: u32 = 125 | 25 << 8 | 5 << 16 | 1 << 24;

/// Calls `visit(j, code)` for the window that begins at each of the first 32 of 40 digits.
///
/// A window's code is 625 times the code of its first four digits plus that of its last four. The code of four digits
/// is one dot product, and serves two windows.
#[inline(always)]
pub fn each_code(digits: &[u32; 10], mut visit: impl FnMut(u32, u32)) {
    let fours = |k: usize| {
        let (a, b) = (digits[k], digits[k + 1]);
        [
            dot_product(a, PLACES, 0),
            dot_product(byte_permute(a, b, 0x4321), PLACES, 0),
            dot_product(byte_permute(a, b, 0x5432), PLACES, 0),
            dot_product(byte_permute(a, b, 0x6543), PLACES, 0),
        ]
    };
    // Unrolled, so that the digits stay in registers whatever `visit` does.
    let mut first = fours(0);
    macro_rules! four_windows {
        ($($k:literal)*) => { $(
            let second = fours($k + 1);
            visit(4 * $k, first[0] * 625 + second[0]);
            visit(4 * $k + 1, first[1] * 625 + second[1]);
            visit(4 * $k + 2, first[2] * 625 + second[2]);
            visit(4 * $k + 3, first[3] * 625 + second[3]);
            first = second;
        )* };
    }
    four_windows!(0 1 2 3 4 5 6 7);
    let _ = first;
}

/// The code of the first 8 symbols of a window.
#[inline(always)]
pub fn code(planes: [u32; 3]) -> u32 {
    dot_product(digit_bytes(planes, 0), PLACES, 0) * 625 + dot_product(digit_bytes(planes, 4), PLACES, 0)
}

/// The digits of symbols 8..20 of a window, as entries hold them: low and high planes in the first word, wild plane in
/// the second.
#[inline(always)]
pub fn digest(planes: [u32; 3]) -> U32x2 {
    let [low, high, wild] = planes.map(|plane| plane >> 8 & 0xfff);
    U32x2([low | high << 12, wild])
}

/// A list entry: the pattern's number and the digest of its probe.
#[inline(always)]
pub fn entry(pattern: u32, probe: [u32; 3]) -> U32x2 {
    let [digits, wild] = digest(probe).0;
    U32x2([digits | pattern << 24, wild | pattern >> 8 << 12])
}

/// The pattern of a list entry.
#[inline(always)]
pub fn entry_pattern(entry: U32x2) -> u32 {
    entry.0[0] >> 24 | entry.0[1] >> 12 << 8
}

/// Whether a window of a sequence with this digest may match the entry's pattern.
#[inline(always)]
pub fn may_match(entry: U32x2, digest: U32x2) -> bool {
    let different = entry.0[0] ^ digest.0[0];
    (different | different >> 12) & !(entry.0[1] | digest.0[1]) & 0xfff == 0
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

/// How many codes are compatible with an anchor: each wild digit allows 5, each other 2 (the digit itself, and wild).
#[inline(always)]
pub fn compatible_codes(probe: [u32; 3]) -> u32 {
    let mut codes = 1;
    let mut j = 0;
    while j < 8 {
        codes *= if probe[2] >> j & 1 == 1 { 5 } else { 2 };
        j += 1;
    }
    codes
}

/// Code `index` of those compatible with an anchor; `index` is below [`compatible_codes`].
#[inline(always)]
pub fn compatible_code(probe: [u32; 3], mut index: u32) -> u32 {
    let [low, high, wild] = probe;
    let mut code = 0;
    let mut j = 0;
    while j < 8 {
        let digit = low >> j & 1 | (high >> j & 1) << 1;
        let chosen = if wild >> j & 1 == 1 {
            let choice = index % 5;
            index /= 5;
            choice
        } else {
            let choice = index & 1;
            index >>= 1;
            if choice == 1 { 4 } else { digit }
        };
        code = code * 5 + chosen;
        j += 1;
    }
    code
}

#[cfg(test)]
pub(super) mod tests;
