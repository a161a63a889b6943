//! Devices that are too small or broken: the emulator with less memory, and with no shared memory to launch with.

use super::*;
use crate::find;
use crate::pattern::patterns;
use warpseq_device::emulated::{self, Emulated};
use warpseq_engine::fallback::Fallback;
use warpseq_engine::options::{Processor, RunOptions};
use warpseq_io::console::Console;

/// Holds the signature twice.
const UNIT: &[u8] = b"TTACGTAGGACCTACGTAGGAT";
/// Units of the sample: more than a tile, which is what the kernel with shared memory works on.
const UNITS: usize = 500;

fn batch() -> Records {
    Records::from_iter([("s", UNIT.repeat(UNITS))])
}

/// Searches the batch twice on an emulated device; the sorted hits of each, and what the CPU finds.
fn search(processor: Processor, device: emulated::Device) -> (Vec<Result<Vec<Hit>>>, Vec<Hit>) {
    let (options, algorithm) = (&Options::default(), Algorithm::Anchor);
    let signatures = &[Signature::new("q", b"ACGTAGGA".to_vec())];
    let patterns = &patterns(signatures, options);
    let search = Search { options, algorithm, signatures, patterns, hashed: false };
    let console = Console { quiet: true, verbose: false };
    let run = RunOptions { processor, console, ..RunOptions::default() };
    let mut executor = Fallback::new(&search, Arc::new(Emulated::new(device)), run).unwrap();
    let sorted = |mut hits: Vec<Hit>| {
        hits.sort_unstable();
        hits
    };
    let found = (0..2).map(|_| find(&mut executor, &batch()).map(sorted)).collect();
    (found, sorted(find(&mut Cpu::new(options, patterns), &batch()).unwrap()))
}

#[test]
fn too_little_device_memory_ends_on_the_cpu() {
    let small = emulated::Device { memory: 10_000, ..Default::default() };
    for processor in [Processor::Auto, Processor::Cuda(None), Processor::Emulator] {
        let (found, expected) = search(processor, small);
        assert_eq!(expected.len(), 2 * UNITS);
        found.into_iter().for_each(|hits| assert_eq!(hits.unwrap(), expected));
    }
}

#[test]
fn a_fault_ends_on_the_cpu_under_auto_and_is_an_error_otherwise() {
    // The anchor search asks for shared memory, so its launch contract cannot be met.
    let broken = emulated::Device { shared_memory: 0, ..Default::default() };
    let (found, expected) = search(Processor::Auto, broken);
    found.into_iter().for_each(|hits| assert_eq!(hits.unwrap(), expected));
    let (found, _) = search(Processor::Cuda(None), broken);
    for hits in found {
        let told = hits.unwrap_err().to_string();
        assert!(told.starts_with("the batch of sequences s to s: kernel scan_anchor"), "{told}");
    }
}
