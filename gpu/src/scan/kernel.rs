//! The entry points of `scan`. The host's launch functions state the contract of each launch.

use super::{cell, table, tile};
use crate::abi::{
    AnchorArgs, BruteArgs, ChooseArgs, CountArgs, FillArgs, FoldArgs, HistogramArgs, OffsetsArgs, PackArgs,
};
use crate::tuning::{BITMAP_WORDS, BRUTE_POSITIONS, CODES, OFFSETS_PER_THREAD, WARP_SHARED};
use cuda_std::{SharedMemory, U32x4, kernel, thread, warp};

/// Turns bases into planes and digits: 32 symbols per thread.
#[kernel]
pub fn scan_pack(args: PackArgs) {
    let group = thread::index_1d();
    if u64::from(group) >= args.planes.len() {
        return;
    }
    let (U32x4([a, b, c, d]), U32x4([e, f, g, h])) = (args.bases.read(2 * group), args.bases.read(2 * group + 1));
    let (planes, odd) = cell::pack(&[a, b, c, d, e, f, g, h], args.unknown);
    args.planes.write(group, planes);
    args.digits.write(group, cell::nibbles(cell::digit_planes(planes)));
    if args.unknown != 0 && odd != 0 {
        args.odd.or(0, 1);
    }
}

/// Counts the codes of windows: 32 windows per thread.
#[kernel]
pub fn scan_histogram(args: HistogramArgs) {
    let index = thread::index_1d();
    if index >= args.groups {
        return;
    }
    let group = index * args.stride;
    let digits = cell::unpack(args.digits.read(group), args.digits.read(group + 1).0[0]);
    cell::each_code(&digits, |_, code| {
        args.counts.fetch_add(code, 1);
    });
}

/// Folds two digits: 25 counts per thread.
#[kernel]
pub fn scan_fold(args: FoldArgs) {
    let group = thread::index_1d();
    if group < CODES / 25 {
        table::fold(&args, group);
    }
}

/// Chooses anchors: a pattern per warp.
#[kernel]
pub fn scan_choose(args: ChooseArgs) {
    let pattern = thread::index_1d() / warp::LANES;
    if u64::from(pattern) < args.patterns.info.len() {
        table::choose(&args, pattern);
    }
}

/// Counts entries: a listed pattern per warp.
#[kernel]
pub fn scan_count(args: CountArgs) {
    let index = thread::index_1d() / warp::LANES;
    if index < args.listed_count.read(0) {
        table::count(&args, args.listed.read(index));
    }
}

/// Places the lists.
#[kernel]
pub fn scan_offsets(args: OffsetsArgs) {
    // Threads past the last code add nothing to the warp's sums.
    let first = thread::index_1d() * OFFSETS_PER_THREAD;
    table::offsets(&args, if first < CODES { first } else { CODES });
}

/// Writes entries: a listed pattern per warp.
#[kernel]
pub fn scan_fill(args: FillArgs) {
    let index = thread::index_1d() / warp::LANES;
    if index < args.listed_count.read(0) {
        table::fill(&args, args.listed.read(index));
    }
}

/// Finds matches through the anchor table.
#[kernel]
pub fn scan_anchor(args: AnchorArgs, mut shared: SharedMemory) {
    let bitmap = shared.array::<U32x4>(BITMAP_WORDS / 4);
    let mut i = thread::thread_idx_x();
    while i < BITMAP_WORDS / 4 {
        bitmap.write(i, args.bitmap.read(i));
        i += thread::block_dim_x();
    }
    thread::sync_threads();
    let own = shared.part(warp::warp_id(), WARP_SHARED);
    let warp = tile::AnchorWarp::new(&args, bitmap.cast(), own);
    warp.run(thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
}

/// Finds matches by trying every pattern everywhere.
#[kernel]
pub fn scan_brute(args: BruteArgs) {
    let (warp, warps) = (thread::index_1d() / warp::LANES, thread::count_1d() / warp::LANES);
    let run = warp::LANES * BRUTE_POSITIONS;
    let mut base = args.first + warp * run;
    while base < args.end {
        tile::brute(&args, base + warp::lane_id());
        base += warps * run;
    }
}
