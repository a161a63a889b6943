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

/// Calls `visit` with every code that agrees with a tile of `length` digits, each once. `set` gives the bases, as bits, that digit k
/// of the tile may be, and is asked for wild digits only.
#[inline]
pub fn each_code(tile: Tile, length: usize, set: impl Fn(usize) -> u8, mut visit: impl FnMut(u32)) {
    let single = !tile.wild;
    let plain = Tile { low: tile.low & single, high: tile.high & single, wild: 0 }.code(length);
    let (mut places, mut count, mut left) = ([(0, 0); 32], 0, tile.wild);
    while left != 0 {
        let k = left.trailing_zeros() as usize;
        places[count] = (k, set(k));
        (count, left) = (count + 1, left & (left - 1));
    }
    visit_choices(plain, length, &places[..count], &mut visit);
}

/// Chooses a base for the first of `places`, then for the others.
fn visit_choices(code: u32, length: usize, places: &[(usize, u8)], visit: &mut impl FnMut(u32)) {
    let Some((&(k, set), others)) = places.split_first() else { return visit(code) };
    for base in (0..4).filter(|base| set >> base & 1 == 1) {
        let bits = (base & 1) << k | (base >> 1) << (length + k);
        visit_choices(code | bits, length, others, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(digits: &[u8], sets: &[u8]) -> Vec<u32> {
        let mut codes = Vec::new();
        each_code(Tile::of(digits), digits.len(), |k| sets[k], |code| codes.push(code));
        codes
    }

    #[test]
    fn a_tile_of_single_bases_has_one_code() {
        assert_eq!(codes(&[0, 1, 2, 3], &[]), [0b1100_1010]);
        assert_eq!(codes(&[], &[]), [0]);
        assert_eq!(codes(&[3; 13], &[]), [(1 << 26) - 1]);
    }

    #[test]
    fn a_wild_digit_is_each_base_of_its_set() {
        assert_eq!(codes(&[0, 4], &[0, 0b1111]), [0b0000, 0b0010, 0b1000, 0b1010]);
        assert_eq!(codes(&[4, 1], &[0b0101, 0]), [0b0010, 0b0110]);
        assert_eq!(codes(&[4, 4, 3], &[0b1001, 0b0110, 0]).len(), 4);
        assert_eq!(codes(&[4, 3], &[0, 0]), [0_u32; 0]);
    }
}
