//! Codes of tiles: which lists to look into, and which to be listed in.
//!
//! The code of a tile of t single bases has bit 0 of digit k at bit k, and bit 1 at bit t + k: the tile's bits in two planes.

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
        let plane = |bit: u8| (0..).zip(digits).fold(0, |plane, (k, digit)| plane | u32::from(digit >> bit & 1) << k);
        Self { low: plane(0), high: plane(1), wild: plane(2) }
    }

    /// The code of a tile of `length` digits without wild ones.
    #[inline(always)]
    pub fn code(self, length: usize) -> u32 {
        self.low | self.high << length
    }
}

/// The codes of a tile of `length` digits with each base in the places of its wild ones: 4 for each, each once.
///
/// A wild symbol may stand for two or three bases only. Then some of these codes make candidates that are none.
#[inline(always)]
pub fn codes(tile: Tile, length: usize) -> impl Iterator<Item = u32> {
    let single = !tile.wild;
    let code = Tile { low: tile.low & single, high: tile.high & single, wild: 0 }.code(length);
    let wild = tile.wild | tile.wild << length;
    // From one subset of the wild bits to the next; the last one is followed by none of them.
    let next = move |&subset: &u32| Some(subset.wrapping_sub(wild) & wild).filter(|&next| next != 0);
    std::iter::successors(Some(0), next).map(move |subset| code | subset)
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
    fn a_wild_digit_is_each_base() {
        assert_eq!(of(&[0, 4]), [0b0000, 0b0010, 0b1000, 0b1010]);
        assert_eq!(of(&[4, 1]), [0b0010, 0b0011, 0b0110, 0b0111]);
        assert_eq!(of(&[4, 4, 3]).len(), 16);
    }
}
