//! The driver itself, its devices, and their contexts.

use super::{functions, put};
use crate::driver::{Answer, CURRENT, Driver, INVALID_VALUE};
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::time::Duration;

const NO_DEVICE: u32 = 100;
const INVALID_DEVICE: u32 = 101;
const NAME: &CStr = c"Faulty 9000";
/// The handle of the primary context; all devices share it.
const CONTEXT: usize = 1;
const MULTIPROCESSORS: c_int = 2;
/// The most shared memory of a block, in bytes.
pub const SHARED_MEMORY: u32 = 227 << 10;

fn require(driver: &Driver, device: c_int) -> Answer {
    if (0..driver.wishes.devices as c_int).contains(&device) { Ok(()) } else { Err(INVALID_DEVICE) }
}

fn attribute(driver: &Driver, which: c_uint) -> Result<c_int, u32> {
    let (major, minor) = driver.wishes.compute;
    Ok(match which {
        16 => MULTIPROCESSORS,
        // Compute mode: the default.
        20 => 0,
        75 => major as c_int,
        76 => minor as c_int,
        97 => SHARED_MEMORY as c_int,
        _ => return Err(INVALID_VALUE),
    })
}

functions! {
    Start cuInit(flags: c_uint) |driver| {
        std::thread::sleep(Duration::from_millis(driver.wishes.starts));
        match (flags, driver.wishes.devices) {
            (0, 1..) => Ok(()),
            (0, _) => Err(NO_DEVICE),
            _ => Err(INVALID_VALUE),
        }
    }

    Ask cuDriverGetVersion(version: *mut c_int) |driver| {
        let (major, minor) = driver.wishes.version;
        put(version, (1000 * major + 10 * minor) as c_int)
    }

    Ask cuDeviceGetCount(count: *mut c_int) |driver| put(count, driver.wishes.devices as c_int)

    Ask cuDeviceGet(device: *mut c_int, ordinal: c_int) |driver| {
        require(driver, ordinal)?;
        put(device, ordinal)
    }

    Ask cuDeviceGetName(name: *mut c_char, bytes: c_int, device: c_int) |driver| {
        require(driver, device)?;
        let fits = NAME.to_bytes_with_nul().iter().take(bytes as usize).enumerate();
        fits.for_each(|(at, &byte)| name.add(at).write(byte as c_char));
        Ok(())
    }

    Ask cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) |driver| {
        require(driver, device)?;
        put(bytes, driver.wishes.memory)
    }

    Ask cuDeviceGetAttribute(value: *mut c_int, which: c_uint, device: c_int) |driver| {
        require(driver, device)?;
        put(value, attribute(driver, which)?)
    }

    Ask cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) |driver| {
        require(driver, device)?;
        put(context, CONTEXT)
    }

    Ask cuDevicePrimaryCtxRelease_v2(device: c_int) |driver| require(driver, device)

    Ask cuCtxSetCurrent(context: usize) |_| {
        CURRENT.set(context == CONTEXT);
        Ok(())
    }

    Wait cuCtxSynchronize() |driver| driver.queues.finish_all(&driver.emulator)
}
