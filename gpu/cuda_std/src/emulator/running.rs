//! The launch that runs on this thread of the host, and what a thread of the kernel can ask it.
//!
//! The state is thread-local, since kernels have no handle to pass. It is borrowed for one call at a time and never
//! while a coroutine switches. When a check fails, the fault is recorded and the coroutine unwinds with a payload of
//! our own. That bypasses the panic hook, so nothing is printed, and everything on the coroutine's stack is dropped.

use super::Fault;
use super::clock::Clock;
use super::collective::{Call, Collective};
use super::fault::{Access, Kind, Place, Site};
use super::memory::Memory;
use super::region::Region;
use crate::Shape;
use core::cell::RefCell;
use corosensei::Yielder;
use std::boxed::Box;
use std::panic::resume_unwind;
use std::string::String;
use std::thread_local;
use std::vec::Vec;

/// Whether a thread of the block can run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Ready,
    Waiting,
    Ended,
}

/// A thread of the block.
#[derive(Clone, Copy)]
pub(super) struct ThreadState {
    pub status: Status,
    /// What it passed to the collective that it waits at, or waited at last.
    pub call: Call,
    /// What it got from its last collective.
    pub answer: u32,
    /// What it suspends itself with. Set when the thread starts.
    pub yielder: *const Yielder<(), ()>,
}

impl ThreadState {
    /// A thread that has not started.
    pub const FREE: Self = Self {
        status: Status::Ready,
        call: Call { collective: Collective::SyncThreads, value: 0, operand: 0, width: 32 },
        answer: 0,
        yielder: core::ptr::null(),
    };

    /// The collective that it waits at, if any.
    pub fn waits_at(&self) -> Option<Collective> {
        (self.status == Status::Waiting).then_some(self.call.collective)
    }
}

/// A running launch, and the device's state that outlives it.
pub(super) struct Running {
    pub kernel: &'static str,
    pub shape: Shape,
    pub block: u32,
    pub thread: u32,
    /// Whether a coroutine runs, rather than the scheduler.
    pub inside: bool,
    /// Whether all coroutines must unwind.
    pub stopping: bool,
    pub fault: Option<Fault>,
    pub panic: Option<String>,
    pub threads: Vec<ThreadState>,
    pub clock: Clock,
    pub memory: Memory,
    pub shared: Region,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// The payload that unwinds a coroutine.
pub(super) struct Stop;

impl Running {
    /// Records a fault of `thread`, unless there is one already.
    pub fn record_fault(&mut self, thread: u32, kind: Kind) {
        let site = Site::Thread { kernel: self.kernel, block: self.block, thread };
        self.fault.get_or_insert(Fault { site, kind });
    }

    #[inline]
    fn global(&mut self, address: u64, bytes: usize, access: Access) -> Result<(&mut Region, usize), Kind> {
        let (region, at) = self.memory.find(address, bytes, access)?;
        let offset = region.check(at, bytes, access, self.thread, &self.clock)?;
        Ok((region, offset))
    }

    #[inline]
    fn shared(&mut self, offset: u32, bytes: usize, access: Access) -> Result<(&mut Region, usize), Kind> {
        let at = Place::Shared { offset: u64::from(offset) };
        let offset = self.shared.check(at, bytes, access, self.thread, &self.clock)?;
        Ok((&mut self.shared, offset))
    }
}

/// Makes `running` the launch of this thread of the host, until [`leave`] ends it.
pub(super) fn enter(running: Running) {
    RUNNING.set(Some(running));
}

/// The launch that ran here.
pub(super) fn leave() -> Running {
    RUNNING.take().expect("enter came before")
}

/// Borrows the launch, if one runs here and it is not borrowed.
pub(super) fn try_with<T>(ask: impl FnOnce(&mut Running) -> T) -> Option<T> {
    RUNNING.with(|running| running.try_borrow_mut().ok()?.as_mut().map(ask))
}

/// Borrows the launch.
#[inline]
pub(super) fn with<T>(ask: impl FnOnce(&mut Running) -> T) -> T {
    RUNNING.with_borrow_mut(|running| ask(running.as_mut().expect("kernels run inside Emulator::launch")))
}

/// Borrows the launch for a check by the current thread of the kernel. If the check fails, the thread unwinds.
#[inline]
fn checked<T>(check: impl FnOnce(&mut Running) -> Result<T, Kind>) -> T {
    match with(check) {
        Ok(value) => value,
        Err(kind) => fail(kind),
    }
}

#[cold]
pub(crate) fn fail(kind: Kind) -> ! {
    with(|running| running.record_fault(running.thread, kind));
    resume_unwind(Box::new(Stop))
}

pub(crate) fn thread_index() -> u32 {
    with(|running| running.thread)
}

pub(crate) fn block_index() -> u32 {
    with(|running| running.block)
}

pub(crate) fn shape() -> Shape {
    with(|running| running.shape)
}

/// Loads a word of device memory.
pub(crate) fn load_global<const N: usize>(address: u64, access: Access) -> [u8; N] {
    checked(|running| running.global(address, N, access).map(|(region, offset)| region.load(offset)))
}

/// Stores a word of device memory.
pub(crate) fn store_global<const N: usize>(address: u64, word: [u8; N]) {
    checked(|running| running.global(address, N, Access::Write).map(|(region, offset)| region.store(offset, word)))
}

/// Loads a word of shared memory.
pub(crate) fn load_shared<const N: usize>(offset: u32) -> [u8; N] {
    checked(|running| running.shared(offset, N, Access::Read).map(|(region, offset)| region.load(offset)))
}

/// Stores a word of shared memory.
pub(crate) fn store_shared<const N: usize>(offset: u32, word: [u8; N]) {
    checked(|running| running.shared(offset, N, Access::Write).map(|(region, offset)| region.store(offset, word)))
}

/// Changes a word of device memory atomically and returns the word before.
pub(crate) fn update_global<const N: usize>(address: u64, change: impl FnOnce([u8; N]) -> [u8; N]) -> [u8; N] {
    checked(|running| running.global(address, N, Access::Atomic).map(|(region, offset)| update(region, offset, change)))
}

/// Changes a word of shared memory atomically and returns the word before.
pub(crate) fn update_shared<const N: usize>(offset: u32, change: impl FnOnce([u8; N]) -> [u8; N]) -> [u8; N] {
    checked(|running| running.shared(offset, N, Access::Atomic).map(|(region, offset)| update(region, offset, change)))
}

fn update<const N: usize>(region: &mut Region, offset: usize, change: impl FnOnce([u8; N]) -> [u8; N]) -> [u8; N] {
    let before = region.load(offset);
    region.store(offset, change(before));
    before
}

/// Waits until all lanes, or threads, are at the same collective. Returns what this thread gets from it.
pub(crate) fn collective(collective: Collective, value: u32, operand: u32, width: u32) -> u32 {
    let yielder = checked(|running| {
        if !(width.is_power_of_two() && width <= 32) {
            return Err(Kind::Width { width });
        }
        let thread = &mut running.threads[running.thread as usize];
        (thread.status, thread.call) = (Status::Waiting, Call { collective, value, operand, width });
        Ok(thread.yielder)
    });
    // SAFETY: `start` stored the yielder of this thread's coroutine, which is still running: its body called this
    // function.
    unsafe { (*yielder).suspend(()) };
    let (stopping, answer) = with(|running| (running.stopping, running.threads[running.thread as usize].answer));
    if stopping {
        resume_unwind(Box::new(Stop));
    }
    answer
}
