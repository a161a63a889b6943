//! Patterns whose first spans lie at hard positions, found by their windows (`host/scan/seeds/windows.rs`): what one warp does.
//!
//! ```text
//! scan_mark, of each tile of 1024 positions near hard ones
//!   lane l takes positions 32 l .. 32 l + 32: every eighth of them, with the wild digits of a mark there
//!   of each cell of positions, the mark in it with the fewest, if these are few
//! scan_window, of each tile
//!   mark, a place a lane: the window there, under all codes that agree -> its list, an entry after another
//!     what agrees, of a pattern whose first span then lies at a hard position, is confirmed
//!   from one mark to the `needed`-th behind it: if a pattern may lie there, over fewer, all hard positions there are left
//! ```
//!
//! What is left is found by other spans, or compared.

use super::cell;
use super::hard::{is_marked, is_near, within};
use super::search::{Candidate, Search};
use crate::abi::{FAR, LEFT, NO_MARK, WindowArgs};
use crate::sequences::holding_of;
use crate::tuning::{BESIDE, MARK_WILD, SPANS, TILE};
use cuda_std::bits::funnel_shift_right;
use cuda_std::{U32x2, U32x4, warp};

/// Positions from one that is looked at for a mark to the next.
const TRIED: u32 = 8;

/// Symbols of a mark.
#[inline(always)]
fn symbols(args: &WindowArgs) -> u32 {
    args.places + args.seeds.form.tile - 1
}

/// Which of the symbols of a tile of so many that begins at bit 0 exist.
#[inline(always)]
fn first_bits(count: u32) -> u32 {
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}

/// Writes the marks of a tile. All lanes call this.
#[inline(always)]
pub fn mark(args: &WindowArgs, search: &Search, tile: u32) {
    let is_near = is_near(&args.hard, tile, args.reach);
    let (lane, lanes) = (warp::lane_id(), (1 << args.cell_bits) / 32);
    // Wild digits of a mark, and its place in the tile.
    let mut best = u32::MAX;
    if is_near {
        let word = |k: u32| search.digits(tile * warp::LANES + lane + k)[2];
        let (wild, symbols) = ([word(0), word(1), word(2)], symbols(args));
        let mut at = 0;
        while at < 32 {
            let low = funnel_shift_right(wild[0], wild[1], at) & first_bits(symbols);
            let high = funnel_shift_right(wild[1], wild[2], at) & first_bits(symbols.saturating_sub(32));
            let count = low.count_ones() + high.count_ones();
            // Inside of the cell, so that no two have a symbol in common.
            if (32 * lane + at) % (1 << args.cell_bits) + symbols <= 1 << args.cell_bits {
                best = best.min(count * TILE + 32 * lane + at);
            }
            at += TRIED;
        }
    }
    let mut distance = 1;
    while distance < lanes {
        best = best.min(warp::shuffle_xor(best, distance));
        distance *= 2;
    }
    if lane & (lanes - 1) == 0 {
        let mark = if best / TILE <= MARK_WILD { tile * TILE + best % TILE } else { NO_MARK };
        args.marks.write((tile * TILE + 32 * lane) >> args.cell_bits, if is_near { mark } else { FAR });
    }
}

/// Looks up the windows at the marks of a tile, and marks the hard positions that are left behind these. All lanes call this.
#[inline(always)]
pub fn find(args: &WindowArgs, search: &Search, tile: u32) {
    let end = ((tile + 1) * TILE) >> args.cell_bits;
    let mut number = (tile * TILE) >> args.cell_bits;
    while number < end && !search.is_full() {
        let mark = args.marks.read(number);
        if mark < FAR {
            look_up(args, search, (number, mark));
            leave(args, search, mark + 1, number + 1);
        }
        if mark != FAR && (number == 0 || args.marks.read(number - 1) == FAR) {
            leave(args, search, number << args.cell_bits, number);
        }
        number += 1;
    }
}

/// Looks up the windows at a mark, that of cell `number`. All lanes call this.
#[inline(always)]
fn look_up(args: &WindowArgs, search: &Search, (number, mark): (u32, u32)) {
    let length = args.seeds.form.tile;
    let at = mark + warp::lane_id();
    let [low, high, wild] = search.digits_at(at);
    let (least, wild) = (cell::code(low & !wild, high & !wild, length), wild & first_bits(length));
    let wild = wild | wild << length;
    let [low, high, unknown] = search.digits_at(at + length);
    let (beside, unknown) = (cell::digest(low, high), unknown & first_bits(BESIDE));
    // The code that is next, whether there is one, and what is left of the list of the one before.
    let (mut subset, mut has_code, mut code) = (0, warp::lane_id() < args.places, 0);
    let (mut next, mut end) = (0, 0);
    loop {
        let (mut found, mut candidate) = (false, Candidate { at: 0, pattern: 0, before: 0 });
        while !found && (next < end || has_code) {
            if next < end {
                let entry = args.seeds.entries.read(next);
                next += 1;
                if cell::is_under(entry, code) && cell::differences(entry, beside, unknown) < args.needed {
                    (found, candidate) = pattern_at(args, search, (entry, at), number);
                }
            } else {
                code = least | subset;
                subset = cell::next_subset(subset, wild);
                has_code = subset != 0;
                if args.seeds.bits.read(code / 32) >> (code % 32) & 1 != 0 {
                    let list = code >> args.seeds.form.shift;
                    (next, end) = (args.seeds.starts.read(list), args.seeds.starts.read(list + 1));
                }
            }
        }
        if warp::ballot(found) == 0 {
            return;
        }
        search.confirm(found, candidate);
    }
}

/// The pattern whose window lies at a place in the mark of cell `number`, and whether it is to be found there: its first span lies at a hard
/// position that is asked for and, without mismatches, it lies over no mark before.
#[inline(always)]
fn pattern_at(args: &WindowArgs, search: &Search, (entry, at): (U32x2, u32), number: u32) -> (bool, Candidate) {
    let window = cell::entry_span(entry);
    let holder = holding_of(&args.starts, args.starts.len() as u32, window);
    let offset = window - args.starts.read(holder);
    let U32x4([pattern, before, ..]) = args.seeds.spans.read(holder * SPANS);
    let start = at.wrapping_sub(offset);
    let place = start.wrapping_add(before);
    let is_there = at >= offset && place < search.total && place >= args.first && place < args.end;
    let is_asked = is_there && is_marked(&args.hard, place);
    let is_first = is_asked && (args.needed > 1 || !has_mark_before(args, start, number));
    (is_first, Candidate { at: place, pattern, before })
}

/// Whether there is a mark from `start` on in a cell before this one.
#[inline(always)]
fn has_mark_before(args: &WindowArgs, start: u32, mut number: u32) -> bool {
    while number << args.cell_bits > start {
        number -= 1;
        let mark = args.marks.read(number);
        if mark < FAR {
            return mark >= start;
        }
    }
    false
}

/// Leaves the hard positions from `start` on, where a pattern may lie over fewer marks of cells from this one on than are needed. All lanes
/// call this.
#[inline(always)]
fn leave(args: &WindowArgs, search: &Search, start: u32, mut number: u32) {
    let cells = (search.total.div_ceil(TILE) * TILE) >> args.cell_bits;
    let (mut needed, mut end) = (args.needed, search.total);
    while number < cells && needed > 0 {
        let other = number + warp::lane_id();
        let mark = if other < cells { args.marks.read(other) } else { NO_MARK };
        let mut ends = warp::ballot(mark != NO_MARK);
        while ends != 0 && needed > 0 {
            let lane = ends.trailing_zeros();
            let mark = warp::shuffle(mark, lane, 32);
            needed = if mark == FAR { 0 } else { needed - 1 };
            end = if mark == FAR { (number + lane) << args.cell_bits } else { mark + symbols(args) - 1 };
            ends &= ends - 1;
        }
        // A mark that is not the last needed does not end it.
        end = if needed > 0 { search.total } else { end };
        number += warp::LANES;
    }
    let end = end.min(search.total);
    if end < start || end - start < args.shortest {
        return;
    }
    let mut single = 0;
    let mut from = start;
    while from < end {
        let first = from + warp::lane_id() * TILE;
        let length = if first < end { (end - first).min(TILE) } else { 0 };
        let own = if length > 0 { length - search.wild_in(first, length) } else { 0 };
        single += warp::reduce_add(own);
        from += warp::LANES * TILE;
    }
    if single < args.least_single && search.most_wild(0) == 0 {
        return;
    }
    let mut base = start / 32 * 32 + warp::lane_id() * 32;
    while base < end {
        let left = args.hard.bits.read(base / 32) & within(base, start, end) & within(base, args.first, args.end);
        if left != 0 {
            args.left.bits.or(base / 32, left);
            args.left.tiles.or(base / TILE, 1);
            args.matches.count.or(1, LEFT);
        }
        base += warp::LANES * 32;
    }
}
