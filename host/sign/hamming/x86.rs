//! Sums in the registers of x86-64.

use super::lanes::{LANES, Sums};
use std::arch::x86_64::*;

/// AVX-512 with a population count of its own: one register.
#[derive(Clone, Copy)]
pub struct Avx512(__m512i);

impl Avx512 {
    /// No bits.
    #[inline(always)]
    pub fn zero(_: warpseq_simd::Avx512Popcnt) -> Self {
        // SAFETY: the proof is that the machine has the instructions.
        Self(unsafe { _mm512_setzero_si512() })
    }
}

impl Sums for Avx512 {
    #[inline(always)]
    fn plus(self, word: u64, targets: &[u64; LANES]) -> Self {
        // SAFETY: `self` is proof of the instructions; eight words are 64 bytes, read wherever they lie.
        Self(unsafe {
            let differing =
                _mm512_xor_si512(_mm512_loadu_si512(targets.as_ptr().cast()), _mm512_set1_epi64(word as i64));
            _mm512_add_epi64(self.0, _mm512_popcnt_epi64(differing))
        })
    }

    #[inline(always)]
    fn any_below(self, below: u32) -> bool {
        // SAFETY: `self` is proof of the instructions.
        unsafe { _mm512_cmplt_epu64_mask(self.0, _mm512_set1_epi64(i64::from(below))) != 0 }
    }

    #[inline(always)]
    fn get(self) -> [u32; LANES] {
        let mut sums = [0; LANES];
        // SAFETY: `self` is proof of the instructions; eight numbers are 32 bytes, written wherever they lie.
        unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(self.0)) };
        sums
    }
}

/// AVX2, which counts the bits of halves of bytes by looking them up: two registers.
#[derive(Clone, Copy)]
pub struct Avx2([__m256i; 2]);

/// Ones of 0 to 15, for either half of a register.
const ONES: [[u8; 16]; 2] = [[0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]; 2];

impl Avx2 {
    /// No bits.
    #[inline(always)]
    pub fn zero(_: warpseq_simd::Avx2) -> Self {
        // SAFETY: the proof is that the machine has the instructions.
        Self([unsafe { _mm256_setzero_si256() }; 2])
    }
}

impl Sums for Avx2 {
    #[inline(always)]
    fn plus(self, word: u64, targets: &[u64; LANES]) -> Self {
        let Self([low, high]) = self;
        let (four, other) = targets.as_chunks().0.split_at(1);
        Self([plus(low, word, &four[0]), plus(high, word, &other[0])])
    }

    #[inline(always)]
    fn any_below(self, below: u32) -> bool {
        let Self([low, high]) = self;
        // SAFETY: `self` is proof of the instructions.
        unsafe {
            let below = _mm256_set1_epi64x(i64::from(below));
            let any = _mm256_or_si256(_mm256_cmpgt_epi64(below, low), _mm256_cmpgt_epi64(below, high));
            _mm256_testz_si256(any, any) == 0
        }
    }

    #[inline(always)]
    fn get(self) -> [u32; LANES] {
        const { assert!(size_of::<[__m256i; 2]>() == size_of::<[u64; LANES]>()) };
        // SAFETY: the registers are as long as the array, and any bits are numbers.
        let sums: [u64; LANES] = unsafe { std::mem::transmute(self.0) };
        sums.map(|sum| sum as u32)
    }
}

/// `sums` with the bits in which `word` differs from each of `targets`. `sums` is proof of the instructions.
#[inline(always)]
fn plus(sums: __m256i, word: u64, targets: &[u64; 4]) -> __m256i {
    // SAFETY: the caller holds a register of `Avx2`; four words and the table are 32 bytes, read wherever they lie.
    unsafe {
        let (ones, halves) = (_mm256_loadu_si256(ONES.as_ptr().cast()), _mm256_set1_epi8(15));
        let differing = _mm256_xor_si256(_mm256_loadu_si256(targets.as_ptr().cast()), _mm256_set1_epi64x(word as i64));
        let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(differing, halves));
        let high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(differing, 4), halves));
        _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256()))
    }
}
