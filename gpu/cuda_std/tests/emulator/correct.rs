//! Correct kernels.

use crate::{Args, Bench};
use cuda_std::{SharedMemory, U32x2, U32x4, kernel, thread, warp};

/// `output[block]` is the sum of the block's inputs, by a tree reduction in shared memory.
#[kernel]
pub fn sum(args: Args<u32>, mut shared: SharedMemory) {
    let (index, size) = (thread::thread_idx_x(), thread::block_dim_x());
    let partial = shared.array::<u32>(size);
    partial.write(index, args.input.read(thread::index_1d()));
    let mut half = size / 2;
    while half > 0 {
        thread::sync_threads();
        if index < half {
            partial.write(index, partial.read(index) + partial.read(index + half));
        }
        half /= 2;
    }
    if index == 0 {
        args.output.write(thread::block_idx_x(), partial.read(0));
    }
}

#[test]
fn a_sum_in_shared_memory() {
    let input: Vec<u32> = (0..1024).map(|k| k * k).collect();
    let bench = Bench::new(&input, 4);
    bench.launch(&sum, 4, 256).unwrap();
    let expected: Vec<u32> = input.chunks(256).map(|block| block.iter().sum()).collect();
    assert_eq!(bench.words(), expected);
}

/// Counts inputs modulo 16: per block in shared memory, then in device memory.
#[kernel]
pub fn histogram(args: Args<u32>, mut shared: SharedMemory) {
    let index = thread::thread_idx_x();
    let counts = shared.array::<u32>(16);
    if index < 16 {
        counts.write(index, 0);
    }
    thread::sync_threads();
    counts.fetch_add(args.input.read(thread::index_1d()) % 16, 1);
    thread::sync_threads();
    if index < 16 {
        args.output.fetch_add(index, counts.read(index));
        args.output.or(16, 1 << index);
    }
}

#[test]
fn a_histogram_by_atomics() {
    let input: Vec<u32> = (0..960).map(|k: u32| k.wrapping_mul(2_654_435_761) >> 20).collect();
    let bench = Bench::new(&input, 17).zero_output();
    bench.launch(&histogram, 10, 96).unwrap();
    bench.launch(&histogram, 10, 96).unwrap();
    let words = bench.words();
    for bin in 0..16 {
        let expected = 2 * input.iter().filter(|&&value| value % 16 == bin).count();
        assert_eq!(words[bin as usize], expected as u32, "bin {bin}");
    }
    assert_eq!(words[16], 0xffff);
}

/// Four words per thread: every kind of shuffle of the lane number, the first three in groups of 8.
#[kernel]
pub fn shuffles(args: Args<u32>) {
    let (lane, base) = (warp::lane_id(), thread::index_1d() * 4);
    args.output.write(base, warp::shuffle(lane, args.input.read(lane), 8));
    args.output.write(base + 1, warp::shuffle_up(lane, 3, 8));
    args.output.write(base + 2, warp::shuffle_down(lane, 3, 8));
    args.output.write(base + 3, warp::shuffle_xor(lane, 17));
}

#[test]
fn shuffles_stay_in_their_groups() {
    let sources: Vec<u32> = (0..32).map(|lane| lane * 5 + 1).collect();
    let bench = Bench::new(&sources, 2 * 32 * 4);
    bench.launch(&shuffles, 1, 64).unwrap();
    for (thread, words) in bench.words().chunks(4).enumerate() {
        let lane = thread as u32 % 32;
        let (first, at) = (lane / 8 * 8, lane % 8);
        let up = if at >= 3 { lane - 3 } else { lane };
        let down = if at < 5 { lane + 3 } else { lane };
        assert_eq!(words, [first + (lane * 5 + 1) % 8, up, down, lane ^ 17], "lane {lane}");
    }
}

/// Inclusive prefix sums of a block: by shuffles in a warp, and through shared memory across warps.
#[kernel]
pub fn prefix(args: Args<u32>, mut shared: SharedMemory) {
    let (lane, warp, index) = (warp::lane_id(), warp::warp_id(), thread::index_1d());
    let totals = shared.array::<u32>(32);
    let mut value = args.input.read(index);
    let mut delta = 1;
    while delta < 32 {
        let below = warp::shuffle_up(value, delta, 32);
        value += if lane >= delta { below } else { 0 };
        delta *= 2;
    }
    if lane == 31 {
        totals.write(warp, value);
    }
    thread::sync_threads();
    for before in 0..warp {
        value += totals.read(before);
    }
    args.output.write(index, value);
}

#[test]
fn prefix_sums() {
    let input: Vec<u32> = (0..1024).map(|k| k % 37).collect();
    let bench = Bench::new(&input, 1024);
    bench.launch(&prefix, 1, 1024).unwrap();
    let expected: Vec<u32> = (0..1024).map(|last| input[..=last].iter().sum()).collect();
    assert_eq!(bench.words(), expected);
}

/// Votes and reductions of one warp while most lanes of another have ended.
#[kernel]
pub fn votes(args: Args<u32>) {
    if warp::warp_id() == 1 && warp::lane_id() > 3 {
        return;
    }
    if warp::warp_id() == 0 {
        let (lane, value) = (warp::lane_id(), args.input.read(warp::lane_id()));
        let results = [
            warp::ballot(value > 90),
            warp::reduce_or(value),
            warp::reduce_add(value),
            warp::reduce_min(value),
            thread::count_1d() + thread::grid_dim_x(),
        ];
        if lane < 5 {
            args.output.write(lane, results[lane as usize]);
        }
    }
}

#[test]
fn votes_and_reductions() {
    let input: Vec<u32> = (0..32).map(|k| 64 + k * 11 % 32).collect();
    let bench = Bench::new(&input, 5);
    bench.launch(&votes, 1, 64).unwrap();
    let ballot = (0..32).filter(|&lane| input[lane] > 90).fold(0, |bits, lane| bits | 1 << lane);
    assert_eq!(bench.words(), [ballot, 64 | 31, input.iter().sum(), 64, 65]);
}

/// Each warp exchanges words in its own shared memory, with `warp::sync` between.
#[kernel]
pub fn reverse(args: Args<u32>, shared: SharedMemory) {
    let (lane, index) = (warp::lane_id(), thread::index_1d());
    let own = shared.part(warp::warp_id(), 128).array::<u32>(32);
    for _ in 0..3 {
        own.write(lane, args.input.read(index));
        warp::sync();
        args.output.write(index, own.read(31 - lane));
        warp::sync();
    }
}

#[test]
fn a_warp_reverses() {
    let input: Vec<u32> = (0..128).collect();
    let bench = Bench::new(&input, 128);
    bench.launch(&reverse, 2, 64).unwrap();
    let expected: Vec<u32> = input.iter().map(|index| index ^ 31).collect();
    assert_eq!(bench.words(), expected);
}

/// Takes arrays of several widths. One is written by wide stores and read by narrow loads.
#[kernel]
pub fn arrays(args: Args<u32>, mut shared: SharedMemory) {
    let (lane, bytes) = (warp::lane_id(), shared.array::<u8>(35));
    let (pairs, last) = (shared.array::<U32x2>(32), shared.array::<u8>(32));
    bytes.write(lane + 3, 0xff);
    pairs.write(lane, U32x2([args.input.read(lane), lane]));
    last.write(lane, 0xff);
    warp::sync();
    let words = pairs.cast::<u32>();
    args.output.write(2 * lane, words.read(2 * (31 - lane)));
    args.output.write(2 * lane + 1, words.read(2 * (31 - lane) + 1) + words.len());
}

#[test]
fn arrays_in_shared_memory_do_not_overlap() {
    let input: Vec<u32> = (0..32).map(|k: u32| k.wrapping_mul(2_654_435_761)).collect();
    let bench = Bench::new(&input, 64);
    bench.launch(&arrays, 1, 32).unwrap();
    let expected: Vec<u32> = (0..32).rev().flat_map(|lane| [input[lane], lane as u32 + 64]).collect();
    assert_eq!(bench.words(), expected);
}

/// Every width of word, from device memory through shared memory and back.
macro_rules! copy {
    ($($name:ident $t:ty;)*) => { $(
        #[kernel]
        pub fn $name(args: Args<$t>, mut shared: SharedMemory) {
            let (index, lane) = (thread::index_1d(), thread::thread_idx_x());
            let staged = shared.array::<$t>(32);
            staged.write(lane ^ 1, args.input.read(index));
            warp::sync();
            args.output.write(index, staged.read(lane ^ 1));
            args.output.write(index, args.output.read(index));
        }
    )* };
}
copy! { copy_1 u8; copy_2 u16; copy_4 u32; copy_8 u64; copy_8x2 U32x2; copy_16 U32x4; }

#[test]
fn words_of_every_width() {
    let input: Vec<u32> = (0..128).map(|k: u32| k.wrapping_mul(2_654_435_761)).collect();
    let bench = Bench::new(&input, 128);
    let run = |copy: &dyn Fn(&Bench)| {
        bench.emulator.fill(bench.output, 0, 512).unwrap();
        copy(&bench);
        assert_eq!(bench.words(), input);
    };
    run(&|bench| bench.launch(&copy_1, 16, 32).unwrap());
    run(&|bench| bench.launch(&copy_2, 8, 32).unwrap());
    run(&|bench| bench.launch(&copy_4, 4, 32).unwrap());
    run(&|bench| bench.launch(&copy_8, 2, 32).unwrap());
    run(&|bench| bench.launch(&copy_8x2, 2, 32).unwrap());
    run(&|bench| bench.launch(&copy_16, 1, 32).unwrap());
}
