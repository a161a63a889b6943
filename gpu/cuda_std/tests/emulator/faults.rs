//! Kernels that use memory they must not use, or fail in other ways.

use crate::{Args, Bench, fault};
use cuda_std::emulator::{Emulator, Fault, Kind, Place, Site};
use cuda_std::{Global, Kernel, Shape, SharedMemory, kernel, thread};

fn run(kernel: &Kernel<fn(Args<u32>)>) -> Result<(), Fault> {
    Bench::new(&[7; 100], 128).launch(kernel, 2, 64)
}

/// Reads past the input from thread 36 of block 1 on.
#[kernel]
pub fn copies(args: Args<u32>) {
    let index = thread::index_1d();
    args.output.write(index, args.input.read(index));
}

#[test]
fn an_index_past_a_view() {
    assert_eq!(run(&copies), fault("copies", 1, 36, Kind::Index { index: 100, len: 100 }));
}

/// Launches `copies` with an input view of `len` elements, `by` bytes into its 400-byte buffer.
fn copy_from(by: u64, len: u64) -> Result<(), Fault> {
    let bench = Bench::new(&[7; 100], 128);
    // SAFETY: the emulator reports a view that leaves its buffer, and touches no memory.
    let input = unsafe { Global::from_raw(bench.input.wrapping_add(by), len) };
    bench.emulator.launch(&copies, Shape { grid: 2, block: 64, shared: 0 }, Args { input, ..bench.args() })
}

#[test]
fn a_view_past_its_buffer() {
    let at = Place::Global { buffer: 0, offset: 400 };
    let kind = Kind::OutOfBounds { at, bytes: 4, size: 400 };
    assert_eq!(copy_from(0, 128), fault("copies", 1, 36, kind));
}

#[test]
fn a_view_of_no_buffer() {
    let null = Bench::new(&[7; 100], 128).input.wrapping_neg();
    assert_eq!(copy_from(null, 128), fault("copies", 0, 0, Kind::Unallocated { address: 0 }));
}

#[test]
fn a_misaligned_view() {
    let at = Place::Global { buffer: 0, offset: 2 };
    assert_eq!(copy_from(2, 99), fault("copies", 0, 0, Kind::Misaligned { at, bytes: 4 }));
}

#[test]
fn a_released_buffer() {
    let bench = Bench::new(&[7; 128], 128);
    bench.emulator.release(bench.output).unwrap();
    let at = Place::Global { buffer: 1, offset: 0 };
    assert_eq!(bench.launch(&copies, 2, 64), fault("copies", 0, 0, Kind::Released { at }));
    assert_eq!(bench.emulator.allocated(), 512);
}

/// Reads an element past a shared array.
#[kernel]
pub fn past_shared(_args: Args<u32>, mut shared: SharedMemory) {
    shared.array::<u32>(63).write(thread::thread_idx_x(), 0);
}

#[test]
fn an_index_past_a_shared_array() {
    assert_eq!(run(&past_shared), fault("past_shared", 0, 63, Kind::Index { index: 63, len: 63 }));
}

/// Takes more shared memory than the launch has.
#[kernel]
pub fn too_much_shared(_args: Args<u32>, mut shared: SharedMemory) {
    shared.array::<u8>(3998);
    shared.array::<u32>(25);
}

#[test]
fn a_shared_array_past_shared_memory() {
    let kind = Kind::OutOfBounds { at: Place::Shared { offset: 4000 }, bytes: 100, size: 4096 };
    assert_eq!(run(&too_much_shared), fault("too_much_shared", 0, 0, kind));
}

/// Takes more of its warp's part than that has.
#[kernel]
pub fn past_part(_args: Args<u32>, mut shared: SharedMemory) {
    shared.array::<u64>(2);
    let mut own = shared.part(thread::thread_idx_x() / 32, 100);
    own.array::<u32>(25);
    own.array::<u8>(1);
}

#[test]
fn a_shared_array_past_its_part() {
    let kind = Kind::OutOfBounds { at: Place::Shared { offset: 116 }, bytes: 1, size: 116 };
    assert_eq!(run(&past_part), fault("past_part", 0, 0, kind));
}

/// Divides shared memory into more parts than it has.
#[kernel]
pub fn too_many_parts(_args: Args<u32>, shared: SharedMemory) {
    shared.part(thread::thread_idx_x(), 100);
}

#[test]
fn a_part_past_shared_memory() {
    let kind = Kind::OutOfBounds { at: Place::Shared { offset: 4000 }, bytes: 100, size: 4096 };
    assert_eq!(run(&too_many_parts), fault("too_many_parts", 0, 40, kind));
}

/// Reads the output before it is written, in thread 40.
#[kernel]
pub fn reads_output(args: Args<u32>) {
    let index = thread::index_1d();
    if index == 40 {
        args.output.write(index + 1, args.output.read(index));
    }
    args.output.write(index, 0);
}

#[test]
fn an_unwritten_word_of_device_memory() {
    let at = Place::Global { buffer: 1, offset: 160 };
    assert_eq!(run(&reads_output), fault("reads_output", 0, 40, Kind::Uninitialised { at }));
}

/// Block 0 writes shared memory, block 1 reads it: shared memory does not outlive a block.
#[kernel]
pub fn keeps_shared(_args: Args<u32>, mut shared: SharedMemory) {
    let shared = shared.array::<u32>(64);
    match thread::block_idx_x() {
        0 => shared.write(thread::thread_idx_x(), 1),
        _ => _ = shared.read(thread::thread_idx_x()),
    }
}

#[test]
fn an_unwritten_word_of_shared_memory() {
    let at = Place::Shared { offset: 0 };
    assert_eq!(run(&keeps_shared), fault("keeps_shared", 1, 0, Kind::Uninitialised { at }));
}

/// Traps while other threads wait at a barrier.
#[kernel]
pub fn traps(_args: Args<u32>) {
    if thread::index_1d() == 77 {
        thread::trap();
    }
    thread::sync_threads();
}

#[test]
fn a_trap() {
    assert_eq!(run(&traps), fault("traps", 1, 13, Kind::Trap));
}

/// Divides by zero in the last thread, while the others wait at a barrier with a vector on their stacks.
#[kernel]
pub fn panics(args: Args<u32>) {
    let held = vec![100 / (127 - thread::index_1d()); 3];
    thread::sync_threads();
    args.output.write(thread::index_1d(), held[2]);
}

#[test]
fn a_panic_and_after_it_the_emulator_still_works() {
    let bench = Bench::new(&[7; 128], 128);
    for _ in 0..3 {
        let Err(Fault { site, kind: Kind::Panic(text) }) = bench.launch(&panics, 2, 64) else {
            panic!("the division by zero is reported");
        };
        assert_eq!(site, Site::Thread { kernel: "panics", block: 1, thread: 63 });
        assert!(text.starts_with("attempt to divide by zero at ") && text.contains("faults.rs"), "{text}");
        assert_eq!(bench.launch(&copies, 2, 64), Ok(()));
        assert_eq!(bench.words(), [7; 128]);
    }
}

#[test]
fn a_shape_that_no_device_runs() {
    let bench = Bench::new(&[7; 128], 128);
    for (grid, block) in [(0, 32), (1, 0), (1, 33), (1, 1056)] {
        let shape = Shape { grid, block, shared: 4096 };
        assert_eq!(bench.launch(&copies, grid, block), fault("copies", 0, 0, Kind::Launch(shape)));
    }
}

#[test]
fn the_host_is_checked_too() {
    let emulator = Emulator::new();
    let buffer = emulator.allocate(100);
    emulator.fill(buffer, 1, 60).unwrap();
    let host = |action, kind| Err(Fault { site: Site::Host { action }, kind });
    let at = |offset| Place::Global { buffer: 0, offset };
    let mut bytes = [0; 61];
    let unwritten = host("copy to the host", Kind::Uninitialised { at: at(60) });
    assert_eq!(emulator.copy_out(buffer, &mut bytes), unwritten);
    assert_eq!(emulator.copy_out(buffer, &mut bytes[..60]), Ok(()));
    assert_eq!(bytes[..60], [1; 60]);
    let past = host("copy to the device", Kind::OutOfBounds { at: at(40), bytes: 61, size: 100 });
    assert_eq!(emulator.copy_in(&bytes, buffer + 40), past);
    assert_eq!(emulator.release(buffer), Ok(()));
    assert_eq!(emulator.release(buffer), host("release", Kind::Released { at: at(0) }));
}

#[test]
fn a_fault_reads_as_a_sentence() {
    let text = run(&reads_output).unwrap_err().to_string();
    assert_eq!(
        text,
        "kernel reads_output, block 0, thread 40: byte 160 of buffer 1 is read before anything was written to it"
    );
}
