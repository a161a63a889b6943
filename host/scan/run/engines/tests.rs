//! Devices that are too small or broken: the emulator with less memory, and with no shared memory to launch with.

use super::*;
use crate::pattern::patterns;
use crate::run::Request;
use crate::{Algorithm, Options, Pattern, Signature};
use warpseq_device::emulated::{self, Emulated};
use warpseq_engine::pipeline::batches::Batches;
use warpseq_engine::pipeline::pool::Pool;
use warpseq_engine::processor::Processor;
use warpseq_io::console::Console;

/// Holds the signature twice.
const UNIT: &[u8] = b"TTACGTAGGACCTACGTAGGAT";
/// Units of the sample: more than a tile, which is what the kernel with shared memory works on.
const UNITS: usize = 500;

fn request(processor: Processor) -> Request {
    Request {
        samples: "samples".into(),
        signatures: "signatures".into(),
        output: None,
        options: Options::default(),
        format: Default::default(),
        algorithm: Algorithm::Anchor,
        processor,
        host_memory: 1 << 20,
        device_memory: None,
        verify: None,
    }
}

fn batch() -> Records {
    Records::from_iter([("s", UNIT.repeat(UNITS))])
}

/// Searches the batch twice on an emulated device; the sorted hits of each, and what the CPU finds.
fn search(processor: Processor, device: emulated::Device) -> (Vec<Result<Vec<Hit>>>, Vec<Hit>) {
    let request = request(processor);
    let signatures = [Signature { name: b"q".to_vec(), bases: b"ACGTAGGA".to_vec() }];
    let patterns: Vec<Pattern> = patterns(&signatures, &request.options);
    let (console, pool) = (Console { quiet: true, verbose: false }, Pool::default());
    let (batches, folder) = (Batches::new(request.host_memory, true), &std::env::temp_dir());
    let run =
        &Run { request: &request, signatures: &signatures, patterns: &patterns, console, pool: &pool, batches, folder };
    let mut executor = run.on_gpu(Arc::new(Emulated::new(device))).unwrap();
    let sorted = |mut hits: Vec<Hit>| {
        hits.sort_unstable();
        hits
    };
    let found = (0..2).map(|_| executor.find(&batch()).map(sorted)).collect();
    (found, sorted(Cpu::new(&request.options, &patterns).find(&batch()).unwrap()))
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
        assert!(told.starts_with("the batch of samples s to s: kernel scan_anchor"), "{told}");
    }
}
