//! Building the anchor table: what one warp or thread does.

use super::cell;
use crate::abi::{ChooseArgs, CountArgs, FillArgs, FoldArgs, OffsetsArgs, Patterns};
use crate::tuning::{ANCHOR, CODES, ENTRY_UNIT, OFFSETS_PER_THREAD};
use cuda_std::{Global, U32x2, U32x4, warp};

/// Folds two digits of 25 counts: each becomes the number of windows that are compatible with its code in these two
/// digits.
///
/// For one digit, a base is compatible with itself and with wild, and wild with everything. Folding digit by digit
/// gives compatibility in all digits, since codes are compatible when each of their digits is.
#[inline(always)]
pub fn fold(args: &FoldArgs, group: u32) {
    // It is never 0. Saying so spares the division a check.
    let place = if args.place == 0 { 1 } else { args.place };
    let first = group / place * (25 * place) + group % place;
    let mut counts = [0u32; 25];
    let mut i = 0;
    while i < 25 {
        counts[i] = args.counts.read(first + i as u32 * place);
        i += 1;
    }
    let mut i = 0;
    while i < 5 {
        fold_digit(&mut counts, 5 * i, 1);
        i += 1;
    }
    let mut i = 0;
    while i < 5 {
        fold_digit(&mut counts, i, 5);
        i += 1;
    }
    let mut i = 0;
    while i < 25 {
        args.counts.write(first + i as u32 * place, counts[i]);
        i += 1;
    }
}

#[inline(always)]
fn fold_digit(counts: &mut [u32; 25], first: usize, step: usize) {
    let wild = counts[first + 4 * step];
    let mut all = wild;
    let mut k = 0;
    while k < 4 {
        all += counts[first + k * step];
        counts[first + k * step] += wild;
        k += 1;
    }
    counts[first + 4 * step] = all;
}

/// Finds the anchor of a pattern: the first of its windows with the least folded count. A pattern shorter than a window
/// has one window, padded with wild symbols.
#[inline(always)]
pub fn choose(args: &ChooseArgs, pattern: u32) {
    let [first_word, length, ..] = args.patterns.info.read(pattern).0;
    let windows = if length < ANCHOR { 1 } else { length - ANCHOR + 1 };
    let (mut least, mut at) = (u32::MAX, u32::MAX);
    let mut word = warp::lane_id();
    while 32 * word < windows {
        let group = args.patterns.digits.read(first_word + word);
        let next = args.patterns.digits.read(first_word + word + 1).0[0];
        cell::each_code(&cell::unpack(group, next), |j, code| {
            let position = 32 * word + j;
            if position < windows {
                let count = args.counts.read(code);
                if count < least {
                    (least, at) = (count, position);
                }
            }
        });
        word += warp::LANES;
    }
    let rarest = warp::reduce_min(least);
    let anchor = warp::reduce_min(if least == rarest { at } else { u32::MAX });
    if warp::lane_id() == 0 {
        let probe = probe(&args.patterns, first_word, length, anchor);
        let codes = cell::compatible_codes(probe);
        args.anchors.write(pattern, U32x4([anchor, rarest, codes, 0]));
        args.probes.write(pattern, U32x4([probe[0], probe[1], probe[2], 0]));
        divide(args, pattern, rarest, codes);
    }
}

/// Decides whether a pattern goes into the table. When there is not enough room, which patterns get it differs from run
/// to run; the matches found do not.
#[inline(always)]
fn divide(args: &ChooseArgs, pattern: u32, candidates: u32, codes: u32) {
    let (division, costs) = (&args.division, &args.costs);
    let through_table = u64::from(candidates) * costs.candidate + u64::from(codes) * costs.code;
    let units = codes.div_ceil(ENTRY_UNIT);
    // Reading it first keeps the sum from growing without bound once there is no room left.
    let fits = || {
        u64::from(division.counts.fetch_add(2, 0)) < costs.room
            && u64::from(division.counts.fetch_add(2, units) + units) <= costs.room
    };
    if through_table < costs.everywhere && fits() {
        division.listed.write(division.counts.fetch_add(0, 1), pattern);
    } else {
        division.tried.write(division.counts.fetch_add(1, 1), pattern);
    }
}

/// The digit planes of the 32 symbols of a pattern from `anchor` on. Symbols past its end are wild.
#[inline(always)]
fn probe(patterns: &Patterns, first_word: u32, length: u32, anchor: u32) -> [u32; 3] {
    let word = first_word + anchor / 32;
    let window = cell::window(patterns.planes.read(word), patterns.planes.read(word + 1), anchor % 32);
    let [low, high, wild] = cell::digit_planes(window);
    let present = cell::present(0, length - anchor);
    [low & present, high & present, wild | !present]
}

/// Probe `pattern`, as digit planes.
#[inline(always)]
pub fn read_probe(probes: &Global<U32x4>, pattern: u32) -> [u32; 3] {
    let [low, high, wild, _] = probes.read(pattern).0;
    [low, high, wild]
}

/// Counts a pattern in the lists of all codes compatible with its anchor. The warp's lanes take turns.
#[inline(always)]
pub fn count(args: &CountArgs, pattern: u32) {
    let probe = read_probe(&args.probes, pattern);
    let codes = cell::compatible_codes(probe);
    let mut index = warp::lane_id();
    while index < codes {
        let code = cell::compatible_code(probe, index);
        args.counts.fetch_add(code, 1);
        args.bitmap.or(code / 32, 1 << (code % 32));
        index += warp::LANES;
    }
}

/// Places the lists of this thread's codes: the warp adds up the lengths of its lists and reserves that many entries at
/// once. The order of lists does not matter.
#[inline(always)]
pub fn offsets(args: &OffsetsArgs, first_code: u32) {
    let end = if first_code + OFFSETS_PER_THREAD < CODES { first_code + OFFSETS_PER_THREAD } else { CODES };
    let mut mine = 0;
    let mut code = first_code;
    while code < end {
        mine += args.counts.read(code);
        code += 1;
    }
    let through = inclusive_sum(mine);
    let total = warp::shuffle(through, 31, 32);
    let placed = if warp::lane_id() == 0 && total > 0 { args.placed.fetch_add(0, total) } else { 0 };
    let mut at = warp::shuffle(placed, 0, 32) + through - mine;
    let mut code = first_code;
    while code < end {
        let count = args.counts.read(code);
        args.lists.write(code, U32x2([at, count]));
        args.counts.write(code, 0);
        at += count;
        code += 1;
    }
}

/// The sum of the values of this lane and of all lanes below it.
#[inline(always)]
pub fn inclusive_sum(value: u32) -> u32 {
    let lane = warp::lane_id();
    let mut sum = value;
    let mut distance = 1;
    while distance < 32 {
        let below = warp::shuffle_up(sum, distance, 32);
        if lane >= distance {
            sum += below;
        }
        distance *= 2;
    }
    sum
}

/// Adds a pattern to the lists of all codes compatible with its anchor.
#[inline(always)]
pub fn fill(args: &FillArgs, pattern: u32) {
    let probe = read_probe(&args.probes, pattern);
    let codes = cell::compatible_codes(probe);
    let mut index = warp::lane_id();
    while index < codes {
        let code = cell::compatible_code(probe, index);
        let place = args.lists.read(code).0[0] + args.filled.fetch_add(code, 1);
        args.entries.write(place, cell::entry(pattern, probe));
        index += warp::LANES;
    }
}
