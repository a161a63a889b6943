#![allow(unused_variables)]
use crate::{U32x2, U32x4};
pub fn thread_index() -> u32 {
    unimplemented!()
}
pub fn block_index() -> u32 {
    unimplemented!()
}
pub fn block_size() -> u32 {
    unimplemented!()
}
pub fn grid_size() -> u32 {
    unimplemented!()
}
pub fn sync_threads() {
    unimplemented!()
}
pub fn sync_warp() {
    unimplemented!()
}
pub fn ballot(predicate: bool) -> u32 {
    unimplemented!()
}
pub fn shuffle_index(value: u32, source: u32, width: u32) -> u32 {
    unimplemented!()
}
pub fn shuffle_up(value: u32, delta: u32, width: u32) -> u32 {
    unimplemented!()
}
pub fn shuffle_down(value: u32, delta: u32, width: u32) -> u32 {
    unimplemented!()
}
pub fn shuffle_xor(value: u32, lanes: u32) -> u32 {
    unimplemented!()
}
pub fn reduce_or(value: u32) -> u32 {
    unimplemented!()
}
pub fn reduce_add(value: u32) -> u32 {
    unimplemented!()
}
pub fn reduce_min(value: u32) -> u32 {
    unimplemented!()
}
pub fn check_index(index: u32, len: u64) {
    unimplemented!()
}
pub fn check_shared(offset: u32, size: u32, len: u32) {
    unimplemented!()
}
/// # Safety
/// As on the device.
pub unsafe fn atomic_add_global(address: u64, value: u32) -> u32 {
    unimplemented!()
}
/// # Safety
/// As on the device.
pub unsafe fn atomic_or_global(address: u64, value: u32) {
    unimplemented!()
}
/// # Safety
/// As on the device.
pub unsafe fn atomic_add_global_u64(address: u64, value: u64) {
    unimplemented!()
}
/// # Safety
/// As on the device.
pub unsafe fn atomic_add_shared(offset: u32, value: u32) -> u32 {
    unimplemented!()
}
pub fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    unimplemented!()
}
pub fn dot_product(a: u32, b: u32, c: u32) -> u32 {
    unimplemented!()
}
pub fn funnel_shift_right(low: u32, high: u32, by: u32) -> u32 {
    unimplemented!()
}
pub trait Word: Sized {
    /// # Safety
    /// As on the device.
    unsafe fn load_constant(address: u64) -> Self;
    /// # Safety
    /// As on the device.
    unsafe fn load_global(address: u64) -> Self;
    /// # Safety
    /// As on the device.
    unsafe fn store_global(self, address: u64);
    /// # Safety
    /// As on the device.
    unsafe fn load_shared(offset: u32) -> Self;
    /// # Safety
    /// As on the device.
    unsafe fn store_shared(self, offset: u32);
}
macro_rules! w { ($($t:ty)*) => { $( impl Word for $t {
    unsafe fn load_constant(address: u64) -> Self { unimplemented!() }
    unsafe fn load_global(address: u64) -> Self { unimplemented!() }
    unsafe fn store_global(self, address: u64) { unimplemented!() }
    unsafe fn load_shared(offset: u32) -> Self { unimplemented!() }
    unsafe fn store_shared(self, offset: u32) { unimplemented!() }
} )* } }
w!(u8 u16 u32 u64 U32x2 U32x4);
pub fn trap() -> ! {
    unimplemented!()
}
