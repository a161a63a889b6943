//! The kernels of warpseq.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod abi;
pub mod scan;
pub mod tuning;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    cuda_std::thread::trap()
}
