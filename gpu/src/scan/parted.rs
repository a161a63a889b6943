//! Patterns in parts at starts where too many of their spans lie at hard positions: what one warp does.
//!
//! ```text
//! sums of the hard positions, and of the runs of them, in a tile of 1024 positions and in the tiles behind it: lane l those of the
//!   first l + 1, the last lane those of all
//! 32 patterns, one a lane: by a look at these sums, and at those of wild digits, nearly all are done with
//! for each of the others: lane l takes positions 32 l .. 32 l + 32 of the tile
//!   a word of hard positions for each span, shifted: where more than are spare are hard is a mask of these
//!   32 starts, one a lane, 32 symbols at a time: compared with the pattern until all have too many mismatches
//!   what is left is confirmed
//! ```

use super::hard::{may_match, shifted, within};
use super::search::{Candidate, Search};
use crate::abi::{Hard, PartedArgs};
use crate::tuning::TILE;
use cuda_std::{U32x4, warp};

/// Hard positions of some tiles, and runs of them.
#[derive(Clone, Copy)]
struct Sums {
    positions: u32,
    runs: u32,
}

/// Tries part `part` of the patterns at the positions of a tile. All lanes call this.
#[inline(always)]
pub fn in_tile(args: &PartedArgs, search: &Search, tile: u32, part: u32) {
    let sums = sums(&args.hard, tile, args.reach);
    if warp::ballot(sums.runs > 0) == 0 {
        return;
    }
    let base = tile * TILE;
    let patterns = args.parted.len() as u32;
    let mut first = part * warp::LANES;
    while first < patterns && !search.is_full() {
        let number = first + warp::lane_id();
        let exists = number < patterns;
        // The last one again, where there are no more: all lanes take part.
        let own = if exists { number } else { patterns - 1 };
        let U32x4([pattern, before, step, spans]) = args.parted.read(own);
        let is_wanted = may_have_more(sums, (step, spans), args.spare.read(own));
        let mut possible =
            warp::ballot(exists && is_wanted && may_match(search, Candidate { at: base, pattern, before }, TILE));
        while possible != 0 {
            try_one(args, search, base, first + possible.trailing_zeros());
            possible &= possible - 1;
        }
        first += args.parts * warp::LANES;
    }
}

/// In lane l, the sums of the tiles from `tile` to `tile` + l, in the last lane those of all in which spans may lie that are at most `reach` behind one
/// in it. All lanes call this.
#[inline(always)]
fn sums(hard: &Hard, tile: u32, reach: u32) -> Sums {
    let mut sums = Sums { positions: 0, runs: 0 };
    let mut own = sums;
    let (mut k, mut last) = (0, 0);
    while k <= reach.div_ceil(TILE) && u64::from(tile + k) < hard.tiles.len() {
        if hard.tiles.read(tile + k) == 0 {
            last = 0;
        } else {
            let at = (tile + k) * warp::LANES + warp::lane_id();
            let word = if u64::from(at) < hard.bits.len() { hard.bits.read(at) } else { 0 };
            let below = warp::shuffle_up(word, 1, 32);
            let before = if warp::lane_id() == 0 { last } else { below };
            let begun = word & !(word << 1 | before >> 31);
            last = warp::shuffle(word, 31, 32);
            // 1024 of each at most.
            let of_tile = warp::reduce_add(word.count_ones() | begun.count_ones() << 16);
            sums.positions += of_tile & 0xffff;
            sums.runs += of_tile >> 16;
        }
        if warp::lane_id() == k {
            own = sums;
        }
        k += 1;
    }
    if warp::lane_id() < k && warp::lane_id() < warp::LANES - 1 { own } else { sums }
}

/// Whether more than `spare` spans, `step` symbols from one to the next, may lie at hard positions, the first in a tile with these sums. Of each
/// run, no more lie there than it has room for, and one. All lanes call this.
#[inline(always)]
fn may_have_more(sums: Sums, (step, spans): (u32, u32), spare: u32) -> bool {
    let tiles = ((spans - 1) * step).div_ceil(TILE);
    let lane = if tiles < warp::LANES { tiles } else { warp::LANES - 1 };
    let (positions, runs) = (warp::shuffle(sums.positions, lane, 32), warp::shuffle(sums.runs, lane, 32));
    runs > spare || positions >= (spare + 1 - runs).saturating_mul(step)
}

/// Tries one pattern at the positions from `base` on. All lanes call this with the same arguments.
#[inline(always)]
fn try_one(args: &PartedArgs, search: &Search, base: u32, number: u32) {
    let U32x4([pattern, before, step, spans]) = args.parted.read(number);
    let own = base + warp::lane_id() * 32;
    let mut counter = Counter { planes: [0; PLANES], over: 0 };
    let mut k = 0;
    while k < spans {
        counter.add(shifted(&args.hard, own + k * step));
        k += 1;
    }
    let left = counter.more_than(args.spare.read(number)) & within(own, args.first, args.end);
    let mut owners = warp::ballot(left != 0);
    while owners != 0 && !search.is_full() {
        let owner = owners.trailing_zeros();
        owners &= owners - 1;
        let at = base + owner * 32 + warp::lane_id();
        let candidate = Candidate { at, pattern, before };
        let is_left = warp::shuffle(left, owner, 32) >> warp::lane_id() & 1 != 0;
        search.confirm_side_by_side(is_left && may_match(search, candidate, 1), candidate);
    }
}

/// Binary digits of a count.
const PLANES: usize = 16;

/// Counts for 32 positions at a time, a plane for each bit.
struct Counter {
    planes: [u32; PLANES],
    /// Positions that were counted more often than that tells.
    over: u32,
}

impl Counter {
    /// Counts the positions of `mask` once more.
    #[inline(always)]
    fn add(&mut self, mask: u32) {
        if mask == 0 {
            return;
        }
        let mut carry = mask;
        unroll!(k in 0 1 2 3; { carry = self.carried(k, carry); });
        if carry != 0 {
            unroll!(k in 4 5 6 7 8 9 10 11 12 13 14 15; { carry = self.carried(k, carry); });
            self.over |= carry;
        }
    }

    #[inline(always)]
    fn carried(&mut self, k: usize, carry: u32) -> u32 {
        let next = self.planes[k] & carry;
        self.planes[k] ^= carry;
        next
    }

    /// The positions that were counted more than `most` times, and maybe others where that is more than a count tells.
    #[inline(always)]
    fn more_than(&self, most: u32) -> u32 {
        let (mut more, mut same) = (self.over, u32::MAX);
        unroll!(k in 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0; {
            let bit = 0u32.wrapping_sub(most >> k & 1);
            more |= same & self.planes[k] & !bit;
            same &= !(self.planes[k] ^ bit);
        });
        let _ = same;
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted() {
        let mut counter = Counter { planes: [0; PLANES], over: 0 };
        let mut counts = [0u32; 32];
        for k in 1..=140_000u32 {
            // Position 0 always, 1 every second time, and so on.
            let mask = (0..32).filter(|at| k % (at + 1) == 0).map(|at| 1 << at).sum();
            counter.add(mask);
            (0..).zip(&mut counts).for_each(|(at, count)| *count += mask >> at & 1);
            if k.is_power_of_two() || [31, 1000, 65_535, 65_537, 140_000].contains(&k) {
                for most in [0, 1, 14, 15, 16, 17, 400, 4375, 65_534, 65_535] {
                    let more = counter.more_than(most);
                    assert!((0..32).all(|at| (more >> at & 1 == 1) == (counts[at] > most)), "{k} {most}");
                }
                assert!((0..32).all(|at| counts[at] <= 70_000 || counter.more_than(70_000) >> at & 1 == 1));
            }
        }
    }
}
