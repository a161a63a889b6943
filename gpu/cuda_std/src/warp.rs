//! Collectives: what the 32 lanes of a warp do together. All 32 must call them; the emulator reports a lane that does
//! not.

use crate::machine;

/// Lanes in a warp.
pub const LANES: u32 = 32;

/// This thread's lane: 0..32.
#[inline(always)]
pub fn lane_id() -> u32 {
    machine::thread_index() % LANES
}

/// This warp's index in its block.
#[inline(always)]
pub fn warp_id() -> u32 {
    machine::thread_index() / LANES
}

/// Bit `k` of the result is the `predicate` of lane `k`.
#[inline(always)]
pub fn ballot(predicate: bool) -> u32 {
    machine::ballot(predicate)
}

/// The `value` of lane `source % width` of this lane's group of `width` lanes (a power of two).
#[inline(always)]
pub fn shuffle(value: u32, source: u32, width: u32) -> u32 {
    machine::shuffle_index(value, source, width)
}

/// The `value` of the lane `delta` below this one in its group of `width` lanes, or the lane's own where there is none.
#[inline(always)]
pub fn shuffle_up(value: u32, delta: u32, width: u32) -> u32 {
    machine::shuffle_up(value, delta, width)
}

/// The `value` of the lane `delta` above this one in its group of `width` lanes, or the lane's own where there is none.
#[inline(always)]
pub fn shuffle_down(value: u32, delta: u32, width: u32) -> u32 {
    machine::shuffle_down(value, delta, width)
}

/// The `value` of the lane whose number is this lane's xor `mask`.
#[inline(always)]
pub fn shuffle_xor(value: u32, mask: u32) -> u32 {
    machine::shuffle_xor(value, mask)
}

/// The bitwise or of all lanes' values. Every lane gets it.
#[inline(always)]
pub fn reduce_or(value: u32) -> u32 {
    machine::reduce_or(value)
}

/// The sum of all lanes' values modulo 2^32. Every lane gets it.
#[inline(always)]
pub fn reduce_add(value: u32) -> u32 {
    machine::reduce_add(value)
}

/// The least of all lanes' values. Every lane gets it.
#[inline(always)]
pub fn reduce_min(value: u32) -> u32 {
    machine::reduce_min(value)
}

/// Waits for the lanes of the warp, and makes their writes to shared memory visible to one another.
#[inline(always)]
pub fn sync() {
    machine::sync_warp();
}
