//! The engine on the emulator against the naive reference, for what only it has: groups, packed pairs, strips, chunks, slices.

mod waiting {
    //! A GPU that remembers which streams were given work and not waited for: none when an engine gives the batch back, for then
    //! its residues may go, and the engine's own pinned memory is written again.

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

    /// Whether eight pairs of 100 residues are aligned, by an engine that may take `memory` bytes of a GPU that has `has`.
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
}

use super::super::reference::Reference;
use super::super::{Gap, Scoring, Sequences};
use super::*;
use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpseq_device::emulated::{self, Emulated};
use warpseq_gpu::tuning::ALPHABET_MAX;

fn scoring(mode: Mode, gap: (i32, i32), stop: Stop) -> Scoring {
    let codes = std::array::from_fn(|byte| b"ACGT".iter().position(|&b| usize::from(b) == byte).unwrap_or(4) as u8);
    let scores = (0..25).map(|k| if k / 5 == k % 5 && k != 24 { 2 } else { -3 }).collect();
    let identity = std::array::from_fn(|byte| if codes[byte] < 4 { codes[byte] + 1 } else { 0 });
    Scoring { mode, stop, gap: Gap { open: gap.0, extend: gap.1 }, codes, size: 5, scores, identity, scale: 1 }
}

fn sequence(random: &mut ChaCha8Rng, length: usize) -> Vec<u8> {
    (0..length).map(|_| b"ACGT"[random.random_range(0..4)]).collect()
}

/// A copy with changes, so that paths are long.
fn relative(random: &mut ChaCha8Rng, query: &[u8], length: usize) -> Vec<u8> {
    let mut target = Vec::new();
    while target.len() < length {
        let at = random.random_range(0..query.len().max(1));
        target.extend(query.iter().skip(at).take(random.random_range(1..60)));
        target.extend(sequence(random, 1));
    }
    target.truncate(length);
    target
}

fn check(lengths: &[(usize, usize)], scoring: &Scoring, settings: Settings) {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let queries: Sequences = lengths.iter().map(|&(m, _)| sequence(&mut random, m)).collect();
    let targets = (0..lengths.len()).map(|k| relative(&mut random, queries.get(k), lengths[k].1)).collect();
    compare(&queries, &targets, scoring, settings);
}

/// Query k with target k; how many pairs the CPU aligned.
fn compare(queries: &Sequences, targets: &Sequences, scoring: &Scoring, settings: Settings) -> usize {
    let pairs: Vec<Pair> = (0..queries.len() as u32).map(|k| Pair { query: k, target: k }).collect();
    let batch = Batch::new(queries, targets, &pairs);
    let mut device = Device::new(Arc::new(Emulated::default()), settings);
    for want in [Want::Score, Want::Path] {
        let found = align(&mut device, &batch, scoring, want).unwrap();
        let expected = align(&mut Reference, &batch, scoring, want).unwrap();
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{:?} {:?} {:?} {want:?}", batch.lengths(k), scoring.mode, scoring.gap);
        }
    }
    device.sent_to_cpu()
}

const MODES: [Mode; 4] = [Mode::Local, Mode::Global, Mode::Fit, Mode::Overlap];

#[test]
fn groups_of_all_widths_agree_with_the_reference() {
    let lengths = [(1, 1), (5, 3), (40, 63), (63, 64), (33, 65), (100, 128), (70, 129), (31, 256), (90, 300), (9, 512)];
    for mode in MODES {
        for gap in [(2, 2), (5, 1)] {
            for packed in [true, false] {
                check(&lengths, &scoring(mode, gap, Stop::AtZero), Settings { packed, ..Settings::default() });
            }
        }
    }
}

#[test]
fn strips_and_chunks_agree_with_the_reference() {
    for mode in MODES {
        check(&[(1100, 1030), (200, 513), (40, 1500)], &scoring(mode, (5, 1), Stop::ThroughZero), Settings::default());
    }
}

/// Enough short pairs for lanes of `WIDE_COLUMNS`, and ties in every one: the same few residues again and again.
#[test]
fn many_pairs_of_few_residues_agree_with_the_reference() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let mut words = |most: usize| -> Sequences {
        let word = |k| if k % 2 == 0 { &b"AC"[..] } else { b"ACCAGA" }.repeat(most);
        (0..70).map(|k| word(k)[..random.random_range(1..=most)].to_vec()).collect()
    };
    let (queries, targets) = (words(90), words(700));
    for gap in [(2, 2), (4, 1)] {
        compare(&queries, &targets, &scoring(Mode::Local, gap, Stop::AtZero), Settings::default());
    }
}

#[test]
fn as_many_residues_as_there_are_codes_and_scores_of_a_whole_byte() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let size = ALPHABET_MAX as usize - 1;
    let scores = (0..size * size).map(|_| random.random_range(-128..=127)).collect();
    let codes = std::array::from_fn(|byte| (byte % size) as u8);
    let identity = std::array::from_fn(|byte| (byte % size) as u8 + 1);
    let residues = Scoring { codes, size, scores, identity, ..scoring(Mode::Local, (9, 2), Stop::AtZero) };
    let mut drawn = || -> Sequences {
        let mut one = |length| (0..length).map(|_| random.random_range(b'A'..b'A' + size as u8)).collect::<Vec<_>>();
        [1, 17, 40, 64, 65].map(&mut one).into_iter().collect()
    };
    let (queries, targets) = (drawn(), drawn());
    for (mode, packed) in MODES.into_iter().flat_map(|mode| [(mode, true), (mode, false)]) {
        let settings = Settings { packed, ..Settings::default() };
        assert_eq!(compare(&queries, &targets, &Scoring { mode, ..residues.clone() }, settings), 0);
    }
}

#[test]
fn gaps_dearer_than_any_padding_has_room_for() {
    for gap in [1_000_000, 50_000_000] {
        for mode in MODES {
            check(&[(1, 1), (2, 1), (1, 3)], &scoring(mode, (gap, gap), Stop::AtZero), Settings::default());
        }
    }
}

#[test]
fn memory_is_enough_whatever_the_kernel_keeps() {
    let settings = Settings { memory: 512 << 10, ..Settings::default() };
    for packed in [true, false] {
        let gpu = Emulated::new(emulated::Device { memory: 640 << 10, ..Default::default() });
        let sequences: Sequences = [[b'A'; 200]].iter().collect();
        let pairs = [Pair { query: 0, target: 0 }; 40];
        let batch = Batch::new(&sequences, &sequences, &pairs);
        let mut device = Device::new(Arc::new(gpu), Settings { packed, ..settings });
        let found = align(&mut device, &batch, &scoring(Mode::Global, (2, 2), Stop::AtZero), Want::Path).unwrap();
        assert_eq!((found[39].score, device.sent_to_cpu()), (400, 0));
    }
}
