//! Positions without enough tiles that have no wild digit: the tiles that have few, under all codes that agree with them.

use super::{CODE_BITS, SeekWarp};
use crate::abi::{Form, HARD};
use crate::scan::cell;
use crate::tuning::TILE;
use cuda_std::{U32x2, warp};

/// The most wild bits of a tile of which one lane looks up all codes; of others, each lane looks up some, two at least.
const OWN_BITS: u32 = 4;

/// A tile whose codes are looked up.
#[derive(Clone, Copy, Default)]
pub struct Tile {
    pub number: u32,
    /// The code with A for each wild digit, and the bits of the wild ones.
    pub code: u32,
    pub wild: u32,
    /// Which of the wild bits are set in the code that is next.
    subset: u32,
}

impl SeekWarp<'_> {
    /// Looks up up to 32 of the queued positions, one a lane: the tiles with the fewest wild digits, under all codes that agree with
    /// them. Where these are too few, the position is hard. When no positions are queued, the queued codes are looked up.
    #[inline(always)]
    pub fn wild_tiles(&mut self) {
        let taken = if self.waiting < 32 { self.waiting } else { 32 };
        self.waiting -= taken;
        warp::sync();
        let mine = warp::lane_id() < taken;
        let at = if mine { self.positions.read(self.waiting + warp::lane_id()) } else { 0 };
        warp::sync();
        let mut active = mine && self.is_easy(at) && at >= self.args.first && at < self.args.end;
        // Tiles are taken in the order of their wild digits, those of as many by their place.
        let (mut wild, mut k, mut needed) = (0, 0, self.form.needed);
        // This lane's tile, and the one of which each lane takes a part of the codes; the lanes that have tiles of so many.
        let (mut own, mut has_own, mut common, mut crowded) = (Tile::default(), false, Tile::default(), 0u32);
        loop {
            if active && !has_own {
                while self.wild_digits(at, k) != wild {
                    (wild, k) = self.next_tile(wild, k);
                }
                (own, has_own) = (self.tile(at, k), true);
                (wild, k) = self.next_tile(wild, k);
            }
            if crowded == 0 {
                crowded = warp::ballot(active && own.subset == 0 && own.wild.count_ones() > OWN_BITS);
            }
            let owner = crowded.trailing_zeros() % 32;
            if crowded != 0 && common.subset == 0 {
                common = self.part_of(&own, owner);
            }
            let tile = if crowded != 0 { common } else { own };
            let at = if crowded != 0 { warp::shuffle(at, owner, 32) } else { at };
            let code = tile.code | tile.subset;
            let queued = U32x2([at, code | tile.number << CODE_BITS]);
            let has = (crowded != 0 || active) && self.is_listed(tile.number, code);
            self.queue(has, queued, if taken > 0 { 32 } else { 1 });
            let next = cell::next_subset(tile.subset, tile.wild);
            let mut is_done = active && next == 0;
            if crowded != 0 {
                common.subset = next;
                is_done &= warp::lane_id() == owner;
                crowded &= if next == 0 { crowded - 1 } else { crowded };
            } else {
                own.subset = next;
            }
            if is_done {
                (has_own, own.subset) = (false, 0);
                needed -= 1;
                active = needed > 0;
            }
            if warp::ballot(active) == 0 {
                break;
            }
        }
    }

    /// The tile after tile `k`, of those with `wild` wild digits and then of those with more.
    #[inline(always)]
    fn next_tile(&self, wild: u32, k: u32) -> (u32, u32) {
        if k + 1 < self.form.tiles { (wild, k + 1) } else { (wild + 1, 0) }
    }

    /// This lane's part of the codes of a tile of lane `owner`, whose wild bits are 5 at least. All lanes call this.
    #[inline(always)]
    fn part_of(&self, tile: &Tile, owner: u32) -> Tile {
        let (mut code, mut wild) = (warp::shuffle(tile.code, owner, 32), warp::shuffle(tile.wild, owner, 32));
        unroll!(step in 0 1 2 3 4; {
            let lowest = wild & wild.wrapping_neg();
            code |= if warp::lane_id() >> step & 1 == 1 { lowest } else { 0 };
            wild ^= lowest;
        });
        Tile { number: warp::shuffle(tile.number, owner, 32), code, wild, subset: 0 }
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
        // Spans that reach past the last symbol are those of no match.
        if all > self.most_wild || at + tiles * self.form.tile > self.search.total {
            return false;
        }
        if few < needed && self.args.reach == 0 {
            self.args.hard.bits.or(at / 32, 1 << (at % 32));
            self.args.hard.tiles.or(at / TILE, 1);
            self.args.matches.count.or(1, HARD);
        }
        few >= needed
    }

    /// Wild digits of tile `k` at a position.
    #[inline(always)]
    pub fn wild_digits(&self, at: u32, k: u32) -> u32 {
        let [_, _, wild] = self.search.digits_at(at + k * self.form.tile);
        cell::wild_in_tile(wild, self.form.tile)
    }

    /// Tile `k` at a position.
    #[inline(always)]
    pub fn tile(&self, at: u32, k: u32) -> Tile {
        let length = self.form.tile;
        let [low, high, wild] = self.search.digits_at(at + k * length);
        let wild = wild & ((1 << length) - 1);
        let code = cell::code(low & !wild, high & !wild, length);
        Tile { number: k, code, wild: wild | wild << length, subset: 0 }
    }
}
