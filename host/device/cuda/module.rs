//! The module of kernels: PTX text chosen for a GPU and compiled by its driver.
//!
//! A build carries one text per *floor*, the least compute capability it runs on. The driver compiles a text for any GPU at
//! or above its floor; the greatest floor that fits has the most instructions to use.
//!
//! Functions are looked up once, by name. A kernel that asks for more than 48 KB of dynamic shared memory must be given
//! leave for it first; the greatest leave given is kept beside the function.

use super::context::Context;
use super::driver::{self, calls, codes};
use crate::error::DeviceError;
use cust::sys::{CUfunction, CUmodule};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of dynamic shared memory that any kernel may ask for.
const SHARED_WITHOUT_LEAVE: u32 = 48 << 10;
/// Bytes of the driver's compiler messages that are kept.
const LOG_BYTES: usize = 8 << 10;

/// A PTX text of this build.
#[derive(Clone, Copy, Debug)]
pub struct Ptx {
    /// The least compute capability it runs on, `10 * major + minor`.
    pub floor: u32,
    /// The text.
    pub text: &'static str,
}

/// The text for a GPU of this compute capability: the greatest floor that is not above it.
pub fn choose(ptx: &[Ptx], (major, minor): (u32, u32)) -> Result<&Ptx, String> {
    let Some(least) = ptx.iter().map(|text| text.floor).min() else {
        return Err("this build has no GPU kernels".into());
    };
    ptx.iter().filter(|text| text.floor <= 10 * major + minor).max_by_key(|text| text.floor).ok_or_else(|| {
        let (need, part) = (least / 10, least % 10);
        format!("its compute capability is {major}.{minor}, but the kernels need at least {need}.{part}")
    })
}

/// The PTX ISA version that a text is written in: what follows `.version`.
fn isa_version(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.trim_start().strip_prefix(".version")).map(str::trim)
}

/// A compiled module in a context.
pub struct Module {
    handle: CUmodule,
    functions: Mutex<HashMap<&'static str, Function>>,
    context: Arc<Context>,
}

// SAFETY: the driver's functions on modules and functions may be called from any thread.
unsafe impl Send for Module {}
// SAFETY: the driver's functions on modules may be called from several threads at a time, and the map is behind a lock.
unsafe impl Sync for Module {}

#[derive(Clone, Copy)]
struct Function {
    handle: CUfunction,
    /// The most dynamic shared memory it may ask for, in bytes.
    shared: u32,
}

impl Module {
    /// Has the driver compile `ptx` for the context's GPU.
    ///
    /// # Errors
    /// [`DeviceError::Unavailable`] with the driver's reason.
    pub fn compile(context: &Arc<Context>, ptx: &Ptx) -> Result<Self, DeviceError> {
        context.enter()?;
        let image = CString::new(ptx.text).map_err(|_| {
            DeviceError::Unavailable("the kernels of this build contain a NUL byte: build warpseq again".into())
        })?;
        let mut handle = null_mut();
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [calls::JIT_ERROR_LOG_BUFFER, calls::JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(LOG_BYTES - 1)];
        // SAFETY: the image ends with a NUL; options and values have equal length; the log has the size that is given,
        // and one zero byte more.
        let code = unsafe {
            let (image, option, value) = (image.as_ptr().cast(), options.as_mut_ptr(), values.as_mut_ptr());
            calls::cuModuleLoadDataEx(&mut handle, image, 2, option, value)
        };
        match code {
            codes::SUCCESS => Ok(Self { handle, functions: Mutex::default(), context: context.clone() }),
            code if codes::is_sticky(code) => Err(context.fail("compiling the kernels", None, code)),
            code => Err(rejected(context.device(), ptx, code, &log)),
        }
    }

    /// The function called `kernel`, with leave to use `shared` bytes of dynamic shared memory.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] when the module has no such function or the GPU not so much shared memory.
    pub fn function(&self, kernel: &'static str, shared: u32) -> Result<CUfunction, DeviceError> {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut function = match functions.get(kernel) {
            Some(function) => *function,
            None => Function { handle: self.look_up(kernel)?, shared: SHARED_WITHOUT_LEAVE },
        };
        if shared > function.shared {
            self.allow_shared(kernel, function.handle, shared)?;
            function.shared = shared;
        }
        functions.insert(kernel, function);
        Ok(function.handle)
    }

    fn look_up(&self, kernel: &'static str) -> Result<CUfunction, DeviceError> {
        let message = "the name holds a NUL".to_owned();
        let name = CString::new(kernel).map_err(|_| DeviceError::Contract { kernel, message })?;
        self.context.enter()?;
        let mut handle = null_mut();
        // SAFETY: the module is live, the name ends with a NUL, and the handle has a place.
        let code = unsafe { calls::cuModuleGetFunction(&mut handle, self.handle, name.as_ptr()) };
        self.context.check_after("looking up a kernel", Some(kernel), code)?;
        Ok(handle)
    }

    fn allow_shared(&self, kernel: &'static str, function: CUfunction, bytes: u32) -> Result<(), DeviceError> {
        self.context.enter()?;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        // SAFETY: the function is of this live module.
        let code = unsafe { calls::cuFuncSetAttribute(function, calls::FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes) };
        self.context.check_after("giving a kernel its shared memory", Some(kernel), code)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.context.enter_to_release() {
            // SAFETY: unloaded once, here; its functions are not used after. A refusal cannot be helped here.
            unsafe { calls::cuModuleUnload(self.handle) };
        }
    }
}

/// Why the driver took no PTX, for the user.
fn rejected(device: &str, ptx: &Ptx, code: u32, log: &[u8]) -> DeviceError {
    let name = codes::name(code);
    let text = match code {
        codes::UNSUPPORTED_PTX_VERSION => {
            let isa = isa_version(ptx.text).unwrap_or("unknown");
            let driver = driver::version().map_or("unknown".into(), |(major, minor)| format!("{major}.{minor}"));
            format!(
                "{device}: the NVIDIA driver (CUDA {driver}) is too old for the kernels (PTX ISA {isa}): {name} ({code}); \
                 update the driver, or run with --device cpu"
            )
        }
        _ => {
            let log = CStr::from_bytes_until_nul(log).map(CStr::to_string_lossy).unwrap_or_default();
            let floor = ptx.floor;
            format!(
                "{device}: the NVIDIA driver could not compile the kernels (sm_{floor}): {name} ({code}); run with \
                 --device cpu, and report this: {}",
                log.trim()
            )
        }
    };
    DeviceError::Unavailable(text)
}

#[cfg(test)]
mod tests;
