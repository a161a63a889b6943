//! A real GPU behind [`Gpu`]: NVIDIA's driver, found at run time.
//!
//! ```text
//! discover -> Found          which GPUs there are                    device.rs
//! Opening  -> Cuda::open     driver, context, modules of kernels     driver.rs, context.rs, module.rs
//! Cuda: Gpu                  memory, copies, launches                pinned.rs, stream.rs
//! ```
//!
//! `cust` has the types. All calls go to [`driver::calls`], because `cust` cannot hold every code that a driver answers, and
//! any call may answer any code.
//!
//! Right at the edges: each method enters the context first, so any thread may call; after a sticky error nothing calls
//! the driver any more (`context`); and nothing here needs a GPU, a driver or a toolkit to build or to start.

mod context;
pub mod device;
pub mod driver;
mod module;
mod opening;
mod pinned;
mod stream;

pub use device::{Found, cpu, discover};
pub use module::{Image, MachineCode, Ptx};
pub use opening::Opening;
pub use stream::{Event, Stream};

use crate::error::DeviceError;
use crate::gpu::Gpu;
use crate::near;
use context::Context;
use cuda_std::{Kernel, Shape};
use cust::device::DeviceAttribute;
use driver::calls;
use module::Modules;
use std::ffi::{c_uint, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::Arc;

type Result<T> = std::result::Result<T, DeviceError>;

/// An opened GPU: its context and its kernels.
pub struct Cuda {
    modules: Modules,
    context: Arc<Context>,
    found: Found,
    multiprocessors: u32,
    shared_memory: u32,
    near: Vec<usize>,
    floor: u32,
}

/// The floor of the text whose packed arithmetic is in hardware.
const PACKED_FLOOR: u32 = 90;

impl Cuda {
    /// Opens GPU `ordinal` and loads those modules of `ptx` that fit it best and whose kernels' names begin with `kernels`;
    /// with an empty text, all. The others are loaded when a kernel of theirs is launched for the first time.
    ///
    /// # Errors
    /// [`DeviceError::Unavailable`] when there is no driver, no such GPU, or no text that it can run, saying which;
    /// [`DeviceError::Driver`] when the driver fails.
    pub fn open(ordinal: u32, ptx: &[Ptx], kernels: &str) -> Result<Self> {
        let (device, found) = device::find(ordinal, ptx)?;
        let unusable = |why| DeviceError::Unavailable(format!("{}: {why}; run with --device cpu", found.label()));
        found.usable.clone().map_err(unusable)?;
        let chosen = module::choose(ptx, found.compute_capability).map_err(unusable)?;
        let floor = chosen.iter().map(|text| text.floor).min().unwrap_or_default();
        let context = Arc::new(Context::retain(device, found.label())?);
        let modules = Modules::new(&context, chosen, found.compute_capability);
        modules.load(kernels)?;
        let ask = |action, which| device::attribute(device, which).map_err(|code| context.fail(action, None, code));
        let multiprocessors = ask("counting multiprocessors", DeviceAttribute::MultiprocessorCount as c_uint)?;
        let which = calls::DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let shared_memory = ask("asking for the size of shared memory", which)?;
        let near = device::address(device).map(|address| near::processors(Path::new(near::DEVICES), address));
        let near = near.unwrap_or_default();
        Ok(Self { modules, context, found, multiprocessors, shared_memory, near, floor })
    }

    /// What the driver says of this GPU.
    pub fn found(&self) -> &Found {
        &self.found
    }
}

// SAFETY: the driver gives memory of the sizes asked for, to nobody else until it is given back, on borders of 256 bytes (device)
// or of a page (host), which `pinned::allocate` zeroes. `release` waits for the context, hence for every stream, first.
// `cuStreamSynchronize` answers after the stream's work has ended, also when that has failed, and no work goes on in a context
// that was lost or cannot be entered. Copies, fills and launches are one driver call each, with the arguments as they come, and
// nothing here panics.
unsafe impl Gpu for Cuda {
    type Stream = Stream;
    type Event = Event;

    fn name(&self) -> &str {
        self.context.device()
    }

    fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    fn shared_memory(&self) -> u32 {
        self.shared_memory
    }

    fn packs(&self) -> bool {
        self.floor >= PACKED_FLOOR
    }

    fn near(&self) -> &[usize] {
        &self.near
    }

    fn free_memory(&self) -> Result<usize> {
        self.context.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both answers have a place, and the context is current.
        self.context.check("asking for free memory", unsafe { calls::cuMemGetInfo_v2(&mut free, &mut total) })?;
        Ok(free)
    }

    fn allocate(&self, bytes: usize) -> Result<u64> {
        self.context.enter()?;
        let mut address = 0;
        // SAFETY: the address has a place, and the context is current.
        let code = unsafe { calls::cuMemAlloc_v2(&mut address, bytes) };
        self.context.check_allocation("allocating device memory", bytes, code)?;
        Ok(address)
    }

    unsafe fn release(&self, address: u64) {
        if self.context.enter_to_release() {
            // SAFETY: the context is current, and the caller gives back what `allocate` gave, once; no work uses it after the
            // wait. A refusal cannot be helped here, and a fault that the calls report comes out of the next one.
            unsafe {
                calls::cuCtxSynchronize();
                calls::cuMemFree_v2(address);
            }
        }
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8> {
        pinned::allocate(&self.context, bytes)
    }

    unsafe fn release_pinned(&self, address: *mut u8, _bytes: usize) {
        // SAFETY: the obligations are those of this function.
        unsafe { pinned::release(&self.context, address) };
    }

    unsafe fn pin(&self, address: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the obligations are those of this function.
        unsafe { pinned::register(&self.context, address, bytes) }
    }

    unsafe fn unpin(&self, address: *mut u8) {
        // SAFETY: the obligations are those of this function.
        unsafe { pinned::unregister(&self.context, address) };
    }

    fn stream(&self) -> Result<Stream> {
        Stream::new(&self.context)
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        Event::record(&self.context, stream)
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        stream.wait(event)
    }

    fn milliseconds(&self, from: &Event, to: &Event) -> Result<f32> {
        from.milliseconds_to(to)
    }

    fn synchronize(&self, stream: &Stream) -> Result<()> {
        stream.synchronize()
    }

    unsafe fn copy_in(&self, stream: &Stream, from: *const u8, to: u64, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.context.enter()?;
        // SAFETY: the context is current; the caller answers for the stream and both ranges.
        let code = unsafe { calls::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, stream.handle()) };
        stream.check("copying to the GPU", code)
    }

    unsafe fn copy_out(&self, stream: &Stream, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.context.enter()?;
        // SAFETY: the context is current; the caller answers for the stream and both ranges.
        let code = unsafe { calls::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, stream.handle()) };
        stream.check("copying from the GPU", code)
    }

    unsafe fn fill(&self, stream: &Stream, to: u64, byte: u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.context.enter()?;
        // SAFETY: the context is current; the caller answers for the stream and the range.
        let code = unsafe { calls::cuMemsetD8Async(to, byte, bytes, stream.handle()) };
        stream.check("filling device memory", code)
    }

    unsafe fn launch<A: Copy>(&self, stream: &Stream, kernel: &Kernel<fn(A)>, shape: Shape, args: A) -> Result<()> {
        self.context.enter()?;
        let function = self.modules.function(kernel.name(), shape.shared)?;
        stream.note_launch(kernel.name());
        let mut arguments: [*mut c_void; 1] = [(&raw const args).cast_mut().cast()];
        let Shape { grid, block, shared } = shape;
        // SAFETY: the driver copies the kernel's one argument, an `A`, before it returns; the function is of the
        // current context, and the caller answers for the stream and the kernel's contract.
        let code = unsafe {
            let (queue, arguments) = (stream.handle(), arguments.as_mut_ptr());
            calls::cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, queue, arguments, null_mut())
        };
        stream.check("launching a kernel", code)
    }
}

/// The kernels that this build holds: one PTX module for each engine and architecture floor, with machine code where there was
/// a ptxas; or none.
pub mod kernels {
    #[allow(unused_imports, reason = "a build without kernels or without ptxas uses fewer")]
    use super::{Image, MachineCode, Ptx};
    include!(concat!(env!("OUT_DIR"), "/ptx.rs"));
}
