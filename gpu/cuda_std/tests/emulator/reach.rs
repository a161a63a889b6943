//! Kernels in which not all threads reach a collective.

use crate::{Args, Bench, fault};
use cuda_std::emulator::{Collective, Fault, Kind};
use cuda_std::{Kernel, kernel, thread, warp};

fn run(kernel: &Kernel<fn(Args<u32>)>) -> Result<(), Fault> {
    Bench::new(&[7; 128], 128).launch(kernel, 2, 64)
}

fn not_reached(collective: Collective, missing: u32, instead: Option<Collective>) -> Kind {
    Kind::NotReached { collective, missing, instead }
}

/// The second warp of the second block ends before the barrier.
#[kernel]
pub fn warp_leaves(args: Args<u32>) {
    if thread::index_1d() >= 96 {
        return;
    }
    thread::sync_threads();
    args.output.write(thread::index_1d(), 1);
}

#[test]
fn a_barrier_that_a_warp_does_not_reach() {
    let kind = not_reached(Collective::SyncThreads, 32, None);
    assert_eq!(run(&warp_leaves), fault("warp_leaves", 1, 0, kind));
}

/// One lane skips the barrier.
#[kernel]
pub fn lane_leaves(_args: Args<u32>) {
    if thread::thread_idx_x() != 41 {
        thread::sync_threads();
    }
}

#[test]
fn a_barrier_that_a_lane_does_not_reach() {
    let kind = not_reached(Collective::SyncThreads, 41, None);
    assert_eq!(run(&lane_leaves), fault("lane_leaves", 0, 32, kind));
}

/// Half of a warp shuffles.
#[kernel]
pub fn half_shuffles(args: Args<u32>) {
    let lane = warp::lane_id();
    if lane >= 16 {
        args.output.write(thread::index_1d(), warp::shuffle_xor(lane, 1));
    }
}

#[test]
fn a_shuffle_that_half_a_warp_does_not_reach() {
    let kind = not_reached(Collective::ShuffleXor, 0, None);
    assert_eq!(run(&half_shuffles), fault("half_shuffles", 0, 16, kind));
}

/// Lanes wait at different collectives.
#[kernel]
pub fn diverges(_args: Args<u32>) {
    if warp::lane_id() == 9 {
        warp::ballot(true);
    } else {
        warp::reduce_add(1);
    }
}

#[test]
fn lanes_at_different_collectives() {
    let kind = not_reached(Collective::ReduceAdd, 9, Some(Collective::Ballot));
    assert_eq!(run(&diverges), fault("diverges", 0, 0, kind));
}

/// Some lanes wait for the block while the others wait for the warp.
#[kernel]
pub fn mixes_barriers(_args: Args<u32>) {
    match thread::thread_idx_x() {
        0..40 => thread::sync_threads(),
        _ => warp::sync(),
    }
}

#[test]
fn a_lane_at_the_barrier_of_the_block_and_not_of_the_warp() {
    let kind = not_reached(Collective::SyncThreads, 40, Some(Collective::SyncWarp));
    assert_eq!(run(&mixes_barriers), fault("mixes_barriers", 0, 32, kind));
}

/// Groups of 12 lanes.
#[kernel]
pub fn odd_width(args: Args<u32>) {
    args.output.write(thread::index_1d(), warp::shuffle(1, 0, 12));
}

#[test]
fn a_width_that_is_no_power_of_two() {
    assert_eq!(run(&odd_width), fault("odd_width", 0, 0, Kind::Width { width: 12 }));
}
