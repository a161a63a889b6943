//! The types that device and shared memory hold: plain words that one instruction loads and stores.

use crate::machine;

/// A word of device memory. Implemented here for every width the hardware loads at once; not for implementing elsewhere.
///
/// # Safety
/// Every bit pattern is a valid value, there is no padding, and the alignment equals the size.
pub unsafe trait Element: Copy + Send + Sync + 'static + machine::Word {}

/// Two words that travel together: one 64-bit load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct U32x2(pub [u32; 2]);

/// Four words that travel together: one 128-bit load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct U32x4(pub [u32; 4]);

macro_rules! elements {
    ($($t:ty)*) => { $(
        // SAFETY: an integer or an aligned array of integers without padding.
        unsafe impl Element for $t {}
    )* };
}
elements!(u8 u16 u32 u64 U32x2 U32x4);
