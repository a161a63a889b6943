//! Lanes in the registers of x86-64: AVX2, and AVX-512 with bytes and words.

use super::look_up;
use super::{CODES, Vector, Work};
use std::arch::x86_64::*;
use warpseq_simd::{Avx2, Avx512};

macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident: $lanes:literal x $lane:ident in $register:ident, $proof:ident, $features:literal,
        splat $splat:ident, add $add:ident, sub $sub:ident, max $max:ident,
        select $select:ident, equal $equal:ident, greater $greater:ident$(, look up $look_up:ident)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($register);

        impl $name {
            /// The first vector, all zero.
            pub fn zero(_: $proof) -> Self {
                // SAFETY: a register is numbers only, for which all bits zero is a value.
                Self(unsafe { std::mem::zeroed() })
            }
        }

        impl Vector for $name {
            type Lane = $lane;
            const LANES: usize = $lanes;
            const SHUFFLES: bool = $lanes >= 16;
            const ROOMY: bool = size_of::<$register>() == 64;

            #[inline(always)]
            fn splat(self, lane: $lane) -> Self {
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { $splat(lane) })
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            fn if_equal(self, other: Self, yes: Self, no: Self) -> Self {
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { $select!(no.0, yes.0, $equal(self.0, other.0)) })
            }

            #[inline(always)]
            fn if_greater(self, other: Self, yes: Self, no: Self) -> Self {
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { $select!(no.0, yes.0, $greater(self.0, other.0)) })
            }

            #[inline(always)]
            fn lanes(&self) -> &[$lane] {
                const { assert!(size_of::<$register>() == size_of::<[$lane; $lanes]>()) };
                // SAFETY: the register is as long as this array, aligned more strictly, and any bits are numbers.
                unsafe { &*(&raw const *self).cast::<[$lane; $lanes]>() }
            }

            #[inline(always)]
            fn lanes_mut(&mut self) -> &mut [$lane] {
                // SAFETY: as in `lanes`; any numbers make a register.
                unsafe { &mut *(&raw mut *self).cast::<[$lane; $lanes]>() }
            }

            $(#[inline(always)]
            fn look_up(self, scores: &[i8; CODES], codes: &[u8]) -> Self {
                let codes = codes.first_chunk().expect("there is a code for each lane");
                // SAFETY: `self` is proof of the instructions.
                Self(unsafe { look_up::$look_up(scores, codes) })
            })?

            #[inline(always)]
            fn compiled<W: Work>(self, work: W) -> W::Output {
                #[target_feature(enable = $features)]
                fn compiled<W: Work>(work: W) -> W::Output {
                    work.work()
                }
                // SAFETY: `self` is proof of the instructions.
                unsafe { compiled(work) }
            }
        }
    };
}

macro_rules! blend_256 {
    ($no:expr, $yes:expr, $mask:expr) => {
        _mm256_blendv_epi8($no, $yes, $mask)
    };
}
macro_rules! blend_512_8 {
    ($no:expr, $yes:expr, $mask:expr) => {
        _mm512_mask_blend_epi8($mask, $no, $yes)
    };
}
macro_rules! blend_512_16 {
    ($no:expr, $yes:expr, $mask:expr) => {
        _mm512_mask_blend_epi16($mask, $no, $yes)
    };
}
macro_rules! blend_512_32 {
    ($no:expr, $yes:expr, $mask:expr) => {
        _mm512_mask_blend_epi32($mask, $no, $yes)
    };
}

vector! {
    /// 32 lanes of 8 bits.
    Avx2I8: 32 x i8 in __m256i, Avx2, "avx2",
    splat _mm256_set1_epi8, add _mm256_adds_epi8, sub _mm256_subs_epi8, max _mm256_max_epi8,
    select blend_256, equal _mm256_cmpeq_epi8, greater _mm256_cmpgt_epi8, look up bytes_256
}
vector! {
    /// 16 lanes of 16 bits.
    Avx2I16: 16 x i16 in __m256i, Avx2, "avx2",
    splat _mm256_set1_epi16, add _mm256_adds_epi16, sub _mm256_subs_epi16, max _mm256_max_epi16,
    select blend_256, equal _mm256_cmpeq_epi16, greater _mm256_cmpgt_epi16, look up words_256
}
vector! {
    /// 8 lanes of 32 bits.
    Avx2I32: 8 x i32 in __m256i, Avx2, "avx2",
    splat _mm256_set1_epi32, add _mm256_add_epi32, sub _mm256_sub_epi32, max _mm256_max_epi32,
    select blend_256, equal _mm256_cmpeq_epi32, greater _mm256_cmpgt_epi32
}
vector! {
    /// 64 lanes of 8 bits.
    Avx512I8: 64 x i8 in __m512i, Avx512, "avx2,avx512f,avx512bw",
    splat _mm512_set1_epi8, add _mm512_adds_epi8, sub _mm512_subs_epi8, max _mm512_max_epi8,
    select blend_512_8, equal _mm512_cmpeq_epi8_mask, greater _mm512_cmpgt_epi8_mask, look up bytes_512
}
vector! {
    /// 32 lanes of 16 bits.
    Avx512I16: 32 x i16 in __m512i, Avx512, "avx2,avx512f,avx512bw",
    splat _mm512_set1_epi16, add _mm512_adds_epi16, sub _mm512_subs_epi16, max _mm512_max_epi16,
    select blend_512_16, equal _mm512_cmpeq_epi16_mask, greater _mm512_cmpgt_epi16_mask, look up words_512
}
vector! {
    /// 16 lanes of 32 bits.
    Avx512I32: 16 x i32 in __m512i, Avx512, "avx2,avx512f,avx512bw",
    splat _mm512_set1_epi32, add _mm512_add_epi32, sub _mm512_sub_epi32, max _mm512_max_epi32,
    select blend_512_32, equal _mm512_cmpeq_epi32_mask, greater _mm512_cmpgt_epi32_mask
}
