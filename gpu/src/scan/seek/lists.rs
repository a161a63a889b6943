//! From codes to candidates: the lists under queued codes, and what lies beside the tiles of their entries.

use super::{ANY, CODE_BITS, SeekWarp, TILE_BIT, rank};
use crate::scan::cell;
use crate::scan::hard::is_marked;
use crate::scan::search::{Candidate, inclusive_sum};
use crate::tuning::{BESIDE, SHARED};
use cuda_std::{U32x2, U32x4, warp};

impl SeekWarp<'_> {
    /// Looks up the lists of the last `taken` codes of the queue, a code per lane.
    #[inline(always)]
    pub fn look_up(&mut self, taken: u32) {
        let lane = warp::lane_id();
        self.queued -= taken;
        warp::sync();
        let (mut first, mut count, mut at) = (0, 0, 0);
        let mut beside = [0; 2];
        if lane < taken {
            let U32x2([position, packed]) = self.codes.read(self.queued + lane);
            let (k, code) = (packed >> CODE_BITS, packed & ((1 << CODE_BITS) - 1));
            at = position;
            if self.agrees_elsewhere(at, k) {
                let list = self.table(k) * self.form.lists + (code >> self.form.shift);
                first = self.args.seeds.starts.read(list);
                count = self.args.seeds.starts.read(list + 1) - first;
                if k != ANY && self.form.together != 0 {
                    at += k * self.form.tile;
                }
                beside = self.beside(position, k, code);
            }
        }
        let through = inclusive_sum(count);
        let before = through - count;
        let owners = warp::ballot(count > 0);
        if count > 0 {
            self.lists.write(rank(owners), U32x4([beside[0], beside[1], at, first.wrapping_sub(before)]));
        }
        let total = warp::shuffle(through, 31, 32);
        warp::sync();
        let mut done = 0;
        while done < total {
            self.compare(done, total, before, count);
            done += 32;
        }
        warp::sync();
    }

    /// Whether the tile behind tile `k` may agree with that of any pattern. Where no mismatches are allowed, there is no match
    /// otherwise, and the bits that say so are nearer than the lists.
    #[inline(always)]
    fn agrees_elsewhere(&self, at: u32, k: u32) -> bool {
        if self.form.needed > 1 || self.form.tiles == 1 || self.form.together != 0 {
            return true;
        }
        let other = self.tile(at, if k + 1 < self.form.tiles { k + 1 } else { 0 });
        if other.wild.count_ones() > 2 {
            return true;
        }
        let mut subset = 0;
        loop {
            if self.is_listed(other.number, other.code | subset) {
                return true;
            }
            subset = cell::next_subset(subset, other.wild);
            if subset == 0 {
                return false;
            }
        }
    }

    /// What candidates of tile `k` are compared with: the digits beside it, and in the second word which are wild, the last bits of
    /// the code, and the tile's number.
    #[inline(always)]
    fn beside(&self, at: u32, k: u32, code: u32) -> [u32; 2] {
        let (length, together) = (self.form.tile, self.form.together != 0);
        let last = !together && k > 0 && k + 1 == self.form.tiles;
        let tile = if k == ANY && together { at } else { at + k * length };
        // Before the first symbol of all, every digit is wild.
        let missing = if last && tile < BESIDE { BESIDE - tile } else { 0 };
        let from = if last { tile + missing - BESIDE } else { tile + length };
        let [low, high, wild] = self.search.digits_at(from);
        let wild = (wild << missing | ((1 << missing) - 1)) & ((1 << BESIDE) - 1);
        let digits = cell::digest(low << missing, high << missing);
        [digits, wild | (code % SHARED) << BESIDE | k << TILE_BIT]
    }

    /// Compares candidates `done..done + 32` of `total`, one per lane. This lane's list has the candidates
    /// `before..before + count`.
    ///
    /// Lists that are not empty are in order. So the owner of a candidate is the number of lists that start at or before it, less
    /// one.
    #[inline(always)]
    fn compare(&self, done: u32, total: u32, before: u32, count: u32) {
        let lane = warp::lane_id();
        let earlier = warp::ballot(count > 0 && before < done).count_ones();
        let starts_here = count > 0 && before >= done && before < done + 32;
        let starts = warp::reduce_or(if starts_here { 1 << (before - done) } else { 0 });
        let owner = earlier + (starts & (u32::MAX >> (31 - lane))).count_ones() - 1;
        let mut passes = false;
        let mut candidate = Candidate { at: 0, pattern: 0, before: 0 };
        if done + lane < total {
            let [digits, other, at, offset] = self.lists.read(owner).0;
            let entry = self.args.seeds.entries.read(offset.wrapping_add(done + lane));
            let differ = cell::differences(entry, digits, other);
            if cell::is_under(entry, other >> BESIDE) && differ < self.form.needed {
                let (mut span, mut at, mut first) = (cell::entry_span(entry), at, true);
                if self.form.together != 0 {
                    (first, span, at) = self.span_of_tile(span, at, other >> TILE_BIT);
                }
                if first {
                    (passes, candidate) = self.candidate(span, at);
                }
            }
        }
        if warp::ballot(passes) != 0 {
            self.search.confirm(passes, candidate);
        }
    }

    /// The span whose tile has this number where tiles are listed together, where the span lies when that tile is at `at`, and
    /// whether that is the tile to find it: tile `k`, or the first without wild digits.
    #[inline(always)]
    fn span_of_tile(&self, number: u32, at: u32, k: u32) -> (bool, u32, u32) {
        // It is never 0. Saying so spares the division a check.
        let tiles = if self.form.tiles == 0 { 1 } else { self.form.tiles };
        let (span, own) = (number / tiles, number % tiles);
        let before = own * self.form.tile;
        let start = at.wrapping_sub(before);
        let mut first =
            if k == ANY { at >= before && start >= self.args.first && start < self.args.end } else { own == k };
        let mut earlier = 0;
        while k == ANY && first && earlier < own {
            first = self.wild_digits(start, earlier) > 0;
            earlier += 1;
        }
        (first, span, start)
    }

    /// The candidate of a span at a position, and whether this is the span to find it: no earlier one of the pattern is, where they
    /// lie at hard positions, the first at one that is left.
    #[inline(always)]
    fn candidate(&self, span: u32, at: u32) -> (bool, Candidate) {
        let U32x4([pattern, before, earlier, _]) = self.args.seeds.spans.read(span);
        let mut passes = at >= before;
        let mut k = 1;
        while k <= earlier && passes {
            let place = at - before + self.args.seeds.spans.read(span - k).0[1];
            let hard = if k == earlier { &self.args.left } else { &self.args.hard };
            passes = place < self.search.total && is_marked(hard, place);
            k += 1;
        }
        (passes, Candidate { at, pattern, before })
    }
}
