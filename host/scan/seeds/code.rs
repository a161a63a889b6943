//! Codes of tiles: which lists to look into, and which to be listed in.
//!
//! The code of a tile of t single bases has bit 0 of digit k at bit k, and bit 1 at bit t + k: the tile's bits in two planes.

use warpseq_simd::bits_of_eight;

/// Bit k of each plane: bit 0, bit 1, and bit 2 of digit k, of 64 digits at most.
#[inline]
pub fn planes(digits: &[u8]) -> [u64; 3] {
    let (eights, rest) = digits.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let (mut planes, mut shift) = ([0; 3], 0);
    for eight in eights.iter().copied().chain((!rest.is_empty()).then_some(last)) {
        for (bit, plane) in (0..).zip(&mut planes) {
            *plane |= u64::from(bits_of_eight(eight, bit)) << shift;
        }
        shift += 8;
    }
    planes
}

/// A tile of a sequence or of a pattern, digit by digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Bit k: bit 0 of digit k.
    pub low: u32,
    /// Bit k: bit 1 of digit k.
    pub high: u32,
    /// Bit k: digit k is wild.
    pub wild: u32,
}

impl Tile {
    /// The tile of these digits.
    pub fn of(digits: &[u8]) -> Self {
        let [low, high, wild] = planes(digits).map(|plane| plane as u32);
        Self { low, high, wild }
    }

    /// The code of a tile of `length` digits without wild ones.
    #[inline(always)]
    pub fn code(self, length: usize) -> u32 {
        self.low | self.high << length
    }
}

/// The code of a tile with bits 0 in the places of its wild digits, and all bits of these.
#[inline(always)]
fn single_and_wild(tile: Tile, length: usize) -> (u32, u32) {
    let single = !tile.wild;
    let code = Tile { low: tile.low & single, high: tile.high & single, wild: 0 }.code(length);
    (code, tile.wild | tile.wild << length)
}

/// All subsets of some bits.
#[inline(always)]
fn subsets(bits: u32) -> impl Iterator<Item = u32> {
    // From one to the next; the last one is followed by none of the bits.
    std::iter::successors(Some(0), move |&subset: &u32| {
        Some(subset.wrapping_sub(bits) & bits).filter(|&next| next != 0)
    })
}

/// The codes of a tile of `length` digits with each base in the places of its wild ones: 4 for each, each once.
///
/// A wild symbol may stand for two or three bases only. Then some of these codes make candidates that are none.
#[inline(always)]
pub fn codes(tile: Tile, length: usize) -> impl Iterator<Item = u32> {
    let (code, wild) = single_and_wild(tile, length);
    subsets(wild).map(move |subset| code | subset)
}

/// The same codes, 64 a word: the first code of each word, and bit c % 64 for code c. Where a wild digit is one of the first six, it makes two
/// words of one, as both of its bits 0 are in one word.
#[inline(always)]
pub fn words_of_codes(tile: Tile, length: usize) -> impl Iterator<Item = (u32, u64)> {
    const IN_WORD: u32 = 63;
    let (code, wild) = single_and_wild(tile, length);
    let (mut bits, mut inside) = (1u64 << (code & IN_WORD), wild & IN_WORD);
    while inside != 0 {
        // Bit b of a code is worth 2^b of them.
        bits |= bits << (inside & inside.wrapping_neg());
        inside &= inside - 1;
    }
    subsets(wild & !IN_WORD).map(move |subset| ((code | subset) & !IN_WORD, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(digits: &[u8]) -> Vec<u32> {
        codes(Tile::of(digits), digits.len()).collect()
    }

    #[test]
    fn a_tile_of_single_bases_has_one_code() {
        assert_eq!(of(&[0, 1, 2, 3]), [0b1100_1010]);
        assert_eq!(of(&[]), [0]);
        assert_eq!(of(&[3; 13]), [(1 << 26) - 1]);
    }

    #[test]
    fn words_have_the_codes_as_bits() {
        let digits = [0, 1, 2, 3, 1, 2, 0, 3, 3, 1, 0, 2];
        for length in 1..=digits.len() {
            for wild in 0..1u32 << length {
                if wild.count_ones() > 3 {
                    continue;
                }
                let tile = Tile { wild, ..Tile::of(&digits[..length]) };
                let of_word = |(first, bits): (u32, u64)| {
                    (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| first | bit)
                };
                let mut of_words: Vec<u32> = words_of_codes(tile, length).flat_map(of_word).collect();
                let mut all: Vec<u32> = codes(tile, length).collect();
                of_words.sort_unstable();
                all.sort_unstable();
                assert_eq!(of_words, all, "{length} {wild:b}");
            }
        }
    }

    #[test]
    fn a_wild_digit_is_each_base() {
        assert_eq!(of(&[0, 4]), [0b0000, 0b0010, 0b1000, 0b1010]);
        assert_eq!(of(&[4, 1]), [0b0010, 0b0011, 0b0110, 0b0111]);
        assert_eq!(of(&[4, 4, 3]).len(), 16);
    }
}
