//! A device that is too small or broken, in place of one.

use super::*;
use crate::error::DeviceError;
use std::sync::{Arc, Mutex};
use warpseq_io::console::Console;

/// Tells who has computed.
type Fake<'a> = dyn FnMut() -> Result<&'static str> + Send + 'a;

const LEAST: usize = 16;
const PROCESSORS: [Processor; 3] = [Processor::Auto, Processor::Cuda(None), Processor::Emulator];

/// What comes of two pieces of work on an engine whose device answers `device` when it may take so much, and what it took.
fn run(
    processor: Processor,
    first: usize,
    device: fn(usize) -> Result<&'static str>,
) -> (Vec<Result<&'static str>>, Vec<usize>) {
    let tried = Arc::new(Mutex::new(Vec::new()));
    let on_device = |takes| -> Result<Box<Fake>> {
        tried.lock().unwrap().push(takes);
        Ok(Box::new(move || device(takes)))
    };
    let terms = Terms { processor, device_memory: None, console: Console { quiet: true, verbose: false } };
    let share = Share { first, least: LEAST };
    let mut coping = Coping::new(Box::new(on_device), Box::new(|| Box::new(|| Ok("cpu"))), share, terms).unwrap();
    let found = (0..2).map(|_| coping.run(&|| "this".into(), |fake| fake())).collect();
    (found, tried.lock().unwrap().clone())
}

fn full(bytes: usize) -> Error {
    DeviceError::OutOfMemory { device: "fake".into(), bytes }.into()
}

#[test]
fn a_share_is_halved_until_it_does() {
    let (found, tried) =
        run(Processor::Cuda(None), 100, |takes| if takes > 30 { Err(full(takes)) } else { Ok("device") });
    found.into_iter().for_each(|by| assert_eq!(by.unwrap(), "device"));
    assert_eq!(tried, [100, 50, 25]);
}

#[test]
fn too_little_device_memory_ends_on_the_cpu() {
    for processor in PROCESSORS {
        let (found, tried) = run(processor, 20, |takes| Err(full(takes)));
        found.into_iter().for_each(|by| assert_eq!(by.unwrap(), "cpu"));
        assert_eq!(tried, [20, LEAST, 20, LEAST], "the second piece tries again");
    }
}

#[test]
fn a_share_is_never_less_than_the_least() {
    assert_eq!(run(Processor::Auto, 1, |_| Ok("device")).1, [LEAST]);
}

#[test]
fn a_fault_ends_on_the_cpu_under_auto_and_is_an_error_otherwise() {
    let broken = |_| Err(DeviceError::Fault("broken".into()).into());
    let (found, tried) = run(Processor::Auto, 20, broken);
    found.into_iter().for_each(|by| assert_eq!(by.unwrap(), "cpu"));
    assert_eq!(tried, [20], "the device is not tried again");
    for processor in [Processor::Cuda(None), Processor::Emulator] {
        let (found, _) = run(processor, 20, broken);
        found.into_iter().for_each(|by| assert_eq!(by.unwrap_err().to_string(), "this: broken"));
    }
}

#[test]
fn an_error_that_is_none_of_the_device_comes_out_as_it_is() {
    for processor in PROCESSORS {
        let (found, tried) = run(processor, 20, |_| Err(Error::Usage("not so".into())));
        found.into_iter().for_each(|by| assert!(matches!(&by, Err(Error::Usage(text)) if text == "not so"), "{by:?}"));
        assert_eq!(tried, [20]);
    }
}
