//! Rolls over a segment and examines the candidates of the anchor table.
//!
//! Codes come 64 at a time without a serial chain: two digits make a pair, two pairs a quad, two quads a code, each step one
//! multiplication over the whole block. The bitmap of anchors then gives one 64-bit word of positions that may have candidates:
//! about one in seven at 10 % N and 2000 patterns. At one in seven of these, the code of the next window is in the bitmap of what
//! follows an anchor, and at one in seven of those that of the window behind it. Only there the list is looked up, which is not in
//! a cache as the bitmaps are.

use super::alphabet::Alphabet;
use super::plan::PROBE;
use super::search::Search;
use crate::anchor::{ALL_WILD, Bitmap, FOLLOWING, WINDOW};
use std::ops::Range;

/// Positions looked at together.
const BLOCK: usize = 64;

/// Codes that a block takes: those of the windows that follow its last ones, too.
const CODES_OF_BLOCK: usize = BLOCK + FOLLOWING * WINDOW;

/// Examines every candidate at the positions that the segment owns.
#[inline(always)]
pub fn seek<A: Alphabet>(search: &mut Search) {
    if search.plan.anchored.is_empty() {
        return;
    }
    let owned = search.segment.owned.clone();
    let mut run = 0..0;
    for at in owned.clone().step_by(BLOCK) {
        if search.tally.is_full() {
            return;
        }
        let codes = codes(&search.segment.digits[at..]);
        let mut positions = occupied(&codes, &search.plan.table.occupied);
        if owned.end - at < BLOCK {
            positions &= (1 << (owned.end - at)) - 1;
        }
        while positions != 0 {
            let k = positions.trailing_zeros() as usize;
            positions &= positions - 1;
            let [next, last] = &search.plan.followed;
            let followed = next.has(codes[k + WINDOW]) && last.has(codes[k + 2 * WINDOW]);
            if !followed || codes[k] == ALL_WILD && passed_over(search, at + k, &mut run) {
                continue;
            }
            candidates::<A>(search, at + k, codes[k]);
        }
    }
}

/// The codes of the windows that begin at the first 80 digits.
#[inline(always)]
fn codes(digits: &[u8]) -> [u32; CODES_OF_BLOCK] {
    let digits: &[u8; CODES_OF_BLOCK + WINDOW] = digits.first_chunk().expect("the segment is padded");
    let mut pairs = [0u8; CODES_OF_BLOCK + 6];
    for k in 0..CODES_OF_BLOCK + 6 {
        pairs[k] = digits[k] * 5 + digits[k + 1];
    }
    let mut quads = [0u16; CODES_OF_BLOCK + 4];
    for k in 0..CODES_OF_BLOCK + 4 {
        quads[k] = u16::from(pairs[k]) * 25 + u16::from(pairs[k + 2]);
    }
    let mut codes = [0u32; CODES_OF_BLOCK];
    for k in 0..CODES_OF_BLOCK {
        codes[k] = u32::from(quads[k]) * 625 + u32::from(quads[k + 4]);
    }
    codes
}

/// Bit k: code k, of 64, is in `bitmap`.
#[inline(always)]
fn occupied(codes: &[u32; CODES_OF_BLOCK], bitmap: &Bitmap) -> u64 {
    codes[..BLOCK].iter().enumerate().fold(0, |positions, (k, &code)| positions | u64::from(bitmap.has(code)) << k)
}

/// Whether the run of wild symbols around `at` alone makes every pattern exceed its limit. Keeps the run it found.
fn passed_over(search: &Search, at: usize, run: &mut Range<usize>) -> bool {
    let Some(depth) = search.plan.depth else { return false };
    if !run.contains(&at) {
        *run = search.segment.run(at);
    }
    // No pattern reaches further than `before` and `after`: a run that does is deep enough.
    at - run.start >= depth.min(search.plan.before) && run.end - at >= depth.min(search.plan.after)
}

/// Examines the anchored patterns in the list of `code` at position `at`.
#[inline]
fn candidates<A: Alphabet>(search: &mut Search, at: usize, code: u32) {
    let segment = search.segment;
    if A::is_gap(segment.symbols[at]) {
        return;
    }
    let symbols: &[u8; PROBE] = segment.symbols[at + WINDOW..].first_chunk().expect("the segment is padded");
    for &index in search.plan.table.list(code) {
        let anchored = &search.plan.anchored[index as usize];
        let agree = (0..PROBE).fold(true, |all, k| all & A::compatible(symbols[k], anchored.probe[k]));
        if agree {
            search.examine::<A>(anchored.query, at, anchored.offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_a_block_are_those_of_its_windows() {
        let digits: Vec<u8> = (0..100).map(|k| (k * k % 7 % 5) as u8).collect();
        for (k, &code) in codes(&digits).iter().enumerate() {
            assert_eq!(code, digits[k..k + WINDOW].iter().fold(0, |code, &d| code * 5 + u32::from(d)));
        }
    }

    #[test]
    fn occupied_positions_are_those_with_a_bit() {
        let codes: [u32; CODES_OF_BLOCK] = std::array::from_fn(|k| k as u32 * 4900);
        let mut bitmap = Bitmap::default();
        [0, 3, 31, 32, 63, 64, 79].into_iter().for_each(|k| bitmap.add(codes[k]));
        assert_eq!(occupied(&codes, &bitmap), 1 | 1 << 3 | 1 << 31 | 1 << 32 | 1 << 63);
    }
}
