//! Which targets a query keeps: those of the highest scores, of equal ones the first.
//!
//! ```text
//! limit    a block per query: the score of the last target kept, found by counting classes of scores, finer each time
//! keep     a block per query: each warp counts in its stretch of targets, then writes behind what the others have before it
//! ```
//!
//! Only counts decide, so the order in which warps come changes nothing.

use crate::abi::KeepArgs;
use crate::tuning::{KEEP_BINS, KEEP_THREADS};
use cuda_std::{Shared, SharedMemory, U32x2, U32x4, thread, warp};

/// Shared memory of an `align_limit` block: the classes, and what one warp tells the others.
pub const LIMIT_SHARED: u32 = (KEEP_BINS + WARPS) * 4;
/// Shared memory of an `align_keep` block: two counts for each warp.
pub const KEEP_SHARED: u32 = WARPS * 2 * 4;

const WARPS: u32 = KEEP_THREADS / 32;
/// Classes that a lane looks through.
const BINS_OF_LANE: u32 = KEEP_BINS / 32;

/// The scores from `low` on and below `end`, of which `wanted` are still to be kept.
#[derive(Clone, Copy)]
struct Range {
    low: u32,
    end: u32,
    wanted: u32,
}

impl Range {
    /// Bits to drop, for its scores to be in as many classes as there are.
    #[inline(always)]
    fn shift(&self) -> u32 {
        let mut shift = 0;
        while (self.end - self.low - 1) >> shift >= KEEP_BINS {
            shift += 1;
        }
        shift
    }
}

/// Finds the limit of query `query`. All threads of the block call this.
#[inline(always)]
pub fn limit(args: &KeepArgs, query: u32, mut shared: SharedMemory) {
    let bins: Shared<u32> = shared.array(KEEP_BINS);
    let told: Shared<u32> = shared.array(WARPS);
    let least = args.least.read(query);
    let highest = highest(args, query, &told);
    let mut range = Range { low: least, end: highest.max(least) + 1, wanted: args.top };
    let limit = loop {
        let shift = range.shift();
        count(args, query, (range, shift), &bins);
        if warp::warp_id() == 0 {
            tell(range.wanted, &bins, &told);
        }
        thread::sync_threads();
        let (bin, above) = (told.read(0), told.read(1));
        thread::sync_threads();
        if bin == KEEP_BINS {
            break U32x4([least, u32::MAX, above, highest]);
        }
        let low = range.low + (bin << shift);
        range = Range { low, end: range.end.min(low + (1 << shift)), wanted: range.wanted - above };
        if shift == 0 {
            break U32x4([low, range.wanted, args.top, highest]);
        }
    };
    if thread::thread_idx_x() == 0 {
        args.limits.write(query, limit);
    }
}

/// The highest score of the query.
#[inline(always)]
fn highest(args: &KeepArgs, query: u32, told: &Shared<u32>) -> u32 {
    let mut highest = 0;
    let mut k = thread::thread_idx_x();
    while k < args.targets {
        highest = highest.max(args.scores.read(query * args.targets + k));
        k += KEEP_THREADS;
    }
    highest = !warp::reduce_min(!highest);
    if warp::lane_id() == 0 {
        told.write(warp::warp_id(), highest);
    }
    thread::sync_threads();
    let mut k = 0;
    while k < WARPS {
        highest = highest.max(told.read(k));
        k += 1;
    }
    thread::sync_threads();
    highest
}

/// Counts the scores of each class of a range.
#[inline(always)]
fn count(args: &KeepArgs, query: u32, (range, shift): (Range, u32), bins: &Shared<u32>) {
    let mut k = thread::thread_idx_x();
    while k < KEEP_BINS {
        bins.write(k, 0);
        k += KEEP_THREADS;
    }
    thread::sync_threads();
    let mut k = thread::thread_idx_x();
    while k < args.targets {
        let score = args.scores.read(query * args.targets + k);
        if score >= range.low && score < range.end {
            bins.fetch_add((score - range.low) >> shift, 1);
        }
        k += KEEP_THREADS;
    }
    thread::sync_threads();
}

/// Tells the class of the last score that is kept and how many are above it; or, in a class that there is not, how many
/// there are in all, if they are fewer than wanted. All lanes of the warp call this.
#[inline(always)]
fn tell(wanted: u32, bins: &Shared<u32>, told: &Shared<u32>) {
    let lane = warp::lane_id();
    let (mut own, mut k) = (0, 0);
    while k < BINS_OF_LANE {
        own += bins.read(lane * BINS_OF_LANE + k);
        k += 1;
    }
    let (mut from, mut apart) = (own, 1);
    while apart < 32 {
        let other = warp::shuffle_down(from, apart, 32);
        from += if lane + apart < 32 { other } else { 0 };
        apart *= 2;
    }
    let mut above = from - own;
    if lane == 0 && from < wanted {
        told.write(0, KEEP_BINS);
        told.write(1, from);
    }
    if above < wanted && from >= wanted {
        let mut bin = (lane + 1) * BINS_OF_LANE - 1;
        while above + bins.read(bin) < wanted {
            above += bins.read(bin);
            bin -= 1;
        }
        told.write(0, bin);
        told.write(1, above);
    }
}

/// Writes what is kept of query `query`. All threads of the block call this.
#[inline(always)]
pub fn keep(args: &KeepArgs, query: u32, mut shared: SharedMemory) {
    let counts: Shared<U32x2> = shared.array(WARPS);
    let U32x4([score, ties, ..]) = args.limits.read(query);
    let stretch = args.targets.div_ceil(WARPS).next_multiple_of(32);
    let first = warp::warp_id() * stretch;
    let end = args.targets.min(first + stretch);
    let (mut above, mut equal, mut k) = (0, 0, first);
    while k < end {
        let [is_above, is_equal] = compared(args, query, (k, end), score);
        above += is_above.count_ones();
        equal += is_equal.count_ones();
        k += 32;
    }
    if warp::lane_id() == 0 {
        counts.write(warp::warp_id(), U32x2([above, equal]));
    }
    thread::sync_threads();
    (above, equal, k) = (0, 0, 0);
    while k < warp::warp_id() {
        let U32x2([some, others]) = counts.read(k);
        above += some;
        equal += others;
        k += 1;
    }
    write(args, query, (first, end), [score, ties, above, equal]);
}

/// Which of 32 targets have a higher score, and which have this one. All lanes of the warp call this.
#[inline(always)]
fn compared(args: &KeepArgs, query: u32, (first, end): (u32, u32), score: u32) -> [u32; 2] {
    let target = first + warp::lane_id();
    let own = if target < end { Some(args.scores.read(query * args.targets + target)) } else { None };
    [warp::ballot(own.is_some_and(|own| own > score)), warp::ballot(own == Some(score))]
}

/// Writes what is kept of a stretch, before which so many targets are above the limit's score and so many equal to it. All
/// lanes of the warp call this.
#[inline(always)]
fn write(args: &KeepArgs, query: u32, (first, end): (u32, u32), [score, ties, mut above, mut equal]: [u32; 4]) {
    let (start, before) = (args.starts.read(query), (1 << warp::lane_id()) - 1);
    let mut k = first;
    while k < end {
        let [is_above, is_equal] = compared(args, query, (k, end), score);
        let bit = 1 << warp::lane_id();
        let rank = equal + (is_equal & before).count_ones();
        if is_above & bit != 0 || is_equal & bit != 0 && rank < ties {
            let at = start + above + (is_above & before).count_ones() + rank.min(ties);
            let target = k + warp::lane_id();
            args.kept.write(at, U32x2([target, args.scores.read(query * args.targets + target)]));
        }
        above += is_above.count_ones();
        equal += is_equal.count_ones();
        k += 32;
    }
}
