//! The modules of kernels: machine code, or PTX text that the driver compiles.
//!
//! A build carries one text for each engine and *floor*, the least compute capability it runs on. The driver compiles a text for
//! any GPU at or above its floor; the greatest floor that fits has the most instructions to use. That takes up to seconds, once
//! on each machine, so a build may carry machine code of some architectures beside a text. A GPU runs the machine code of its own
//! architecture, and that of earlier ones with the same major number. A driver that refuses it, because it is older than what
//! assembled it, say, gets the text.
//!
//! A module is loaded when the first of its kernels is wanted, or before that by [`Modules::load`]. Functions are looked up once,
//! by name. A kernel that asks for more than 48 KB of dynamic shared memory must be given leave for it first; the greatest leave
//! given is kept beside the function.

use super::context::Context;
use super::driver::{self, calls, codes};
use crate::error::DeviceError;
use cust::sys::{CUfunction, CUmodule};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of dynamic shared memory that any kernel may ask for.
const SHARED_WITHOUT_LEAVE: u32 = 48 << 10;
/// Bytes of the driver's compiler messages that are kept.
const LOG_BYTES: usize = 8 << 10;

/// A module of this build, as PTX text.
#[derive(Clone, Copy, Debug)]
pub struct Ptx {
    /// What the names of its kernels begin with, and those of no other module of this floor: `scan_`.
    pub kernels: &'static str,
    /// The least compute capability it runs on, `10 * major + minor`.
    pub floor: u32,
    /// The text.
    pub text: &'static str,
    /// What was made of the text already.
    pub machine_code: &'static [MachineCode],
}

/// A module as machine code (a cubin).
#[derive(Clone, Copy, Debug)]
pub struct MachineCode {
    /// The compute capability that it was made for, `10 * major + minor`.
    pub architecture: u32,
    /// The bytes.
    pub image: &'static Image<[u8]>,
}

/// Bytes that begin where any number may.
#[derive(Debug)]
#[repr(align(16))]
pub struct Image<B: ?Sized>(pub B);

impl Ptx {
    /// The machine code that a GPU of this compute capability runs: the latest of its major number that is not above it.
    pub fn machine_code(&self, (major, minor): (u32, u32)) -> Option<&'static MachineCode> {
        let runs = |code: &&MachineCode| code.architecture / 10 == major && code.architecture % 10 <= minor;
        self.machine_code.iter().filter(runs).max_by_key(|code| code.architecture)
    }
}

/// The modules for a GPU of this compute capability: of the same kernels, that of the greatest floor that is not above it.
pub fn choose(ptx: &[Ptx], (major, minor): (u32, u32)) -> Result<Vec<Ptx>, String> {
    let Some(least) = ptx.iter().map(|text| text.floor).min() else {
        return Err("this build has no GPU kernels".into());
    };
    let mut chosen: Vec<Ptx> = Vec::new();
    for text in ptx.iter().filter(|text| text.floor <= 10 * major + minor) {
        match chosen.iter_mut().find(|other| other.kernels == text.kernels) {
            Some(other) if other.floor < text.floor => *other = *text,
            Some(_) => {}
            None => chosen.push(*text),
        }
    }
    if chosen.is_empty() {
        let (need, part) = (least / 10, least % 10);
        return Err(format!("its compute capability is {major}.{minor}, but the kernels need at least {need}.{part}"));
    }
    Ok(chosen)
}

/// The PTX ISA version that a text is written in: what follows `.version`.
fn isa_version(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.trim_start().strip_prefix(".version")).map(str::trim)
}

/// The modules of a GPU, in its context.
pub struct Modules {
    modules: Vec<Ptx>,
    compute_capability: (u32, u32),
    loaded: Mutex<Loaded>,
    context: Arc<Context>,
}

/// What was loaded and looked up so far.
#[derive(Default)]
struct Loaded {
    /// By the kernels of the module.
    modules: HashMap<&'static str, CUmodule>,
    functions: HashMap<&'static str, Function>,
}

// SAFETY: the driver's functions on modules and functions may be called from any thread.
unsafe impl Send for Modules {}
// SAFETY: the driver's functions on modules may be called from several threads at a time, and the maps are behind a lock.
unsafe impl Sync for Modules {}

#[derive(Clone, Copy)]
struct Function {
    handle: CUfunction,
    /// The most dynamic shared memory it may ask for, in bytes.
    shared: u32,
}

impl Modules {
    /// The modules that were chosen for the context's GPU, which has this compute capability. None is loaded.
    pub fn new(context: &Arc<Context>, modules: Vec<Ptx>, compute_capability: (u32, u32)) -> Self {
        Self { modules, compute_capability, loaded: Mutex::default(), context: context.clone() }
    }

    /// Loads the modules of the kernels whose names begin with `kernels`; with an empty text, all.
    ///
    /// # Errors
    /// [`DeviceError::Unavailable`] with the driver's reason.
    pub fn load(&self, kernels: &str) -> Result<(), DeviceError> {
        let mut loaded = self.loaded();
        let wanted = |module: &&Ptx| module.kernels.starts_with(kernels) || kernels.starts_with(module.kernels);
        self.modules.iter().filter(wanted).try_for_each(|module| self.module(&mut loaded, module).map(|_| ()))
    }

    /// The function called `kernel`, with leave to use `shared` bytes of dynamic shared memory. Loads its module if need be.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] when no module has such a function or the GPU not so much shared memory; as [`Modules::load`].
    pub fn function(&self, kernel: &'static str, shared: u32) -> Result<CUfunction, DeviceError> {
        let mut loaded = self.loaded();
        let mut function = match loaded.functions.get(kernel) {
            Some(function) => *function,
            None => Function { handle: self.look_up(&mut loaded, kernel)?, shared: SHARED_WITHOUT_LEAVE },
        };
        if shared > function.shared {
            self.allow_shared(kernel, function.handle, shared)?;
            function.shared = shared;
        }
        loaded.functions.insert(kernel, function);
        Ok(function.handle)
    }

    fn loaded(&self) -> MutexGuard<'_, Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The module of `ptx`, loaded now if it was not.
    fn module(&self, loaded: &mut Loaded, ptx: &Ptx) -> Result<CUmodule, DeviceError> {
        if let Some(module) = loaded.modules.get(ptx.kernels) {
            return Ok(*module);
        }
        self.context.enter()?;
        let ready = ptx.machine_code(self.compute_capability).map(|code| self.load_ready(code)).transpose()?.flatten();
        let module = ready.map_or_else(|| self.compile(ptx), Ok)?;
        loaded.modules.insert(ptx.kernels, module);
        Ok(module)
    }

    /// Loads machine code; `None` where the driver refuses it, for whatever reason: what is wrong besides, compiling will tell.
    fn load_ready(&self, code: &MachineCode) -> Result<Option<CUmodule>, DeviceError> {
        let mut handle = null_mut();
        let (options, values) = (null_mut(), null_mut());
        // SAFETY: the image is a whole ELF file, which says how long it is, as ptxas wrote it; there are no options.
        let code = unsafe { calls::cuModuleLoadDataEx(&mut handle, code.image.0.as_ptr().cast(), 0, options, values) };
        match code {
            codes::SUCCESS => Ok(Some(handle)),
            code if codes::is_sticky(code) => Err(self.context.fail("loading the kernels", None, code)),
            _ => Ok(None),
        }
    }

    /// Has the driver compile `ptx`.
    fn compile(&self, ptx: &Ptx) -> Result<CUmodule, DeviceError> {
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
            codes::SUCCESS => Ok(handle),
            code if codes::is_sticky(code) => Err(self.context.fail("compiling the kernels", None, code)),
            code => Err(rejected(self.context.device(), ptx, code, &log)),
        }
    }

    fn look_up(&self, loaded: &mut Loaded, kernel: &'static str) -> Result<CUfunction, DeviceError> {
        let refused = |message: &str| DeviceError::Contract { kernel, message: message.into() };
        let name = CString::new(kernel).map_err(|_| refused("the name holds a NUL"))?;
        let ptx = self.modules.iter().find(|module| kernel.starts_with(module.kernels));
        let module = self.module(loaded, ptx.ok_or_else(|| refused("no module has kernels of such names"))?)?;
        self.context.enter()?;
        let mut handle = null_mut();
        // SAFETY: the module is live, the name ends with a NUL, and the handle has a place.
        let code = unsafe { calls::cuModuleGetFunction(&mut handle, module, name.as_ptr()) };
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

impl Drop for Modules {
    fn drop(&mut self) {
        let loaded = std::mem::take(&mut *self.loaded());
        for module in loaded.modules.into_values() {
            if self.context.enter_to_release() {
                // SAFETY: unloaded once, here; its functions are not used after. A refusal cannot be helped here.
                unsafe { calls::cuModuleUnload(module) };
            }
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
