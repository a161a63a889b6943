//! The driver calls whose error codes matter, declared with their codes as plain numbers.
//!
//! `cust` declares the same functions as returning a Rust enum, in which newer codes do not exist (it would be undefined
//! to receive one), and folds several that it knows into `UnknownError`. Types are those of NVIDIA's `cuda.h`; every
//! function answers 0 or a code that [`super::codes::name`] names.

use cust::sys::{CUcontext, CUdevice, CUdeviceptr, CUevent, CUfunction, CUmodule, CUstream};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// `CU_JIT_ERROR_LOG_BUFFER`: option value is the address of the buffer.
pub const JIT_ERROR_LOG_BUFFER: c_uint = 5;
/// `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`: option value is its size.
pub const JIT_ERROR_LOG_BUFFER_SIZE_BYTES: c_uint = 6;
/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
pub const FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES: c_uint = 8;
/// `CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN`, which `cust` does not list.
pub const DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_uint = 97;
/// `CU_MEMHOSTALLOC_PORTABLE` and `CU_MEMHOSTREGISTER_PORTABLE`: pinned for all devices, not only the current one.
pub const MEMHOSTALLOC_PORTABLE: c_uint = 1;

unsafe extern "C" {
    pub fn cuInit(flags: c_uint) -> u32;
    pub fn cuDriverGetVersion(version: *mut c_int) -> u32;
    pub fn cuDeviceGetCount(count: *mut c_int) -> u32;
    pub fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) -> u32;
    pub fn cuDeviceGetName(name: *mut c_char, bytes: c_int, device: CUdevice) -> u32;
    pub fn cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice) -> u32;
    pub fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_uint, device: CUdevice) -> u32;
    pub fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice) -> u32;
    pub fn cuDevicePrimaryCtxRelease_v2(device: CUdevice) -> u32;
    pub fn cuCtxSetCurrent(context: CUcontext) -> u32;
    pub fn cuCtxSynchronize() -> u32;

    pub fn cuModuleLoadDataEx(
        module: *mut CUmodule,
        image: *const c_void,
        options: c_uint,
        option: *mut c_uint,
        value: *mut *mut c_void,
    ) -> u32;
    pub fn cuModuleUnload(module: CUmodule) -> u32;
    pub fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char) -> u32;
    pub fn cuFuncSetAttribute(function: CUfunction, attribute: c_uint, value: c_int) -> u32;

    pub fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> u32;
    pub fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize) -> u32;
    pub fn cuMemFree_v2(address: CUdeviceptr) -> u32;
    pub fn cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, flags: c_uint) -> u32;
    pub fn cuMemHostRegister_v2(address: *mut c_void, bytes: usize, flags: c_uint) -> u32;
    pub fn cuMemHostUnregister(address: *mut c_void) -> u32;
    pub fn cuMemFreeHost(address: *mut c_void) -> u32;

    pub fn cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int) -> u32;
    pub fn cuStreamDestroy_v2(stream: CUstream) -> u32;
    pub fn cuStreamSynchronize(stream: CUstream) -> u32;
    pub fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) -> u32;
    pub fn cuEventCreate(event: *mut CUevent, flags: c_uint) -> u32;
    pub fn cuEventDestroy_v2(event: CUevent) -> u32;
    pub fn cuEventRecord(event: CUevent, stream: CUstream) -> u32;
    pub fn cuEventSynchronize(event: CUevent) -> u32;
    pub fn cuEventElapsedTime(milliseconds: *mut f32, from: CUevent, to: CUevent) -> u32;

    pub fn cuMemcpyHtoDAsync_v2(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream) -> u32;
    pub fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream) -> u32;
    pub fn cuMemsetD8Async(to: CUdeviceptr, byte: u8, bytes: usize, stream: CUstream) -> u32;

    pub fn cuLaunchKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared_bytes: c_uint,
        stream: CUstream,
        arguments: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> u32;
}
