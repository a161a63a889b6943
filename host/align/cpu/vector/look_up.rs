//! Scores of a small table for each lane, by byte shuffles: codes below 16 find theirs in the first half of the table, the
//! others in the second.

use super::CODES;
use std::arch::x86_64::*;

/// The halves of the table.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(scores: &[i8; CODES]) -> [__m128i; 2] {
    let (halves, _) = scores.as_chunks::<16>();
    // SAFETY: half of a table is as long as a register.
    [0, 1].map(|half| unsafe { _mm_loadu_si128(halves[half].as_ptr().cast()) })
}

/// Added, with saturation, to a code: bytes from 128 on, which find 0, are those of the other half.
const NOT_FIRST: i8 = 0x70;
/// Subtracted from a code, likewise.
const NOT_SECOND: i8 = 16;

/// 32 scores of a byte.
#[inline]
#[target_feature(enable = "avx2")]
pub fn bytes_256(scores: &[i8; CODES], codes: &[u8; 32]) -> __m256i {
    let [first, second] = halves(scores).map(|half| _mm256_broadcastsi128_si256(half));
    // SAFETY: the codes are as long as a register.
    let codes = unsafe { _mm256_loadu_si256(codes.as_ptr().cast()) };
    let in_first = _mm256_adds_epu8(codes, _mm256_set1_epi8(NOT_FIRST));
    let in_second = _mm256_sub_epi8(codes, _mm256_set1_epi8(NOT_SECOND));
    _mm256_or_si256(_mm256_shuffle_epi8(first, in_first), _mm256_shuffle_epi8(second, in_second))
}

/// 16 scores of a byte, in words.
#[inline]
#[target_feature(enable = "avx2")]
pub fn words_256(scores: &[i8; CODES], codes: &[u8; 16]) -> __m256i {
    let [first, second] = halves(scores);
    // SAFETY: the codes are as long as a register.
    let codes = unsafe { _mm_loadu_si128(codes.as_ptr().cast()) };
    let in_first = _mm_adds_epu8(codes, _mm_set1_epi8(NOT_FIRST));
    let in_second = _mm_sub_epi8(codes, _mm_set1_epi8(NOT_SECOND));
    _mm256_cvtepi8_epi16(_mm_or_si128(_mm_shuffle_epi8(first, in_first), _mm_shuffle_epi8(second, in_second)))
}

/// 64 scores of a byte.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
pub fn bytes_512(scores: &[i8; CODES], codes: &[u8; 64]) -> __m512i {
    let [first, second] = halves(scores).map(|half| _mm512_broadcast_i32x4(half));
    // SAFETY: the codes are as long as a register.
    let codes = unsafe { _mm512_loadu_si512(codes.as_ptr().cast()) };
    let in_first = _mm512_adds_epu8(codes, _mm512_set1_epi8(NOT_FIRST));
    let in_second = _mm512_sub_epi8(codes, _mm512_set1_epi8(NOT_SECOND));
    _mm512_or_si512(_mm512_shuffle_epi8(first, in_first), _mm512_shuffle_epi8(second, in_second))
}

/// 32 scores of a byte, in words.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
pub fn words_512(scores: &[i8; CODES], codes: &[u8; 32]) -> __m512i {
    _mm512_cvtepi8_epi16(bytes_256(scores, codes))
}
