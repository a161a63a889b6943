//! A device that is too small or broken, in place of one.

use super::*;
use crate::align::Pair;
use std::sync::Mutex;

/// A device that has less memory than its engine takes, or is broken.
struct Fake {
    takes: usize,
    has: usize,
    broken: bool,
}

const QUIET: Console = Console { quiet: true, verbose: false };

impl Executor for Fake {
    fn align(&mut self, batch: &Batch, _: &Scoring, _: Want) -> Result<Vec<Alignment>> {
        if self.broken {
            return Err(DeviceError::Fault("broken".into()).into());
        }
        if self.takes > self.has {
            return Err(DeviceError::OutOfMemory { device: "fake".into(), bytes: self.takes }.into());
        }
        // No engine answers this, so it tells who has aligned.
        let alignment = Alignment { score: -77, query: 0..0, target: 0..0, path: vec![] };
        Ok(vec![alignment; batch.pairs.len()])
    }
}

/// The letters' places in `ACGT`, +1 or -1.
fn scoring() -> Scoring {
    let mut scoring = Scoring {
        mode: Default::default(),
        stop: Default::default(),
        gap: crate::align::Gap { open: 2, extend: 2 },
        codes: [0; 256],
        size: 4,
        scores: (0..16).map(|k| if k % 5 == 0 { 1 } else { -1 }).collect(),
        identity: [0; 256],
        scale: 1,
    };
    for (k, &letter) in b"ACGT".iter().enumerate() {
        (scoring.codes[usize::from(letter)], scoring.identity[usize::from(letter)]) = (k as u8, letter);
    }
    scoring
}

/// The scores of two batches of one pair of three equal letters, aligned by an engine that first takes `first` bytes of a
/// device that has `has`, and what it took.
fn align(processor: Processor, (first, has): (usize, usize), broken: bool) -> (Vec<Result<i64>>, Vec<usize>) {
    let tried = Mutex::new(Vec::new());
    let make = |takes| {
        tried.lock().unwrap().push(takes);
        Ok(Fake { takes, has, broken })
    };
    let sequences = [b"ACG"].iter().collect();
    let batch = Batch { queries: &sequences, targets: &sequences, pairs: &[Pair { query: 0, target: 0 }] };
    let mut device = OnDevice::new(make, first, (processor, QUIET)).unwrap();
    let scores = (0..2).map(|_| device.align(&batch, &scoring(), Want::Path).map(|found| found[0].score)).collect();
    (scores, tried.into_inner().unwrap())
}

#[test]
fn memory_is_halved_until_it_does() {
    let (scores, tried) = align(Processor::Cuda(None), (100 << 20, 30 << 20), false);
    scores.into_iter().for_each(|score| assert_eq!(score.unwrap(), -77));
    assert_eq!(tried, [100 << 20, 50 << 20, 25 << 20]);
}

#[test]
fn too_little_device_memory_ends_on_the_cpu() {
    for processor in [Processor::Auto, Processor::Cuda(None), Processor::Emulator] {
        let (scores, tried) = align(processor, (20 << 20, 0), false);
        scores.into_iter().for_each(|score| assert_eq!(score.unwrap(), 3));
        assert_eq!(tried, [20 << 20, LEAST_MEMORY, 20 << 20, LEAST_MEMORY], "the second batch tries again");
    }
}

#[test]
fn a_fault_ends_on_the_cpu_under_auto_and_is_an_error_otherwise() {
    let (scores, tried) = align(Processor::Auto, (20 << 20, 1 << 30), true);
    scores.into_iter().for_each(|score| assert_eq!(score.unwrap(), 3));
    assert_eq!(tried, [20 << 20], "the device is not tried again");
    let (scores, _) = align(Processor::Cuda(None), (20 << 20, 1 << 30), true);
    scores.into_iter().for_each(|score| assert!(matches!(score, Err(Error::Device(_))), "{score:?}"));
}
