//! Bits of many bytes, and of many places, in one word.
//!
//! Compilers find no vector instruction for either: a comparison of 64 bytes makes a mask, which is the word, and words of a table are fetched
//! 16 at a time. AVX2 fetches hardly faster than one by one, so only AVX-512 does.

use crate::{InstructionSet, Set};

impl InstructionSet {
    /// Bit k: bit `BIT`, below 8, of byte k. To be inlined where it is compiled for the set.
    #[inline(always)]
    pub fn bits_of_bytes<const BIT: u32>(self, bytes: &[u8; 64]) -> u64 {
        match self.0 {
            // SAFETY: the proof is that the machine has the instructions that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => unsafe { x86::bits_of_bytes_256::<BIT>(bytes) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) | Set::Avx512Popcnt(_) => unsafe { x86::bits_of_bytes_512::<BIT>(bytes) },
            Set::Portable => bits_of_bytes::<BIT>(bytes),
        }
    }

    /// Bit k: bit `places[k]` of `table`, which has 64 bits a word and as many words as some power of two; of a place behind the last one, a bit
    /// that means nothing. To be inlined where it is compiled for the set.
    ///
    /// # Panics
    /// When the number of words is no power of two.
    #[inline(always)]
    pub fn bits_at(self, table: &[u64], places: &[u32; 64]) -> u64 {
        assert!(table.len().is_power_of_two(), "places are cut to the table");
        match self.0 {
            // SAFETY: as above; there is a word.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) | Set::Avx512Popcnt(_) => unsafe { x86::bits_at_512(table, places) },
            _ => {
                let bit = |place: u32| table[(place as usize / 64) & (table.len() - 1)] >> (place % 64);
                self.bits_of_bytes::<0>(&places.map(|place| bit(place) as u8))
            }
        }
    }

    /// Bit k: whether both bits `places[k]` and `others[k]` of `table` are set, which differ in no more than their last five binary digits. The table
    /// as for [`Self::bits_at`].
    ///
    /// # Panics
    /// When the number of words is no power of two.
    #[inline(always)]
    pub fn both_bits_at(self, table: &[u64], places: &[u32; 64], others: &[u32; 64]) -> u64 {
        assert!(table.len().is_power_of_two(), "places are cut to the table");
        match self.0 {
            // SAFETY: as above; there is a word.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) | Set::Avx512Popcnt(_) => unsafe { x86::both_bits_at_512(table, places, others) },
            _ => {
                let both = |k: usize| {
                    let word = table[(places[k] as usize / 64) & (table.len() - 1)];
                    word >> (places[k] % 64) & word >> (others[k] % 64)
                };
                self.bits_of_bytes::<0>(&std::array::from_fn(|k| both(k) as u8))
            }
        }
    }
}

/// Bit k: bit `bit`, below 8, of byte k.
#[inline(always)]
pub fn bits_of_eight(bytes: [u8; 8], bit: u32) -> u8 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Bytes of 0 and 1, times this, have byte k's bit at bit 56 + k.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let bits = u64::from_le_bytes(bytes) >> bit & ONES;
    (bits.wrapping_mul(GATHER) >> 56) as u8
}

fn bits_of_bytes<const BIT: u32>(bytes: &[u8; 64]) -> u64 {
    let (eights, _) = bytes.as_chunks::<8>();
    u64::from_le_bytes(std::array::from_fn(|k| bits_of_eight(eights[k], BIT)))
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn bits_of_bytes_256<const BIT: u32>(bytes: &[u8; 64]) -> u64 {
        let (halves, _) = bytes.as_chunks::<32>();
        halves.iter().rev().fold(0, |word, half| {
            // SAFETY: the array has as many bytes as a vector.
            let half = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
            // The bit of each byte comes first in it, whatever comes behind.
            let first = _mm256_sll_epi16(half, _mm_cvtsi32_si128(7 - BIT as i32));
            word << 32 | u64::from(_mm256_movemask_epi8(first) as u32)
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn bits_of_bytes_512<const BIT: u32>(bytes: &[u8; 64]) -> u64 {
        // SAFETY: the array has as many bytes as a vector.
        let bytes = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        _mm512_test_epi8_mask(bytes, _mm512_set1_epi8((1_u8 << BIT) as i8))
    }

    /// # Safety
    /// The number of words is a power of two.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub unsafe fn bits_at_512(table: &[u64], places: &[u32; 64]) -> u64 {
        // SAFETY: as the caller says.
        unsafe { both_bits_at_512(table, places, places) }
    }

    /// # Safety
    /// The number of words is a power of two.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub unsafe fn both_bits_at_512(table: &[u64], places: &[u32; 64], others: &[u32; 64]) -> u64 {
        // Words of 32 bits. A place has 32 bits, so of a larger table all may be meant.
        let last = (2 * table.len() - 1).min(u32::MAX as usize / 32);
        let (words, last, one) = (table.as_ptr(), _mm512_set1_epi32(last as i32), _mm512_set1_epi32(1));
        let bit = |places| _mm512_sllv_epi32(one, _mm512_and_si512(places, _mm512_set1_epi32(31)));
        let (sixteens, _) = places.as_chunks::<16>();
        sixteens.iter().zip(others.as_chunks::<16>().0).rev().fold(0, |bits, (places, others)| {
            // SAFETY: the arrays have as many bytes as a vector.
            let [places, others] = [places, others].map(|these| unsafe { _mm512_loadu_si512(these.as_ptr().cast()) });
            let word = _mm512_and_si512(_mm512_srli_epi32::<5>(places), last);
            // SAFETY: with all bits beyond the last word cut off, it is one of the table.
            let word = unsafe { _mm512_i32gather_epi32::<4>(word, words.cast()) };
            let both = _mm512_or_si512(bit(places), bit(others));
            bits << 16 | u64::from(_mm512_cmpeq_epi32_mask(_mm512_and_si512(word, both), both))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_finds_the_bits_of_bytes() {
        let bytes: [u8; 64] = std::array::from_fn(|k| (k * k * 37 + k / 3 * 11) as u8);
        let expected = |bit: u32| (0..64).fold(0, |word, k| word | u64::from(bytes[k] >> bit & 1) << k);
        for set in InstructionSet::all() {
            let found =
                [set.bits_of_bytes::<0>(&bytes), set.bits_of_bytes::<2>(&bytes), set.bits_of_bytes::<7>(&bytes)];
            assert_eq!(found, [0, 2, 7].map(expected), "{set:?}");
        }
    }

    #[test]
    fn each_set_finds_the_bits_at_places() {
        for words in [1, 2, 64, 1 << 12] {
            let table: Vec<u64> = (0..words).map(|k: u64| (k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
            let of = 64 * words as u32;
            let places: [u32; 64] = std::array::from_fn(|k| (k as u32).wrapping_mul(0x85EB_CA6B).rotate_left(9) % of);
            let bit = |place: u32| table[place as usize / 64] >> (place % 64) & 1;
            let expected = (0..64).fold(0, |word, k| word | bit(places[k]) << k);
            for set in InstructionSet::all() {
                assert_eq!(set.bits_at(&table, &places), expected, "{set:?}, {words} words");
                let others = places.map(|place| place & !31 | place.wrapping_mul(0x9E37_79B1) >> 27);
                let both = (0..64).fold(0, |word, k| word | (bit(places[k]) & bit(others[k])) << k);
                assert_eq!(set.both_bits_at(&table, &places, &others), both, "{set:?}, {words} words");
                // No place leaves the table.
                set.bits_at(&table, &[u32::MAX; 64]);
                set.both_bits_at(&table, &[u32::MAX; 64], &[u32::MAX; 64]);
            }
        }
    }
}
