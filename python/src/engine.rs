//! What computes, and stays open between calls.

use crate::call::{Call, interrupted};
use crate::error::{exception, unusable, usage};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use warpseq::console::Console;
use warpseq::cuda::Cuda;
use warpseq::devices::{CPU, Gpus};
use warpseq::emulated::Emulated;
use warpseq::error::Result;
use warpseq::executor::{self, AnyExecutor, Executor, Problem};
use warpseq::fallback::Fallback;
use warpseq::memory::Memory;
use warpseq::options::{Processor, RunOptions, memory_size};

/// The least memory of an engine, as of the program's runs.
const LEAST_MEMORY: usize = 48 << 20;

/// What computes: an open GPU or the CPU, and threads.
pub struct Machine {
    pub options: RunOptions,
    pub pool: ThreadPool,
    /// The process that made it: no other one can use its threads, nor its GPU.
    process: u32,
    /// Opened when first needed; `None`: the CPU computes.
    gpu: OnceLock<Option<Arc<Cuda>>>,
    /// Held by the thread that opens it.
    opening: Mutex<()>,
}

impl Machine {
    /// A machine; no GPU is opened yet.
    pub fn new(py: Python, device: &str, threads: Option<usize>, memory: &str) -> PyResult<Self> {
        let wrong = |option: &str, value: &str, why: String| usage(py, &format!("{option} {value}: {why}"));
        let processor = device.parse().map_err(|why| wrong("device", device, why))?;
        let host_memory = memory_size(memory).map_err(|why| wrong("memory", memory, why))?.max(LEAST_MEMORY);
        if threads == Some(0) {
            return Err(usage(py, "threads 0: expected at least 1, or None for one for each processor"));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
        let pool = pool.map_err(|why| unusable(py, &format!("cannot start the threads: {why}; give fewer threads")))?;
        let options = RunOptions { processor, host_memory, console: Console::Silent, ..RunOptions::default() };
        Ok(Self { options, pool, process: std::process::id(), gpu: OnceLock::new(), opening: Mutex::new(()) })
    }

    /// Refuses a process that is not the one that made the machine.
    pub fn check_process(&self, py: Python) -> PyResult<()> {
        match std::process::id() == self.process {
            true => Ok(()),
            false => Err(unusable(
                py,
                "this engine was made before the process forked, and its threads and GPU stayed behind: make an Engine \
                 in each process, or start processes by `spawn`",
            )),
        }
    }

    /// The GPU, if one computes. Opens it the first time.
    ///
    /// # Errors
    /// Why the GPU that was asked for cannot be used.
    fn gpu(&self) -> Result<Option<Arc<Cuda>>> {
        let _opening = match self.gpu.get() {
            Some(_) => None,
            None => Some(self.opening.lock().unwrap_or_else(PoisonError::into_inner)),
        };
        if let Some(gpu) = self.gpu.get() {
            return Ok(gpu.clone());
        }
        let opened = match Gpus::start_opening(self.options, "").map(|mut gpus| gpus.first()) {
            None => None,
            Some(Ok(gpu)) => Some(gpu),
            Some(Err(_)) if self.options.processor.falls_back() => None,
            Some(Err(error)) => return Err(error.into()),
        };
        Ok(self.gpu.get_or_init(|| opened).clone())
    }

    /// Whether a GPU computes.
    ///
    /// # Errors
    /// Why the GPU that was asked for cannot be used.
    pub fn is_on_gpu(&self) -> Result<bool> {
        Ok(self.gpu()?.is_some())
    }

    /// Whether it is known that the CPU computes: then nothing is opened, and no other call waited for.
    pub fn is_on_cpu(&self) -> bool {
        self.options.processor != Processor::Emulator && matches!(self.gpu.get(), Some(None))
    }

    /// Whether the CPU may compute what the GPU would: it was not asked for.
    pub fn may_use_cpu(&self) -> bool {
        matches!(self.options.processor, Processor::Auto | Processor::Cpu)
    }

    /// The name of what computes.
    pub fn device(&self, py: Python) -> PyResult<String> {
        self.check_process(py)?;
        let gpu = py.detach(|| self.gpu()).map_err(|error| exception(py, &error))?;
        let other = if self.options.processor == Processor::Emulator { "emulator" } else { CPU };
        Ok(gpu.map_or(other.to_owned(), |gpu| warpseq::gpu::Gpu::name(&*gpu).to_owned()))
    }

    /// An executor of `engine`.
    ///
    /// # Errors
    /// Those of the device.
    pub fn executor<'e, E: executor::Engine>(&self, engine: &'e E) -> Result<AnyExecutor<'e, E>> {
        Ok(match (self.gpu()?, self.options.processor) {
            (Some(gpu), _) => Box::new(Fallback::new(engine, gpu, self.options)?),
            (None, Processor::Emulator) => {
                Box::new(Fallback::new(engine, Arc::new(Emulated::default()), self.options)?)
            }
            (None, _) => engine.cpu(),
        })
    }

    /// The memory of a call with pairs, whose work is counted in a unit of so many bytes.
    pub fn memory_for_pairs(&self, unit: usize) -> Memory {
        let Self { options, pool, .. } = self;
        Memory::for_pairs(options.host_memory, pool.current_num_threads(), options.processor.expects_gpu(), unit)
    }

    /// The memory of a call with batches of sequences, which take so many bytes for each byte of text.
    pub fn memory_for_batches(&self, fold: usize) -> Memory {
        let Self { options, pool, .. } = self;
        Memory::for_batches(options.host_memory, pool.current_num_threads(), options.processor, fold)
    }
}

/// Executors that stay open between calls, each used by one thread at a time: one on a GPU, and on the CPU as many as there are
/// calls at a time.
pub struct Kept<E: executor::Engine + 'static> {
    engine: &'static E,
    /// Whether all are on the CPU.
    on_cpu: bool,
    state: Mutex<State<E>>,
    /// Woken when an executor is given back.
    back: Condvar,
}

struct State<E: executor::Engine + 'static> {
    idle: Vec<AnyExecutor<'static, E>>,
    /// How many are in use.
    used: usize,
}

impl<E: executor::Engine> Kept<E> {
    /// No executor of `engine` yet.
    pub const fn new(engine: &'static E) -> Self {
        Self::of(engine, false)
    }

    /// The same, on the CPU whatever else computes.
    pub const fn on_cpu(engine: &'static E) -> Self {
        Self::of(engine, true)
    }

    const fn of(engine: &'static E, on_cpu: bool) -> Self {
        let state = Mutex::new(State { idle: Vec::new(), used: 0 });
        Self { engine, on_cpu, state, back: Condvar::new() }
    }

    /// Works with an executor in the machine's threads. It is taken outside of them: there, a thread that has one could come to
    /// wait for itself. After a failure it is not used again.
    ///
    /// # Errors
    /// Those of the device and of `work`; an interruption.
    pub fn with<T: Send>(
        &self,
        machine: &Machine,
        call: &Call,
        work: impl FnOnce(&mut (dyn Executor<E::Problem> + 'static)) -> Result<T> + Send,
    ) -> Result<T> {
        let mut taken = self.take(machine)?;
        call.go_on()?;
        let executor = taken.executor.as_mut().expect("it has just been taken");
        let done = machine.pool.install(|| work(&mut **executor))?;
        taken.is_whole = true;
        Ok(done)
    }

    fn take(&self, machine: &Machine) -> Result<Taken<'_, E>> {
        let is_on_gpu = !self.on_cpu && machine.is_on_gpu()?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while is_on_gpu && state.used > 0 {
            state = self.back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.used += 1;
        let mut taken = Taken { kept: self, executor: state.idle.pop(), is_whole: false };
        drop(state);
        if taken.executor.is_none() {
            taken.executor = Some(if self.on_cpu { self.engine.cpu() } else { machine.executor(self.engine)? });
        }
        Ok(taken)
    }
}

/// An executor in use.
struct Taken<'k, E: executor::Engine + 'static> {
    kept: &'k Kept<E>,
    executor: Option<AnyExecutor<'static, E>>,
    /// Whether it may be used again.
    is_whole: bool,
}

impl<E: executor::Engine> Drop for Taken<'_, E> {
    fn drop(&mut self) {
        let mut state = self.kept.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used -= 1;
        state.idle.extend(self.executor.take().filter(|_| self.is_whole));
        self.kept.back.notify_one();
    }
}

/// Solves a job, as long as the caller waits for it.
///
/// # Errors
/// Those of the executor; an interruption.
pub fn compute<P: Problem>(
    executor: &mut (dyn Executor<P> + '_),
    call: &Call,
    job: P::Job<'_>,
    output: &mut P::Output,
) -> Result<()> {
    if executor.compute_watched(job, output, call)? { Ok(()) } else { Err(interrupted()) }
}
