//! The entry points of `scan`. The host's launch functions state the contract of each launch.

use super::search::{Search, inclusive_sum};
use super::seek::SeekWarp;
use super::{brute, cell, hard, parted, windows};
use crate::abi::{BruteArgs, HardArgs, PackArgs, PartedArgs, SeekArgs, WindowArgs};
use crate::tuning::{BRUTE_POSITIONS, HARD_QUEUE, HARD_SHARED, HARD_TILES, SEEK_THREADS, TILE, WARP_SHARED};
use cuda_std::{SharedMemory, U32x4, kernel, thread, warp};

/// Turns bases into planes and digits: 32 symbols per thread.
#[kernel]
pub fn scan_pack(args: PackArgs) {
    let group = thread::index_1d();
    let is_there = u64::from(group) < args.planes.len();
    let mut digits = [0; 3];
    if is_there {
        let (U32x4([a, b, c, d]), U32x4([e, f, g, h])) = (args.bases.read(2 * group), args.bases.read(2 * group + 1));
        let (planes, odd) = cell::pack(&[a, b, c, d, e, f, g, h], args.unknown);
        args.planes.write(group, planes);
        digits = cell::digit_planes(planes);
        if args.unknown != 0 && odd != 0 {
            args.odd.or(0, 1);
        }
    }
    let wild = digits[2].count_ones();
    let through = inclusive_sum(wild);
    if is_there && !args.digits.is_empty() {
        args.digits.write(group, U32x4([digits[0], digits[1], digits[2], through - wild]));
    }
    if warp::lane_id() == 31 && u64::from(group / warp::LANES) < args.wild.len() {
        args.wild.write(group / warp::LANES, through);
    }
}

/// Finds matches by the tiles of their spans.
#[kernel]
pub fn scan_seek(args: SeekArgs, mut shared: SharedMemory) {
    thread::at_most::<SEEK_THREADS>();
    // Four words at once: so many lie there, and none of them waits for another.
    let bits = shared.array::<U32x4>(args.kept * args.seeds.form.words / 4);
    let mut i = thread::thread_idx_x();
    while i < bits.len() {
        let read = |k: u32| args.seeds.bits.read(4 * i + k);
        bits.write(i, U32x4([read(0), read(1), read(2), read(3)]));
        i += thread::block_dim_x();
    }
    thread::sync_threads();
    let own = shared.part(warp::warp_id(), WARP_SHARED);
    let mut warp = SeekWarp::new(&args, bits.cast(), own);
    // Few tiles are shared among all multiprocessors.
    let blocks = thread::grid_dim_x();
    warp.run(thread::block_idx_x() + blocks * warp::warp_id(), blocks * thread::block_dim_x() / warp::LANES);
}

/// Chooses marks near hard positions.
#[kernel]
pub fn scan_mark(args: WindowArgs) {
    let search = Search::new(&args.sequences, &args.patterns, &args.matches);
    let (warp, warps) = (thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
    let mut tile = warp;
    while tile * TILE < search.total {
        windows::mark(&args, &search, tile);
        tile += warps;
    }
}

/// Finds matches by windows at marks.
#[kernel]
pub fn scan_window(args: WindowArgs) {
    let search = Search::new(&args.sequences, &args.patterns, &args.matches);
    let (warp, warps) = (thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
    let mut tile = warp;
    while tile * TILE < search.total && !search.is_full() {
        windows::find(&args, &search, tile);
        tile += warps;
    }
}

/// Finds matches at hard positions.
#[kernel]
pub fn scan_hard(args: HardArgs, mut shared: SharedMemory) {
    let search = Search::new(&args.sequences, &args.patterns, &args.matches);
    let (warp, warps) = (thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
    // It is never 0. Saying so spares the division a check.
    let parts = if args.parts == 0 { 1 } else { args.parts };
    let (number, step, part) = (warp / parts, warps / parts, warp % parts);
    let tile = args.first / TILE;
    if args.spread == 1 {
        let positions = shared.part(warp::warp_id(), HARD_SHARED).array(HARD_QUEUE);
        return hard::of_one_span(&args, &search, positions, (tile + number, step), part);
    }
    let mut tile = tile + number;
    while tile * TILE < args.end && !search.is_full() {
        hard::of_several_spans(&args, &search, (tile, step), part);
        tile += HARD_TILES * step;
    }
}

/// Finds matches of patterns in parts, where too many of the parts lie at hard positions.
#[kernel]
pub fn scan_parted(args: PartedArgs) {
    let search = Search::new(&args.sequences, &args.patterns, &args.matches);
    let (warp, warps) = (thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
    // It is never 0. Saying so spares the division a check.
    let parts = if args.parts == 0 { 1 } else { args.parts };
    let (step, part) = (warps / parts, warp % parts);
    let mut tile = args.first / TILE + warp / parts;
    while tile * TILE < args.end && !search.is_full() {
        parted::in_tile(&args, &search, tile, part);
        tile += step;
    }
}

/// Finds matches by trying every pattern everywhere.
#[kernel]
pub fn scan_brute(args: BruteArgs) {
    let search = Search::new(&args.sequences, &args.patterns, &args.matches);
    let (warp, warps) = (thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
    let run = warp::LANES * BRUTE_POSITIONS;
    let mut base = args.first + warp * run;
    while base < args.end && !search.is_full() {
        brute::brute(&args, &search, base + warp::lane_id());
        base += warps * run;
    }
}
