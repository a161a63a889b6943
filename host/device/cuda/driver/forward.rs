//! The driver's functions, each one jump through a slot.
//!
//! The list holds what `cust` 0.3.2 names in code that is not generic, whether used here or not: which of it reaches the
//! linker depends on how the compiler cuts `cust` into object files. After it come the functions that only
//! [`super::calls`] names. A name that is missing here is a link error, never a wrong call.

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// What every function answers while no driver is loaded.
extern "C" fn missing() -> u32 {
    super::codes::NO_DEVICE
}

/// What a function answers that the loaded driver lacks.
extern "C" fn unsupported() -> u32 {
    super::codes::NOT_SUPPORTED
}

/// Points `slot` at the library's function `name`.
///
/// # Safety
/// `library` is a handle from `dlopen`.
unsafe fn bind(library: *mut c_void, name: &CStr, slot: &AtomicPtr<c_void>) {
    // SAFETY: the handle is from `dlopen`, as this function asks, and a CStr ends with a NUL.
    let found = unsafe { libc::dlsym(library, name.as_ptr()) };
    slot.store(if found.is_null() { unsupported as *mut c_void } else { found }, Ordering::Release);
}

macro_rules! forward {
    ($($name:ident)*) => {
        #[allow(non_upper_case_globals, reason = "a slot is called what NVIDIA calls the function")]
        mod slot {
            use super::{AtomicPtr, c_void, missing};
            $(pub static $name: AtomicPtr<c_void> = AtomicPtr::new(missing as *mut c_void);)*
        }
        $(
            #[allow(non_snake_case, reason = "the name is NVIDIA's")]
            // SAFETY: defines the symbol that cust and `calls` link to; nothing else in the program defines it, because
            // no library of that name is linked.
            #[unsafe(no_mangle)]
            // SAFETY: one tail jump; it touches no stack and no register that passes arguments, so the slot's function
            // sees exactly the call that was made here.
            #[unsafe(naked)]
            extern "C" fn $name() {
                #[cfg(target_arch = "x86_64")]
                core::arch::naked_asm!("jmp qword ptr [rip + {slot}]", slot = sym slot::$name);
                #[cfg(target_arch = "aarch64")]
                core::arch::naked_asm!(
                    "adrp x16, {slot}", "ldr x16, [x16, :lo12:{slot}]", "br x16", slot = sym slot::$name
                );
            }
        )*
        /// Points every slot at the library's function of its name. `library` comes from `dlopen`.
        pub fn fill(library: *mut c_void) {
            $(
                // SAFETY: `open_library` is the only caller's source of handles, and it checked this one.
                unsafe {
                    bind(
                        library,
                        CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()),
                        &slot::$name,
                    )
                };
            )*
        }
    };
}

forward! {
    cuArray3DCreate_v2 cuArray3DGetDescriptor_v2 cuArrayDestroy cuCtxCreate_v2 cuCtxDestroy_v2 cuCtxGetApiVersion
    cuCtxGetCacheConfig cuCtxGetCurrent cuCtxGetDevice cuCtxGetFlags cuCtxGetLimit cuCtxGetSharedMemConfig
    cuCtxGetStreamPriorityRange cuCtxPopCurrent_v2 cuCtxPushCurrent_v2 cuCtxSetCacheConfig cuCtxSetCurrent cuCtxSetLimit
    cuCtxSetSharedMemConfig cuCtxSynchronize cuDestroyExternalMemory cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount
    cuDeviceGetName cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxRetain
    cuDevicePrimaryCtxSetFlags_v2 cuDeviceTotalMem_v2 cuDriverGetVersion cuEventCreate cuEventDestroy_v2
    cuEventElapsedTime cuEventQuery cuEventRecord cuEventSynchronize cuFuncGetAttribute cuFuncSetCacheConfig
    cuFuncSetSharedMemConfig cuGetErrorString cuGraphDestroy cuImportExternalMemory cuInit cuLaunchKernel cuLinkComplete
    cuLinkCreate_v2 cuLinkDestroy cuMemAlloc_v2 cuMemFree_v2 cuMemGetInfo_v2 cuMemcpyDtoH_v2 cuMemcpyHtoD_v2
    cuModuleGetFunction cuModuleLoadData cuModuleLoadDataEx cuModuleUnload cuOccupancyAvailableDynamicSMemPerBlock
    cuOccupancyMaxActiveBlocksPerMultiprocessor cuOccupancyMaxPotentialBlockSize cuStreamCreateWithPriority
    cuStreamDestroy_v2 cuStreamGetFlags cuStreamGetPriority cuStreamSynchronize cuStreamWaitEvent cuSurfObjectCreate
    cuSurfObjectDestroy cuSurfObjectGetResourceDesc cuTexObjectCreate cuTexObjectDestroy cuTexObjectGetResourceDesc

    cuFuncSetAttribute cuMemFreeHost cuMemHostAlloc cuMemHostRegister_v2 cuMemHostUnregister cuMemcpyDtoHAsync_v2 cuMemcpyHtoDAsync_v2 cuMemsetD8Async
}
