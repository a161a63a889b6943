//! The state of the driver, and what every call does before and after its own work.

use crate::queue::{Queues, Work};
use crate::wishes::Wishes;
use cuda_std::emulator::Emulator;
use std::alloc::Layout;
use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

pub const SUCCESS: u32 = 0;
pub const INVALID_VALUE: u32 = 1;
pub const OUT_OF_MEMORY: u32 = 2;
const NOT_INITIALIZED: u32 = 3;
const INVALID_CONTEXT: u32 = 201;
pub const INVALID_HANDLE: u32 = 400;
pub const NOT_FOUND: u32 = 500;

/// What a call answers: nothing, or the code of its refusal.
pub type Answer = Result<(), u32>;

/// How a call takes part in faults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Starts the driver.
    Start,
    /// Asks about devices or contexts: works in a lost context, too.
    Ask,
    /// Works in a context.
    Work,
    /// Launches a kernel: a fault of the kernel comes out of a later wait.
    Launch,
    /// Waits: when it fails, what it waits for is past nevertheless.
    Wait,
}

thread_local! {
    /// Whether the calling thread has a context.
    pub static CURRENT: Cell<bool> = const { Cell::new(false) };
}

/// See the module.
pub struct Driver {
    pub wishes: Wishes,
    pub emulator: Emulator,
    pub queues: Queues,
    /// The mark that each event was recorded as; 0 before.
    pub events: HashMap<usize, u64>,
    /// Pinned memory by address.
    pub pinned: HashMap<usize, Layout>,
    /// Shared memory that kernels have leave to use, by number.
    pub leave: HashMap<usize, u32>,
    /// The numbers of the kernels of each module that is loaded.
    pub modules: HashMap<usize, Vec<usize>>,
    /// Handles of modules and events that were given.
    pub given: usize,
    started: bool,
    lost: Option<u32>,
    calls: HashMap<&'static str, u64>,
    calls_of_all: u64,
    told: Option<File>,
    /// The code with which the kernel that is being launched is to end.
    ending: Option<u32>,
}

static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(|| Mutex::new(Driver::new()));

/// A call of `function`: counted, failed where that was wished, and done by `act` otherwise. Answers the driver's code.
pub fn call(function: &'static str, sort: Sort, act: impl FnOnce(&mut Driver) -> Answer) -> u32 {
    let mut driver = DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
    driver.call(function, sort, act).err().unwrap_or(SUCCESS)
}

impl Driver {
    fn new() -> Self {
        let text = |name| std::env::var(name).unwrap_or_default();
        let wishes = Wishes::read(&text("FAULTY_DRIVER"));
        let told = Some(text("FAULTY_DRIVER_CALLS")).filter(|path| !path.is_empty());
        Self {
            queues: Queues::corrupting(wishes.corrupt),
            wishes,
            emulator: Emulator::new(),
            events: HashMap::new(),
            pinned: HashMap::new(),
            leave: HashMap::new(),
            modules: HashMap::new(),
            given: 0,
            started: false,
            lost: None,
            calls: HashMap::new(),
            calls_of_all: 0,
            told: told.map(|path| File::create(path).expect("the file for the names of calls can be made")),
            ending: None,
        }
    }

    fn call(&mut self, function: &'static str, sort: Sort, act: impl FnOnce(&mut Self) -> Answer) -> Answer {
        let wish = self.count(function);
        if sort != Sort::Start && !self.started {
            return Err(NOT_INITIALIZED);
        }
        let in_context = matches!(sort, Sort::Work | Sort::Launch | Sort::Wait);
        if let Some(code) = self.lost.filter(|_| in_context) {
            return Err(code);
        }
        if in_context && !CURRENT.get() {
            return Err(INVALID_CONTEXT);
        }
        self.ending = None;
        let answer = match wish {
            None => act(self),
            Some((code, false)) if sort == Sort::Launch && ends_kernels(code) => {
                self.ending = Some(code);
                act(self)
            }
            Some((code, false)) if sort == Sort::Wait => act(self).and(Err(code)),
            Some((code, _)) => Err(code),
        };
        self.started |= sort == Sort::Start && answer.is_ok();
        if let Some(code) = answer.err().filter(|&code| in_context && is_sticky(code)) {
            self.lost = Some(code);
            self.queues.forget();
        }
        answer
    }

    fn count(&mut self, function: &'static str) -> Option<(u32, bool)> {
        self.calls_of_all += 1;
        let calls = self.calls.entry(function).or_default();
        *calls += 1;
        if let Some(told) = &mut self.told {
            writeln!(told, "{function}").expect("the file for the names of calls takes them");
        }
        self.wishes.failure(function, *calls, self.calls_of_all)
    }

    /// Gives work to a stream, or does it at once where that was wished.
    pub fn give(&mut self, stream: usize, work: Work) -> Answer {
        self.require_stream(stream)?;
        let work = self.ending.take().map_or(work, Work::Fail);
        self.queues.give(stream, work);
        if self.wishes.eager { self.queues.finish(&self.emulator, stream) } else { Ok(()) }
    }

    pub fn require_stream(&self, stream: usize) -> Answer {
        if self.queues.holds(stream) { Ok(()) } else { Err(INVALID_HANDLE) }
    }

    /// A new handle.
    pub fn handle(&mut self) -> usize {
        self.given += 1;
        self.given
    }

    /// Ends the process when host memory goes while work that is not done copies from or to it: nothing good can follow.
    pub fn require_idle(&self, address: usize, len: usize) {
        if self.lost.is_none() && self.queues.touch(address, len) {
            eprintln!("faulty driver: pinned memory is given back while a copy that was queued needs it");
            std::process::abort();
        }
    }
}

/// Codes that a kernel ends with.
fn ends_kernels(code: u32) -> bool {
    matches!(code, 700 | 702 | 710 | 714..=719)
}

/// NVIDIA says of these that every later call into the context answers the same.
fn is_sticky(code: u32) -> bool {
    ends_kernels(code) || matches!(code, 214 | 220 | 226 | 709 | 721 | 999)
}
