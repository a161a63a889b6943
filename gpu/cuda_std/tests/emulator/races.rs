//! Kernels whose threads touch the same byte with nothing between.

use crate::{Args, Bench, fault};
use cuda_std::emulator::{Access, Fault, Kind, Place, Rival};
use cuda_std::{Shared, kernel, thread, warp};

fn race(at: Place, access: Access, rival: (u32, u32, Access)) -> Kind {
    Kind::Race { at, access, rival: Rival { block: rival.0, thread: rival.1, access: rival.2 } }
}

fn run(kernel: &cuda_std::Kernel<fn(Args<u32>)>, grid: u32, block: u32) -> Result<(), Fault> {
    Bench::new(&[7; 256], 256).zero_output().launch(kernel, grid, block)
}

/// Reads a word of the next warp with `thread::sync_threads` missing.
#[kernel]
pub fn lacks_sync_threads(args: Args<u32>) {
    let (index, size) = (thread::thread_idx_x(), thread::block_dim_x());
    let shared = Shared::<u32>::at(0, size);
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

/// Reads a word of the next lane with `warp::sync` missing; a vote orders no memory.
#[kernel]
pub fn lacks_warp_sync(args: Args<u32>) {
    let index = thread::thread_idx_x();
    let shared = Shared::<u32>::at(0, 64);
    shared.write(index, args.input.read(index));
    let all = warp::ballot(true);
    args.output.write(index, shared.read(index ^ 1) + all);
}

#[test]
fn a_missing_warp_sync() {
    let kind = race(Place::Shared { offset: 4 }, Access::Read, (0, 1, Access::Write));
    assert_eq!(run(&lacks_warp_sync, 2, 64), fault("lacks_warp_sync", 0, 0, kind));
}

/// `warp::sync` where two warps meet.
#[kernel]
pub fn syncs_too_few(args: Args<u32>) {
    let index = thread::thread_idx_x();
    let shared = Shared::<u32>::at(0, 64);
    shared.write(index, args.input.read(index));
    warp::sync();
    args.output.write(index, shared.read(index & 31));
}

#[test]
fn a_warp_sync_orders_one_warp() {
    let kind = race(Place::Shared { offset: 0 }, Access::Read, (0, 0, Access::Write));
    assert_eq!(run(&syncs_too_few, 1, 64), fault("syncs_too_few", 0, 32, kind));
}

/// Every block writes word 5, in a different phase.
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

/// Adds to a word atomically, and reads it beside that.
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

/// Writes its input, when that is the output too.
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

/// Writes neighbouring bytes and halves of one word.
#[kernel]
pub fn neighbours(args: Args<u8>) {
    args.output.write(thread::index_1d(), args.input.read(0));
}

#[test]
fn neighbouring_bytes_do_not_race() {
    assert_eq!(Bench::new(&[7; 8], 32).launch(&neighbours, 4, 32), Ok(()));
}
