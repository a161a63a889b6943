//! Runs a grid: blocks one after the other, the threads of a block as coroutines on one thread of the host.
//!
//! A thread runs until it waits at a collective or ends. The lanes of a warp run in order; once all stand, all 32 must wait
//! at the same collective of the warp (they get its answer and run on), or at the block's barrier, or have ended. A warp at
//! the barrier is left there and the next one runs; once all warps stand, all threads must be at the barrier or all must
//! have ended. Whoever is missing is reported, and so every wait ends.
//!
//! Threads are not preempted: a kernel that spins on a word that a later thread writes never ends.
//!
//! After a fault the coroutines that had started are resumed once more and told to unwind; the others are dropped. Stacks
//! go back to the pool either way.

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

/// Bytes of address space of a thread's stack; only pages that are used become memory.
const STACK: usize = 128 << 10;

/// Something was wrong; the launch knows what.
struct Faulted;

/// Runs all blocks of the current launch; `body` is what each thread does. The launch has the fault, if any.
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
    // SAFETY: `body` must outlive the coroutine, and `run_grid`, which borrows it, ends or drops every coroutine it starts.
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

/// Runs a warp until all its lanes wait for the block or have ended.
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

/// Runs a thread, if it is ready, until it waits or ends.
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

/// Asks the launch; what it blames on a thread becomes the fault.
fn accept(meet: impl FnOnce(&mut Running) -> Result<Progress, (u32, Kind)>) -> Result<Progress, Faulted> {
    with(|running| {
        meet(running).map_err(|(thread, kind)| {
            running.record_fault(thread, kind);
            Faulted
        })
    })
}

/// Ends all threads where they stand.
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

/// What came of threads that all stand.
#[derive(PartialEq, Eq)]
enum Progress {
    /// They go on.
    Resumed,
    /// They do not, here: all have ended, or the lanes of a warp wait for the block.
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

    /// All lanes of a warp stand.
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

    /// All threads of the block have ended or wait at its barrier.
    fn resume_block(&mut self) -> Result<Progress, (u32, Kind)> {
        if common_collective(0, &self.threads)?.is_none() {
            return Ok(Progress::Blocked);
        }
        self.clock.sync_threads();
        self.threads.iter_mut().for_each(|thread| thread.status = Status::Ready);
        Ok(Progress::Resumed)
    }
}

/// The collective at which threads from `first` on wait: none if all have ended. The first that waits complains of the
/// first that does not wait with it.
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

/// From now on a panic inside a kernel is kept for the fault and not printed; all others go the way they went before.
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
