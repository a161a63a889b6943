//! Patterns at hard positions, where too few tiles of a span can be looked up: what one warp does.
//!
//! Where patterns have one span each,
//!
//! ```text
//! lane l takes positions 32 l .. 32 l + 32 of a tile of 1024: a word of the bits that say which are hard
//!   hard positions -> queue (shared)
//! 32 positions, one a lane: the 32 symbols there are compared with those at the span of each pattern
//!   what has no more mismatches than a match is confirmed
//! ```
//!
//! Where patterns have several,
//!
//! ```text
//! of 8 tiles of 1024 positions, far from one another, those in which some are hard, one after another, but for one that is near no
//!   others than those of one run of wild digits: no match has all of its spans there
//! lane l takes positions 32 l .. 32 l + 32 of a tile: a word of the bits that say which are hard
//! 32 patterns, one a lane: too many wild digits under all places in the tile, by a look at sums: none matches
//! for each of the others: where its first span would lie at a hard position, do the others, too? A word again, shifted, for each of them
//!   too many wild digits under all of these places, in the same way
//!   else the lanes' places, one after another, are compared
//! ```

use super::search::{Candidate, Search, rank};
use crate::abi::{Hard, HardArgs};
use crate::tuning::{HARD_QUEUE, HARD_TILES, SPANS, TILE};
use cuda_std::bits::funnel_shift_right;
use cuda_std::{Shared, U32x4, warp};

/// Tries part `part` of the patterns, of one span each, at the hard positions of every `step`-th tile from `tile` on.
#[inline(always)]
pub fn of_one_span(args: &HardArgs, search: &Search, positions: Shared<u32>, (mut tile, step): (u32, u32), part: u32) {
    let (mut base, mut left, mut waiting) = (0, 0u32, 0);
    loop {
        let owners = warp::ballot(left != 0);
        if owners != 0 && waiting < 32 {
            if left != 0 {
                positions.write(waiting + rank(owners), base + left.trailing_zeros());
                left &= left - 1;
            }
            waiting += owners.count_ones();
        } else if owners == 0 && waiting < 32 && tile * TILE < args.end {
            base = tile * TILE + warp::lane_id() * 32;
            left = hard_in(args, base);
            tile += step;
        } else if waiting > 0 && !search.is_full() {
            let taken = if waiting < 32 { waiting } else { 32 };
            waiting -= taken;
            warp::sync();
            let has = warp::lane_id() < taken;
            let at = if has { positions.read(waiting + warp::lane_id()) } else { 0 };
            warp::sync();
            compare_all(args, search, (has, at), part);
        } else {
            break;
        }
    }
}

/// Compares each lane's position, if it has one, with part `part` of the patterns. All lanes call this.
#[inline(always)]
fn compare_all(args: &HardArgs, search: &Search, (has, at): (bool, u32), part: u32) {
    let [low, high, wild] = search.digits_at(at);
    let heads = args.heads.len() as u32;
    let mut number = part;
    while number < heads {
        let U32x4([of_low, of_high, single, mismatches]) = args.heads.read(number);
        let different = (low ^ of_low | high ^ of_high) & single & !wild;
        let possible = has && different.count_ones() <= mismatches;
        if warp::ballot(possible) != 0 {
            let U32x4([pattern, before, ..]) = args.spans.read(number);
            search.confirm(possible, Candidate { at, pattern, before });
        }
        number += args.parts;
    }
}

/// The hard ones of the 32 positions from `base` on that are left, and asked for.
#[inline(always)]
fn hard_in(args: &HardArgs, base: u32) -> u32 {
    args.left.bits.read(base / 32) & within(base, args.first, args.end)
}

/// Tries part `part` of the patterns, of several spans each, at the hard positions of `HARD_TILES` tiles: every `step`-th from `first` on, as
/// those with hard positions lie side by side, and other warps are to have some of them. All lanes call this.
#[inline(always)]
pub fn of_several_spans(args: &HardArgs, search: &Search, (first, step): (u32, u32), part: u32) {
    let tile = first + step * warp::lane_id();
    let exists = warp::lane_id() < HARD_TILES && u64::from(tile) < args.hard.tiles.len();
    let mut tiles = warp::ballot(exists && args.left.tiles.read(tile) != 0);
    while tiles != 0 && !search.is_full() {
        let tile = first + step * tiles.trailing_zeros();
        if !is_near_one_run(args, search, tile) {
            in_tile(args, search, tile, part);
        }
        tiles &= tiles - 1;
    }
}

/// Whether all hard positions that are as near a tile with some as spans of a pattern are to one another lie in one run of wild digits, in
/// which no match may have all of its spans. All lanes call this.
#[inline(always)]
fn is_near_one_run(args: &HardArgs, search: &Search, tile: u32) -> bool {
    let reach = args.reach.div_ceil(TILE);
    if args.slack == u32::MAX || 2 * reach >= warp::LANES || search.most_wild(0) > 0 {
        return false;
    }
    let other = (tile + warp::lane_id()).wrapping_sub(reach);
    let is_near = warp::lane_id() <= 2 * reach && u64::from(other) < args.hard.tiles.len();
    let hard = warp::ballot(is_near && args.hard.tiles.read(other) != 0);
    // The first and the last hard position of these tiles.
    let (first, last) = (tile + hard.trailing_zeros() - reach, tile + 31 - hard.leading_zeros() - reach);
    let word = |tile: u32| args.hard.bits.read(tile * warp::LANES + warp::lane_id());
    let (of_first, of_last) = (word(first), word(last));
    let lane = warp::ballot(of_first != 0).trailing_zeros();
    let start = first * TILE + 32 * lane + warp::shuffle(of_first, lane % 32, 32).trailing_zeros();
    let lane = 31 - warp::ballot(of_last != 0).leading_zeros();
    let end = last * TILE + 32 * lane + 31 - warp::shuffle(of_last, lane % 32, 32).leading_zeros() + args.length;
    search.wild_in(start, end - start) + args.slack >= end - start
}

/// The same in one tile. All lanes call this.
#[inline(always)]
fn in_tile(args: &HardArgs, search: &Search, tile: u32, part: u32) {
    let base = tile * TILE + warp::lane_id() * 32;
    let hard = hard_in(args, base);
    if warp::ballot(hard != 0) == 0 {
        return;
    }
    let patterns = args.spans.len() as u32 / SPANS;
    let mut first = part * warp::LANES;
    while first < patterns && !search.is_full() {
        // Nearly all patterns end here where wild symbols are many, 32 at a time.
        let number = first + warp::lane_id();
        let mut possible = warp::ballot(
            number < patterns && {
                let U32x4([pattern, before, ..]) = args.spans.read(number * SPANS);
                may_match(search, Candidate { at: tile * TILE, pattern, before }, TILE)
            },
        );
        while possible != 0 {
            try_one(args, search, (base, hard), first + possible.trailing_zeros());
            possible &= possible - 1;
        }
        first += args.parts * warp::LANES;
    }
}

/// Tries one pattern at the `hard` ones of each lane's 32 positions from `base` on. All lanes call this.
#[inline(always)]
fn try_one(args: &HardArgs, search: &Search, (base, hard): (u32, u32), number: u32) {
    let U32x4([pattern, before, ..]) = args.spans.read(number * SPANS);
    // All are read before any is looked at, so that none waits for another.
    let others = [1, 2, 3].map(|k| {
        let U32x4([_, other, ..]) = args.spans.read(number * SPANS + k);
        shifted(&args.hard, base.wrapping_add(other).wrapping_sub(before))
    });
    let mut left = hard & others[0] & others[1] & others[2];
    let candidate = |left: u32| Candidate { at: base + left.trailing_zeros() % 32, pattern, before };
    if left != 0 && !may_match(search, candidate(left), 32) {
        left = 0;
    }
    while warp::ballot(left != 0) != 0 {
        search.confirm(left != 0, candidate(left));
        left &= left.wrapping_sub(1);
    }
}

/// Whether positions are marked in a tile that is at most `reach` less one from this one. All lanes call this.
#[inline(always)]
pub fn is_near(hard: &Hard, tile: u32, reach: u32) -> bool {
    let mut near = false;
    let mut other = tile.saturating_sub(reach) + warp::lane_id();
    while other <= tile + reach {
        near |= u64::from(other) < hard.tiles.len() && hard.tiles.read(other) != 0;
        other += warp::LANES;
    }
    warp::ballot(near) != 0
}

/// Whether a position is marked.
#[inline(always)]
pub fn is_marked(hard: &Hard, place: u32) -> bool {
    hard.bits.read(place / 32) >> (place % 32) & 1 != 0
}

/// Which of the 32 positions from `base` on are in `first..end`.
#[inline(always)]
pub fn within(base: u32, first: u32, end: u32) -> u32 {
    let below = |limit: u32| {
        if base >= limit {
            0
        } else if limit - base >= 32 {
            u32::MAX
        } else {
            (1 << (limit - base)) - 1
        }
    };
    below(end) & !below(first)
}

/// Bit j: position `from` + j is hard. Before the first position and behind the last one, none is.
#[inline(always)]
pub fn shifted(hard: &Hard, from: u32) -> u32 {
    let read = |word: u32| if u64::from(word) < hard.bits.len() { hard.bits.read(word) } else { 0 };
    // What is before the first position has the largest numbers, and the word behind the last of them is the first.
    funnel_shift_right(read(from / 32), read((from / 32 + 1) & (u32::MAX / 32)), from % 32)
}

/// Whether a pattern may match where its first span lies at one of `places` positions from that of the candidate on: the symbols that it would lie
/// over at any of them have no more wild ones than a match.
#[inline(always)]
pub fn may_match(search: &Search, Candidate { at, pattern, before }: Candidate, places: u32) -> bool {
    let (length, most) = search.length_and_wild(pattern);
    // What reaches out of all sequences is refused later.
    let inside = at >= before && at - before <= search.total && search.total - (at - before) >= length;
    !inside || length < places || search.wild_in(at - before + places - 1, length - places + 1) <= most
}

const _: () = assert!(HARD_QUEUE == 64 && SPANS == 4);
