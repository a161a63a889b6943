//! Finding candidates by the tiles of their spans: what one warp does.
//!
//! ```text
//! lane l takes positions 32 l .. 32 l + 32 of a tile of 1024; all of the following are masks of these
//!   first `needed` tiles without wild digits -> a bit for each code: it has entries -> queue of codes (shared)
//!   where one is needed and many are left, those with one, too
//!   positions without so many               -> queue of positions (shared)
//!   (where all tiles are in one table: each tile of the sequence without wild digits, whatever tile of a span it may be)
//! 32 positions, one a lane: the `needed` tiles with the fewest wild digits, under all codes that agree -> queue of codes
//! 32 codes, one a lane: the code's list; where no mismatch is allowed, another tile has a code with entries, too
//!   all candidates of 32 lists in a row, 32 at a time: lane l compares 10 digits beside one candidate's tile
//!   what agrees is confirmed
//! ```
//!
//! Which tiles are looked up at a position, and whether it is hard, depend on the sequence alone (`host/scan/seeds.rs`).

mod lists;
mod wild;

use super::cell;
use super::hard::{is_near, within};
use super::search::{Search, rank};
use crate::abi::{Form, HARD, SeekArgs};
use crate::tuning::{BESIDE, QUEUE, SEEK_THREADS, SHARED, TILE};
use cuda_std::bits::funnel_shift_right;
use cuda_std::{Shared, SharedMemory, U32x2, U32x4, warp};
use wild::Tile;

/// Bits of a queued code, below the number of its tile.
const CODE_BITS: u32 = 26;

/// In place of a tile's number: any tile of a span. Spans whose tiles are listed together have fewer.
const ANY: u32 = 31;

/// Bits of what codes that share a list differ in.
const SHARED_BITS: u32 = SHARED.trailing_zeros();

/// Where a list has the number of its tile: behind the bits of its code.
const TILE_BIT: u32 = BESIDE + SHARED_BITS;

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
    wild: [u32; 2],
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
                    left = self.tiles_with_one_wild(base, left);
                    left = self.beside_runs(base, left);
                }
                tile += warps;
            } else if self.waiting + self.queued > 0 && !self.search.is_full() {
                self.wild_tiles();
            } else {
                break;
            }
        }
    }

    /// Whether a tile is to be looked at: always for first spans; for others near hard positions that are left. All lanes call this.
    #[inline(always)]
    fn is_wanted(&self, tile: u32) -> bool {
        self.args.reach == 0 || is_near(&self.args.left, tile, self.args.reach)
    }

    /// Looks up the positions from `base` on that have enough tiles without wild digits. Gives the others.
    #[inline(always)]
    fn clean_tiles(&mut self, base: u32) -> u32 {
        let Form { tiles, needed, tile, .. } = self.form;
        let exist = within(base, 0, self.search.total);
        let asked = within(base, self.args.first, self.args.end) & exist;
        let together = self.form.together != 0;
        let enough = exist & if together { self.with_a_clean_tile(base) } else { self.with_clean_tiles(base) };
        let mut counter = cell::Counter::new(needed);
        let mut k = 0;
        while k < tiles && warp::ballot(enough & !counter.reached() != 0) != 0 {
            let window = self.window(base, k);
            let clean = cell::clean(window.wild, tile);
            let (mut wanted, mut number) = (enough & asked & clean & !counter.reached(), k);
            counter.add(if together { u32::MAX } else { clean });
            if together {
                // Each tile once, whatever tile of a span it may be.
                wanted = exist & clean & within(base, self.args.first, self.args.end + (tiles - 1) * tile);
                number = ANY;
            }
            let found = self.listed(wanted, self.table(k), &window);
            self.queue_codes(base, number, found, &window);
            k += 1;
        }
        let left = exist & !(enough & counter.reached());
        if self.args.reach == 0 { left } else { left & asked }
    }

    /// Where one tile is needed, and many of the positions from `base` on are `left`, looks up those at which one has one wild digit. Gives the others.
    #[inline(always)]
    fn tiles_with_one_wild(&mut self, base: u32, mut left: u32) -> u32 {
        let suits = self.form.needed == 1 && self.form.together == 0 && self.most_wild > 0;
        if !suits || warp::ballot(left.count_ones() > SPARSE) == 0 {
            return left;
        }
        let mut k = 0;
        while k < self.form.tiles && warp::ballot(left != 0) != 0 {
            // None of these has a tile without wild digits.
            let wanted = left & cell::few_wild(self.window(base, k).wild, self.form.tile);
            left &= !wanted;
            let mut places = wanted & within(base, self.args.first, self.args.end);
            while warp::ballot(places != 0) != 0 {
                let at = base + places.trailing_zeros() % 32;
                let (tile, mut found) = (self.tile(at, k), 0);
                if places != 0 {
                    unroll!(digit in 0 1 2 3; {
                        found |= u32::from(self.is_listed(k, Self::with_digit(&tile, digit as u32))) << digit;
                    });
                }
                while warp::ballot(found != 0) != 0 {
                    let code = Self::with_digit(&tile, found.trailing_zeros());
                    self.queue(found != 0, U32x2([at, code | k << CODE_BITS]), 32);
                    found &= found.wrapping_sub(1);
                }
                places &= places.wrapping_sub(1);
            }
            k += 1;
        }
        left
    }

    /// Those of the positions from `base` on that are `left` but for long runs of wild digits, where each of them is hard.
    #[inline(always)]
    fn beside_runs(&self, base: u32, left: u32) -> u32 {
        let Form { tile, tiles, wild: most, .. } = self.form;
        let span = tile * tiles;
        if left == 0 || tile <= most {
            return left;
        }
        let (mut wild, mut word) = (u32::MAX, 0);
        while wild == u32::MAX && word <= span.div_ceil(32) {
            wild = self.search.digits(base / 32 + word)[2];
            word += 1;
        }
        if wild != u32::MAX {
            return left;
        }
        // As `is_easy` does it for each of them.
        let ends = if self.search.total < span { 0 } else { self.search.total - span + 1 };
        let hard = left & within(base, 0, ends);
        if span <= self.most_wild && self.args.reach == 0 && hard != 0 {
            self.args.hard.bits.or(base / 32, hard);
            self.args.hard.tiles.or(base / TILE, 1);
            self.args.matches.count.or(1, HARD);
        }
        0
    }

    /// The positions from `base` on where a span has as many tiles without wild digits as are needed.
    #[inline(always)]
    fn with_clean_tiles(&self, base: u32) -> u32 {
        let Form { tiles, needed, .. } = self.form;
        if needed == 1 {
            return u32::MAX;
        }
        let mut counter = cell::Counter::new(needed);
        let mut k = 0;
        while k < tiles {
            counter.add(cell::clean(self.window(base, k).wild, self.form.tile));
            k += 1;
        }
        counter.reached()
    }

    /// The same for one tile of spans of up to 128 symbols.
    #[inline(always)]
    fn with_a_clean_tile(&self, base: u32) -> u32 {
        let Form { tile, tiles, .. } = self.form;
        let wild = |k: u32| self.search.digits(base / 32 + k)[2];
        let dirty = cell::dirty([wild(0), wild(1), wild(2), wild(3), wild(4), wild(5)], tile);
        let (mut enough, mut at, end) = (0, 0, tile * tiles);
        unroll!(word in 0 1 2 3; {
            while at < end && at < 32 * (word as u32 + 1) {
                enough |= !funnel_shift_right(dirty[word], dirty[word + 1], at % 32);
                at += tile;
            }
        });
        enough
    }

    /// The digits of tile `k` at the 32 positions from `base` on, a multiple of 32.
    #[inline(always)]
    fn window(&self, base: u32, k: u32) -> Window {
        let at = base + k * self.form.tile;
        let digits = |word: u32| self.search.digits(at / 32 + word);
        let (a, b, c) = (digits(0), digits(1), digits(2));
        let plane = |k: usize| [funnel_shift_right(a[k], b[k], at % 32), funnel_shift_right(b[k], c[k], at % 32)];
        Window { low: plane(0), high: plane(1), wild: plane(2) }
    }

    /// The code of the tile at position `j` of a window, with A for each wild digit.
    #[inline(always)]
    fn code(&self, window: &Window, j: u32) -> u32 {
        let bits = |[low, high]: [u32; 2]| funnel_shift_right(low, high, j);
        cell::code(bits(window.low), bits(window.high), self.form.tile)
    }

    /// The code of a tile with one wild digit if that is `digit`.
    #[inline(always)]
    fn with_digit(tile: &Tile, digit: u32) -> u32 {
        let low = tile.wild & tile.wild.wrapping_neg();
        tile.code | if digit & 1 == 1 { low } else { 0 } | if digit & 2 == 2 { tile.wild ^ low } else { 0 }
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
}

const _: () = assert!(SEEK_THREADS.is_multiple_of(32) && QUEUE == 64 && CODE_BITS == 26 && TILE_BIT + 5 <= 32);
