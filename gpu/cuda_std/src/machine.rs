//! The two machines that kernels run on. They provide the same functions with the same meaning; a build compiles one of
//! them.

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(not(all(target_arch = "nvptx64", packed_arithmetic)))]
mod portable;

#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;
#[cfg(target_arch = "nvptx64")]
pub use nvptx::*;
#[cfg(not(all(target_arch = "nvptx64", packed_arithmetic)))]
pub use portable::*;

/// Loads and stores of one word in each state space. The device checks none of the conditions below, the emulator all
/// of them.
pub trait Word: Sized {
    /// # Safety
    /// `address` is live device memory, aligned, and nothing writes it during the launch.
    unsafe fn load_constant(address: u64) -> Self;
    /// # Safety
    /// `address` is live device memory and aligned.
    unsafe fn load_global(address: u64) -> Self;
    /// # Safety
    /// `address` is live device memory and aligned.
    unsafe fn store_global(self, address: u64);
    /// # Safety
    /// `offset` is aligned and the word lies inside the block's shared memory.
    unsafe fn load_shared(offset: u32) -> Self;
    /// # Safety
    /// `offset` is aligned and the word lies inside the block's shared memory.
    unsafe fn store_shared(self, offset: u32);
}
