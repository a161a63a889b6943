//! The digits of a segment, or of a pattern, as planes of bits, from which the code of a tile is two shifts.

use super::{Shape, Tile};
use warpseq_simd::InstructionSet;

/// Symbols before the first one and behind the last one that may be asked for. They are wild.
const BEFORE: usize = 64;
const BEHIND: usize = 1024;

/// Wild digits that are counted by [`Planes::sparse`] are fewer.
pub const SPARSE: u32 = 16;

/// Digits, 64 a word, bit 0, bit 1 and bit 2 of each.
#[derive(Default)]
pub struct Planes {
    low: Vec<u64>,
    high: Vec<u64>,
    wild: Vec<u64>,
}

impl Planes {
    /// Takes over these digits, with the instructions of `set`.
    #[inline(always)]
    pub fn fill(&mut self, digits: &[u8], set: InstructionSet) {
        let words = (BEFORE + digits.len() + BEHIND) / 64 + 2;
        for (plane, rest) in [(&mut self.low, 0), (&mut self.high, 0), (&mut self.wild, u64::MAX)] {
            plane.clear();
            plane.resize(words, rest);
        }
        let (chunks, rest) = digits.as_chunks::<64>();
        let planes = self.low.iter_mut().zip(&mut self.high).zip(&mut self.wild).skip(BEFORE / 64);
        let mut last = [4; 64];
        last[..rest.len()].copy_from_slice(rest);
        for (((low, high), wild), chunk) in planes.zip(chunks.iter().chain([&last])) {
            (*low, *high) = (set.bits_of_bytes::<0>(chunk), set.bits_of_bytes::<1>(chunk));
            *wild = set.bits_of_bytes::<2>(chunk);
        }
    }

    /// The 64 wild bits from position `at` on.
    #[inline(always)]
    pub fn wild(&self, at: usize) -> u64 {
        bits(&self.wild, at + BEFORE)
    }

    /// Bits 0 of the 64 digits from position `at` on, bits 1 and which are wild. `at` may be up to 64 below 0.
    #[inline(always)]
    pub fn digits(&self, at: isize) -> [u64; 3] {
        let at = at.wrapping_add(BEFORE as isize) as usize;
        [bits(&self.low, at), bits(&self.high, at), bits(&self.wild, at)]
    }

    /// Bit k of word w: the digit at position 64 w + k is `digit`, below 4, or wild.
    #[inline(always)]
    pub fn agreeing(&self, digit: u8, agreeing: &mut Vec<u64>) {
        let [low, high] = [digit & 1, digit >> 1].map(|bit| if bit == 1 { 0 } else { u64::MAX });
        let digits = self.low.iter().zip(&self.high).zip(&self.wild).skip(BEFORE / 64);
        agreeing.clear();
        agreeing.extend(digits.map(|((&l, &h), &wild)| (l ^ low) & (h ^ high) | wild));
    }

    /// The tile of `length` digits at position `at`.
    #[inline(always)]
    pub fn tile(&self, at: usize, length: usize) -> Tile {
        let [low, high, wild] = self.digits(at as isize).map(|bits| bits as u32 & ((1 << length) - 1));
        Tile { low, high, wild }
    }

    /// The codes of the tiles of `length` digits at the 64 positions from `at` on, for those that have no wild digit.
    #[inline(always)]
    pub fn codes(&self, at: usize, length: usize) -> Codes {
        let [low, high] = [&self.low, &self.high].map(|plane| [0, 64].map(|behind| bits(plane, BEFORE + at + behind)));
        Codes { low, high, length }
    }

    /// The wild digits of those tiles, in vectors.
    #[inline(always)]
    pub fn wild_of_tiles(&self, at: usize, length: usize) -> [u32; 64] {
        let wild = [0, 64].map(|behind| bits(&self.wild, BEFORE + at + behind));
        std::array::from_fn(|k| tile_at(wild, k, length))
    }

    /// The 64 digits from each of the 64 positions from `at` on, for those that have no wild one.
    #[inline(always)]
    pub fn windows(&self, at: usize) -> Windows {
        Windows([&self.low, &self.high].map(|plane| [0, 64].map(|behind| bits(plane, BEFORE + at + behind))))
    }

    /// Wild digits of that tile.
    #[inline(always)]
    pub fn wild_in_tile(&self, at: usize, length: usize) -> u32 {
        (self.wild(at) & ((1 << length) - 1)).count_ones()
    }

    /// Bit k of word w: no digit of the tile at position 64 w + k is wild.
    #[inline(always)]
    pub fn clean(&self, tile: usize, clean: &mut Vec<u64>) {
        clean.clear();
        clean.extend(self.wild[BEFORE / 64..].iter().map(|word| !word));
        in_a_row(clean, tile);
    }

    /// Bit k of word w: the `length` digits from position 64 w + k on are wild.
    #[inline(always)]
    pub fn runs(&self, length: usize, runs: &mut Vec<u64>) {
        runs.clear();
        runs.extend_from_slice(&self.wild[BEFORE / 64..]);
        in_a_row(runs, length);
    }

    /// Bit k of word w: of the `length` digits from position 64 w + k on, `most` at most are wild, below [`SPARSE`].
    #[inline(always)]
    pub fn sparse(&self, length: usize, most: u32, sparse: &mut Vec<u64>) {
        const TOGETHER: usize = 8;
        let words = self.wild.len() - BEFORE / 64 - 1;
        sparse.clear();
        sparse.resize(words.next_multiple_of(TOGETHER), u64::MAX);
        for (k, sparse) in sparse.as_chunks_mut::<TOGETHER>().0.iter_mut().enumerate() {
            let from = BEFORE / 64 + k * TOGETHER;
            let word = |word: usize| self.wild.get(word).copied().unwrap_or(u64::MAX);
            if (from..from + TOGETHER + length.div_ceil(64)).all(|k| word(k) == 0) {
                continue;
            }
            // How many are wild, in planes of bits, and one less than that many more would be too many.
            let begin = SPARSE - 1 - most;
            let mut counts: [[u64; TOGETHER]; 4] =
                std::array::from_fn(|bit| [0u64.wrapping_sub(u64::from(begin >> bit & 1)); TOGETHER]);
            for digits in (0..length).step_by(64) {
                let wild: [u64; TOGETHER + 1] = std::array::from_fn(|j| word(from + digits / 64 + j));
                for digit in 0..64.min(length - digits) {
                    for j in 0..TOGETHER {
                        let mut carry = wild[j] >> digit | wild[j + 1] << 1 << (63 - digit);
                        for plane in &mut counts {
                            (plane[j], carry) = (plane[j] ^ carry, plane[j] & carry);
                        }
                        sparse[j] &= !carry;
                    }
                }
            }
        }
    }

    /// Bit k of word w in the first list: the tile at position 64 w + k has one wild digit at most; in the second: two at most.
    #[inline(always)]
    pub fn few_wild(&self, tile: usize, few: &mut [Vec<u64>; 2]) {
        const TOGETHER: usize = 8;
        let words = self.wild.len() - BEFORE / 64 - 1;
        few.iter_mut().for_each(|few| {
            few.clear();
            few.resize(words.next_multiple_of(TOGETHER), 0);
        });
        let [first, second] = few.each_mut().map(|few| few.as_chunks_mut::<TOGETHER>().0);
        for (k, (first, second)) in first.iter_mut().zip(second).enumerate() {
            // Wild digits, as far as the tile has been looked at: at least one, two, three.
            let (mut one, mut two, mut three) = ([0; TOGETHER], [0; TOGETHER], [0; TOGETHER]);
            let from = BEFORE / 64 + k * TOGETHER;
            let word = |word: usize| self.wild.get(word).copied().unwrap_or(u64::MAX);
            let wild: [u64; TOGETHER + 1] = std::array::from_fn(|j| word(from + j));
            for digit in 0..tile {
                for j in 0..TOGETHER {
                    let wild = wild[j] >> digit | wild[j + 1] << 1 << (63 - digit);
                    three[j] |= two[j] & wild;
                    two[j] |= one[j] & wild;
                    one[j] |= wild;
                }
            }
            (*first, *second) = (two.map(|two| !two), three.map(|three| !three));
        }
    }
}

/// From bits to whether so many in a row are set, from each on; behind the last one, none is.
#[inline(always)]
fn in_a_row(plane: &mut [u64], length: usize) {
    let mut covered = 1;
    while covered < length {
        let step = covered.min(length - covered);
        for word in 0..plane.len() {
            let from = |word: usize| plane.get(word).copied().unwrap_or(0);
            let (word_on, bit) = (word + step / 64, step % 64);
            plane[word] &= from(word_on) >> bit | from(word_on + 1) << 1 << (63 - bit);
        }
        covered += step;
    }
}

/// From which tiles have no wild digit to which spans have no such tile.
#[inline(always)]
pub fn none_of(clean: &[u64], Shape { tile, tiles, .. }: Shape, none: &mut Vec<u64>) {
    none.clear();
    none.extend(clean.iter().map(|word| !word));
    for k in 1..tiles {
        let (words, bit) = (k * tile / 64, k * tile % 64);
        for (none, clean) in none.iter_mut().zip(clean[words..].windows(2)) {
            *none &= !(clean[0] >> bit | clean[1] << 1 << (63 - bit));
        }
    }
}

/// The bits of the tile at position `k`, below 64, of a plane.
#[inline(always)]
fn tile_at([word, next]: [u64; 2], k: usize, length: usize) -> u32 {
    // Bits of 32 positions and their tiles are in one word.
    let half = if k < 32 { word } else { word >> 32 | next << 32 };
    (half >> (k % 32)) as u32 & ((1 << length) - 1)
}

/// The codes of tiles at 64 positions.
#[derive(Clone, Copy)]
pub struct Codes {
    low: [u64; 2],
    high: [u64; 2],
    length: usize,
}

impl Codes {
    /// Those of the tiles at all 64 positions, in vectors: bits 0 in the places of wild digits.
    #[inline(always)]
    pub fn all(&self) -> [u32; 64] {
        std::array::from_fn(|k| {
            let bits = |plane| tile_at(plane, k, self.length);
            Tile { low: bits(self.low), high: bits(self.high), wild: 0 }.code(self.length)
        })
    }

    /// That of the tile at position `place`, below 64.
    #[inline(always)]
    pub fn at(&self, place: u32) -> u32 {
        let bits = |[word, next]: [u64; 2]| (word >> place | next << 1 << (63 - place)) as u32;
        let single = (1 << self.length) - 1;
        Tile { low: bits(self.low) & single, high: bits(self.high) & single, wild: 0 }.code(self.length)
    }
}

/// Digits in planes, from each of 64 positions on.
#[derive(Clone, Copy)]
pub struct Windows([[u64; 2]; 2]);

impl Windows {
    /// Those of position `place`, below 64.
    #[inline(always)]
    pub fn at(&self, place: u32) -> [u64; 2] {
        self.0.map(|[word, next]| word >> place | next << 1 << (63 - place))
    }
}

/// The 64 bits from bit `at` on.
#[inline(always)]
pub fn bits(plane: &[u64], at: usize) -> u64 {
    let (word, bit) = (at / 64, at % 64);
    plane[word] >> bit | plane[word + 1] << 1 << (63 - bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes(length: usize) -> (Vec<u8>, Planes) {
        let digits: Vec<u8> = (0..length).map(|k| (k * k % 11 % 5) as u8).collect();
        let mut planes = Planes::default();
        planes.fill(&digits, InstructionSet::detect());
        (digits, planes)
    }

    #[test]
    fn tiles_are_those_of_the_digits() {
        let (digits, planes) = planes(300);
        for at in 0..290 {
            let tile = &digits[at..at + 10];
            assert_eq!(planes.tile(at, 10), Tile::of(tile), "{at}");
            let (codes, code) = (planes.codes(at / 64 * 64, 10), Tile { wild: 0, ..Tile::of(tile) }.code(10));
            assert_eq!((codes.at(at as u32 % 64), codes.all()[at % 64]), (code, code));
            let (windows, [low, high, _]) = (planes.windows(at / 64 * 64), planes.digits(at as isize));
            assert_eq!(windows.at(at as u32 % 64), [low, high]);
            assert_eq!(planes.wild_in_tile(at, 10), tile.iter().filter(|&&digit| digit == 4).count() as u32);
        }
        assert_eq!((planes.tile(300, 10).wild, planes.digits(-10)[2] & 1023), (1023, 1023));
    }

    #[test]
    fn spans_without_a_tile_are_told_from_the_tiles() {
        let (_, planes) = planes(3000);
        let (mut clean, mut none) = Default::default();
        for (tile, tiles) in [(3, 4), (6, 12), (12, 12)] {
            planes.clean(tile, &mut clean);
            none_of(&clean, Shape { tile, tiles, needed: 1, spread: true, parted: false, together: true }, &mut none);
            for at in 0..=3000 - tile * tiles {
                let has_none = (0..tiles).all(|k| planes.wild_in_tile(at + k * tile, tile) > 0);
                assert_eq!(bits(&none, at) & 1 == 1, has_none, "{tile}, {tiles} at {at}");
            }
        }
    }

    #[test]
    fn runs_are_of_wild_digits_alone() {
        let digits: Vec<u8> = (0..1000).map(|k| if k / 100 % 2 == 1 || k % 7 == 0 { 4 } else { 1 }).collect();
        let (mut planes, mut runs) = (Planes::default(), Vec::new());
        planes.fill(&digits, InstructionSet::detect());
        for length in [1, 2, 13, 63, 64, 65, 100, 101, 102, 700] {
            planes.runs(length, &mut runs);
            for at in 0..=1000 - length {
                let all = digits[at..at + length].iter().all(|&digit| digit == 4);
                assert_eq!(bits(&runs, at) & 1 == 1, all, "{length} at {at}");
            }
        }
    }

    #[test]
    fn places_are_told_apart_by_their_wild_digits() {
        let digits: Vec<u8> = (0..3000).map(|k| if k / 900 == 1 || k * k % 31 < 6 { 4 } else { 1 }).collect();
        let (mut planes, mut sparse) = (Planes::default(), Vec::new());
        planes.fill(&digits, InstructionSet::detect());
        for (length, most) in [(1, 0), (24, 2), (25, 0), (64, 15), (65, 14), (130, 9)] {
            planes.sparse(length, most, &mut sparse);
            for at in 0..=3000 - length {
                let wild = digits[at..at + length].iter().filter(|&&digit| digit == 4).count();
                assert_eq!(bits(&sparse, at) & 1 == 1, wild <= most as usize, "{length}, {most} at {at}");
            }
        }
    }

    #[test]
    fn tiles_are_told_apart_by_their_wild_digits() {
        let (_, planes) = planes(300);
        let (mut clean, mut few) = Default::default();
        for tile in 1..=13 {
            planes.clean(tile, &mut clean);
            planes.few_wild(tile, &mut few);
            for at in 0..300 {
                for (plane, most) in [&clean, &few[0], &few[1]].into_iter().zip(0..) {
                    let has_few = planes.wild_in_tile(at, tile) <= most;
                    assert_eq!(bits(plane, at) & 1 == 1, has_few, "{tile} at {at}, {most}");
                }
            }
        }
    }
}
