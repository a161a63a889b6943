//! A GPU that remembers which streams were given work and not waited for: none when an engine gives the batch back, for then
//! its letters may go, and the engine's own pinned memory is written again.

use super::*;
use cuda_std::{Kernel, Shape};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::DeviceError;

type Done<T = ()> = std::result::Result<T, DeviceError>;

/// Whether a stream was given work since it was waited for.
type Given = Arc<AtomicBool>;

struct Watched {
    gpu: Emulated,
    streams: Mutex<Vec<Given>>,
}

impl Watched {
    fn under_way(&self) -> usize {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.iter().filter(|given| given.load(Ordering::Relaxed)).count()
    }
}

fn give(stream: &Given) {
    stream.store(true, Ordering::Relaxed);
}

// SAFETY: every call is handed on to the emulator, which keeps the promises of `Gpu`.
unsafe impl Gpu for Watched {
    type Stream = Given;
    type Event = Instant;

    fn name(&self) -> &str {
        self.gpu.name()
    }

    fn multiprocessors(&self) -> u32 {
        self.gpu.multiprocessors()
    }

    fn shared_memory(&self) -> u32 {
        self.gpu.shared_memory()
    }

    fn packs(&self) -> bool {
        self.gpu.packs()
    }

    fn free_memory(&self) -> Done<usize> {
        self.gpu.free_memory()
    }

    fn allocate(&self, bytes: usize) -> Done<u64> {
        self.gpu.allocate(bytes)
    }

    unsafe fn release(&self, address: u64) {
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.release(address) };
    }

    fn allocate_pinned(&self, bytes: usize) -> Done<*mut u8> {
        self.gpu.allocate_pinned(bytes)
    }

    unsafe fn release_pinned(&self, address: *mut u8, bytes: usize) {
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.release_pinned(address, bytes) };
    }

    unsafe fn pin(&self, address: *mut u8, bytes: usize) -> Done {
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.pin(address, bytes) }
    }

    unsafe fn unpin(&self, address: *mut u8) {
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.unpin(address) };
    }

    fn stream(&self) -> Done<Given> {
        let given = Given::default();
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).push(given.clone());
        Ok(given)
    }

    fn record(&self, _stream: &Given) -> Done<Instant> {
        Ok(Instant::now())
    }

    fn wait(&self, _stream: &Given, _event: &Instant) -> Done {
        Ok(())
    }

    fn milliseconds(&self, from: &Instant, to: &Instant) -> Done<f32> {
        self.gpu.milliseconds(from, to)
    }

    fn synchronize(&self, stream: &Given) -> Done {
        stream.store(false, Ordering::Relaxed);
        Ok(())
    }

    unsafe fn copy_in(&self, stream: &Given, from: *const u8, to: u64, bytes: usize) -> Done {
        give(stream);
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.copy_in(&(), from, to, bytes) }
    }

    unsafe fn copy_out(&self, stream: &Given, from: u64, to: *mut u8, bytes: usize) -> Done {
        give(stream);
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.copy_out(&(), from, to, bytes) }
    }

    unsafe fn fill(&self, stream: &Given, to: u64, byte: u8, bytes: usize) -> Done {
        give(stream);
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.fill(&(), to, byte, bytes) }
    }

    unsafe fn launch<A: Copy>(&self, stream: &Given, kernel: &Kernel<fn(A)>, shape: Shape, args: A) -> Done {
        give(stream);
        // SAFETY: the obligations are those of this function.
        unsafe { self.gpu.launch(&(), kernel, shape, args) }
    }
}

/// Whether eight pairs of 100 letters are aligned, by an engine that may take `memory` bytes of a GPU that has `has`.
fn is_aligned(memory: usize, has: usize) -> bool {
    let gpu = Emulated::new(emulated::Device { memory: has, ..Default::default() });
    let gpu = Arc::new(Watched { gpu, streams: Mutex::default() });
    let sequences: Sequences = [[b'A'; 100]].iter().collect();
    let pairs = [Pair { query: 0, target: 0 }; 8];
    let batch = Batch::new(&sequences, &sequences, &pairs);
    let mut device = Device::new(gpu.clone(), Settings { memory, ..Settings::default() });
    let outcomes = [0, 1].map(|_| {
        let outcome = align(&mut device, &batch, &scoring(Mode::Local, (2, 2), Stop::AtZero), Want::Path);
        assert_eq!(gpu.under_way(), 0, "streams that nobody has waited for");
        outcome.is_ok()
    });
    assert_eq!(outcomes[0], outcomes[1]);
    outcomes[0]
}

#[test]
fn all_streams_are_waited_for() {
    assert!(is_aligned(1 << 20, 1 << 20));
}

#[test]
fn also_where_no_pair_fits_and_all_go_to_the_cpu() {
    assert!(is_aligned(1 << 10, 1 << 20));
}

#[test]
fn also_when_memory_runs_out_on_the_way() {
    assert!(!is_aligned(1 << 20, 16 << 10));
}
