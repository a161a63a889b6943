//! Two signed 16-bit numbers in a register, computed independently (`s16x2`). Sums wrap; kernels keep them in range.
//!
//! Each function is one instruction from sm_90 on (`VIADDMNMX.S16x2` and its like) and several on older GPUs.

use crate::machine;

/// The same number in both halves, modulo 2^16.
#[inline(always)]
pub const fn splat(value: i32) -> u32 {
    let half = value as u32 & 0xffff;
    half << 16 | half
}

/// `a + b`.
#[inline(always)]
pub fn add(a: u32, b: u32) -> u32 {
    machine::packed_add(a, b)
}

/// `max(a, b)`.
#[inline(always)]
pub fn max(a: u32, b: u32) -> u32 {
    machine::packed_max(a, b)
}

/// `max(a, b, 0)`.
#[inline(always)]
pub fn max_zero(a: u32, b: u32) -> u32 {
    machine::packed_max_zero(a, b)
}

/// `max(a + b, c)`.
#[inline(always)]
pub fn add_max(a: u32, b: u32, c: u32) -> u32 {
    machine::packed_add_max(a, b, c)
}

/// `max(a + b, c, 0)`.
#[inline(always)]
pub fn add_max_zero(a: u32, b: u32, c: u32) -> u32 {
    machine::packed_add_max_zero(a, b, c)
}

/// `max(a, b, c)`.
#[inline(always)]
pub fn max3(a: u32, b: u32, c: u32) -> u32 {
    machine::packed_max3(a, b, c)
}

/// `max(a, b, c, 0)`.
#[inline(always)]
pub fn max3_zero(a: u32, b: u32, c: u32) -> u32 {
    machine::packed_max3_zero(a, b, c)
}
