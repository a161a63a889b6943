//! The CUDA driver, found at run time.
//!
//! `cust` and [`calls`] name the driver's functions as ordinary C functions. Linking them to `libcuda.so.1` would make a
//! program that dies before `main` on a machine with no driver. So `forward` defines each of these functions itself, as
//! one jump through a slot:
//!
//! ```text
//! cust, calls -> cuInit (forward.rs) -> slot -> libcuda.so.1   after load(), where there is a driver
//!                                            -> missing()      before, and where there is none: answers 100
//!                                            -> unsupported()  where the driver is too old for it: answers 801
//! ```
//!
//! Right at the edges: the slots are written once, inside a `OnceLock`, and every path to a driver call goes through
//! [`load`] first; a call that came too early would answer 100 (no device) and touch nothing. The library is never
//! unloaded, so a filled slot stays good.

pub mod calls;
pub mod codes;
mod forward;

use crate::error::DeviceError;
use codes::{DEINITIALIZED, NO_DEVICE, SUCCESS};
use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;

/// Environment variable naming another library in place of `libcuda.so.1`. For tests: it lets them put a driver with
/// known faults under the host code.
pub const LIBRARY_VARIABLE: &str = "WARPSEQ_LIBCUDA";

const LIBRARY: &str = "libcuda.so.1";

/// Environment variable that tells the driver how many queues of the hardware to open for a process (NVIDIA, CUDA C++ Programming
/// Guide, "CUDA Environment Variables"): 8 where it is not set.
const CONNECTIONS_VARIABLE: &str = "CUDA_DEVICE_MAX_CONNECTIONS";
/// Each costs 10 to 20 ms of starting the driver and ending with it, on an H100's host. With fewer, the streams of a run wait for each
/// other.
const CONNECTIONS: &str = "3";

/// Has the driver open few queues to each GPU in this process, unless the environment says how many.
///
/// # Safety
/// The process has no other thread: its environment changes.
pub unsafe fn open_few_connections() {
    if std::env::var_os(CONNECTIONS_VARIABLE).is_none() {
        // SAFETY: the obligation is that of this function.
        unsafe { std::env::set_var(CONNECTIONS_VARIABLE, CONNECTIONS) }
    }
}

/// Finds and initialises the driver, once for the whole program; later calls repeat the first answer.
///
/// # Errors
/// [`DeviceError::Unavailable`] when there is no driver, no GPU, or the driver does not start.
pub fn load() -> Result<(), DeviceError> {
    static LOADED: OnceLock<Result<(), DeviceError>> = OnceLock::new();
    LOADED.get_or_init(|| library().and_then(start)).clone()
}

/// Finds the driver without starting it, which takes a fraction of a second.
///
/// # Errors
/// [`DeviceError::Unavailable`] when there is none.
pub fn find() -> Result<(), DeviceError> {
    library().map(|_| ())
}

/// The open library.
fn library() -> Result<*mut c_void, DeviceError> {
    static FOUND: OnceLock<Result<usize, DeviceError>> = OnceLock::new();
    let found = FOUND.get_or_init(|| open_library().map(|library| library.expose_provenance()));
    found.clone().map(std::ptr::with_exposed_provenance_mut)
}

/// The CUDA version that the driver supports, as (major, minor).
///
/// # Errors
/// As [`load`].
pub fn version() -> Result<(u32, u32), DeviceError> {
    load()?;
    let mut version = 0;
    // SAFETY: the argument is a valid place for the answer.
    match unsafe { calls::cuDriverGetVersion(&mut version) } {
        SUCCESS => Ok((version as u32 / 1000, version as u32 % 1000 / 10)),
        code => Err(refused("ask the NVIDIA driver for its version", code)),
    }
}

fn open_library() -> Result<*mut c_void, DeviceError> {
    let name = std::env::var(LIBRARY_VARIABLE).unwrap_or_else(|_| LIBRARY.to_owned());
    let path = CString::new(name.as_str()).map_err(|_| absent(&name, "the name holds a NUL"))?;
    // SAFETY: the path ends with a NUL; loading NVIDIA's driver library runs its initialisers, which is what is wanted.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() { Err(absent(&name, &loader_message())) } else { Ok(library) }
}

/// What the dynamic loader says about its last failure on this thread.
fn loader_message() -> String {
    // SAFETY: dlerror takes nothing and answers null or a C string that lives until this thread's next dl call.
    unsafe {
        let message = libc::dlerror();
        if message.is_null() { String::new() } else { CStr::from_ptr(message).to_string_lossy().into_owned() }
    }
}

fn absent(name: &str, reason: &str) -> DeviceError {
    let reason = match reason.contains("No such file") {
        true => String::new(),
        false => format!(": {reason}"),
    };
    DeviceError::Unavailable(format!("no NVIDIA driver found ({name}){reason}; install one, or run with --device cpu"))
}

/// Fills the slots from an open library and starts the driver.
fn start(library: *mut c_void) -> Result<(), DeviceError> {
    forward::fill(library);
    // SAFETY: cuInit takes the flags 0 and nothing else.
    match unsafe { calls::cuInit(0) } {
        SUCCESS => Ok(()),
        NO_DEVICE => Err(no_gpu()),
        code => Err(refused("start the NVIDIA driver", code)),
    }
}

/// The error of a driver that shows no GPU.
pub(super) fn no_gpu() -> DeviceError {
    let text = "the NVIDIA driver shows no GPU; check CUDA_VISIBLE_DEVICES and `nvidia-smi`, or run with --device cpu";
    DeviceError::Unavailable(text.into())
}

fn refused(action: &str, code: u32) -> DeviceError {
    let name = codes::name(code);
    let next = match code {
        codes::SYSTEM_DRIVER_MISMATCH => "its kernel module and library differ in version: restart the machine",
        DEINITIALIZED => "the program is ending",
        _ => "check that `nvidia-smi` works",
    };
    DeviceError::Unavailable(format!("cannot {action}: {name} ({code}); {next}, or run with --device cpu"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named_with_what_to_do() {
        let DeviceError::Unavailable(text) = absent(LIBRARY, "cannot open: No such file or directory") else {
            panic!("not Unavailable");
        };
        assert!(text.starts_with("no NVIDIA driver found (libcuda.so.1);"), "{text}");
        assert!(text.contains("--device cpu"), "{text}");
    }

    #[test]
    fn a_library_of_the_wrong_kind_keeps_the_loaders_reason() {
        let text = absent(LIBRARY, "libcuda.so.1: wrong ELF class").to_string();
        assert!(text.contains("wrong ELF class"), "{text}");
    }

    #[test]
    fn a_driver_that_does_not_start_is_named_by_code() {
        let text = refused("start the NVIDIA driver", codes::SYSTEM_DRIVER_MISMATCH).to_string();
        assert!(text.contains("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)") && text.contains("restart"), "{text}");
    }
}
