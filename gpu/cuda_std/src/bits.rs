//! Instructions on registers that Rust has no operator for.

use crate::machine;

/// `prmt.b32`: nibble `k` of `selector` (0..8) chooses byte `k` of the result from the eight bytes of `high:low`. A
/// nibble with bit 3 set gives that byte's sign in all eight bits instead.
#[inline(always)]
pub fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    machine::byte_permute(low, high, selector)
}

/// `dp4a.u32.u32`: `c` plus the sum over the four bytes of `a * b`, modulo 2^32.
#[inline(always)]
pub fn dot_product(a: u32, b: u32, c: u32) -> u32 {
    machine::dot_product(a, b, c)
}

/// `shf.r.wrap.b32`: the low 32 bits of `high:low >> by % 32`.
#[inline(always)]
pub fn funnel_shift_right(low: u32, high: u32, by: u32) -> u32 {
    machine::funnel_shift_right(low, high, by)
}
