//! Lanes in the registers of x86-64: two of AVX2, or one of AVX-512.

use super::lanes::{Lanes, Vector};
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

#[inline]
#[target_feature(enable = "avx512f")]
fn swapped_512(register: __m512i) -> __m512i {
    _mm512_shuffle_epi32::<0b01_00_11_10>(register)
}
