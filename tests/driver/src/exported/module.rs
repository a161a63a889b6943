//! Modules, kernels and launches. A kernel's handle is its number in the table, from 1.

use super::device::SHARED_MEMORY;
use super::{functions, put};
use crate::driver::{INVALID_HANDLE, INVALID_VALUE, NOT_FOUND};
use crate::queue::Work;
use crate::{cubin, kernels, ptx};
use cuda_std::Shape;
use std::ffi::{CStr, c_char, c_int, c_uint};

/// Shared memory that every kernel may use, in bytes.
const WITHOUT_LEAVE: u32 = 48 << 10;
const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_uint = 8;
/// Options of a load: where the compiler's words go, and how much room there is.
const ERROR_LOG: c_uint = 5;
const ERROR_LOG_BYTES: c_uint = 6;

/// Writes what the compiler says to the log that a load was given.
///
/// # Safety
/// There are `count` options and values, and the log has the room that is said.
unsafe fn log(text: &str, count: c_uint, options: *const c_uint, values: *const usize) {
    // SAFETY: there are `count` of each, as this function asks.
    let (options, values) = unsafe {
        (std::slice::from_raw_parts(options, count as usize), std::slice::from_raw_parts(values, count as usize))
    };
    let value = |which| options.iter().position(|&option| option == which).map(|at| values[at]);
    if let (Some(log), Some(room)) = (value(ERROR_LOG), value(ERROR_LOG_BYTES)) {
        let text = &text.as_bytes()[..text.len().min(room)];
        // SAFETY: cut to the room of the log.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), log as *mut u8, text.len()) };
    }
}

functions! {
    Work cuModuleLoadDataEx(
        module: *mut usize, image: *const c_char, count: c_uint, options: *mut c_uint, values: *mut usize
    ) |driver| {
        let kernels = match cubin::read(image.cast()) {
            Some(file) => cubin::kernels(&file, driver.wishes.version)?,
            None => {
                let text = CStr::from_ptr(image).to_string_lossy();
                if let Some((code, words)) = ptx::refusal(&text, driver.wishes.version, driver.wishes.compute) {
                    log(&words, count, options, values);
                    return Err(code);
                }
                ptx::kernels_in(&text).filter_map(kernels::find).collect()
            }
        };
        let handle = driver.handle();
        driver.modules.insert(handle, kernels);
        put(module, handle)
    }

    Work cuModuleUnload(module: usize) |driver| driver.modules.remove(&module).map(|_| ()).ok_or(INVALID_HANDLE)

    Work cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) |driver| {
        let name = CStr::from_ptr(name).to_str().map_err(|_| NOT_FOUND)?;
        let held = driver.modules.get(&module).ok_or(INVALID_HANDLE)?;
        put(function, kernels::find(name).filter(|number| held.contains(number)).ok_or(NOT_FOUND)? + 1)
    }

    Work cuFuncSetAttribute(function: usize, attribute: c_uint, value: c_int) |driver| {
        let bytes = u32::try_from(value).ok().filter(|&bytes| bytes <= SHARED_MEMORY).ok_or(INVALID_VALUE)?;
        if attribute != MAX_DYNAMIC_SHARED_SIZE_BYTES {
            return Err(INVALID_VALUE);
        }
        driver.leave.insert(function, bytes);
        Ok(())
    }

    Launch cuLaunchKernel(
        function: usize, grid: c_uint, grid_y: c_uint, grid_z: c_uint, block: c_uint, block_y: c_uint, block_z: c_uint,
        shared: c_uint, stream: usize, arguments: *mut *mut u8, extra: *mut *mut u8
    ) |driver| {
        let kernel = function.checked_sub(1).and_then(kernels::get).ok_or(INVALID_HANDLE)?;
        let flat = [grid_y, grid_z, block_y, block_z] == [1; 4] && extra.is_null();
        let leave = driver.leave.get(&function).copied().unwrap_or(0).max(WITHOUT_LEAVE);
        if !flat || grid == 0 || !(1..=1024).contains(&block) || shared > leave {
            return Err(INVALID_VALUE);
        }
        let argument = std::slice::from_raw_parts(arguments.read(), kernel.bytes).to_vec();
        driver.give(stream, Work::Launch { kernel, shape: Shape { grid, block, shared }, argument })
    }
}
