//! The host: every function calls the emulator or computes what the instruction does.

use super::Word;
use crate::emulator::running::{self, collective};
use crate::emulator::{Access, Collective, Kind, Place};
use crate::{U32x2, U32x4};
use core::array::from_fn;

pub fn thread_index() -> u32 {
    running::thread_index()
}

pub fn block_index() -> u32 {
    running::block_index()
}

pub fn block_size() -> u32 {
    running::shape().block
}

pub fn grid_size() -> u32 {
    running::shape().grid
}

pub fn sync_threads() {
    collective(Collective::SyncThreads, 0, 0, 32);
}

pub fn sync_warp() {
    collective(Collective::SyncWarp, 0, 0, 32);
}

pub fn ballot(predicate: bool) -> u32 {
    collective(Collective::Ballot, u32::from(predicate), 0, 32)
}

pub fn shuffle_index(value: u32, source: u32, width: u32) -> u32 {
    collective(Collective::ShuffleIndex, value, source, width)
}

pub fn shuffle_up(value: u32, delta: u32, width: u32) -> u32 {
    collective(Collective::ShuffleUp, value, delta, width)
}

pub fn shuffle_down(value: u32, delta: u32, width: u32) -> u32 {
    collective(Collective::ShuffleDown, value, delta, width)
}

pub fn shuffle_xor(value: u32, lanes: u32) -> u32 {
    collective(Collective::ShuffleXor, value, lanes, 32)
}

pub fn reduce_or(value: u32) -> u32 {
    collective(Collective::ReduceOr, value, 0, 32)
}

pub fn reduce_add(value: u32) -> u32 {
    collective(Collective::ReduceAdd, value, 0, 32)
}

pub fn reduce_min(value: u32) -> u32 {
    collective(Collective::ReduceMin, value, 0, 32)
}

#[inline]
pub fn check_index(index: u32, len: u64) {
    if u64::from(index) >= len {
        running::fail(Kind::Index { index, len });
    }
}

pub fn shared_size() -> u32 {
    running::shape().shared
}

/// The emulator counts from the first byte.
pub fn shared_address(offset: u32) -> u32 {
    offset
}

pub fn check_shared(offset: u32, bytes: u64, end: u32) {
    if u64::from(offset) + bytes > u64::from(end) {
        let at = Place::Shared { offset: u64::from(offset) };
        running::fail(Kind::OutOfBounds { at, bytes, size: u64::from(end) });
    }
}

macro_rules! word {
    ($t:ty, $from:expr, $to:expr) => {
        impl Word for $t {
            unsafe fn load_constant(address: u64) -> Self {
                $from(running::load_global(address, Access::Constant))
            }
            unsafe fn load_global(address: u64) -> Self {
                $from(running::load_global(address, Access::Read))
            }
            unsafe fn store_global(self, address: u64) {
                running::store_global::<{ size_of::<$t>() }>(address, $to(self));
            }
            unsafe fn load_shared(address: u32) -> Self {
                $from(running::load_shared(address))
            }
            unsafe fn store_shared(self, address: u32) {
                running::store_shared::<{ size_of::<$t>() }>(address, $to(self));
            }
        }
    };
}
word!(u8, u8::from_ne_bytes, u8::to_ne_bytes);
word!(u16, u16::from_ne_bytes, u16::to_ne_bytes);
word!(u32, u32::from_ne_bytes, u32::to_ne_bytes);
word!(u64, u64::from_ne_bytes, u64::to_ne_bytes);
word!(U32x2, |bytes: [u8; 8]| U32x2(join(bytes)), |word: U32x2| split(word.0));
word!(U32x4, |bytes: [u8; 16]| U32x4(join(bytes)), |word: U32x4| split(word.0));

fn join<const BYTES: usize, const WORDS: usize>(bytes: [u8; BYTES]) -> [u32; WORDS] {
    from_fn(|word| u32::from_ne_bytes(from_fn(|byte| bytes[4 * word + byte])))
}

fn split<const WORDS: usize, const BYTES: usize>(words: [u32; WORDS]) -> [u8; BYTES] {
    from_fn(|byte| words[byte / 4].to_ne_bytes()[byte % 4])
}

/// # Safety
/// Nothing to promise: the emulator checks the address.
pub unsafe fn atomic_add_global(address: u64, value: u32) -> u32 {
    let add = |word| u32::from_ne_bytes(word).wrapping_add(value).to_ne_bytes();
    u32::from_ne_bytes(running::update_global(address, add))
}

/// # Safety
/// Nothing to promise: the emulator checks the address.
pub unsafe fn atomic_or_global(address: u64, value: u32) {
    running::update_global(address, |word| (u32::from_ne_bytes(word) | value).to_ne_bytes());
}

/// # Safety
/// Nothing to promise: the emulator checks the address.
pub unsafe fn atomic_add_global_u64(address: u64, value: u64) {
    running::update_global(address, |word| u64::from_ne_bytes(word).wrapping_add(value).to_ne_bytes());
}

/// # Safety
/// Nothing to promise: the emulator checks the address.
pub unsafe fn atomic_min_global_u64(address: u64, value: u64) -> u64 {
    let min = |word| u64::from_ne_bytes(word).min(value).to_ne_bytes();
    u64::from_ne_bytes(running::update_global(address, min))
}

/// # Safety
/// Nothing to promise: the emulator checks the offset.
pub unsafe fn atomic_add_shared(offset: u32, value: u32) -> u32 {
    let add = |word| u32::from_ne_bytes(word).wrapping_add(value).to_ne_bytes();
    u32::from_ne_bytes(running::update_shared(offset, add))
}

pub fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    let bytes = (u64::from(high) << 32 | u64::from(low)).to_le_bytes();
    u32::from_le_bytes(from_fn(|k| {
        let nibble = selector >> (4 * k) & 15;
        let byte = bytes[(nibble & 7) as usize];
        match nibble & 8 {
            0 => byte,
            _ => (byte as i8 >> 7) as u8,
        }
    }))
}

pub fn dot_product(a: u32, b: u32, c: u32) -> u32 {
    let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes()).map(|(a, b)| u32::from(a) * u32::from(b));
    products.fold(c, u32::wrapping_add)
}

pub fn funnel_shift_right(low: u32, high: u32, by: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) >> (by % 32)) as u32
}

/// The emulator has registers for all.
pub fn at_most_threads<const THREADS: u32>() {}

pub fn trap() -> ! {
    running::fail(Kind::Trap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_permute_takes_bytes_and_signs() {
        assert_eq!(byte_permute(0x8322_1100, 0xf766_5544, 0x3210), 0x8322_1100);
        assert_eq!(byte_permute(0x8322_1100, 0xf766_5544, 0x7654), 0xf766_5544);
        assert_eq!(byte_permute(0x8322_1100, 0xf766_5544, 0x0471), 0x0044_f711);
        assert_eq!(byte_permute(0x8322_1100, 0xf766_5544, 0xbfea), 0xffff_0000);
        assert_eq!(byte_permute(0x8322_1100, 0xf766_5544, 0xffff_3210), 0x8322_1100);
    }

    #[test]
    fn dot_product_sums_four_bytes_and_wraps() {
        assert_eq!(dot_product(0x0102_0304, 0x0506_0708, 9), 5 + 12 + 21 + 32 + 9);
        assert_eq!(dot_product(u32::MAX, u32::MAX, u32::MAX), 4 * 255 * 255 - 1);
    }

    #[test]
    fn funnel_shift_wraps_at_32() {
        assert_eq!(funnel_shift_right(0x89ab_cdef, 0x0123_4567, 0), 0x89ab_cdef);
        assert_eq!(funnel_shift_right(0x89ab_cdef, 0x0123_4567, 8), 0x6789_abcd);
        assert_eq!(funnel_shift_right(0x89ab_cdef, 0x0123_4567, 40), 0x6789_abcd);
    }
}
