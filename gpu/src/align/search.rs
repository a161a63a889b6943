//! Scores of one query with many targets: what a search asks of a database.
//!
//! ```text
//! item (query, some of the targets) -> profile of the query (shared memory) -> warps take bundles of targets, the longest first
//!      -> each group of lanes a couple of targets, a residue of both per step -> scores
//! ```
//!
//! A lane holds `R` residues of the query, so a group of 4, 8 or 16 lanes holds a *strip* of it. A longer query has several strips,
//! and H and F of a strip's last row wait in memory for the next. Blocks take items, and warps take bundles, whenever they are
//! free: nothing but the order of work depends on who is first. When no item is left, blocks help each other: several take bundles
//! of the same item, so that all end together, and none waits for its slowest warp before it has to change the profile. (Items that
//! were parts of a query's targets, so small that blocks ended together, made a warp wait a tenth of the time.)
//!
//! Only the score is computed. A score of 16 bits that comes within one residue's score of the largest number may have passed
//! it; it was noted before, so the host sees that such a score is not to be trusted.

mod lane;
mod profile;

use super::cell::Scores;
use crate::abi::{SearchArgs, SearchRules};
use cuda_std::{Shared, SharedMemory, U32x4, thread, warp};
use lane::Lane;

/// What the search is compiled for: scores, whether gaps are affine, and what opening and extending one costs, unless the rules say.
pub trait Kind {
    type Scores: Scores;
    const AFFINE: bool;
    const GAP: Option<[i32; 2]>;
}

/// Elements of 16 scores that hold a lane's residues of the query.
pub const fn parts(residues: u32) -> u32 {
    residues.div_ceil(16)
}

/// Bytes of shared memory of a block, for queries of up to `rules.strips` strips.
pub fn shared_bytes(rules: &SearchRules, residues: u32) -> u32 {
    profile_len(rules, residues) * 16 + TICKETS * 4
}

/// Words of a block before its profile, as many as the profile's alignment asks for: the item it has, the item it looks at next, and
/// how many it has still to look at.
const TICKETS: u32 = 4;

/// Elements of the profile: indexed by strip, code (the last one is the padding's), part, lane.
#[inline(always)]
fn profile_len(rules: &SearchRules, residues: u32) -> u32 {
    rules.strips * (rules.codes + 1) * parts(residues) * rules.slots()
}

/// Takes items until there are no more. All threads of the block call this.
#[inline(always)]
pub fn search<K: Kind, const R: usize>(args: &SearchArgs, mut shared: SharedMemory) {
    let tickets: Shared<u32> = shared.array(TICKETS);
    let profile = shared.array(profile_len(&args.rules, R as u32));
    let first = thread::thread_idx_x() == 0;
    if first {
        begin(args, tickets);
    }
    loop {
        if first {
            next(args, tickets);
        }
        thread::sync_threads();
        let item = tickets.read(0);
        if u64::from(item) >= args.items.len() {
            return;
        }
        let place = args.places.read(args.items.read(item).0[0]);
        let strips = args.rules.strips_of(place.0[1], R as u32);
        profile::build::<R>(args, place, strips, &profile);
        thread::sync_threads();
        bundles::<K, R>(args, strips, (profile, tickets));
        // Without this barrier ptxas takes the warp for one that may have parted, and all its shuffles cost several times as much.
        thread::sync_threads();
    }
}

/// Units that a warp takes together: one for each of its groups.
#[inline(always)]
fn groups(args: &SearchArgs) -> u32 {
    32 >> args.rules.lanes.trailing_zeros()
}

/// A block takes items that no other has; then it helps with what is left of the others. It looks at as many as there are blocks, once
/// each: no more can be open, and mostly it is the last ones that are.
#[inline(always)]
fn begin(args: &SearchArgs, tickets: Shared<u32>) {
    let window = window(args);
    let first = args.items.len() as u32 - window;
    tickets.write(1, first + thread::block_idx_x().checked_rem(window).unwrap_or(0));
    tickets.write(2, window);
}

/// How many of the last items a block looks at.
#[inline(always)]
fn window(args: &SearchArgs) -> u32 {
    (args.items.len() as u32).min(thread::grid_dim_x())
}

/// Writes the block's next item, or a number that is none. One thread of the block calls this.
#[inline(always)]
fn next(args: &SearchArgs, tickets: Shared<u32>) {
    let items = args.items.len() as u32;
    let mut item = args.taken.fetch_add(0, 1);
    let (mut at, mut left) = (tickets.read(1), tickets.read(2));
    while item >= items && left > 0 {
        if needs_help(args, at) {
            item = at;
        }
        at = if at + 1 < items { at + 1 } else { items - window(args) };
        left -= 1;
    }
    tickets.write(0, item);
    tickets.write(1, at);
    tickets.write(2, left);
}

/// Whether each warp of another block could take a bundle of an item.
#[inline(always)]
fn needs_help(args: &SearchArgs, item: u32) -> bool {
    let U32x4([_, first, end, _]) = args.items.read(item);
    let taken = args.taken.fetch_add(1 + item, 0) + thread::block_dim_x() / 32;
    u64::from(taken) * u64::from(groups(args)) <= u64::from(end - first)
}

/// Takes bundles of the block's item until there are no more. All lanes of the warp call this. What it has in shared
/// memory it reads for each bundle, so that no register holds it meanwhile.
#[inline(always)]
fn bundles<K: Kind, const R: usize>(args: &SearchArgs, strips: u32, (profile, tickets): (Shared<U32x4>, Shared<u32>)) {
    let lanes = args.rules.lanes;
    loop {
        let item = tickets.read(0);
        let mut bundle = 0;
        if warp::lane_id() == 0 {
            bundle = args.taken.fetch_add(1 + item, 1);
        }
        let U32x4([_, first, end, _]) = args.items.read(item);
        let unit = first + warp::shuffle(bundle, 0, 32) * groups(args);
        if unit >= end {
            return;
        }
        // A group without a unit repeats the last one and writes nothing.
        let own = unit + (warp::lane_id() >> lanes.trailing_zeros());
        let [_, longest] = args.couples.read(unit >> (2 - K::Scores::PAIRS)).0;
        let mut lane = Lane::<K, R>::new(args, profile, own.min(end - 1));
        let best = lane.run(strips, longest);
        let U32x4([query, _, end, _]) = args.items.read(tickets.read(0));
        if own < end && warp::lane_id() & (lanes - 1) == 0 {
            write::<K>(args, query, own, best);
        }
    }
}

/// Writes a unit's scores, the better of these and those of the other strand.
#[inline(always)]
fn write<K: Kind>(args: &SearchArgs, query: u32, unit: u32, best: u32) {
    let mut k = 0;
    while k < K::Scores::PAIRS {
        let target = args.order.read(unit * K::Scores::PAIRS + k);
        if target < args.rules.targets {
            let at = query * args.rules.targets + target;
            let mut score = K::Scores::get(best, k) as u32;
            if args.rules.second != 0 {
                score = score.max(args.scores.read(at));
            }
            args.scores.write(at, score);
        }
        k += 1;
    }
}
