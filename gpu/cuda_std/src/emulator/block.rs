//! Runs a grid: one block after another, and the threads of a block as coroutines on one thread of the host.
//!
//! A thread runs until it waits at a collective or ends. The lanes of a warp run in order. When none can go on, there
//! are three cases. All 32 wait at the same collective of the warp: they get its result and run on. They all wait at
//! the block's barrier, or have all ended: the next warp runs. Anything else is a fault. When no warp can go on, all
//! threads of the block must wait at its barrier, or all must have ended. So every wait ends, or is reported with the
//! thread that is missing.
//!
//! Threads are not preempted: a kernel that spins on a word until a later thread writes it never ends.
//!
//! After a fault the coroutines that have started are resumed once more and told to unwind. The others are dropped.
//! Either way their stacks go back to the pool.

use super::collective::{Collective, answers};
use super::fault::Kind;
use super::running::{Running, Status, Stop, ThreadState, try_with, with};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::boxed::Box;
use std::format;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::vec::Vec;

type Thread = Coroutine<(), (), ()>;

/// Bytes of address space for a thread's stack. Only the pages that are used take memory.
const STACK: usize = 128 << 10;

/// There is a fault, and the launch holds it.
struct Faulted;

/// Runs all blocks of the current launch, with `body` as what each thread does. A fault is left in the launch.
pub(super) fn run_grid(body: &dyn Fn(), stacks: &mut Vec<DefaultStack>) {
    record_panics();
    let shape = with(|running| running.shape);
    for block in 0..shape.grid {
        with(|running| running.start_block(block));
        let mut threads: Vec<Thread> = (0..shape.block).map(|_| start(body, stacks)).collect();
        let outcome = run_block(&mut threads);
        if outcome.is_err() {
            stop(&mut threads);
        }
        stacks.extend(threads.into_iter().map(Coroutine::into_stack));
        if outcome.is_err() {
            return;
        }
    }
}

/// A coroutine that will run `body` as a thread of the block.
fn start(body: &dyn Fn(), stacks: &mut Vec<DefaultStack>) -> Thread {
    let stack = stacks.pop().unwrap_or_else(|| DefaultStack::new(STACK).expect("there is room for a stack of 128 KiB"));
    let thread = move |yielder: &Yielder<(), ()>, ()| {
        with(|running| running.threads[running.thread as usize].yielder = yielder);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(body))
            && !payload.is::<Stop>()
        {
            with(|running| {
                let text = running.panic.take().unwrap_or_default();
                running.record_fault(running.thread, Kind::Panic(text));
            });
        }
    };
    // SAFETY: `body` outlives the coroutine: `run_grid` borrows it, and ends or drops every coroutine before it
    // returns.
    unsafe { Coroutine::with_stack_unchecked(stack, thread) }
}

fn run_block(threads: &mut [Thread]) -> Result<(), Faulted> {
    loop {
        for (warp, lanes) in threads.chunks_mut(32).enumerate() {
            run_warp(warp, lanes)?;
        }
        if accept(|running| running.resume_block())? == Progress::Blocked {
            return Ok(());
        }
    }
}

/// Runs a warp until all its lanes wait at the block's barrier or have ended.
fn run_warp(warp: usize, lanes: &mut [Thread]) -> Result<(), Faulted> {
    loop {
        for (lane, coroutine) in lanes.iter_mut().enumerate() {
            resume((warp * 32 + lane) as u32, coroutine)?;
        }
        if accept(|running| running.resume_warp(warp))? == Progress::Blocked {
            return Ok(());
        }
    }
}

/// Runs a thread until it waits or ends, if it is ready.
fn resume(thread: u32, coroutine: &mut Thread) -> Result<(), Faulted> {
    let is_ready = with(|running| {
        running.thread = thread;
        running.inside = running.threads[thread as usize].status == Status::Ready;
        running.inside
    });
    if !is_ready {
        return Ok(());
    }
    let has_ended = matches!(coroutine.resume(()), CoroutineResult::Return(()));
    with(|running| {
        running.inside = false;
        if has_ended {
            running.threads[thread as usize].status = Status::Ended;
        }
        if running.fault.is_some() { Err(Faulted) } else { Ok(()) }
    })
}

/// Lets the launch decide how threads go on, and records the fault if it finds one.
fn accept(meet: impl FnOnce(&mut Running) -> Result<Progress, (u32, Kind)>) -> Result<Progress, Faulted> {
    with(|running| {
        meet(running).map_err(|(thread, kind)| {
            running.record_fault(thread, kind);
            Faulted
        })
    })
}

/// Unwinds all threads.
fn stop(threads: &mut [Thread]) {
    with(|running| (running.stopping, running.inside) = (true, true));
    for (thread, coroutine) in threads.iter_mut().enumerate() {
        if coroutine.started() && !coroutine.done() {
            with(|running| running.thread = thread as u32);
            let CoroutineResult::Return(()) = coroutine.resume(()) else {
                unreachable!("a thread that is told to stop waits for nothing more");
            };
        }
        coroutine.force_unwind();
    }
    with(|running| (running.stopping, running.inside) = (false, false));
}

/// How threads that cannot run on by themselves go on.
#[derive(PartialEq, Eq)]
enum Progress {
    /// Their collective has its result, and they are ready.
    Resumed,
    /// They stay where they are: all have ended, or the lanes of a warp wait at the block's barrier.
    Blocked,
}

impl Running {
    fn start_block(&mut self, block: u32) {
        self.block = block;
        self.clock.start_block();
        self.shared.forget();
        self.threads.clear();
        self.threads.resize(self.shape.block as usize, ThreadState::FREE);
    }

    /// For a warp none of whose lanes is ready.
    fn resume_warp(&mut self, warp: usize) -> Result<Progress, (u32, Kind)> {
        let first = warp * 32;
        let lanes = &mut self.threads[first..first + 32];
        match common_collective(first as u32, lanes)? {
            None | Some(Collective::SyncThreads) => return Ok(Progress::Blocked),
            Some(Collective::SyncWarp) => self.clock.sync_warp(warp as u32),
            Some(_) => {}
        }
        let answers = answers(&core::array::from_fn(|lane| lanes[lane].call));
        for (thread, answer) in lanes.iter_mut().zip(answers) {
            (thread.status, thread.answer) = (Status::Ready, answer);
        }
        Ok(Progress::Resumed)
    }

    /// For a block none of whose threads is ready.
    fn resume_block(&mut self) -> Result<Progress, (u32, Kind)> {
        if common_collective(0, &self.threads)?.is_none() {
            return Ok(Progress::Blocked);
        }
        self.clock.sync_threads();
        self.threads.iter_mut().for_each(|thread| thread.status = Status::Ready);
        Ok(Progress::Resumed)
    }
}

/// The collective at which these threads wait, or `None` if all have ended. `first` is the number of the first of them.
/// If they do not all wait at the same one, the fault is of the first thread that waits, and names the first that does
/// not wait with it.
fn common_collective(first: u32, threads: &[ThreadState]) -> Result<Option<Collective>, (u32, Kind)> {
    let Some(waiting) = threads.iter().position(|thread| thread.waits_at().is_some()) else {
        return Ok(None);
    };
    let collective = threads[waiting].call.collective;
    match threads.iter().position(|thread| thread.waits_at() != Some(collective)) {
        None => Ok(Some(collective)),
        Some(missing) => {
            let instead = threads[missing].waits_at();
            Err((first + waiting as u32, Kind::NotReached { collective, missing: first + missing as u32, instead }))
        }
    }
}

/// Makes panics inside a kernel go into the fault instead of being printed. Other panics are handled as before.
fn record_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let text = info.payload_as_str().unwrap_or("a payload that is no text");
            let place = info.location().map_or_else(Default::default, |place| format!(" at {place}"));
            let is_kernel = try_with(|running| {
                running.panic = running.inside.then(|| format!("{text}{place}"));
                running.inside
            });
            if is_kernel != Some(true) {
                before(info);
            }
        }));
    });
}
