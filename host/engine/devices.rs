//! Who computes in a run: GPUs, the CPU, or both.
//!
//! ```text
//! --device      computes                                                             when no GPU can be opened
//! auto          the CPU at once, every usable GPU as it opens, both while that helps  the CPU, with a note that says why
//! cuda-or-cpu   every usable GPU as it opens                                          the CPU, with a note that says why
//! cuda          every usable GPU as it opens                                          the run ends with the reason
//! cuda:N        GPU N                                                                 the run ends with the reason
//! cpu           the CPU                                                               -
//! emulator      the lockstep emulator, for tests                                      -
//! ```
//!
//! GPUs are opened on a thread of its own: the driver takes a fraction of a second. The first one is opened at the start of the
//! run; under `auto` as soon as the CPU's progress shows that the run takes longer than opening one, or at once where that is known: then a CPU
//! that would take much longer joins where the GPU is slow to open, or takes long for the rest. Another one is opened once batches have waited for as long as opening takes: so a run never spends more on opening GPUs
//! than twice what the best choice would have cost, and a short one opens one.
//!
//! Under `auto`, a run that is over before the first GPU has opened ends without it. It waits to learn whether there is a driver
//! at all, which takes a millisecond, so that the note is printed where there is none. How the CPU and the GPUs share the batches:
//! [`Role::Helper`]. What an executor on a GPU does when its device fails later: [`crate::fallback`].

use crate::error::{Error, Result};
use crate::executor::{AnyExecutor, Engine};
use crate::fallback::Fallback;
use crate::lent::{Lent, told};
use crate::options::{Process, Processor, RunOptions, opening_takes_longer};
use crate::pipeline::{Crew, Reached, Role};
use crate::worker::Worker;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, after, bounded, never, select, unbounded};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use warpseq_device::cuda::{Cuda, discover, driver, kernels};
use warpseq_device::emulated::Emulated;
use warpseq_device::error::DeviceError;
use warpseq_device::gpu::Gpu;

/// GPUs being opened, one after another.
pub struct Gpus {
    news: Receiver<News>,
    /// Asks for another one.
    more: Sender<()>,
    /// The first one waits until it is asked for, and has not been.
    held: bool,
    /// The CPU waits for it.
    alone: bool,
    /// Whether it is known that there is a driver.
    driver: bool,
    thread: Option<JoinHandle<()>>,
    process: Process,
}

/// What the thread that opens GPUs says.
enum News {
    /// There is a driver. What follows takes its time.
    Driver,
    Opened(Opened),
    /// No GPU can be opened.
    Failed(DeviceError),
}

/// An open GPU, and how long it took.
struct Opened {
    gpu: Arc<Cuda>,
    took: Duration,
}

impl Gpus {
    /// Starts opening the GPUs that a run may use, and loading the kernels whose names begin with `kernels`; `None` when it uses
    /// none. Under `auto`, the first one is opened when it is [asked for](Self::ask).
    pub fn start_opening(options: RunOptions, kernels: &'static str) -> Option<Self> {
        let wanted = match options.processor {
            Processor::Auto | Processor::CudaOrCpu => None,
            Processor::Cuda(number) => number,
            Processor::Cpu | Processor::Emulator => return None,
        };
        let (tell, news) = unbounded();
        let (more, asked) = bounded(1);
        let told = tell.clone();
        let held = options.processor == Processor::Auto;
        let open = move || {
            if let Err(error) = open(wanted, kernels, &told, &asked, held) {
                // Nobody listens any more when the run is over.
                let _ = told.send(News::Failed(error));
            }
        };
        let thread = Builder::new().name("open GPUs".into()).spawn(open).inspect_err(|error| {
            let why = format!("cannot start a thread to open GPUs: {error}; raise the limit on threads (`ulimit -u`)");
            // The receiver is alive.
            let _ = tell.send(News::Failed(DeviceError::Unavailable(why)));
        });
        Some(Self { news, more, held, alone: false, driver: false, thread: thread.ok(), process: options.process })
    }

    /// Whether the first GPU has still to be asked for.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Asks for the first GPU, where it is not being opened anyhow.
    pub fn ask(&mut self) {
        if std::mem::take(&mut self.held) {
            // The thread is gone when there is no driver.
            let _ = self.more.try_send(());
        }
    }

    /// The same, and under `auto` has the CPU wait for it, at first: where the CPU takes long, and often makes tables before it computes, as is done for a GPU,
    /// on the same threads.
    pub fn ask_alone(&mut self) {
        self.alone = true;
        self.ask();
    }

    /// Waits for the first GPU.
    ///
    /// # Errors
    /// What keeps the GPU that was named, or else the first one, from being used.
    pub fn first(&mut self) -> std::result::Result<Arc<Cuda>, DeviceError> {
        self.ask();
        let opened = self.next(&never::<()>()).unwrap_or_else(|| Err(ended()));
        opened.map(|opened| opened.gpu)
    }

    /// The first GPU, or why there is none, if that is known by now. Waits until it is known whether there is a driver.
    pub fn first_by_now(&mut self) -> Option<std::result::Result<Arc<Cuda>, DeviceError>> {
        let over = bounded::<()>(0).1;
        self.next(&over).map(|outcome| outcome.map(|opened| opened.gpu))
    }

    /// Has one more GPU opened, after the first, and waits for it. `None`: there is no more.
    ///
    /// # Errors
    /// What keeps the others from being used.
    pub fn more(&mut self) -> Option<std::result::Result<Arc<Cuda>, DeviceError>> {
        self.another(&never()).map(|outcome| outcome.map(|opened| opened.gpu))
    }

    /// The next GPU that was asked for. `None` when there is no more, or when the run is over and it is known that there is a
    /// driver.
    fn next<T>(&mut self, over: &Receiver<T>) -> Option<std::result::Result<Opened, DeviceError>> {
        let mut is_over = false;
        loop {
            let news = if is_over {
                match self.news.try_recv() {
                    Err(_) if !self.driver => self.news.recv().ok(),
                    news => Some(news.ok()?),
                }
            } else {
                select! {
                    recv(self.news) -> news => news.ok(),
                    recv(over) -> _ => {
                        is_over = true;
                        continue;
                    }
                }
            };
            match news {
                Some(News::Driver) => self.driver = true,
                Some(News::Opened(opened)) => return Some(Ok(opened)),
                Some(News::Failed(error)) => return Some(Err(error)),
                None => {
                    // The thread has ended: it has opened all, or panicked.
                    let ended = self.thread.take().map_or(Ok(()), JoinHandle::join);
                    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    return None;
                }
            }
        }
    }

    fn another(&mut self, over: &Receiver<()>) -> Option<std::result::Result<Opened, DeviceError>> {
        // The thread is gone when it has opened all.
        let _ = self.more.send(());
        self.next(over)
    }
}

impl Drop for Gpus {
    fn drop(&mut self) {
        if self.process != Process::GoesOn {
            // The thread finds somebody there to the end of the process, and gives nothing back.
            std::mem::forget((self.news.clone(), self.more.clone()));
        } else if let Some(thread) = self.thread.take() {
            (self.news, self.more) = (never(), bounded(0).0);
            // What it may have panicked with is nobody's business any more.
            let _ = thread.join();
        }
    }
}

fn ended() -> DeviceError {
    DeviceError::Unavailable("no GPU was opened; run with --device cpu".into())
}

/// Opens GPU `wanted`, or every one that can be used, each when it is asked for.
fn open(
    wanted: Option<u32>,
    of: &'static str,
    told: &Sender<News>,
    asked: &Receiver<()>,
    held: bool,
) -> std::result::Result<(), DeviceError> {
    // Loading the driver's library takes a while, which a run that ends without it need not pay.
    if !held || !Processor::Auto.expects_gpu() {
        driver::find()?;
    }
    // Nobody listens any more when the run is over.
    let tell = |news| told.send(news).is_ok();
    let open = |ordinal| {
        let start = Instant::now();
        Cuda::open(ordinal, kernels::MODULES, of).map(|gpu| Opened { gpu: Arc::new(gpu), took: start.elapsed() })
    };
    tell(News::Driver);
    if held && asked.recv().is_err() {
        return Ok(());
    }
    if let Some(ordinal) = wanted {
        tell(News::Opened(open(ordinal)?));
        return Ok(());
    }
    let (mut any, mut failure) = (false, None);
    for found in discover(kernels::MODULES)? {
        match open(found.ordinal) {
            Ok(opened) => {
                any = true;
                if !tell(News::Opened(opened)) || asked.recv().is_err() {
                    return Ok(());
                }
            }
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.filter(|_| !any).map_or(Ok(()), Err)
}

/// The name of the CPU among devices.
pub const CPU: &str = "cpu";
/// The most workers on the CPU.
const CPU_WORKERS: usize = 16;

/// Of so many workers on the CPU, one computes where a GPU is known to come: of 16, all with 100,000 signatures of 25 over 605 MB took 642 ms
/// beside an H100, half of them 632, and with 1000 of 20 and a mismatch 886 and 843.
const ONE_BESIDE_A_GPU_OF: usize = 2;

/// Workers on the CPU of so many threads. All of them use all threads, and where one waits for them to be free, or does what one
/// thread can do, the others go on.
pub fn cpu_workers(threads: usize) -> usize {
    threads.clamp(1, CPU_WORKERS)
}

/// A worker and the name of its device: [`CPU`], or that of a GPU.
pub type Named<'e, E> = (Worker<'e, E>, String);

/// What opening a GPU and closing it at the end take, about, while the CPU computes: 0.22 and 0.13 s with an H200, and some for tables. A run
/// that the CPU ends sooner needs none. [More](opening_takes_longer) where there are several.
const OPENING: Duration = Duration::from_millis(400);
/// How often it is looked how far a run has come, and when that says something about the rest of it.
const LOOK: Duration = Duration::from_millis(5);
const TELLING: Duration = Duration::from_millis(80);
/// The same of a run that looks so many times as long as would be worth a GPU.
const TELLING_SOON: Duration = Duration::from_millis(40);
const SOON: f64 = 1.5;
/// What a GPU saves at least of the time that is left: workers that are idle most of the time may wait for threads that these same workers keep from
/// reading. With 32 threads, `scan` of 6 GB has them idle two thirds of the time, and takes 1.3 s, or 0.79 with a GPU.
const SAVED: f64 = 0.5;
/// The whole input has been read, or the CPU has been making tables, and nothing is computed for as long as opening a GPU takes, which
/// would have to make tables, too: so a run that needs none has lost little, and one that does has lost no more than that.
const PATIENCE: Duration = OPENING;

/// Waits until a run that the CPU has begun turns out to be long enough for a GPU. False: it was over before. `read` says which
/// share of the input has been read. A GPU saves what the CPU's workers compute: where they are idle a quarter of the time, a quarter less,
/// but no less than [`SAVED`]; and it may [be late](Engine::late_on_a_gpu). No run is long in which the engine [prefers the
/// CPU](Engine::prefers_cpu), nor as long as nothing has come to be computed.
fn is_long<E: Engine, T, R>(engine: &E, crew: &dyn Crew<'_, T, R>, read: &dyn Fn() -> Option<f64>) -> bool {
    let (mut start, opening) = (Instant::now(), (OPENING + opening_takes_longer()).as_secs_f64());
    let late = engine.late_on_a_gpu().as_secs_f64();
    // When the first batch was computed, which may have taken long for what is done once, and how much was done by then.
    let mut first = None;
    let (mut looks, mut all_busy) = (0.0, 0.0);
    // Since when it is no tables that nothing is computed for.
    let mut known = start;
    loop {
        let Reached { share: computed, more, busy, unknown } = crew.reached();
        (looks, all_busy) = (looks + 1.0, all_busy + busy);
        if computed == 0.0 && busy == 0.0 {
            (start, known) = (Instant::now(), Instant::now());
        }
        if unknown {
            (first, known) = (None, Instant::now());
        }
        let is_long = match read() {
            // What is left of a pipe, nobody knows.
            None => true,
            Some(share) if computed > 0.0 => {
                let done = share * computed;
                let (since, before) = *first.get_or_insert_with(|| (Instant::now(), done));
                let (took, left) = (since.elapsed(), 1.0 - done);
                let saved = if more { (all_busy / looks).max(SAVED) } else { 1.0 };
                let times = took.as_secs_f64() * left * saved / ((opening + late * left) * (done - before));
                let telling = if times > SOON && times.is_finite() { TELLING_SOON } else { TELLING };
                // Where all wait for what is being read, that is no sign of a long run.
                busy > 0.0 && start.elapsed() >= telling && took >= telling * 3 / 4 && times > 1.0
            }
            // A batch that is a long record takes a while, so that nothing is told by there being none so far.
            Some(share) if share < 1.0 && !unknown && late == 0.0 && known.elapsed() >= TELLING => true,
            Some(_) => start.elapsed() >= PATIENCE,
        };
        if is_long && !engine.prefers_cpu() {
            return true;
        }
        if crew.over().recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
            return false;
        }
    }
}

/// How long the rest of a run takes at least that the CPU helps with where it has waited for a GPU: with less, it would be making tables, and be in its way.
const LASTING: Duration = Duration::from_secs(1);

/// Waits until GPUs that compute turn out to take so long for the rest that the CPU is of use: it would make tables first, on the threads
/// that bring the GPUs their work. False: the run was over before.
fn lasts<T, R>(crew: &dyn Crew<'_, T, R>, read: &dyn Fn() -> Option<f64>) -> bool {
    let mut first = None;
    loop {
        let computed = crew.reached().share;
        // What is left of a pipe, nobody knows.
        let Some(share) = read() else { return true };
        if computed > 0.0 {
            let done = share * computed;
            let (since, before) = *first.get_or_insert_with(|| (Instant::now(), done));
            let took = since.elapsed();
            let left = took.as_secs_f64() * (1.0 - done) / (done - before);
            // The first batches take longer than others, by a lot where matches are many.
            if took >= PATIENCE && left > LASTING.as_secs_f64() {
                return true;
            }
        }
        if crew.over().recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
            return false;
        }
    }
}

/// Does something on other threads than those of the run, where these are at work: they would begin it only when all that they have is done, which may
/// take seconds. Once a worker has joined, helpers are recalled for it.
fn apart<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build() {
        Ok(threads) => threads.install(work),
        Err(_) => work(),
    }
}

/// Has the workers of a run join its crew, by `join`, as they are there: at least one. `read` says which share of the input has
/// been read.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn gather<'e, E: Engine, T, R>(
    engine: &'e E,
    gpus: Option<Gpus>,
    options: RunOptions,
    crew: &dyn Crew<'_, T, R>,
    read: &dyn Fn() -> Option<f64>,
    join: impl Fn(Role, Named<'e, E>),
) -> Result<()> {
    let lent = Lent::<E>::new();
    let all = cpu_workers(rayon::current_num_threads());
    let join_cpus = |role, count| {
        for executor in engine.cpus(count) {
            let executor = match role {
                Role::Helper => lent.recalled(executor, crew.underway(), crew.recall()),
                Role::Main => told::<E>(executor, crew.underway()),
            };
            join(role, (Worker::new(engine, executor, options.verify), CPU.to_owned()));
        }
    };
    let Some(mut gpus) = gpus else {
        match options.processor {
            Processor::Emulator => join(Role::Main, on_gpu(engine, Arc::new(Emulated::default()), options)?),
            _ => join_cpus(Role::Main, all),
        }
        return Ok(());
    };
    let join_gpu = |Opened { gpu, took }: Opened| {
        let several = || Fallback::several(engine, &gpu, options, E::ON_A_GPU);
        let executors = if crew.reached().busy > 0.0 { apart(several) } else { several() };
        for executor in executors? {
            let executor = told::<E>(lent.lend(Box::new(executor)), crew.underway());
            let worker = Worker::new(engine, executor, options.verify).near(gpu.near());
            join(Role::Main, (worker, gpu.name().to_owned()));
        }
        Ok(took)
    };
    let joined = |first: Option<std::result::Result<Opened, DeviceError>>| {
        first.map(|first| first.map_err(Error::from).and_then(join_gpu))
    };
    let helped = options.processor == Processor::Auto;
    let mut first = None;
    if helped {
        let may_come = options.processor.expects_gpu();
        let expect_gpu = || {
            crew.expect_more();
            if may_come {
                lent.part();
            }
        };
        if !gpus.held {
            expect_gpu();
            if may_come && gpus.alone {
                first = joined(gpus.next(&after(PATIENCE)));
            }
        }
        let begins = first.as_ref().is_none_or(|gpu| gpu.is_ok() && lasts(crew, read));
        if begins {
            join_cpus(Role::Helper, if gpus.held || !may_come { all } else { all.div_ceil(ONE_BESIDE_A_GPU_OF) });
        }
        let began = Instant::now();
        if gpus.held && is_long(engine, crew, read) {
            options.console.detail(format_args!("a GPU is asked for after {:.3} s", began.elapsed().as_secs_f64()));
            gpus.ask();
            expect_gpu();
        }
    }
    let has_helpers = helped && !matches!(first, Some(Err(_)));
    let first = first.or_else(|| joined(if helped { gpus.next(crew.over()) } else { gpus.next(&never::<()>()) }));
    let mut took = match first {
        None if helped => return Ok(()),
        None => return Err(ended().into()),
        Some(Err(Error::Device(error))) if options.processor.falls_back() => {
            note::<E>(options, &error);
            if !has_helpers {
                join_cpus(Role::Main, all);
            }
            return Ok(());
        }
        Some(outcome) => outcome?,
    };
    while crew.is_behind_for(took) {
        let Some(next) = gpus.another(crew.over()) else { break };
        match next.map_err(Error::from).and_then(join_gpu) {
            Err(Error::Device(error)) if options.processor.falls_back() => {
                options.console.detail(format_args!("{error}; this run goes on without it"));
            }
            outcome => took = outcome?,
        }
    }
    Ok(())
}

/// Waits for the first GPU, if any is being opened, and makes the one worker of a run that has one.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn worker<'e, E: Engine>(engine: &'e E, gpus: Option<&mut Gpus>, options: RunOptions) -> Result<Named<'e, E>> {
    match gpus {
        None => without_gpu(engine, options),
        Some(gpus) => worker_on(engine, gpus.first(), options),
    }
}

/// The one worker of a run that has one, on `gpu`; on the CPU, with a note, where that is the run's to choose.
///
/// # Errors
/// Why the GPU that was asked for cannot be used.
pub fn worker_on<'e, E: Engine>(
    engine: &'e E,
    gpu: std::result::Result<Arc<Cuda>, DeviceError>,
    options: RunOptions,
) -> Result<Named<'e, E>> {
    match gpu.map_err(Error::from).and_then(|gpu| on_gpu(engine, gpu, options)) {
        Err(Error::Device(error)) if options.processor.falls_back() => {
            note::<E>(options, &error);
            Ok(on_cpu(engine, options))
        }
        outcome => outcome,
    }
}

fn note<E: Engine>(options: RunOptions, error: &DeviceError) {
    options.console.note(format_args!("{} on the CPU: {error}", E::DOING));
}

fn without_gpu<'e, E: Engine>(engine: &'e E, options: RunOptions) -> Result<Named<'e, E>> {
    match options.processor {
        Processor::Emulator => on_gpu(engine, Arc::new(Emulated::default()), options),
        _ => Ok(on_cpu(engine, options)),
    }
}

/// A worker on the CPU.
pub fn on_cpu<'e, E: Engine>(engine: &'e E, options: RunOptions) -> Named<'e, E> {
    (Worker::new(engine, engine.cpu(), options.verify), CPU.to_owned())
}

/// A worker on `gpu`.
///
/// # Errors
/// Those of the device.
pub fn on_gpu<'e, E: Engine, G: Gpu>(engine: &'e E, gpu: Arc<G>, options: RunOptions) -> Result<Named<'e, E>> {
    let name = gpu.name().to_owned();
    let executor: AnyExecutor<'e, E> = Box::new(Fallback::new(engine, gpu, options)?);
    Ok((Worker::new(engine, executor, options.verify), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_and_the_emulator_open_no_gpu() {
        for processor in [Processor::Cpu, Processor::Emulator] {
            let options = RunOptions { processor, ..RunOptions::default() };
            assert!(Gpus::start_opening(options, "").is_none());
        }
    }
}
