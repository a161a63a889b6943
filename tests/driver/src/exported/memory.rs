//! Device memory, pinned memory, and copies.

use super::{functions, put};
use crate::driver::{Driver, INVALID_VALUE, OUT_OF_MEMORY};
use crate::queue::Work;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_uchar, c_uint};

/// Pages, which pinned memory starts on.
const PAGE: usize = 4096;

/// New pinned memory, filled with what nobody should read.
fn pin(driver: &mut Driver, bytes: usize) -> Result<usize, u32> {
    let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| INVALID_VALUE)?;
    if bytes == 0 {
        return Err(INVALID_VALUE);
    }
    // SAFETY: the layout has a size.
    let start = unsafe { alloc(layout) };
    if start.is_null() {
        return Err(OUT_OF_MEMORY);
    }
    // SAFETY: allocated just now.
    unsafe { start.write_bytes(0xA5, bytes) };
    driver.pinned.insert(start as usize, layout);
    Ok(start as usize)
}

functions! {
    Work cuMemGetInfo_v2(free: *mut usize, total: *mut usize) |driver| {
        put(total, driver.wishes.memory)?;
        put(free, driver.wishes.memory.saturating_sub(driver.emulator.allocated()))
    }

    Work cuMemAlloc_v2(address: *mut u64, bytes: usize) |driver| match bytes {
        0 => Err(INVALID_VALUE),
        _ => put(address, driver.emulator.allocate_within(bytes, driver.wishes.memory).ok_or(OUT_OF_MEMORY)?),
    }

    // Like NVIDIA's, this waits for the device.
    Wait cuMemFree_v2(address: u64) |driver| {
        driver.queues.finish_all(&driver.emulator)?;
        driver.emulator.release(address).map_err(|_| INVALID_VALUE)
    }

    Work cuMemHostAlloc(address: *mut usize, bytes: usize, _flags: c_uint) |driver| put(address, pin(driver, bytes)?)

    Work cuMemFreeHost(address: usize) |driver| {
        let layout = driver.pinned.remove(&address).ok_or(INVALID_VALUE)?;
        driver.require_idle(address, layout.size());
        // SAFETY: `pin` allocated it with this layout, and it was in the map, so this is the first time.
        unsafe { dealloc(address as *mut u8, layout) };
        Ok(())
    }

    Work cuMemHostRegister_v2(_address: usize, bytes: usize, _flags: c_uint) |_| match bytes {
        0 => Err(INVALID_VALUE),
        _ => Ok(()),
    }

    Work cuMemHostUnregister(_address: usize) |_| Ok(())

    Work cuMemcpyHtoDAsync_v2(to: u64, from: usize, bytes: usize, stream: usize) |driver| {
        driver.give(stream, Work::CopyIn { from, to, bytes })
    }

    Work cuMemcpyDtoHAsync_v2(to: usize, from: u64, bytes: usize, stream: usize) |driver| {
        driver.give(stream, Work::CopyOut { from, to, bytes })
    }

    Work cuMemsetD8Async(to: u64, byte: c_uchar, bytes: usize, stream: usize) |driver| {
        driver.give(stream, Work::Fill { to, byte, bytes })
    }
}
