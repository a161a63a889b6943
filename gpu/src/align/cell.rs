//! Pure functions: on scores (two of 16 bits in a word, or one of 32 bits), on the borders, and on where an alignment
//! ends.

use crate::abi::{Rules, mode};
use cuda_std::bits::byte_permute;
use cuda_std::packed;

/// The scores that a word holds.
pub trait Scores {
    /// Scores in a word, each of another pair.
    const PAIRS: u32;
    /// Lower than every score that can be reached, by more than any gap costs.
    const LOWEST: i32;
    /// The same score for all pairs.
    fn splat(score: i32) -> u32;
    /// The scores of column `byte` (0..4), from a word of the first pair's profile and one of the second's.
    fn pick(first: u32, second: u32, byte: u32) -> u32;
    fn add(a: u32, b: u32) -> u32;
    /// `max(a + b, c)`, and at least 0 if `ZERO`.
    fn add_max<const ZERO: bool>(a: u32, b: u32, c: u32) -> u32;
    /// `max(a, b, c)`, and at least 0 if `ZERO`.
    fn max3<const ZERO: bool>(a: u32, b: u32, c: u32) -> u32;
    /// The score of pair `k`.
    fn get(word: u32, k: u32) -> i32;
    /// The word of these scores.
    fn join(scores: [i32; 2]) -> u32;
}

/// Two pairs, 16 bits each.
pub struct Packed;

/// One pair, 32 bits.
pub struct Wide;

impl Scores for Packed {
    const PAIRS: u32 = 2;
    const LOWEST: i32 = -28_000;

    #[inline(always)]
    fn splat(score: i32) -> u32 {
        packed::splat(score)
    }

    /// One PRMT: the first byte and its sign, the second byte and its sign.
    #[inline(always)]
    fn pick(first: u32, second: u32, byte: u32) -> u32 {
        byte_permute(first, second, 0xc480 + byte * 0x1111)
    }

    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        packed::add(a, b)
    }

    #[inline(always)]
    fn add_max<const ZERO: bool>(a: u32, b: u32, c: u32) -> u32 {
        if ZERO { packed::add_max_zero(a, b, c) } else { packed::add_max(a, b, c) }
    }

    #[inline(always)]
    fn max3<const ZERO: bool>(a: u32, b: u32, c: u32) -> u32 {
        if ZERO { packed::max3_zero(a, b, c) } else { packed::max3(a, b, c) }
    }

    #[inline(always)]
    fn get(word: u32, k: u32) -> i32 {
        if k == 0 { i32::from(word as i16) } else { word as i32 >> 16 }
    }

    #[inline(always)]
    fn join([first, second]: [i32; 2]) -> u32 {
        byte_permute(first as u32, second as u32, 0x5410)
    }
}

impl Scores for Wide {
    const PAIRS: u32 = 1;
    const LOWEST: i32 = -0x3000_0000;

    #[inline(always)]
    fn splat(score: i32) -> u32 {
        score as u32
    }

    /// One PRMT: the byte, and three times its sign.
    #[inline(always)]
    fn pick(first: u32, _: u32, byte: u32) -> u32 {
        byte_permute(first, 0, 0x8880 + byte * 0x1111)
    }

    #[inline(always)]
    fn add(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn add_max<const ZERO: bool>(a: u32, b: u32, c: u32) -> u32 {
        Self::max3::<ZERO>(a.wrapping_add(b), c, c)
    }

    #[inline(always)]
    fn max3<const ZERO: bool>(a: u32, b: u32, c: u32) -> u32 {
        let max = (a as i32).max(b as i32).max(c as i32);
        (if ZERO { max.max(0) } else { max }) as u32
    }

    #[inline(always)]
    fn get(word: u32, _: u32) -> i32 {
        word as i32
    }

    #[inline(always)]
    fn join([first, _]: [i32; 2]) -> u32 {
        first as u32
    }
}

/// The score of a border cell that a gap of `symbols` leads to.
#[inline(always)]
fn gap(symbols: u32, open: i32, extend: i32) -> i32 {
    if symbols == 0 { 0 } else { -open - (symbols as i32 - 1) * extend }
}

/// Row 0 and column 0: what a gap costs where that end is not free, 0 where it is.
impl Rules {
    /// H of row 0 in column `j`.
    #[inline(always)]
    pub fn above(&self, j: u32) -> i32 {
        if self.mode == mode::GLOBAL { gap(j, self.open, self.extend) } else { 0 }
    }

    /// H of column 0 in row `i`.
    #[inline(always)]
    pub fn beside(&self, i: u32) -> i32 {
        let charged = self.mode == mode::GLOBAL || self.mode == mode::FIT;
        if charged { gap(i, self.open, self.extend) } else { 0 }
    }
}

/// A cell with its score: where an alignment may end.
#[derive(Clone, Copy)]
pub struct Best {
    pub score: i32,
    pub row: u32,
    pub column: u32,
}

impl Best {
    /// Whether this is the end rather than `other`: the highest score, then the smallest row, then the smallest column.
    #[inline(always)]
    pub fn before(&self, other: &Self) -> bool {
        let nearer = self.row < other.row || self.row == other.row && self.column < other.column;
        self.score > other.score || self.score == other.score && nearer
    }
}

/// Transposes bytes: word k of the result has byte k of each of the four words.
#[inline(always)]
pub fn transpose([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    let (ab, cd) = (byte_permute(a, b, 0x5140), byte_permute(c, d, 0x5140));
    let (ab_high, cd_high) = (byte_permute(a, b, 0x7362), byte_permute(c, d, 0x7362));
    [
        byte_permute(ab, cd, 0x5410),
        byte_permute(ab, cd, 0x7632),
        byte_permute(ab_high, cd_high, 0x5410),
        byte_permute(ab_high, cd_high, 0x7632),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_bytes_become_signed_scores() {
        let (first, second) = (0xff_7f_80_01, 0x02_fe_04_ff);
        let scores = [0, 1, 2, 3].map(|byte| {
            let word = Packed::pick(first, second, byte);
            assert_eq!(Wide::get(Wide::pick(first, second, byte), 0), Packed::get(word, 0));
            (Packed::get(word, 0), Packed::get(word, 1))
        });
        assert_eq!(scores, [(1, -1), (-128, 4), (127, -2), (-1, 2)]);
    }

    /// Each function on each pair's scores, compared with plain arithmetic.
    fn computes_as_plain_numbers<S: Scores>(most: i32) {
        let mut number = crate::bench::numbers(1);
        let mut draw = || [0, 1].map(|_| number(2 * most as u32 + 1) as i32 - most);
        for _ in 0..2000 {
            let (a, b, c) = (draw(), draw(), draw());
            let [x, y, z] = [a, b, c].map(S::join);
            for k in 0..S::PAIRS as usize {
                let get = |word| S::get(word, k as u32);
                assert_eq!((get(x), get(S::splat(a[0]))), (a[k], a[0]));
                assert_eq!(get(S::add(x, y)), a[k] + b[k]);
                assert_eq!(get(S::add_max::<false>(x, y, z)), (a[k] + b[k]).max(c[k]));
                assert_eq!(get(S::add_max::<true>(x, y, z)), (a[k] + b[k]).max(c[k]).max(0));
                assert_eq!(get(S::max3::<false>(x, y, z)), a[k].max(b[k]).max(c[k]));
                assert_eq!(get(S::max3::<true>(x, y, z)), a[k].max(b[k]).max(c[k]).max(0));
            }
        }
    }

    #[test]
    fn scores_in_words_are_plain_numbers() {
        computes_as_plain_numbers::<Packed>(16_000);
        computes_as_plain_numbers::<Wide>(1 << 29);
        assert_eq!((Packed::PAIRS, Wide::PAIRS), (2, 1));
    }

    #[test]
    fn the_lowest_score_less_the_dearest_gap_does_not_wrap() {
        // The host sends no pair whose scores can exceed 24,000 or 2^29, and no packed pair whose gaps cost more than
        // 4,000.
        assert!(Packed::LOWEST < -24_000 && Packed::LOWEST - 4_000 > i32::from(i16::MIN));
        assert!(Wide::LOWEST < -(1 << 29) && Wide::LOWEST.checked_sub(1 << 29).is_some());
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let words = [0x0403_0201, 0x1413_1211, 0x2423_2221, 0x3433_3231];
        assert_eq!(transpose(words), [0x3121_1101, 0x3222_1202, 0x3323_1303, 0x3424_1404]);
        assert_eq!(transpose(transpose(words)), words);
    }

    #[test]
    fn an_end_is_the_highest_then_the_first() {
        let at = |score, row, column| Best { score, row, column };
        assert!(at(5, 9, 9).before(&at(4, 0, 0)) && !at(4, 0, 0).before(&at(5, 9, 9)));
        assert!(at(5, 1, 9).before(&at(5, 2, 0)) && at(5, 1, 1).before(&at(5, 1, 2)));
        assert!(!at(5, 1, 1).before(&at(5, 1, 1)));
    }

    #[test]
    fn gaps_cost_the_first_symbol_more() {
        assert_eq!([0, 1, 2, 3].map(|symbols| gap(symbols, 11, 4)), [0, -11, -15, -19]);
    }

    #[test]
    fn borders_cost_where_ends_are_not_free() {
        let borders = [mode::LOCAL, mode::GLOBAL, mode::FIT, mode::OVERLAP].map(|mode| {
            let rules = Rules { mode, open: 11, extend: 1, codes: 4, width: 8, chunk: 32 };
            assert_eq!((rules.above(0), rules.beside(0)), (0, 0));
            (rules.above(3), rules.beside(2))
        });
        assert_eq!(borders, [(0, 0), (-13, -12), (0, -12), (0, 0)]);
    }
}
