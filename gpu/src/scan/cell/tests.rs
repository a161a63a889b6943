use super::*;
use crate::bench::numbers;
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
fn tiles_of_single_bases_have_codes() {
    let mut number = numbers(1);
    for length in 1..14 {
        let digits: Vec<u32> = (0..64).map(|_| if number(9) == 0 { 4 } else { number(4) }).collect();
        let (first, second) = (planes_of(&digits[..32]), planes_of(&digits[32..]));
        let (clean, few) = (clean([first[2], second[2]], length), few_wild([first[2], second[2]], length));
        for at in 0..32 {
            let tile = &digits[at..at + length as usize];
            let window = [0, 1, 2].map(|k| funnel_shift_right(first[k], second[k], at as u32));
            assert_eq!(clean >> at & 1 == 1, tile.iter().all(|&digit| digit < 4));
            assert_eq!(few >> at & 1 == 1, tile.iter().filter(|&&digit| digit == 4).count() <= 1);
            assert_eq!(wild_in_tile(window[2], length) as usize, tile.iter().filter(|&&digit| digit == 4).count());
            let bits = |bit: u32| (0..).zip(tile).map(|(k, digit)| (digit >> bit & 1) << k).sum::<u32>();
            assert_eq!(code(window[0], window[1], length), bits(0) | bits(1) << length);
        }
    }
}

#[test]
fn subsets_come_once_each() {
    for set in [0, 1, 0b1010_0100, 0b1111] {
        let (mut subset, mut seen) = (0, BTreeSet::new());
        loop {
            assert!(subset & !set == 0 && seen.insert(subset));
            subset = next_subset(subset, set);
            if subset == 0 {
                break;
            }
        }
        assert_eq!(seen.len(), 1 << set.count_ones());
    }
}

#[test]
fn what_is_beside_a_tile_is_compared() {
    let mut number = numbers(2);
    for round in 0..2000 {
        let (single, span, under) = (number(1 << 10), number(1 << SPAN_BITS), number(64));
        let drawn: Vec<u32> = (0..10).map(|_| number(5)).collect();
        // One digit in 8 is redrawn, so that all answers are frequent.
        let own: Vec<u32> =
            drawn.iter().map(|&digit| if digit == 4 || number(8) == 0 { number(4) } else { digit }).collect();
        let is_single = |k: &u32| single >> k & 1 != 0;
        let kept: Vec<u32> = (0..10).zip(&own).map(|(k, &digit)| if is_single(&k) { digit } else { 0 }).collect();
        let [low, high, _] = planes_of(&kept);
        let entry = U32x2([span | under << SPAN_BITS, digest(low, high) | single << 20]);
        assert!(entry_span(entry) == span && is_under(entry, under + 64) && !is_under(entry, under + 1));
        let [low, high, wild] = planes_of(&drawn);
        let differ = |&k: &u32| drawn[k as usize] != own[k as usize] && drawn[k as usize] != 4;
        let expected = (0..10).filter(is_single).filter(differ).count() as u32;
        assert_eq!(differences(entry, digest(low, high), wild), expected, "{round}");
    }
}

#[test]
fn positions_are_counted_until_there_are_enough() {
    for needed in [1, 2, 5, 32, 64] {
        let mut counter = Counter::new(needed);
        let mut counts = [0; 32];
        let mut number = numbers(needed);
        for _ in 0..if needed > 1 { 60 } else { 32 } {
            let mask = number(u32::MAX) & number(u32::MAX);
            counter.add(mask);
            (0..).zip(&mut counts).for_each(|(at, count)| *count += mask >> at & 1);
            let reached = (0..).zip(&counts).map(|(at, &count)| u32::from(count >= needed) << at).sum::<u32>();
            assert_eq!(counter.reached(), reached);
        }
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
fn tiles_with_wild_digits_are_found_in_many_words() {
    let mut number = numbers(3);
    for length in 1..=32 {
        let mut word = || number(u32::MAX);
        let wild = [0; 6].map(|_: u32| word() & word() & word());
        let is_wild = |at: usize| at < 192 && wild[at / 32] >> (at % 32) & 1 != 0;
        let found = dirty(wild, length);
        for at in 0..160 {
            let want = (at..at + length as usize).any(is_wild);
            assert_eq!(found[at / 32] >> (at % 32) & 1 != 0, want, "{length} at {at}");
        }
    }
}
