//! A device that is too small or broken, in place of one.

use super::*;
use crate::error::DeviceError;
use crate::executor::{Difference, Problem, Second, Share};
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

/// Answers what it was made with.
struct Answers(Result<&'static str>);

impl Executor<Who> for Answers {
    fn compute(&mut self, (): (), output: &mut &'static str) -> Result<()> {
        *output = std::mem::replace(&mut self.0, Ok("used up"))?;
        Ok(())
    }
}

/// An engine whose device answers `device` when it may take so much.
struct Fake {
    first: usize,
    device: fn(usize) -> Result<&'static str>,
    /// What the devices that were made could take.
    tried: Mutex<Vec<usize>>,
}

impl Engine for Fake {
    type Problem = Who;
    const DOING: &'static str = "computing";

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        Box::new(Answers(Ok("cpu")))
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        self.cpu()
    }

    fn device<G: Gpu>(&self, _gpu: Arc<G>, memory: usize) -> Result<AnyExecutor<'_, Self>> {
        self.tried.lock().unwrap().push(memory);
        Ok(Box::new(Answers((self.device)(memory))))
    }

    fn share(&self, _free: usize) -> Share {
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
    let console = Console { quiet: true, verbose: false };
    let options = RunOptions { processor, console, ..RunOptions::default() };
    let engine = Fake { first, device, tried: Mutex::default() };
    let mut found = Vec::new();
    for _ in 0..2 {
        let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
        let mut answer = "";
        found.push(fallback.compute((), &mut answer).map(|()| answer));
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
        let engine = Fake { first: 20, device: |takes| Err(full(takes)), tried: Mutex::default() };
        let options = RunOptions { processor, ..RunOptions::default() };
        let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
        for _ in 0..2 {
            let mut answer = "";
            fallback.compute((), &mut answer).unwrap();
            // The CPU's executor answers once.
            assert!(["cpu", "used up"].contains(&answer));
        }
        assert_eq!(*engine.tried.lock().unwrap(), [20, LEAST, 20, LEAST]);
    }
}

#[test]
fn a_share_is_never_less_than_the_least() {
    assert_eq!(run(Processor::Auto, 1, |_| Ok("device")).1, [LEAST, LEAST]);
}

#[test]
fn a_fault_ends_on_the_cpu_under_auto_and_is_an_error_otherwise() {
    let device = |_| Err(DeviceError::Fault("broken".into()).into());
    let engine = Fake { first: 20, device, tried: Mutex::default() };
    let console = Console { quiet: true, verbose: false };
    let mut options = RunOptions { processor: Processor::Auto, console, ..RunOptions::default() };
    let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
    let mut answer = "";
    (0..2).for_each(|_| fallback.compute((), &mut answer).unwrap());
    assert_eq!(*engine.tried.lock().unwrap(), [20], "the device is not tried again");
    for processor in [Processor::Cuda(None), Processor::Emulator] {
        options.processor = processor;
        let mut fallback = Fallback::new(&engine, Arc::new(Emulated::default()), options).unwrap();
        let error = fallback.compute((), &mut answer).unwrap_err();
        assert_eq!(error.to_string(), "this: broken");
    }
}

#[test]
fn an_error_that_is_none_of_the_devices_comes_out_as_it_is() {
    for processor in PROCESSORS {
        let (found, tried) = run(processor, 20, |_| Err(Error::Usage("not so".into())));
        found.into_iter().for_each(|by| assert!(matches!(&by, Err(Error::Usage(text)) if text == "not so"), "{by:?}"));
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
