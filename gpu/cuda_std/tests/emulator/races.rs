//! Kernels whose threads access the same byte with no barrier between.

use crate::{Args, Bench, fault};
use cuda_std::emulator::{Access, Fault, Kind, Place, PriorAccess};
use cuda_std::{SharedMemory, kernel, thread, warp};

fn race(at: Place, access: Access, prior: (u32, u32, Access)) -> Kind {
    Kind::Race { at, access, prior: PriorAccess { block: prior.0, thread: prior.1, access: prior.2 } }
}

fn run(kernel: &cuda_std::Kernel<fn(Args<u32>)>, grid: u32, block: u32) -> Result<(), Fault> {
    Bench::new(&[7; 256], 256).zero_output().launch(kernel, grid, block)
}

/// Reads a word of the next warp without `thread::sync_threads` after the write.
#[kernel]
pub fn lacks_sync_threads(args: Args<u32>, mut shared: SharedMemory) {
    let (index, size) = (thread::thread_idx_x(), thread::block_dim_x());
    let shared = shared.array::<u32>(size);
    shared.write(index, 0);
    thread::sync_threads();
    shared.write(index, args.input.read(index));
    warp::sync();
    args.output.write(index, shared.read((index + 32) % size));
}

#[test]
fn a_missing_sync_threads() {
    let kind = race(Place::Shared { offset: 128 }, Access::Write, (0, 0, Access::Read));
    assert_eq!(run(&lacks_sync_threads, 1, 64), fault("lacks_sync_threads", 0, 32, kind));
}

/// Reads a word of the next lane without `warp::sync` after the write. A vote orders no memory.
#[kernel]
pub fn lacks_warp_sync(args: Args<u32>, mut shared: SharedMemory) {
    let index = thread::thread_idx_x();
    let shared = shared.array::<u32>(64);
    shared.write(index, args.input.read(index));
    let all = warp::ballot(true);
    args.output.write(index, shared.read(index ^ 1) + all);
}

#[test]
fn a_missing_warp_sync() {
    let kind = race(Place::Shared { offset: 4 }, Access::Read, (0, 1, Access::Write));
    assert_eq!(run(&lacks_warp_sync, 2, 64), fault("lacks_warp_sync", 0, 0, kind));
}

/// Uses `warp::sync` where two warps exchange words.
#[kernel]
pub fn syncs_too_few(args: Args<u32>, mut shared: SharedMemory) {
    let index = thread::thread_idx_x();
    let shared = shared.array::<u32>(64);
    shared.write(index, args.input.read(index));
    warp::sync();
    args.output.write(index, shared.read(index & 31));
}

#[test]
fn a_warp_sync_orders_one_warp() {
    let kind = race(Place::Shared { offset: 0 }, Access::Read, (0, 0, Access::Write));
    assert_eq!(run(&syncs_too_few, 1, 64), fault("syncs_too_few", 0, 32, kind));
}

/// Every block writes word 5, each from another thread.
#[kernel]
pub fn blocks_collide(args: Args<u32>) {
    let (index, block) = (thread::thread_idx_x(), thread::block_idx_x());
    thread::sync_threads();
    if index == 3 + block {
        args.output.write(5, index);
    }
    thread::sync_threads();
}

#[test]
fn blocks_race_whatever_their_barriers() {
    let kind = race(Place::Global { buffer: 1, offset: 20 }, Access::Write, (0, 3, Access::Write));
    assert_eq!(run(&blocks_collide, 3, 64), fault("blocks_collide", 1, 4, kind));
    assert_eq!(run(&blocks_collide, 1, 64), Ok(()));
}

/// Block 2 writes what blocks 0 and 1 read.
#[kernel]
pub fn writes_what_others_read(args: Args<u32>) {
    let index = thread::thread_idx_x();
    match thread::block_idx_x() {
        2 => args.output.write(index, 1),
        _ => args.output.write(64 + thread::index_1d(), args.output.read(index)),
    }
}

#[test]
fn a_write_races_with_a_read_of_another_block() {
    let kind = race(Place::Global { buffer: 1, offset: 0 }, Access::Write, (0, 0, Access::Read));
    assert_eq!(run(&writes_what_others_read, 3, 32), fault("writes_what_others_read", 2, 0, kind));
    assert_eq!(run(&writes_what_others_read, 2, 32), Ok(()));
}

/// Adds to a word atomically, while one thread reads it without an atomic.
#[kernel]
pub fn reads_beside_atomics(args: Args<u32>) {
    if thread::index_1d() == 70 {
        args.output.write(9, args.output.read(8));
    }
    args.output.fetch_add(8, 1);
}

#[test]
fn atomics_race_with_plain_accesses() {
    let kind = race(Place::Global { buffer: 1, offset: 32 }, Access::Read, (0, 0, Access::Atomic));
    assert_eq!(run(&reads_beside_atomics, 2, 64), fault("reads_beside_atomics", 1, 6, kind));
    assert_eq!(run(&reads_beside_atomics, 1, 64), Ok(()));
}

/// Adds 1 to each input; the output may be the input itself.
#[kernel]
pub fn in_place(args: Args<u32>) {
    let index = thread::index_1d();
    args.output.write(index, args.input.read(index) + 1);
}

#[test]
fn a_launch_may_not_write_what_it_loads_read_only() {
    let bench = Bench::new(&[7; 64], 64);
    let mut args = bench.args();
    // SAFETY: the view is of the input buffer, as long as the input.
    args.output = unsafe { cuda_std::GlobalMut::from_raw(bench.input, 64) };
    let shape = cuda_std::Shape { grid: 2, block: 32, shared: 0 };
    let kind = race(Place::Global { buffer: 0, offset: 0 }, Access::Write, (0, 0, Access::Constant));
    assert_eq!(bench.emulator.launch(&in_place, shape, args), fault("in_place", 0, 0, kind));
    assert_eq!(bench.launch(&in_place, 2, 32), Ok(()));
}

/// Writes neighbouring bytes of the same words.
#[kernel]
pub fn neighbours(args: Args<u8>) {
    args.output.write(thread::index_1d(), args.input.read(0));
}

#[test]
fn neighbouring_bytes_do_not_race() {
    assert_eq!(Bench::new(&[7; 8], 32).launch(&neighbours, 4, 32), Ok(()));
}
