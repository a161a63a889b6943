//! The types that device and shared memory hold: words that one instruction loads or stores.

use crate::machine;

/// A word of device memory. It is implemented here for every width that the hardware loads at once, and nowhere else.
///
/// # Safety
/// Every bit pattern is a valid value, there is no padding, and the alignment equals the size.
pub unsafe trait Element: Copy + Send + Sync + 'static + machine::Word {}

/// Two words that one 64-bit instruction loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct U32x2(pub [u32; 2]);

/// Four words that one 128-bit instruction loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct U32x4(pub [u32; 4]);

macro_rules! elements {
    ($($t:ty)*) => { $(
        // SAFETY: an integer, or an array of integers aligned to its size: no padding, and no invalid bit pattern.
        unsafe impl Element for $t {}
    )* };
}
elements!(u8 u16 u32 u64 U32x2 U32x4);
