//! An executor on a GPU that falls back: with too little memory it takes less, and unless a GPU was asked for the CPU takes over.
//!
//! ```text
//! job -> device, with the share of its memory that worked last
//!          | out of memory: half the share, down to the least
//!          | the least does not fit: this job on the CPU, and so are more and more that follow before it is tried again
//!          | any other fault of the device, under auto or cuda-or-cpu: this job and all later ones on the CPU, with one warning
//!          | any other fault of the device, asked for cuda: the run ends with it and the name of this job
//!          | an error that is none of the device's: the run ends with it
//! ```

use crate::error::{Error, Result};
use crate::executor::{AnyExecutor, Engine, Executor, Job, Output, Part, Patient, Watch};
use crate::options::RunOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use warpseq_device::gpu::Gpu;

/// The least device memory left to others, in bytes: the driver takes memory as kernels are loaded, and other programs may come.
const RESERVE: usize = 256 << 20;
/// One part in this many of what is free is left to others.
const RESERVE_PART: usize = 20;

/// The most jobs before a device is tried again: to find that others hold its memory may take longer than the job.
const MOST_REST: u32 = 1 << 10;

/// Device memory that a run may take of `free` bytes, and at most `limit` bytes where the user set one.
pub fn affordable(free: usize, limit: Option<usize>) -> usize {
    let reserve = RESERVE.max(free / RESERVE_PART);
    free.saturating_sub(reserve).min(limit.unwrap_or(usize::MAX))
}

/// An executor on a GPU, and the CPU's to fall back to.
pub struct Fallback<'e, E: Engine, G: Gpu> {
    engine: &'e E,
    gpu: Arc<G>,
    options: RunOptions,
    /// Device memory that worked last, and the least that is worth trying, in bytes.
    part: Part,
    least: usize,
    /// Jobs that are computed elsewhere before the device is tried again, and how many there will be when its memory is too little once more.
    resting: u32,
    rest: u32,
    /// `None` after a fault, or until the next job.
    device: Option<AnyExecutor<'e, E>>,
    /// The GPU has failed, for all executors on it.
    lost: Arc<AtomicBool>,
    /// Made when first needed.
    cpu: Option<AnyExecutor<'e, E>>,
}

impl<'e, E: Engine, G: Gpu> Fallback<'e, E, G> {
    /// The engine on `gpu`, made at once.
    ///
    /// # Errors
    /// Those of the device.
    pub fn new(engine: &'e E, gpu: Arc<G>, options: RunOptions) -> Result<Self> {
        Self::part(engine, gpu, options, (1, Arc::default()))
    }

    /// At most `count` of them on one GPU, of which each has a part of the memory, so that one computes while another one's input is
    /// staged or its output written. When the GPU fails, it fails for all of them.
    ///
    /// # Errors
    /// Those of the device that keep even the first one from being made.
    pub fn several(engine: &'e E, gpu: &Arc<G>, options: RunOptions, count: usize) -> Result<Vec<Self>> {
        let lost = Arc::<AtomicBool>::default();
        let first = Self::part(engine, gpu.clone(), options, (count, lost.clone()))?;
        let others = (1..count).map_while(|_| Self::part(engine, gpu.clone(), options, (count, lost.clone())).ok());
        Ok(std::iter::once(first).chain(others).collect())
    }

    fn part(engine: &'e E, gpu: Arc<G>, options: RunOptions, (parts, lost): (usize, Arc<AtomicBool>)) -> Result<Self> {
        let share = engine.share(affordable(gpu.free_memory()?, options.device_memory) / parts);
        let part = Part { bytes: share.first.max(share.least), executors: parts };
        let device = Some(engine.device(gpu.clone(), part)?);
        Ok(Self { engine, gpu, options, part, least: share.least, resting: 0, rest: 0, device, lost, cpu: None })
    }

    fn compute_on_device(&mut self, job: Job<'_, E>, output: &mut Output<E>, watch: &dyn Watch) -> Result<bool> {
        loop {
            let device = match &mut self.device {
                Some(device) => Ok(device),
                none => self.engine.device(self.gpu.clone(), self.part).map(|device| none.insert(device)),
            };
            match device.and_then(|device| device.compute_watched(job, output, watch)) {
                Err(Error::Device(error)) if error.is_shortage() && self.part.bytes > self.least.max(1) => {
                    self.device = None;
                    self.part.bytes = self.part.bytes.div_ceil(2).max(self.least);
                }
                outcome => return outcome,
            }
        }
    }
}

impl<E: Engine, G: Gpu> Executor<E::Problem> for Fallback<'_, E, G> {
    fn compute(&mut self, job: Job<'_, E>, output: &mut Output<E>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job<'_, E>, output: &mut Output<E>, watch: &dyn Watch) -> Result<bool> {
        let (console, engine, before) = (self.options.console, self.engine, self.part);
        if self.resting > 0 {
            self.resting -= 1;
        } else if !self.lost.load(Ordering::Relaxed) {
            match self.compute_on_device(job, output, watch) {
                Err(Error::Device(error)) if error.is_shortage() => {
                    (self.device, self.part) = (None, before);
                    (self.resting, self.rest) = (self.rest, (2 * self.rest).clamp(1, MOST_REST));
                    console.detail(format_args!("{error}: {} on the CPU", engine.name(job)));
                }
                Err(Error::Device(error)) if self.options.processor.falls_back() => {
                    self.device = None;
                    if !self.lost.swap(true, Ordering::Relaxed) {
                        console.warn(format_args!("{error}; from {} on, the CPU computes", engine.name(job)));
                    }
                }
                Err(Error::Device(error)) => return Err(Error::DeviceAt { work: engine.name(job), error }),
                outcome => {
                    self.rest = 0;
                    return outcome;
                }
            }
        }
        self.cpu.get_or_insert_with(|| engine.cpu()).compute_watched(job, output, watch)
    }
}

#[cfg(test)]
mod tests {
    //! A device that is too small or broken, in place of one.

    use super::*;
    use crate::error::DeviceError;
    use crate::executor::{Difference, Problem, Second, Share};
    use crate::options::Processor;
    use std::sync::Mutex;
    use warpseq_device::emulated::Emulated;
    use warpseq_io::console::Console;

    const LEAST: usize = 16;
    const PROCESSORS: [Processor; 3] = [Processor::Auto, Processor::Cuda(None), Processor::Emulator];

    /// Asks who computes.
    struct Who;

    impl Problem for Who {
        type Job<'j> = ();
        type Output = &'static str;
    }

    /// Returns what it was made with, once.
    struct Once(Result<&'static str>);

    impl Executor<Who> for Once {
        fn compute(&mut self, (): (), output: &mut &'static str) -> Result<()> {
            *output = std::mem::replace(&mut self.0, Ok("used up"))?;
            Ok(())
        }
    }

    /// An engine whose device gives `device` of the memory it may take.
    struct Fake {
        first: usize,
        device: fn(usize) -> Result<&'static str>,
        /// What the devices that were made could take.
        tried: Mutex<Vec<usize>>,
        /// The memory of which a share was asked for.
        free: Mutex<Vec<usize>>,
    }

    impl Engine for Fake {
        type Problem = Who;
        const DOING: &'static str = "computing";

        fn cpu(&self) -> AnyExecutor<'_, Self> {
            Box::new(Once(Ok("cpu")))
        }

        fn reference(&self) -> AnyExecutor<'_, Self> {
            self.cpu()
        }

        fn device<G: Gpu>(&self, _gpu: Arc<G>, part: Part) -> Result<AnyExecutor<'_, Self>> {
            self.tried.lock().unwrap().push(part.bytes);
            Ok(Box::new(Once((self.device)(part.bytes))))
        }

        fn share(&self, free: usize) -> Share {
            self.free.lock().unwrap().push(free);
            Share { first: self.first, least: LEAST }
        }

        fn name(&self, (): ()) -> String {
            "this".into()
        }

        fn check(&self, _: &mut Second<'_, Self>, (): (), _: &&'static str) -> Result<Option<Difference>> {
            Ok(None)
        }
    }

    /// What comes of a job and, where that worked, of another one; and what the device was to take.
    fn run(
        processor: Processor,
        first: usize,
        device: fn(usize) -> Result<&'static str>,
    ) -> (Vec<Result<&'static str>>, Vec<usize>) {
        let console = Console::Quiet;
        let options = RunOptions { processor, console, ..RunOptions::default() };
        let engine = Fake { first, device, tried: Mutex::default(), free: Mutex::default() };
        let mut found = Vec::new();
        for _ in 0..2 {
            let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
            let mut output = "";
            found.push(fallback.compute((), &mut output).map(|()| output));
        }
        (found, engine.tried.into_inner().unwrap())
    }

    fn full(bytes: usize) -> Error {
        DeviceError::OutOfMemory { device: "fake".into(), bytes }.into()
    }

    #[test]
    fn a_share_is_halved_until_it_does() {
        let (found, tried) =
            run(Processor::Cuda(None), 100, |takes| if takes > 30 { Err(full(takes)) } else { Ok("device") });
        found.into_iter().for_each(|by| assert_eq!(by.unwrap(), "device"));
        assert_eq!(tried, [100, 50, 25, 100, 50, 25]);
    }

    #[test]
    fn too_little_device_memory_ends_on_the_cpu_and_is_tried_again() {
        for processor in PROCESSORS {
            let engine =
                Fake { first: 20, device: |takes| Err(full(takes)), tried: Mutex::default(), free: Mutex::default() };
            let options = RunOptions { processor, ..RunOptions::default() };
            let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
            // The second job tries again, then the fourth and the seventh.
            for _ in 0..9 {
                let mut output = "";
                fallback.compute((), &mut output).unwrap();
                // The CPU's executor has a result once.
                assert!(["cpu", "used up"].contains(&output));
            }
            assert_eq!(*engine.tried.lock().unwrap(), [20, LEAST].repeat(4));
        }
    }

    #[test]
    fn a_share_is_never_less_than_the_least() {
        assert_eq!(run(Processor::Auto, 1, |_| Ok("device")).1, [LEAST, LEAST]);
    }

    #[test]
    fn a_fault_ends_on_the_cpu_under_auto_and_is_an_error_otherwise() {
        let device = |_| Err(DeviceError::Fault("broken".into()).into());
        let engine = Fake { first: 20, device, tried: Mutex::default(), free: Mutex::default() };
        let console = Console::Quiet;
        let mut options = RunOptions { processor: Processor::Auto, console, ..RunOptions::default() };
        let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
        let mut output = "";
        (0..2).for_each(|_| fallback.compute((), &mut output).unwrap());
        assert_eq!(*engine.tried.lock().unwrap(), [20], "the device is not tried again");
        for processor in [Processor::Cuda(None), Processor::Emulator] {
            options.processor = processor;
            let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
            let error = fallback.compute((), &mut output).unwrap_err();
            assert_eq!(error.to_string(), "this: broken");
        }
    }

    #[test]
    fn several_on_a_gpu_share_its_memory_and_its_end() {
        let device = |_| Err(DeviceError::Fault("broken".into()).into());
        let engine = Fake { first: 20, device, tried: Mutex::default(), free: Mutex::default() };
        let options = RunOptions { processor: Processor::Auto, console: Console::Quiet, ..RunOptions::default() };
        let mut several = Fallback::several(&engine, &Arc::new(Emulated::default()), options, 3).unwrap();
        let free = Emulated::default().free_memory().unwrap();
        assert_eq!(*engine.free.lock().unwrap(), vec![affordable(free, None) / 3; 3]);
        for fallback in &mut several {
            let mut output = "";
            fallback.compute((), &mut output).unwrap();
            assert_eq!(output, "cpu");
        }
        let left: Vec<bool> = several.iter().map(|fallback| fallback.device.is_some()).collect();
        assert_eq!(left, [false, true, true], "only the first one finds out");
    }

    #[test]
    fn an_error_that_is_none_of_the_devices_comes_out_as_it_is() {
        for processor in PROCESSORS {
            let (found, tried) = run(processor, 20, |_| Err(Error::Usage("not so".into())));
            found
                .into_iter()
                .for_each(|by| assert!(matches!(&by, Err(Error::Usage(text)) if text == "not so"), "{by:?}"));
            assert_eq!(tried, [20, 20]);
        }
    }

    #[test]
    fn something_is_left_to_others() {
        assert_eq!(affordable(100 << 30, None), 95 << 30);
        assert_eq!(affordable(1 << 30, None), (1 << 30) - RESERVE);
        assert_eq!(affordable(RESERVE - 1, None), 0);
        assert_eq!(affordable(100 << 30, Some(1 << 30)), 1 << 30);
        assert_eq!(affordable(100 << 30, Some(usize::MAX)), affordable(100 << 30, None));
    }
}
