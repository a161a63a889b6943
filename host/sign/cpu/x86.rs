//! Lanes in the registers of x86-64: two of AVX2, or one of AVX-512.

use super::lanes::{ByteTable, LANES, Lanes, Vector};
use std::arch::x86_64::*;
use std::mem::transmute;

/// Methods that are one operation on each register.
macro_rules! each {
    (2 registers: $($name:ident($($other:ident),*) $operation:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($other: Self),*) -> Self {
            // SAFETY: `self` is proof of the instructions.
            unsafe { Self($operation(self.0 $(, $other.0)*), $operation(self.1 $(, $other.1)*)) }
        }
    )*};
    (1 register: $($name:ident($($other:ident),*) $operation:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($other: Self),*) -> Self {
            // SAFETY: `self` is proof of the instructions.
            unsafe { Self($operation(self.0 $(, $other.0)*)) }
        }
    )*};
}

/// Two registers of AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(__m256i, __m256i);

impl Avx2 {
    /// The first vector, all zero.
    #[inline(always)]
    pub fn zero(_: warpseq_simd::Avx2) -> Self {
        // SAFETY: any bits are a register's.
        unsafe { transmute(Lanes::ZERO) }
    }
}

impl Vector for Avx2 {
    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Self {
        // SAFETY: any bits are a register's.
        unsafe { transmute(*lanes) }
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        // SAFETY: lanes are as long as the registers, and any bits are numbers.
        unsafe { transmute(self) }
    }

    #[inline(always)]
    fn splat(self, number: u64) -> Self {
        // SAFETY: `self` is proof of the instructions.
        let register = unsafe { _mm256_set1_epi64x(number as i64) };
        Self(register, register)
    }

    #[inline(always)]
    unsafe fn pairs(self, list: &[[u64; 2]], [a, b, c, d, e, f, g, h]: [u32; LANES]) -> [Self; 2] {
        // SAFETY: `self` is proof of the instructions; the caller promises that these are places of the list.
        let ([low, high], [more_low, more_high]) =
            unsafe { (four_pairs(list, [a, b, c, d]), four_pairs(list, [e, f, g, h])) };
        [Self(low, more_low), Self(high, more_high)]
    }

    #[inline(always)]
    fn look_up(self, table: &ByteTable, bytes: &[u8], found: &mut [u8]) {
        // SAFETY: `self` is proof of the instructions.
        unsafe { look_up(table, bytes, found) }
    }

    each! {
        2 registers:
        and(other) _mm256_and_si256;
        or(other) _mm256_or_si256;
        xor(other) _mm256_xor_si256;
        plus(other) _mm256_add_epi64;
        times(other) products;
        swapped() swapped_256;
    }

    #[inline(always)]
    fn parity(self, a: Self, b: Self) -> Self {
        self.xor(a).xor(b)
    }

    #[inline(always)]
    fn majority(self, a: Self, b: Self) -> Self {
        self.and(a).or(self.xor(a).and(b))
    }

    #[inline(always)]
    fn shifted_right<const BITS: i64>(self) -> Self {
        // SAFETY: `self` is proof of the instructions.
        unsafe {
            let bits = _mm_cvtsi64_si128(BITS);
            Self(_mm256_srl_epi64(self.0, bits), _mm256_srl_epi64(self.1, bits))
        }
    }
}

/// The lower halves of 64-bit products, from 32-bit ones: a b = al bl + 2^32 (ah bl + al bh) modulo 2^64.
#[inline]
#[target_feature(enable = "avx2")]
fn products(a: __m256i, b: __m256i) -> __m256i {
    let [a_high, b_high] = [_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b)];
    let cross = _mm256_add_epi64(_mm256_mul_epu32(a_high, b), _mm256_mul_epu32(a, b_high));
    _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(cross))
}

/// The first numbers of four pairs, and the second ones.
///
/// # Safety
/// All are places of the list.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn four_pairs(list: &[[u64; 2]], [a, b, c, d]: [u32; 4]) -> [__m256i; 2] {
    // SAFETY: the caller promises it.
    let [a, b, c, d] = unsafe { [pair(list, a), pair(list, b), pair(list, c), pair(list, d)] };
    let even = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), c);
    let odd = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(b), d);
    [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
}

/// # Safety
/// It is a place of the list.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn pair(list: &[[u64; 2]], at: u32) -> __m128i {
    // SAFETY: the caller promises that there is a pair, which is as long as the register.
    unsafe { _mm_loadu_si128(list.as_ptr().add(at as usize).cast()) }
}

/// What a table has for each byte, 32 at a time: each row of the table is a register, and answers 0 for bytes that are not its own.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(table: &ByteTable, bytes: &[u8], found: &mut [u8]) {
    let (bytes, last_bytes) = bytes.as_chunks::<32>();
    let (found, last_found) = found.as_chunks_mut::<32>();
    for (bytes, found) in bytes.iter().zip(found) {
        // SAFETY: the array is as long as the register.
        let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
        let mut answers = _mm256_setzero_si256();
        for (number, row) in &table.rows {
            // SAFETY: a row is as long as the register.
            let row = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(row.as_ptr().cast()) });
            // Below 16 for the bytes of the row; for others, the first bit is set then.
            let place = _mm256_xor_si256(bytes, _mm256_set1_epi8((number << 4) as i8));
            let place = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
            answers = _mm256_or_si256(answers, _mm256_shuffle_epi8(row, place));
        }
        let answers = _mm256_sub_epi8(answers, _mm256_set1_epi8(1));
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(found.as_mut_ptr().cast(), answers) };
    }
    table.look_up(last_bytes, last_found);
}

#[inline]
#[target_feature(enable = "avx2")]
fn swapped_256(register: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b01_00_11_10>(register)
}

/// A register of AVX-512, with 64-bit products (DQ).
#[derive(Clone, Copy)]
pub struct Avx512(__m512i);

impl Avx512 {
    /// The first vector, all zero.
    #[inline(always)]
    pub fn zero(_: warpseq_simd::Avx512) -> Self {
        // SAFETY: any bits are a register's.
        unsafe { transmute(Lanes::ZERO) }
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Self {
        // SAFETY: any bits are a register's.
        unsafe { transmute(*lanes) }
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        // SAFETY: lanes are as long as the register, and any bits are numbers.
        unsafe { transmute(self) }
    }

    #[inline(always)]
    fn splat(self, number: u64) -> Self {
        // SAFETY: `self` is proof of the instructions.
        Self(unsafe { _mm512_set1_epi64(number as i64) })
    }

    #[inline(always)]
    unsafe fn pairs(self, list: &[[u64; 2]], at: [u32; LANES]) -> [Self; 2] {
        // SAFETY: `self` is proof of the instructions; the caller promises that these are places of the list.
        unsafe { eight_pairs(list, at) }.map(Self)
    }

    #[inline(always)]
    fn look_up(self, table: &ByteTable, bytes: &[u8], found: &mut [u8]) {
        // SAFETY: `self` is proof of the instructions, AVX2 among them.
        unsafe { look_up(table, bytes, found) }
    }

    each! {
        1 register:
        and(other) _mm512_and_si512;
        or(other) _mm512_or_si512;
        xor(other) _mm512_xor_si512;
        parity(a, b) parity_512;
        majority(a, b) majority_512;
        plus(other) _mm512_add_epi64;
        times(other) _mm512_mullo_epi64;
        swapped() swapped_512;
    }

    #[inline(always)]
    fn shifted_right<const BITS: i64>(self) -> Self {
        // SAFETY: `self` is proof of the instructions.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi64_si128(BITS)) })
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn parity_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn majority_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xe8>(a, b, c)
}

/// The first numbers of eight pairs, and the second ones.
///
/// # Safety
/// All are places of the list.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512dq")]
unsafe fn eight_pairs(list: &[[u64; 2]], [a, b, c, d, e, f, g, h]: [u32; LANES]) -> [__m512i; 2] {
    // SAFETY: the caller promises it.
    let (even, odd) = unsafe { (four_of_eight(list, [a, c, e, g]), four_of_eight(list, [b, d, f, h])) };
    [_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd)]
}

/// # Safety
/// All are places of the list.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512dq")]
unsafe fn four_of_eight(list: &[[u64; 2]], [a, b, c, d]: [u32; 4]) -> __m512i {
    // SAFETY: the caller promises it.
    let [a, b, c, d] = unsafe { [pair(list, a), pair(list, b), pair(list, c), pair(list, d)] };
    let two = _mm512_inserti64x2::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti64x2::<3>(_mm512_inserti64x2::<2>(two, c), d)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn swapped_512(register: __m512i) -> __m512i {
    _mm512_shuffle_epi32::<0b01_00_11_10>(register)
}
