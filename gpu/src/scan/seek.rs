//! Finding candidates by the tiles of their spans: what one warp does.
//!
//! ```text
//! lane l takes positions 32 l .. 32 l + 32 of a tile of 1024; all of the following are masks of these
//!   first `needed` tiles without wild digits -> a bit for each code: it has entries -> queue of codes (shared)
//!   positions without so many               -> queue of positions (shared)
//!   (where all tiles are in one table: each tile of the sequence without wild digits, whatever tile of a span it may be)
//! 32 positions, one a lane: the `needed` tiles with the fewest wild digits, under all codes that agree -> queue of codes
//! 32 codes, one a lane: the code's list; where no mismatch is allowed, another tile has a code with entries, too
//!   all candidates of 32 lists in a row, 32 at a time: lane l compares up to 14 digits beside one candidate's tile
//!   what agrees is confirmed
//! ```
//!
//! Which tiles are looked up at a position, and whether it is hard, depend on the sequence alone (`host/scan/seeds.rs`).

use super::cell;
use super::hard::within;
use super::search::{Candidate, Search, inclusive_sum};
use crate::abi::{Form, SeekArgs};
use crate::tuning::{BESIDE, QUEUE, SEEK_THREADS, SHARED, TILE};
use cuda_std::bits::funnel_shift_right;
use cuda_std::{Shared, SharedMemory, U32x2, U32x4, warp};

/// Bits of a queued code, below the number of its tile.
const CODE_BITS: u32 = 26;

/// In place of a tile's number: any tile of a span. Spans whose tiles are listed together have fewer.
const ANY: u32 = 31;

/// Bits of what codes that share a list differ in.
const SHARED_BITS: u32 = SHARED.trailing_zeros();

/// Where a list says whether its tile is the last of several, behind the bits of its code. The tile's number follows.
const LAST_BIT: u32 = BESIDE + SHARED_BITS;

/// Positions that are looked up one after another, at most; of more, all 32 are.
const SPARSE: u32 = 12;

/// One warp of the search.
pub struct SeekWarp<'a> {
    args: &'a SeekArgs<'a>,
    search: Search<'a>,
    form: Form,
    most_wild: u32,
    /// The bits of the first tiles.
    bits: Shared<u32>,
    /// Position, code and tile.
    codes: Shared<U32x2>,
    positions: Shared<u32>,
    lists: Shared<U32x4>,
    /// How many are queued.
    queued: u32,
    waiting: u32,
}

/// The digits of 32 positions and of the tiles that begin there.
struct Window {
    low: [u32; 2],
    high: [u32; 2],
    /// Positions of tiles without wild digits.
    clean: u32,
}

/// A tile whose codes are looked up.
#[derive(Clone, Copy)]
struct Tile {
    number: u32,
    /// The code with A for each wild digit, and the bits of the wild ones.
    code: u32,
    wild: u32,
    /// Which of the wild bits are set in the code that is next.
    subset: u32,
}

impl<'a> SeekWarp<'a> {
    /// A warp with its own part of shared memory. The bits are loaded.
    #[inline(always)]
    pub fn new(args: &'a SeekArgs<'a>, bits: Shared<u32>, mut own: SharedMemory) -> Self {
        let search = Search::new(&args.sequences, &args.patterns, &args.matches);
        Self {
            args,
            form: args.seeds.form,
            most_wild: search.most_wild(args.seeds.form.most_wild),
            search,
            bits,
            lists: own.array(warp::LANES),
            codes: own.array(QUEUE),
            positions: own.array(QUEUE),
            queued: 0,
            waiting: 0,
        }
    }

    /// Looks up every `warps`-th tile of positions, beginning with the `warp`-th.
    ///
    /// Two masks distinguish three states: some lane still has positions to queue; none has, but there are tiles left; none has,
    /// and the queues are drained. Positions are looked up whenever 32 are queued, and so are codes.
    #[inline(always)]
    pub fn run(&mut self, warp: u32, warps: u32) {
        let mut tile = self.args.first_tile + warp;
        let (mut base, mut left) = (0, 0u32);
        loop {
            let owners = warp::ballot(left != 0);
            if owners != 0 && self.waiting < 32 {
                if left != 0 {
                    self.positions.write(self.waiting + rank(owners), base + left.trailing_zeros());
                    left &= left - 1;
                }
                self.waiting += owners.count_ones();
            } else if owners == 0 && tile < self.args.end_tile && self.waiting < 32 {
                if self.is_wanted(tile) {
                    base = tile * TILE + warp::lane_id() * 32;
                    left = self.clean_tiles(base);
                }
                tile += warps;
            } else if self.waiting + self.queued > 0 && !self.search.is_full() {
                self.wild_tiles();
            } else {
                break;
            }
        }
    }

    /// Whether a tile is to be looked at: always for first spans; for others near hard positions. All lanes call this.
    #[inline(always)]
    fn is_wanted(&self, tile: u32) -> bool {
        let reach = self.args.reach;
        if reach == 0 {
            return true;
        }
        let first = tile.saturating_sub(reach);
        let mut near = false;
        let mut other = first + warp::lane_id();
        while other <= tile + reach {
            near |= u64::from(other) < self.args.hard.tiles.len() && self.args.hard.tiles.read(other) != 0;
            other += warp::LANES;
        }
        warp::ballot(near) != 0
    }

    /// Looks up the positions from `base` on that have enough tiles without wild digits. Gives the others.
    #[inline(always)]
    fn clean_tiles(&mut self, base: u32) -> u32 {
        let Form { tiles, needed, .. } = self.form;
        let exist = within(base, 0, self.search.total);
        let asked = within(base, self.args.first, self.args.end) & exist;
        let together = self.form.together != 0;
        let mut enough = exist;
        if needed > 1 {
            let mut counter = cell::Counter::new(needed);
            let mut k = 0;
            while k < tiles {
                counter.add(self.window(base, k).clean);
                k += 1;
            }
            enough &= counter.reached();
        }
        let mut counter = cell::Counter::new(needed);
        let mut k = 0;
        while k < tiles && warp::ballot(enough & !counter.reached() != 0) != 0 {
            let window = self.window(base, k);
            let (mut wanted, mut number) = (enough & asked & window.clean & !counter.reached(), k);
            if together {
                // Each tile once, whatever tile of a span it may be.
                let reached = self.args.end + (tiles - 1) * self.form.tile;
                wanted = if k == 0 { exist & window.clean & within(base, self.args.first, reached) } else { 0 };
                number = ANY;
            }
            counter.add(window.clean);
            let found = self.listed(wanted, self.table(k), &window);
            self.queue_codes(base, number, found, &window);
            k += 1;
        }
        let left = exist & !(enough & counter.reached());
        if self.args.reach == 0 { left } else { left & asked }
    }

    /// The digits of tile `k` at the 32 positions from `base` on, a multiple of 32.
    #[inline(always)]
    fn window(&self, base: u32, k: u32) -> Window {
        let at = base + k * self.form.tile;
        let digits = |word: u32| self.search.digits(at / 32 + word);
        let (a, b, c) = (digits(0), digits(1), digits(2));
        let plane = |k: usize| [funnel_shift_right(a[k], b[k], at % 32), funnel_shift_right(b[k], c[k], at % 32)];
        Window { low: plane(0), high: plane(1), clean: cell::clean(plane(2), self.form.tile) }
    }

    /// The code of the tile at position `j` of a window.
    #[inline(always)]
    fn code(&self, window: &Window, j: u32) -> u32 {
        let bits = |[low, high]: [u32; 2]| funnel_shift_right(low, high, j);
        cell::code(bits(window.low), bits(window.high), self.form.tile)
    }

    /// Those of the `wanted` positions at which a tile has a code with entries in table `k`. All lanes call this.
    #[inline(always)]
    fn listed(&self, wanted: u32, k: u32, window: &Window) -> u32 {
        let many = warp::ballot(wanted.count_ones() > SPARSE) != 0;
        let first = k * self.form.words;
        if k < self.args.kept {
            self.test(wanted, many, window, |word| self.bits.read(first + word))
        } else {
            self.test(wanted, many, window, |word| self.args.seeds.bits.read(first + word))
        }
    }

    #[inline(always)]
    fn test(&self, wanted: u32, many: bool, window: &Window, read: impl Fn(u32) -> u32) -> u32 {
        let mut found = 0;
        if many {
            let mut j = 0;
            while j < 32 {
                unroll!(step in 0 1 2 3; {
                    let code = self.code(window, j + step as u32);
                    // The word's bit 0 is shifted in at the top: after 32 codes the first one is at the bottom.
                    found = funnel_shift_right(found, read(code / 32) >> (code % 32), 1);
                });
                j += 4;
            }
            return found & wanted;
        }
        let mut left = wanted;
        while left != 0 {
            let j = left.trailing_zeros();
            left &= left - 1;
            let code = self.code(window, j);
            found |= (read(code / 32) >> (code % 32) & 1) << j;
        }
        found
    }

    /// The number of the table of tile `k`.
    #[inline(always)]
    fn table(&self, k: u32) -> u32 {
        if self.form.together != 0 { 0 } else { k }
    }

    /// Whether a code of tile `k` has entries.
    #[inline(always)]
    fn is_listed(&self, k: u32, code: u32) -> bool {
        let k = self.table(k);
        let at = k * self.form.words + code / 32;
        let word = if k < self.args.kept { self.bits.read(at) } else { self.args.seeds.bits.read(at) };
        word >> (code % 32) & 1 != 0
    }

    /// Queues the codes of tile `k` at the `found` positions from `base` on. All lanes call this.
    #[inline(always)]
    fn queue_codes(&mut self, base: u32, k: u32, mut found: u32, window: &Window) {
        while warp::ballot(found != 0) != 0 {
            let j = found.trailing_zeros() % 32;
            self.queue(found != 0, U32x2([base + j, self.code(window, j) | k << CODE_BITS]), 32);
            found &= found.wrapping_sub(1);
        }
    }

    /// Queues each lane's code with its position and its tile, if it has one, and looks codes up when there are `least`, 1 to 32. All
    /// lanes call this.
    #[inline(always)]
    fn queue(&mut self, has: bool, code: U32x2, least: u32) {
        let owners = warp::ballot(has);
        if has {
            self.codes.write(self.queued + rank(owners), code);
        }
        self.queued += owners.count_ones();
        if self.queued >= least {
            self.look_up(if self.queued < 32 { self.queued } else { 32 });
        }
    }

    /// Looks up up to 32 of the queued positions, one a lane: the tiles with the fewest wild digits, under all codes that agree with
    /// them. Where these are too few, the position is hard. When no positions are queued, the queued codes are looked up.
    #[inline(always)]
    fn wild_tiles(&mut self) {
        let taken = if self.waiting < 32 { self.waiting } else { 32 };
        self.waiting -= taken;
        warp::sync();
        let mine = warp::lane_id() < taken;
        let at = if mine { self.positions.read(self.waiting + warp::lane_id()) } else { 0 };
        warp::sync();
        let mut active = mine && self.is_easy(at) && at >= self.args.first && at < self.args.end;
        // Tiles are taken in the order of their wild digits, those of as many by their place.
        let (mut wild, mut k, mut needed) = (0, 0, self.form.needed);
        let mut tile = Tile { number: 0, code: 0, wild: 0, subset: 0 };
        loop {
            if active && tile.subset == 0 {
                while self.wild_digits(at, k) != wild {
                    k += 1;
                    if k == self.form.tiles {
                        (wild, k) = (wild + 1, 0);
                    }
                }
                tile = self.tile(at, k);
                k += 1;
                if k == self.form.tiles {
                    (wild, k) = (wild + 1, 0);
                }
            }
            let code = tile.code | tile.subset;
            let queued = U32x2([at, code | tile.number << CODE_BITS]);
            self.queue(active && self.is_listed(tile.number, code), queued, if taken > 0 { 32 } else { 1 });
            tile.subset = cell::next_subset(tile.subset, tile.wild);
            if tile.subset == 0 {
                needed -= u32::from(active);
                active = active && needed > 0;
            }
            if warp::ballot(active) == 0 {
                break;
            }
        }
    }

    /// Whether enough tiles at a position have few enough wild digits, and all together as many as a match may have. Positions with
    /// too few such tiles are marked as hard in the search of first spans.
    #[inline(always)]
    fn is_easy(&self, at: u32) -> bool {
        let Form { tiles, needed, wild: most, .. } = self.form;
        let (mut all, mut few, mut k) = (0, 0, 0);
        while k < tiles {
            let wild = self.wild_digits(at, k);
            all += wild;
            few += u32::from(wild <= most);
            k += 1;
        }
        if all > self.most_wild {
            return false;
        }
        // Spans that reach past the last symbol are those of no match.
        let inside = at + tiles * self.form.tile <= self.search.total;
        if few < needed && inside && self.args.reach == 0 {
            self.args.hard.bits.or(at / 32, 1 << (at % 32));
            self.args.hard.tiles.or(at / TILE, 1);
        }
        few >= needed
    }

    /// Wild digits of tile `k` at a position.
    #[inline(always)]
    fn wild_digits(&self, at: u32, k: u32) -> u32 {
        let [_, _, wild] = self.search.digits_at(at + k * self.form.tile);
        cell::wild_in_tile(wild, self.form.tile)
    }

    /// Tile `k` at a position.
    #[inline(always)]
    fn tile(&self, at: u32, k: u32) -> Tile {
        let length = self.form.tile;
        let [low, high, wild] = self.search.digits_at(at + k * length);
        let wild = wild & ((1 << length) - 1);
        let code = cell::code(low & !wild, high & !wild, length);
        Tile { number: k, code, wild: wild | wild << length, subset: 0 }
    }

    /// Looks up the lists of the last `taken` codes of the queue, a code per lane.
    #[inline(always)]
    fn look_up(&mut self, taken: u32) {
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
    /// the code, whether the tile is the last of several, and its number.
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
        [digits, wild | (code % SHARED) << BESIDE | u32::from(last) << LAST_BIT | k << (LAST_BIT + 1)]
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
            let last = other >> LAST_BIT & 1 != 0;
            let differ = cell::differences(entry, digits, other, last);
            if cell::is_under(entry, other >> BESIDE) && differ < self.form.needed {
                let (mut span, mut at, mut first) = (cell::entry_span(entry), at, true);
                if self.form.together != 0 {
                    (first, span, at) = self.span_of_tile(span, at, other >> (LAST_BIT + 1));
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
    /// lie at hard positions.
    #[inline(always)]
    fn candidate(&self, span: u32, at: u32) -> (bool, Candidate) {
        let U32x4([pattern, before, earlier, _]) = self.args.seeds.spans.read(span);
        let mut passes = at >= before;
        let mut k = 1;
        while k <= earlier && passes {
            let place = at - before + self.args.seeds.spans.read(span - k).0[1];
            passes = place < self.search.total && self.args.hard.bits.read(place / 32) >> (place % 32) & 1 != 0;
            k += 1;
        }
        (passes, Candidate { at, pattern, before })
    }
}

/// How many lanes below this one are among `owners`.
#[inline(always)]
fn rank(owners: u32) -> u32 {
    (owners & ((1 << warp::lane_id()) - 1)).count_ones()
}

const _: () = assert!(SEEK_THREADS.is_multiple_of(32) && QUEUE == 64 && CODE_BITS == 26 && LAST_BIT + 6 <= 32);
