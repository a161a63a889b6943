//! Short tiles of patterns in parts, for places where so many of these lie at hard positions that looking the others up may miss a match.
//!
//! A pattern is cut, from its first symbol on, into tiles of one length, and each tile without a wild digit is listed under its code:
//!
//! ```text
//! pattern     | 0 | 1 | 2 | 3 | 4 | ...      listed: 0, 1, 3, 4; needed: its mismatches, one for tile 2, and one
//! sequence    . . N . . . . N N . . . .      clean: the tiles that meet no wild digit
//! ```
//!
//! At a place of the pattern where as many of its tiles are clean as are needed, more than it may have mismatches are clean and listed. So one
//! of them has none, and the list of its code has the pattern. Where more digits are wild than a match may have wild positions, the others are
//! mismatches, and as many fewer tiles are needed. A code of which there are too many tiles has no list: there a repeat would
//! meet all of another.

use super::Tile;
use super::plan::{Queries, Query};
use warpseq_seq::iupac::WILD;

/// Symbols of a tile: with fewer, lists are so long that comparing all patterns takes no longer; where there may be more, there are so few mismatches
/// that comparing them is faster.
const LEAST: usize = 8;
const MOST: usize = 10;
/// Tiles of all patterns, 32 MB.
const TILES_MOST: usize = 1 << 22;
/// Tiles of one code: some, and so many times as many as a code has on average.
const SAME: usize = 32;
const SAME_OF_MEAN: usize = 8;

/// See the module.
pub struct ShortTiles {
    /// Symbols of a tile.
    pub tile: usize,
    /// Of each code the first of its tiles, and one behind the last.
    starts: Vec<u32>,
    /// For each tile the number of its pattern, and how many symbols that has before it.
    tiles: Vec<[u32; 2]>,
    /// For each pattern how many tiles it has, and how many of them have to be clean.
    patterns: Vec<Needed>,
}

/// Of a pattern.
#[derive(Clone, Copy)]
pub struct Needed {
    /// Its tiles.
    pub tiles: u16,
    /// How many of them have to be clean for it to be found.
    pub clean: u16,
    /// Its symbols.
    pub length: u16,
    /// The most wild positions of a match.
    pub wild: u16,
}

impl ShortTiles {
    /// Those of patterns. `None` where tiles would have to be too short or may be longer, or are too many.
    pub fn new(patterns: &[&Query], queries: &Queries) -> Option<Self> {
        let all = || patterns.iter().copied();
        let tile = all().map(longest).min()?;
        let is_long = |query: &Query| query.length() > u16::MAX.into();
        if !(LEAST..=MOST).contains(&tile) || all().any(is_long) {
            return None;
        }
        let count: usize = all().map(|query| query.length() / tile).sum();
        if count > TILES_MOST {
            return None;
        }
        let most = SAME + ((SAME_OF_MEAN * count) >> (2 * tile));
        let of_patterns: Vec<Vec<u32>> = all().map(|query| codes(queries.digits(query), tile).collect()).collect();
        let mut starts = vec![0_u32; (1 << (2 * tile)) + 1];
        for &code in of_patterns.iter().flatten().filter(|&&code| code != NO_CODE) {
            starts[code as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += if *start as usize > most { 0 } else { *start };
            *start = sum;
        }
        let (mut next, mut listed) = (starts.clone(), vec![[0; 2]; sum as usize]);
        let mut needed = Vec::new();
        for ((number, query), codes) in (0..).zip(all()).zip(of_patterns) {
            let mut unlisted = 0;
            for (k, code) in (0..).zip(codes) {
                if code == NO_CODE || starts[code as usize] == starts[code as usize + 1] {
                    unlisted += 1;
                    continue;
                }
                listed[next[code as usize] as usize] = [number, k * tile as u32];
                next[code as usize] += 1;
            }
            let tiles = (query.length() / tile) as u16;
            let [length, wild] = [query.length() as u16, query.limits.wild.min(query.length() as u32) as u16];
            // No more than there are symbols, so that numbers fit.
            let clean = (query.limits.mismatches + unlisted + 1).min(query.length() as u32) as u16;
            needed.push(Needed { tiles, clean, length, wild });
        }
        Some(Self { tile, starts, tiles: listed, patterns: needed })
    }

    /// The tiles of a code: numbers of patterns, and how many symbols these have before it.
    #[inline(always)]
    pub fn tiles_of(&self, code: u32) -> &[[u32; 2]] {
        &self.tiles[self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize]
    }

    /// Of a pattern, by its number.
    #[inline(always)]
    pub fn needed(&self, pattern: u32) -> Needed {
        self.patterns[pattern as usize]
    }
}

/// Symbols of a tile up to which more tiles than a match of the query may have mismatches are clean, and some to spare for those at the ends of runs,
/// where as many of its digits are wild as may be.
fn longest(query: &Query) -> usize {
    let mismatches = query.limits.mismatches as usize;
    query.length().saturating_sub(query.limits.wild as usize) / (mismatches + mismatches / 16 + 1)
}

/// Stands for the code of a tile with a wild digit.
const NO_CODE: u32 = u32::MAX;

/// The codes of the tiles of a pattern.
fn codes(digits: &[u8], length: usize) -> impl Iterator<Item = u32> {
    digits.chunks_exact(length).map(move |digits| {
        let (mut low, mut high, mut any_wild) = (0, 0, false);
        for (k, &digit) in digits.iter().enumerate() {
            low |= u32::from(digit & 1) << k;
            high |= u32::from(digit >> 1 & 1) << k;
            any_wild |= digit == WILD;
        }
        if any_wild { NO_CODE } else { Tile { low, high, wild: 0 }.code(length) }
    })
}

#[cfg(test)]
mod tests {
    use super::super::plan::Encoding;
    use super::*;
    use crate::cpu::Iupac;
    use crate::{Limits, Pattern};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn where_enough_tiles_are_clean_one_agrees_or_there_are_too_many_mismatches() {
        let random = &mut ChaCha8Rng::seed_from_u64(5);
        let mut bases = |length: usize| (0..length).map(|_| b"ACGT"[random.random_range(0..4)]).collect::<Vec<u8>>();
        let (mut all, limits) =
            (vec![bases(1000), b"T".repeat(6000), bases(700)], Limits { wild: 300, mismatches: 40 });
        all[2][40..300].fill(b'N');
        let patterns: Vec<Pattern> =
            (0..).zip(&all).map(|(k, own)| Pattern::new(k, false, own.clone(), limits)).collect();
        let queries = Queries::of::<Iupac>(&patterns);
        let short = ShortTiles::new(&queries.all.iter().collect::<Vec<_>>(), &queries).unwrap();
        let tile = short.tile;
        let digits = |bases: &[u8]| bases.iter().map(|&base| Iupac::DIGITS[base as usize]).collect::<Vec<u8>>();
        let (mut found, mut repeats) = (0, 0);
        for round in 0..600 {
            let number = round % 3;
            let mut copy = all[number].clone();
            for _ in 0..random.random_range(0..80) {
                let at = random.random_range(0..copy.len());
                copy[at] = b"ACGT"[random.random_range(0..4)];
            }
            for _ in 0..random.random_range(0..4) {
                let at = random.random_range(0..copy.len() - 200);
                copy[at..at + random.random_range(20..200)].fill(b'N');
            }
            let pairs = || copy.iter().zip(&all[number]).filter(|&(s, q)| *s != b'N' && *q != b'N');
            let mismatches = pairs().filter(|(s, q)| s != q).count() as u32;
            let needed = short.needed(number as u32);
            let clean: Vec<_> = (0..).zip(codes(&digits(&copy), tile)).filter(|&(_, code)| code != NO_CODE).collect();
            let agrees = |&(k, code): &(u32, u32)| short.tiles_of(code).contains(&[number as u32, k * tile as u32]);
            if clean.len() >= needed.clean.into() && mismatches <= limits.mismatches {
                assert!(clean.iter().any(agrees), "round {round}");
                found += 1;
            }
            repeats += usize::from(number == 1 && clean.iter().any(agrees));
        }
        // Of the repeat, whose tiles have few codes, none is listed.
        assert!(found > 100 && repeats == 0, "{found} {repeats}");
    }
}
