//! Which two symbols lie beside a tile, of the spans that are listed under its code: 16 bits a code, one for each two single bases.
//!
//! Where many codes have a list, the bit that says so tells little, and the lists are far away, with entries of 64 codes. These bits are one
//! load, and refuse most of what the lists would: they tell two digits more than the tile has. A wild one of these, in the sequence, makes no
//! more codes. Where a span has more than two tiles, one of them is seldom wild, and few codes are looked up.

use super::table::{BESIDE, Entry, Table};
use rayon::prelude::*;

/// Codes of a table for each of its entries, up to which it pays.
const CODES_PER_ENTRY: usize = 16;
/// Codes that a task fills in.
const TOGETHER: usize = 1 << 12;

/// The bits of two digits, by bits 0 of both, bits 1 and which are wild.
const AGREEING: [u16; 64] = agreeing();

const fn agreeing() -> [u16; 64] {
    let mut all = [0; 64];
    let mut digits = 0;
    while digits < 64 {
        let (single, wild) = (digits & 15, digits >> 4);
        let mut other = 0;
        while other < 16 {
            let different = single ^ other;
            let is_different = (different | different >> 2) & 3 & !wild != 0;
            all[digits] |= if is_different { 0 } else { 1 << other };
            other += 1;
        }
        digits += 1;
    }
    all
}

/// Two digits beside a tile: the first two behind it or, of the last tile of several, those before it.
#[derive(Clone, Copy)]
pub struct Two(u16);

impl Two {
    /// Bits 0 of both, bits 1 and which are wild, in the last two bits of each.
    #[inline(always)]
    pub fn of([low, high, wild]: [u64; 3]) -> Self {
        Self(AGREEING[(low & 3 | (high & 3) << 2 | (wild & 3) << 4) as usize])
    }

    /// Whether any of those agrees that [`Beside::under`] a code has.
    #[inline(always)]
    pub fn is_among(self, beside: u16) -> bool {
        self.0 & beside != 0
    }

    /// Those of an entry of a table, of the `last` tiles of several or not.
    fn of_entry(entry: Entry, last: bool) -> Self {
        let shift = if last { BESIDE - 2 } else { 0 };
        let [low, high, single] = entry.planes();
        Self::of([low, high, !single].map(|plane| plane >> shift))
    }
}

/// The two symbols of all entries under each code.
pub struct Beside(Vec<u16>);

impl Beside {
    /// Whether it pays to know this of a table.
    pub fn pays(table: &Table) -> bool {
        table.entries() >= 64 * table.bits().len() / CODES_PER_ENTRY
    }

    /// Of a table of the `last` tiles of several, or of others.
    pub fn of(table: &Table, last: bool) -> Self {
        let (starts, shift) = table.lists();
        let codes = (starts.len() - 1) << shift;
        let mut all = vec![0; codes];
        all.par_chunks_mut(TOGETHER).enumerate().for_each(|(part, all)| {
            let first = part * TOGETHER;
            for list in (0..all.len()).step_by(1 << shift) {
                for &entry in table.list(table.range((first + list) as u32)) {
                    all[list + (entry.low_code() as usize & ((1 << shift) - 1))] |= Two::of_entry(entry, last).0;
                }
            }
        });
        Self(all)
    }

    /// A bit for each two single bases: there is an entry under `code` that agrees with them.
    #[inline(always)]
    pub fn under(&self, code: u32) -> u16 {
        self.0[code as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Listed, Tile};
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    fn digits(bases: &str) -> Vec<u8> {
        bases.bytes().map(|base| iupac::digits(Wildcards::Iupac)[base as usize]).collect()
    }

    fn two(digits: &[u8]) -> Two {
        let Tile { low, high, wild } = Tile::of(digits);
        Two::of([low, high, wild].map(u64::from))
    }

    /// Tiles of three symbols at 2, with what lies before or behind them.
    #[test]
    fn codes_agree_with_the_digits_beside_their_tiles() {
        let some = ["ACGTACA", "CAGTAGN", "GGCCCNT", "TTGTA", "TTCNAC", "NTCNAC", "AAAAAAA", "ACTTAGT"].map(digits);
        // Lists of their own, and one that all codes share.
        for (patterns, last) in [(&some[..], false), (&some[..], true), (&some[..4], false), (&some[..4], true)] {
            let listed = |at: usize| Listed { span: at as u32, digits: &patterns[at], at: 2 };
            let table = Table::new((3, last), false, (patterns.len(), patterns.len()), listed);
            let beside = Beside::of(&table, last);
            let near = |pattern: &[u8]| -> Vec<u8> {
                let near = if last { &pattern[..2] } else { &pattern[5..] };
                near.iter().copied().chain([4; 2]).take(2).collect()
            };
            let agree = |one: &[u8], other: &[u8]| one.iter().zip(other).all(|(&a, &b)| a == b || a == 4 || b == 4);
            for tile in (0..64).map(|k| [k & 3, k >> 2 & 3, k >> 4]) {
                let code = Tile::of(&tile).code(3);
                for sequence in (0..25).map(|k| [k % 5, k / 5]) {
                    let is_there = |pattern: &Vec<u8>| agree(&pattern[2..5], &tile) && agree(&near(pattern), &sequence);
                    let want = patterns.iter().any(is_there);
                    assert_eq!(two(&sequence).is_among(beside.under(code)), want, "{tile:?} {sequence:?} {last}");
                }
            }
        }
    }

    #[test]
    fn few_entries_are_not_worth_it() {
        let pattern = digits("ACGTACGT");
        for (entries, pays) in [(15, false), (16, true)] {
            let table =
                Table::new((4, false), false, (entries, entries), |_| Listed { span: 0, digits: &pattern, at: 0 });
            assert_eq!(Beside::pays(&table), pays);
        }
    }
}
