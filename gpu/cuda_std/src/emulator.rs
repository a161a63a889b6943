//! The lockstep emulator. It runs kernels on the host and checks every memory access and every collective.
//!
//! What a GPU would silently get wrong becomes a [`Fault`] that names the kernel, the block and the thread: an index or
//! address out of bounds, a misaligned word, a read of memory that nothing was written to, a race, a collective that
//! not all lanes reach, a write to what the launch reads through the read-only cache, a trap, a panic.
//!
//! - A launch runs block by block and warp by warp on the calling thread (`block.rs`), so it gives the same result each
//!   time.
//! - A race is two accesses to one byte by different threads that no barrier orders, at least one of them a write and
//!   not both atomic. `thread::sync_threads` orders a block, and `warp::sync` a warp. Shuffles and votes order no
//!   memory. Nothing orders two blocks of a launch (`clock.rs`). Races are found whatever order the threads happened to
//!   run in (`shadow.rs`).
//! - Addresses are the emulator's own (`memory.rs`). Launches and blocks find memory as the one before left it, but
//!   each block starts with shared memory marked as unwritten.
//!
//! The emulator cannot see where the GPU's compiler places collectives, nor how fast anything is.

mod block;
mod clock;
mod collective;
mod fault;
mod memory;
mod region;
pub(crate) mod running;
mod shadow;

pub use collective::Collective;
pub use fault::{Access, Fault, Kind, Place, PriorAccess, Site};

use crate::{Kernel, Shape};
use clock::Clock;
use corosensei::stack::DefaultStack;
use memory::Memory;
use region::Region;
use running::Running;
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

/// An emulated device: its memory, and what it needs to run kernels. Calls from several threads wait for one another.
pub struct Emulator {
    state: Mutex<State>,
}

struct State {
    memory: Memory,
    shared: Region,
    clock: Clock,
    stacks: Vec<DefaultStack>,
}

impl Default for Emulator {
    fn default() -> Self {
        Self::new()
    }
}

impl Emulator {
    /// A device with no buffers.
    pub fn new() -> Self {
        let state =
            State { memory: Memory::new(), shared: Region::new(0), clock: Clock::default(), stacks: Vec::new() };
        Self { state: Mutex::new(state) }
    }

    /// Allocates `bytes` uninitialised bytes. The address is a multiple of 256.
    pub fn allocate(&self, bytes: usize) -> u64 {
        self.with(|state| state.memory.allocate(bytes))
    }

    /// As `allocate`, or `None` if all buffers together would exceed `limit` bytes.
    pub fn allocate_within(&self, bytes: usize, limit: usize) -> Option<u64> {
        self.with(|state| {
            let fits = bytes <= limit.saturating_sub(state.memory.bytes());
            fits.then(|| state.memory.allocate(bytes))
        })
    }

    /// Releases the buffer at an address that `allocate` returned.
    ///
    /// # Errors
    /// When `allocate` returned no such address, or the buffer was released before.
    pub fn release(&self, address: u64) -> Result<(), Fault> {
        self.host("release", |memory| memory.release(address))
    }

    /// Bytes in all buffers.
    pub fn allocated(&self) -> usize {
        self.with(|state| state.memory.bytes())
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// When the bytes do not lie in a buffer.
    pub fn copy_in(&self, from: &[u8], to: u64) -> Result<(), Fault> {
        self.write("copy to the device", to, from.len(), |bytes| bytes.copy_from_slice(from))
    }

    /// Sets `bytes` bytes of device memory to `byte`.
    ///
    /// # Errors
    /// When they do not lie in a buffer.
    pub fn fill(&self, to: u64, byte: u8, bytes: usize) -> Result<(), Fault> {
        self.write("fill", to, bytes, |bytes| bytes.fill(byte))
    }

    /// Copies to the host.
    ///
    /// # Errors
    /// When the bytes do not lie in a buffer, or nothing was written to one of them.
    pub fn copy_out(&self, from: u64, to: &mut [u8]) -> Result<(), Fault> {
        if to.is_empty() {
            return Ok(());
        }
        self.host("copy to the host", |memory| {
            let (region, at) = memory.find(from, to.len(), Access::Read)?;
            to.copy_from_slice(region.host_read(at, to.len())?);
            Ok(())
        })
    }

    /// Runs a kernel until all its threads have ended.
    ///
    /// # Errors
    /// The first fault. Memory then holds what the kernel had written up to it.
    ///
    /// # Panics
    /// When called from inside a kernel.
    pub fn launch<A: Copy>(&self, kernel: &Kernel<fn(A)>, shape: Shape, args: A) -> Result<(), Fault> {
        let body = kernel.body();
        self.run(kernel.name(), shape, &|| body(args))
    }

    fn run(&self, kernel: &'static str, shape: Shape, body: &dyn Fn()) -> Result<(), Fault> {
        assert!(running::try_with(|_| ()).is_none(), "a kernel cannot launch a kernel");
        if shape.grid == 0 || shape.block == 0 || shape.block > 1024 || !shape.block.is_multiple_of(32) {
            return Err(Fault { site: Site::Thread { kernel, block: 0, thread: 0 }, kind: Kind::Launch(shape) });
        }
        self.with(|state| {
            running::enter(state.start_launch(kernel, shape));
            block::run_grid(body, &mut state.stacks);
            state.end_launch(running::leave())
        })
    }

    fn write(&self, action: &'static str, to: u64, bytes: usize, set: impl FnOnce(&mut [u8])) -> Result<(), Fault> {
        if bytes == 0 {
            return Ok(());
        }
        self.host(action, |memory| {
            let (region, at) = memory.find(to, bytes, Access::Write)?;
            set(region.host_write(at, bytes)?);
            Ok(())
        })
    }

    fn host(&self, action: &'static str, act: impl FnOnce(&mut Memory) -> Result<(), Kind>) -> Result<(), Fault> {
        self.with(|state| act(&mut state.memory)).map_err(|kind| Fault { site: Site::Host { action }, kind })
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    /// Moves the memory into a launch.
    fn start_launch(&mut self, kernel: &'static str, shape: Shape) -> Running {
        let mut clock = core::mem::take(&mut self.clock);
        clock.start_launch();
        if self.shared.len() != shape.shared as usize {
            self.shared = Region::new(shape.shared as usize);
        }
        Running {
            kernel,
            shape,
            block: 0,
            thread: 0,
            inside: false,
            stopping: false,
            fault: None,
            panic: None,
            threads: Vec::new(),
            clock,
            memory: core::mem::replace(&mut self.memory, Memory::new()),
            shared: core::mem::replace(&mut self.shared, Region::new(0)),
        }
    }

    /// Takes the memory back from a launch that has ended.
    fn end_launch(&mut self, running: Running) -> Result<(), Fault> {
        (self.clock, self.memory, self.shared) = (running.clock, running.memory, running.shared);
        running.fault.map_or(Ok(()), Err)
    }
}
