use super::*;
use crate::bench::numbers;
use crate::tuning::CODES;
use std::collections::BTreeSet;
use std::vec::Vec;

/// The bases that an IUPAC code stands for, A in the lowest bit, from the table of the NC-IUB paper.
pub fn bases_of(code: u8) -> u32 {
    match code.to_ascii_uppercase() {
        b'A' => 0b0001,
        b'C' => 0b0010,
        b'G' => 0b0100,
        b'T' | b'U' => 0b1000,
        b'R' => 0b0101,
        b'Y' => 0b1010,
        b'M' => 0b0011,
        b'K' => 0b1100,
        b'S' => 0b0110,
        b'W' => 0b1001,
        b'B' => 0b1110,
        b'D' => 0b1101,
        b'H' => 0b1011,
        b'V' => 0b0111,
        b'N' | b'.' => 0b1111,
        _ => 0,
    }
}

/// The number of a base, or 4.
fn digit_of(bases: u32) -> u32 {
    if bases.is_power_of_two() { bases.trailing_zeros() } else { 4 }
}

fn packed(bases: &[u8; 32], unknown: u32) -> (U32x4, u32) {
    let mut words = [0; 8];
    for (word, four) in words.iter_mut().zip(bases.as_chunks().0) {
        *word = u32::from_le_bytes(*four);
    }
    pack(&words, unknown)
}

/// The bases of symbol `at`, from its planes.
fn bases_at(planes: U32x4, at: usize) -> u32 {
    (0..4).map(|base| (planes.0[base] >> at & 1) << base).sum()
}

/// The digit of symbol `at`, from digit planes.
fn digit_at([low, high, wild]: [u32; 3], at: usize) -> u32 {
    (low >> at & 1) | (high >> at & 1) << 1 | (wild >> at & 1) << 2
}

/// 32 symbols that are the sets `first`, `first + 1`, ... of bases.
fn sets(first: usize) -> U32x4 {
    U32x4([0, 1, 2, 3].map(|base| (0..32).map(|at| ((first + at) as u32 >> base & 1) << at).sum()))
}

/// Digit planes of 32 digits.
fn planes_of(digits: &[u32]) -> [u32; 3] {
    [0, 1, 2].map(|bit| digits.iter().zip(0..).map(|(&digit, at)| (digit >> bit & 1) << at).sum())
}

fn code_of(digits: &[u32]) -> u32 {
    digits.iter().fold(0, |code, digit| 5 * code + digit)
}

#[test]
fn every_base_at_every_place_is_packed_to_its_bases() {
    for base in b'!'..=b'~' {
        for at in 0..32 {
            let mut bases = [b'A'; 32];
            bases[at] = base;
            let (planes, odd) = packed(&bases, 0);
            let expected = bases_of(base);
            assert_eq!((0..32).map(|k| bases_at(planes, k)).sum::<u32>(), 31 + expected, "{base}");
            assert_eq!(bases_at(planes, at), expected, "{base} at {at}");
            assert_eq!(odd, if b"ACGTN".contains(&base) { 0 } else { 1 << at }, "{base} at {at}");
            let (wild, _) = packed(&bases, u32::MAX);
            assert_eq!(bases_at(wild, at), if expected == 0 { 15 } else { expected }, "{base} at {at}");
        }
    }
}

#[test]
fn sets_of_bases_have_digits() {
    let planes = sets(0);
    let digits = digit_planes(planes);
    for at in 0..32 {
        let bases = at as u32 % 16;
        assert_eq!(single(planes) >> at & 1 == 1, bases.is_power_of_two(), "{bases:04b}");
        assert_eq!(digit_at(digits, at), digit_of(bases), "{bases:04b}");
    }
}

#[test]
fn sets_without_a_common_base_are_incompatible() {
    for shift in 0..16 {
        let bad = incompatible(sets(0), sets(shift));
        for at in 0..32 {
            let disjoint = at & (at + shift) & 15 == 0;
            assert_eq!(bad >> at & 1 == 1, disjoint, "{at} {shift}");
        }
    }
}

#[test]
fn digits_differ_when_unequal_and_neither_is_wild() {
    for digit in 0..5 {
        let different = differ(planes_of(&[0, 1, 2, 3, 4]), planes_of(&[digit; 5]));
        for at in 0..5 {
            assert_eq!(different >> at & 1 == 1, at != digit && at != 4 && digit != 4, "{at} {digit}");
        }
    }
}

#[test]
fn windows_have_the_codes_of_their_digits() {
    let mut number = numbers(1);
    for _ in 0..50 {
        let digits: Vec<u32> = (0..64).map(|_| number(5)).collect();
        let (first, second) = (nibbles(planes_of(&digits[..32])), nibbles(planes_of(&digits[32..])));
        let mut codes = Vec::new();
        each_code(&unpack(first, second.0[0]), |at, code| codes.push((at, code)));
        let expected: Vec<_> = (0..32).map(|at| (at as u32, code_of(&digits[at..at + 8]))).collect();
        assert_eq!(codes, expected);
        assert_eq!(code(planes_of(&digits[..32])), expected[0].1);
    }
}

#[test]
fn an_entry_carries_its_pattern_and_twelve_digits() {
    let mut number = numbers(2);
    for round in 0..2000 {
        let sequence: Vec<u32> = (0..32).map(|_| number(5)).collect();
        // One digit in 16 is redrawn, so that both answers are frequent.
        let probe: Vec<u32> = sequence.iter().map(|&digit| if number(16) == 0 { number(5) } else { digit }).collect();
        let pattern = number(1 << 28);
        let entry = entry(pattern, planes_of(&probe));
        assert_eq!(entry_pattern(entry), pattern);
        let compatible = (8..20).all(|at| sequence[at] == probe[at] || sequence[at] == 4 || probe[at] == 4);
        assert_eq!(may_match(entry, digest(planes_of(&sequence))), compatible, "{round}");
    }
}

#[test]
fn a_window_begins_at_any_bit() {
    let (left, right) = (U32x4([0x0123_4567, u32::MAX, 0, 1]), U32x4([0x89AB_CDEF, 0, u32::MAX, 1 << 31]));
    for from in 0..32 {
        let window = window(left, right, from);
        for k in 0..4 {
            let both = u64::from(right.0[k]) << 32 | u64::from(left.0[k]);
            assert_eq!(window.0[k], (both >> from) as u32, "{from}");
        }
    }
}

#[test]
fn a_pattern_ends_where_it_ends() {
    for (word, length, expected) in
        [(0, 1, 1), (0, 31, u32::MAX >> 1), (0, 32, u32::MAX), (0, 40, u32::MAX), (1, 40, 255)]
    {
        assert_eq!(present(word, length), expected, "{word} {length}");
    }
}

#[test]
fn the_codes_compatible_with_an_anchor_are_listed_once_each() {
    for anchor in [[0; 8], [4; 8], [0, 1, 2, 3, 3, 2, 1, 0], [4, 1, 4, 3, 0, 2, 4, 4], [3, 4, 4, 4, 1, 0, 0, 4]] {
        let probe = planes_of(&anchor);
        let listed: Vec<u32> = (0..compatible_codes(probe)).map(|index| compatible_code(probe, index)).collect();
        let compatible = |code: u32| {
            (0..8u32).all(|at| {
                let (digit, own) = (code / 5u32.pow(7 - at) % 5, anchor[at as usize]);
                digit == own || digit == 4 || own == 4
            })
        };
        let expected: BTreeSet<u32> = (0..CODES).filter(|&code| compatible(code)).collect();
        assert_eq!(listed.len(), expected.len(), "{anchor:?}");
        assert_eq!(BTreeSet::from_iter(listed), expected, "{anchor:?}");
    }
}
