//! Finding matches: what one warp does.
//!
//! ```text
//! scan_anchor, one warp:                                          scan_brute, one warp:
//!   lane l takes positions 32 l .. 32 l + 32 of a tile of 1024      lane l takes positions b + l, b + l + 32, ...
//!   code -> bitmap: a mask of up to 32 positions per lane           for each pattern: compare 32 digits from the anchor
//!   positions -> queue (shared), until 32 are there                        |
//!   lane l takes one position: its list's first entry, length             |
//!   all candidates of 32 lists in a row, 32 at a time                      |
//!   lane l compares 12 digits of one candidate                             |
//!        +------------------------------ confirm -------------------------+
//!          range in the segment, 8 probes of 32 symbols: lane by lane
//!          every symbol, 1024 at a time: the whole warp, candidate by candidate
//! ```

use super::{cell, table};
use crate::abi::{AnchorArgs, BruteArgs, Matches, Patterns, Sequences};
use crate::tuning::{ANCHOR_THREADS, QUEUE, TILE};
use cuda_std::{Global, Shared, SharedMemory, U32x2, U32x4, warp};

/// What both searches need to confirm a candidate.
pub struct Search<'a> {
    sequences: &'a Sequences<'a>,
    patterns: &'a Patterns<'a>,
    anchors: &'a Global<'a, U32x4>,
    matches: &'a Matches<'a>,
}

impl Search<'_> {
    /// The 32 symbols of the sequences from position `at` on.
    #[inline(always)]
    fn window(&self, at: u32) -> U32x4 {
        cell::window(self.sequences.planes.read(at / 32), self.sequences.planes.read(at / 32 + 1), at % 32)
    }

    /// The segment that holds position `at`: the last that starts at or before it.
    #[inline(always)]
    fn segment(&self, at: u32) -> u32 {
        let (mut low, mut high) = (0, self.sequences.starts.len() as u32 - 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.sequences.starts.read(middle) <= at {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Confirms each lane's candidate, if it has one: pattern `pattern` with its anchor at position `at`. All lanes
    /// call this.
    #[inline(always)]
    fn confirm(&self, has: bool, at: u32, pattern: u32) {
        let mut place = Place { start: 0, segment: 0, word: 0, length: 0 };
        let mut possible = false;
        if has {
            (possible, place) = self.locate(at, pattern);
            possible = possible && self.probe(&place);
        }
        let mut left = warp::ballot(possible);
        while left != 0 {
            let owner = left.trailing_zeros();
            left &= left - 1;
            let start = warp::shuffle(place.start, owner, 32);
            let word = warp::shuffle(place.word, owner, 32);
            let length = warp::shuffle(place.length, owner, 32);
            let limit = self.limit(warp::shuffle(pattern, owner, 32));
            let wild = self.verify(start, word, length, limit);
            if wild <= limit && warp::lane_id() == owner {
                self.report(U32x4([start, place.segment, pattern, wild]));
            }
        }
    }

    /// Where the candidate's pattern would start, and whether it would lie inside one segment there.
    #[inline(always)]
    fn locate(&self, at: u32, pattern: u32) -> (bool, Place) {
        let [word, length, ..] = self.patterns.info.read(pattern).0;
        let anchor = self.anchors.read(pattern).0[0];
        let segment = self.segment(at);
        let (first, end) = (self.sequences.starts.read(segment), self.sequences.starts.read(segment + 1));
        let inside = at - first >= anchor && end - (at - anchor) >= length;
        (inside, Place { start: at.wrapping_sub(anchor), segment, word, length })
    }

    /// Compares eight groups of 32 symbols, spread over the pattern. This rejects nearly all candidates that do not
    /// match.
    #[inline(always)]
    fn probe(&self, place: &Place) -> bool {
        let words = place.length.div_ceil(32);
        let mut k = 0;
        while k < 8 {
            let word = (words - 1) * k / 7;
            if self.mismatches(place.start, place.word, place.length, word).0 != 0 {
                return false;
            }
            k += 1;
        }
        true
    }

    /// Mismatches and wild positions of word `word` of a pattern that starts at `start`.
    #[inline(always)]
    fn mismatches(&self, start: u32, first_word: u32, length: u32, word: u32) -> (u32, u32) {
        let sequence = self.window(start + 32 * word);
        let pattern = self.patterns.planes.read(first_word + word);
        let present = cell::present(word, length);
        let wild = !(cell::single(sequence) & cell::single(pattern));
        (cell::incompatible(sequence, pattern) & present, wild & present)
    }

    /// Compares every symbol, a word per lane. The result is the number of wild positions of a match, or a number above
    /// `limit` (often `u32::MAX`) if it is none. All lanes call this with the same arguments.
    #[inline(always)]
    fn verify(&self, start: u32, first_word: u32, length: u32, limit: u32) -> u32 {
        let words = length.div_ceil(32);
        let mut wild = 0;
        let mut from = 0;
        while from < words {
            let word = from + warp::lane_id();
            let (bad, ambiguous) = if word < words { self.mismatches(start, first_word, length, word) } else { (0, 0) };
            if warp::ballot(bad != 0) != 0 {
                return u32::MAX;
            }
            wild += warp::reduce_add(ambiguous.count_ones());
            if wild > limit {
                return wild;
            }
            from += warp::LANES;
        }
        wild
    }

    /// The most wild positions that a match may have. Where the host confirms on the bytes, wild positions cannot be
    /// counted here.
    #[inline(always)]
    fn limit(&self, pattern: u32) -> u32 {
        if self.sequences.odd.read(0) != 0 { u32::MAX - 1 } else { self.patterns.info.read(pattern).0[2] }
    }

    #[inline(always)]
    fn report(&self, found: U32x4) {
        let place = self.matches.count.fetch_add(0, 1);
        if u64::from(place) < self.matches.found.len() {
            self.matches.found.write(place, found);
        }
    }
}

/// A candidate's position: first symbol, segment, and first word and length of its pattern.
struct Place {
    start: u32,
    segment: u32,
    word: u32,
    length: u32,
}

/// One warp of the anchor search.
pub struct AnchorWarp<'a> {
    args: &'a AnchorArgs<'a>,
    search: Search<'a>,
    /// Symbols of the sequences.
    total: u32,
    bitmap: Shared<u32>,
    queue: Shared<u32>,
    windows: Shared<U32x4>,
}

impl<'a> AnchorWarp<'a> {
    /// A warp with its own part of shared memory. The bitmap is loaded.
    #[inline(always)]
    pub fn new(args: &'a AnchorArgs<'a>, bitmap: Shared<u32>, mut own: SharedMemory) -> Self {
        Self {
            args,
            search: Search {
                sequences: &args.sequences,
                patterns: &args.patterns,
                anchors: &args.anchors,
                matches: &args.matches,
            },
            total: args.sequences.starts.read(args.sequences.starts.len() as u32 - 1),
            bitmap,
            windows: own.array(warp::LANES),
            queue: own.array(QUEUE),
        }
    }

    /// Scans every `warps`-th tile, beginning with the `warp`-th.
    ///
    /// Two masks distinguish three states: some lane still has positions to queue; none has, but there are tiles left;
    /// none has, and the queue is drained. The queue is looked up whenever it holds 32 positions.
    #[inline(always)]
    pub fn run(&self, warp: u32, warps: u32) {
        let lane = warp::lane_id();
        let mut tile = self.args.first_tile + warp;
        let mut ahead = self.load(tile);
        let (mut base, mut mask, mut queued) = (0, 0, 0);
        loop {
            let owners = warp::ballot(mask != 0);
            let more = tile < self.args.end_tile;
            if owners == 0 && more {
                base = tile * TILE + lane * 32;
                mask = self.occupied(base, &ahead);
                tile += warps;
                ahead = self.load(tile);
                continue;
            }
            if owners == 0 && queued == 0 {
                break;
            }
            if mask != 0 {
                self.queue.write(queued + (owners & ((1 << lane) - 1)).count_ones(), base + mask.trailing_zeros());
                mask &= mask - 1;
            }
            queued += owners.count_ones();
            if queued >= 32 || owners == 0 {
                let taken = if queued < 32 { queued } else { 32 };
                queued -= taken;
                self.look_up(queued, taken);
            }
        }
    }

    /// The digits of this lane's 32 positions of a tile and of the 8 after them; zeros past the last tile.
    #[inline(always)]
    fn load(&self, tile: u32) -> [u32; 10] {
        if tile >= self.args.end_tile {
            return [0; 10];
        }
        let group = tile * 32 + warp::lane_id();
        let digits = &self.args.sequences.digits;
        cell::unpack(digits.read(group), digits.read(group + 1).0[0])
    }

    /// Which of the 32 positions from `base` on have a code whose list is not empty.
    #[inline(always)]
    fn occupied(&self, base: u32, digits: &[u32; 10]) -> u32 {
        let mut mask = 0;
        cell::each_code(digits, |_, code| {
            // The word's bit 0 is shifted in at the top: after 32 codes the first one is at the bottom.
            let word = self.bitmap.read(code / 32) >> (code % 32);
            mask = cuda_std::bits::funnel_shift_right(mask, word, 1);
        });
        if base + 32 <= self.total {
            mask
        } else if base < self.total {
            mask & ((1 << (self.total - base)) - 1)
        } else {
            0
        }
    }

    /// Looks up the lists of `taken` positions of the queue from `from` on, a position per lane.
    #[inline(always)]
    fn look_up(&self, from: u32, taken: u32) {
        let lane = warp::lane_id();
        warp::sync();
        let (mut first, mut count) = (0, 0);
        let mut window = [0; 3];
        let mut at = 0;
        if lane < taken {
            at = self.queue.read(from + lane);
            window = cell::digit_planes(self.search.window(at));
            [first, count] = self.args.lists.read(cell::code(window)).0;
        }
        let through = table::inclusive_sum(count);
        let before = through - count;
        let [digits, wild] = cell::digest(window).0;
        self.windows.write(lane, U32x4([digits, wild, at, first.wrapping_sub(before)]));
        let total = warp::shuffle(through, 31, 32);
        warp::sync();
        let mut done = 0;
        while done < total {
            self.compare(done, total, before, count);
            done += 32;
        }
        warp::sync();
    }

    /// Compares candidates `done..done + 32` of `total`, one per lane. This lane's list has the candidates
    /// `before..before + count`.
    ///
    /// The first lanes have the lists, in order, and none of them is empty, since the bitmap said so. So the owner of a
    /// candidate is the number of lists that start at or before it, less one.
    #[inline(always)]
    fn compare(&self, done: u32, total: u32, before: u32, count: u32) {
        let lane = warp::lane_id();
        let earlier = warp::ballot(count > 0 && before < done).count_ones();
        let starts_here = count > 0 && before >= done && before < done + 32;
        let starts = warp::reduce_or(if starts_here { 1 << (before - done) } else { 0 });
        let owner = earlier + (starts & (u32::MAX >> (31 - lane))).count_ones() - 1;
        let mut passes = false;
        let (mut at, mut pattern) = (0, 0);
        if done + lane < total {
            let [digits, wild, position, offset] = self.windows.read(owner).0;
            let entry = self.args.entries.read(offset.wrapping_add(done + lane));
            (at, pattern) = (position, cell::entry_pattern(entry));
            passes = cell::may_match(entry, U32x2([digits, wild])) && self.resembles(at, pattern);
        }
        if warp::ballot(passes) != 0 {
            self.search.confirm(passes, at, pattern);
        }
    }

    /// Whether the 32 symbols from `at` on may match those of the pattern from its anchor on. At 30 % N one candidate
    /// in 250 gets this far. Without this test each of them would cost its whole warp a search for its segment.
    #[inline(always)]
    fn resembles(&self, at: u32, pattern: u32) -> bool {
        let window = cell::digit_planes(self.search.window(at));
        cell::differ(window, table::read_probe(&self.args.probes, pattern)) == 0
    }
}

/// Tries every pattern at positions `base + 32 k` of each lane, for k below `BRUTE_POSITIONS`. `base` differs by lane.
#[inline(always)]
pub fn brute(args: &BruteArgs, base: u32) {
    let tried = args.tried_count.read(0);
    if tried == 0 {
        return;
    }
    let search =
        Search { sequences: &args.sequences, patterns: &args.patterns, anchors: &args.anchors, matches: &args.matches };
    let read = |k: u32| {
        // A window past the end is replaced by the last one. Its positions are left out below.
        let at = if base + 32 * k < args.end { base + 32 * k } else { args.end - 1 };
        cell::digit_planes(search.window(at))
    };
    let windows = [read(0), read(1), read(2), read(3), read(4), read(5), read(6), read(7)];
    let mut q = 0;
    while q < tried {
        let pattern = args.tried.read(q);
        let probe = table::read_probe(&args.probes, pattern);
        let mut equal = 0;
        let mut k = 0;
        while k < windows.len() {
            equal |= u32::from(cell::differ(windows[k], probe) == 0) << k;
            k += 1;
        }
        if warp::ballot(equal != 0) != 0 {
            let mut k = 0;
            while k < 8 {
                let at = base + 32 * k;
                search.confirm(equal >> k & 1 == 1 && at < args.end, at, pattern);
                k += 1;
            }
        }
        q += 1;
    }
}

const _: () = assert!(ANCHOR_THREADS.is_multiple_of(32) && QUEUE == 64);
