//! Pure functions: adders of bit planes, dense vectors, k-mers of DNA.

use core::ops::{BitAnd, BitOr, BitXor};

/// A machine word: `u32` or `u64`.
pub trait Word: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> {}

impl Word for u32 {}
impl Word for u64 {}

/// Adds three words bit by bit: the low bits of the sums, and the carries.
#[inline(always)]
pub fn add3<W: Word>(a: W, b: W, c: W) -> (W, W) {
    (a ^ b ^ c, majority(a, b, c))
}

/// Adds two words bit by bit: the low bits of the sums, and the carries.
#[inline(always)]
pub fn add2(a: u64, b: u64) -> (u64, u64) {
    (a ^ b, a & b)
}

/// The bits that are set in two or three of three words: the carry of an addition.
#[inline(always)]
pub fn majority<W: Word>(a: W, b: W, c: W) -> W {
    (a & b) | (a & c) | (b & c)
}

/// 64 elements as two registers, in the order of a signature's bytes: the highest byte first.
#[inline(always)]
pub fn bytes_of(word: u64) -> [u32; 2] {
    [((word >> 32) as u32).swap_bytes(), (word as u32).swap_bytes()]
}

/// What splitmix64 adds to its state for each output (Steele, Lea and Flood 2014, fig. 16).
pub const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output of splitmix64 for a state (ibid.; constants of Stafford's mix 13).
#[inline(always)]
pub fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// FNV-1a, 64 bits: the hash of no bytes. [`fnv`] adds a byte.
pub const FNV_START: u64 = 0xCBF2_9CE4_8422_2325;

/// The FNV-1a hash after one more byte.
#[inline(always)]
pub fn fnv(hash: u64, byte: u32) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
}

/// Four bases, the first in the lowest byte: their 2-bit codes, the first in the highest bits, and a bit for each that
/// is A, C, G, T or U, the first in the lowest bit.
#[inline(always)]
pub fn pack4(bases: u32) -> (u32, u32) {
    let (mut codes, mut known) = (0, 0);
    unroll!(at in 0 1 2 3; {
        let base = bases >> (8 * at as u32) & 0xDF;
        // Bits 1 and 2 of A, C, T and G are 0, 1, 2 and 3. Those of U are T's.
        let pair = base >> 1 & 3;
        codes = codes << 2 | (pair ^ pair >> 1);
        let is_known = matches!(base, 0x41 | 0x43 | 0x47 | 0x54 | 0x55);
        known |= u32::from(is_known) << at as u32;
    });
    (codes, known)
}

/// The reverse complement of a k-mer. `bases` has its 2-bit codes in the highest bits, the first base highest; what
/// follows its `k` bases does not matter. The result is in the lowest bits, as [`kmer`]'s is.
#[inline(always)]
pub fn reverse_complement(bases: u64, k: u32) -> u64 {
    let reversed = bases.reverse_bits();
    let reversed = (reversed & 0x5555_5555_5555_5555) << 1 | (reversed >> 1 & 0x5555_5555_5555_5555);
    !reversed & u64::MAX >> (64 - 2 * k)
}

/// The 2-bit codes of a k-mer (`k` from 1 to 32): those in the highest bits of `bases`, moved to the lowest.
#[inline(always)]
pub fn kmer(bases: u64, k: u32) -> u64 {
    bases >> (64 - 2 * k)
}

/// The longest period of words that are skipped: 0 for k below 3.
pub const fn longest_period(k: u32) -> u32 {
    if k / 3 < 6 { k / 3 } else { 6 }
}

/// Whether a k-mer repeats itself with a period of at most `longest`, which is at most `k / 3`. `kmer` has its 2-bit codes in
/// the lowest bits. A period p is also one of 2 p, so only those above half of the longest are tried. A k-mer and its reverse
/// complement have the same periods.
#[inline(always)]
pub fn is_periodic(kmer: u64, k: u32, longest: u32) -> bool {
    let mut is_periodic = false;
    let mut period = longest / 2 + 1;
    while period <= longest {
        is_periodic |= (kmer ^ kmer >> (2 * period)) << (64 - 2 * (k - period)) == 0;
        period += 1;
    }
    is_periodic
}

/// The byte in upper case if it is one of the 20 amino acids.
#[inline(always)]
pub fn amino_acid(byte: u32) -> Option<u32> {
    /// Bit n is set if the n-th letter of the alphabet, counted from 1, is an amino acid.
    const ONES: u32 = {
        let (letters, mut ones, mut at) = (b"ACDEFGHIKLMNPQRSTVWY", 0, 0);
        while at < letters.len() {
            ones |= 1 << (letters[at] & 31);
            at += 1;
        }
        ones
    };
    let upper = byte & 0xDF;
    (upper & 0xE0 == 0x40 && ONES >> (upper & 31) & 1 == 1).then_some(upper)
}

/// How many bits of eight words are set. Seven words are first added to three, because an adder is two instructions,
/// and the hardware counts bits at a quarter of their rate.
#[inline(always)]
pub fn count_ones([a, b, c, d, e, f, g, h]: [u32; 8]) -> u32 {
    let (ones, t0) = add3(a, b, c);
    let (ones, t1) = add3(ones, d, e);
    let (ones, t2) = add3(ones, f, g);
    let (twos, fours) = add3(t0, t1, t2);
    ones.count_ones() + h.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amino_acids_are_twenty() {
        for byte in 0..256u32 {
            let upper = (byte as u8).to_ascii_uppercase();
            let expected = b"ACDEFGHIKLMNPQRSTVWY".contains(&upper).then_some(u32::from(upper));
            assert_eq!(amino_acid(byte), expected, "{byte}");
        }
    }

    #[test]
    fn dna_is_packed_in_any_case_and_others_are_unknown() {
        for (letters, codes, known) in [
            (b"ACGT", 0b00_01_10_11, 0b1111),
            (b"tgca", 0b11_10_01_00, 0b1111),
            (b"UuNA", 0b11_11_00_00, 0b1011),
            (b"\x01-\xC1@", 0, 0),
        ] {
            let (packed, bits) = pack4(u32::from_le_bytes(*letters));
            assert_eq!(bits, known, "{letters:?}");
            for at in 0..4 {
                let code = |codes: u32| codes >> (6 - 2 * at) & 3;
                assert!(known >> at & 1 == 0 || code(packed) == code(codes), "{letters:?}");
            }
        }
    }

    #[test]
    fn a_reverse_complement_reversed_is_the_kmer() {
        // AACGT, then other bases: the reverse complement is ACGTT.
        let bases = 0b00_00_01_10_11 << 54 | 0x1234;
        assert_eq!(kmer(bases, 5), 0b00_00_01_10_11);
        assert_eq!(reverse_complement(bases, 5), 0b00_01_10_11_11);
        for k in 1..=32 {
            let kmer = kmer(0x0123_4567_89AB_CDEF, k);
            let there = reverse_complement(kmer << (64 - 2 * k), k);
            assert_eq!(reverse_complement(there << (64 - 2 * k), k), kmer, "{k}");
        }
    }

    #[test]
    fn kmers_that_repeat_themselves_are_found() {
        let code =
            |kmer: &[u8]| kmer.iter().fold(0, |code, &base| code << 2 | u64::from(base >> 1 & 3 ^ base >> 2 & 1));
        for (kmer, expected) in [
            (&b"AAAAAAAAAAAAAAAAAAAAA"[..], true),
            (b"ACACACACACACACACACACA", true),
            (b"ACGACGACGACGACGACGACG", true),
            (b"ACGTACGTACGTACGTACGTA", true),
            (b"ACGTAACGTAACGTAACGTAA", true),
            (b"ACGTCAACGTCAACGTCAACG", true),
            (b"ACGTCATACGTCATACGTCAT", false),
            (b"AAAAAAAAAAAAAAAAAAAAC", false),
            (b"CAAAAAAAAAAAAAAAAAAAA", false),
            (b"ACGTCAACGTCAACGTCAACT", false),
            (b"ACACACACACAC", true),
            (b"ACGTCACGTCACGTC", true),
            (b"ACGTCAACGTCA", false),
            (b"ACAC", false),
            (b"AAAA", true),
            (b"AAA", true),
            (b"AA", false),
            (b"TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", true),
        ] {
            let k = kmer.len() as u32;
            assert_eq!(is_periodic(code(kmer), k, longest_period(k)), expected, "{}", kmer.escape_ascii());
            assert!(!is_periodic(code(kmer), k, 0));
        }
    }

    #[test]
    fn the_first_bytes_of_a_signature_are_a_words_highest() {
        let [low, high] = bytes_of(0x0123_4567_89AB_CDEF);
        assert_eq!([low.to_le_bytes(), high.to_le_bytes()], [[0x01, 0x23, 0x45, 0x67], [0x89, 0xAB, 0xCD, 0xEF]]);
    }

    #[test]
    fn planes_add() {
        let (sum, carry) = add3(0b1100u32, 0b1010, 0b1001);
        assert_eq!((sum, carry), (0b1111, 0b1000));
        assert_eq!(add2(0b1100, 0b1010), (0b0110, 0b1000));
        let words = [0xFFFF_FFFF, 0x1234_5678, 0x0F0F_0F0F, 7, 0x8000_0001, 0xDEAD_BEEF, 0xFFFF_0000, 0x5555_5555];
        assert_eq!(count_ones(words), words.iter().map(|word| word.count_ones()).sum());
        assert_eq!(count_ones([u32::MAX; 8]), 256);
    }

    #[test]
    fn known_outputs() {
        // The first outputs of splitmix64 from state 0, and FNV-1a of "a", as published by their authors.
        assert_eq!([mix(GAMMA), mix(GAMMA.wrapping_mul(2))], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
        assert_eq!(fnv(FNV_START, 0x61), 0xAF63_DC4C_8601_EC8C);
    }
}
