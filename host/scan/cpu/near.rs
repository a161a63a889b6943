//! Places of which too few tiles have no wild digit, or few: tiles are looked up under all codes that agree with them, or nearly, or all
//! patterns are compared, whichever is less.

use super::alphabet::Alphabet;
use super::seek::{Queued, Seek};
use crate::seeds::{NEAR_TILE, Shape, TILES_MAX, WILD_MAX, codes};

/// How many codes differ from one of `digits` digits in `changes` of them at most.
fn changed(digits: usize, changes: usize) -> usize {
    let mut of = 1usize;
    (1..=changes.min(digits)).fold(1, |all, count| {
        of = of.saturating_mul(3 * (digits + 1 - count)) / count;
        all.saturating_add(of)
    })
}

/// Of a span's tiles, by their wild digits and the fewest first, how many to look up, with how many changes, and under how many codes
/// together: the fewest. Of so many tiles, one has no more than its share of a match's mismatches, which are fewer than the tiles.
fn cheapest(wild: &[(u32, usize)], length: usize) -> (usize, usize, usize) {
    let mismatches = wild.len() - 1;
    let with = |count: usize| {
        let changes = mismatches / count;
        let codes_of =
            |&(wild, _): &(u32, usize)| (1usize << (2 * wild)).saturating_mul(changed(length - wild as usize, changes));
        (count, changes, wild[..count].iter().map(codes_of).fold(0, usize::saturating_add))
    };
    (1..=wild.len()).rev().map(with).min_by_key(|&(.., codes)| codes).expect("a span has tiles")
}

impl Seek<'_, '_> {
    /// Looks up tiles of the span at `at`, under all codes that agree with them or nearly: those of which the codes are fewest.
    #[inline(always)]
    pub fn wild_tiles<A: Alphabet>(&mut self, at: usize, compared: bool) {
        let Shape { tile: length, tiles, needed, .. } = self.class.shape;
        let segment = self.search.segment;
        let (mut wild, mut all, mut few) = ([(0, 0); TILES_MAX], 0, 0);
        for (k, wild) in wild[..tiles].iter_mut().enumerate() {
            *wild = (segment.planes.wild_in_tile(at + k * length, length), k);
            all += wild.0;
            few += usize::from(wild.0 <= self.class.wild);
        }
        if all > self.class.most_wild || few < needed && !compared {
            return;
        }
        wild[..tiles].sort_unstable();
        let (count, changes, codes) = cheapest(&wild[..needed], length);
        let spans = self.class.spans.len();
        if !compared || codes.saturating_mul(self.patterns_per_code()) <= spans {
            wild[..count].iter().for_each(|&(_, k)| self.look_up_nearly::<A>(at, k, changes));
        } else if self.search.left_in_sequence(at) >= self.class.shape.length() {
            let (columns, digits) =
                (self.search.plan.columns(self.class, self.search.queries), segment.planes.digits(at as isize));
            let most = self.class.shape.mismatches();
            columns.each_near(digits, most, |number| self.search.examine_span::<A>(self.class, number, at));
        }
    }

    /// Patterns that are compared, side by side, in about the time in which a code is looked up: one for each lane of a vector, and more
    /// where tables are large: with each symbol beyond those of a near one, looking up a code takes up to twice as long.
    #[inline(always)]
    pub fn patterns_per_code(&self) -> usize {
        self.search.plan.lanes << self.class.shape.tile.saturating_sub(NEAR_TILE)
    }

    /// Looks up tile `k` of the span at `at` under all codes that agree with it, but for as many `changes`.
    #[inline(always)]
    fn look_up_nearly<A: Alphabet>(&mut self, at: usize, k: usize, changes: usize) {
        let length = self.class.shape.tile;
        let tile = self.search.segment.planes.tile(at + k * length, length);
        if changes == 0 && tile.wild.count_ones() <= WILD_MAX {
            return self.look_up_tile::<A>(at, k);
        }
        codes(tile, length).for_each(|code| self.add_changed::<A>(at, k, (code, tile.wild), (0, changes)));
    }

    /// Adds a code of tile `k`, and those with up to `changes` of the digits from `first` on changed that are not wild.
    fn add_changed<A: Alphabet>(
        &mut self,
        at: usize,
        k: usize,
        (code, wild): (u32, u32),
        (first, changes): (usize, usize),
    ) {
        let length = self.class.shape.tile;
        self.queue.add(Queued { at, tile: k as u32, code }, self.table(k as u32).has(code));
        self.flush_if_full::<A>();
        for digit in (first..length).filter(|digit| changes > 0 && wild >> digit & 1 == 0) {
            for change in 1..4 {
                let code = code ^ ((change & 1) << digit | (change >> 1) << (length + digit));
                self.add_changed::<A>(at, k, (code, wild), (digit + 1, changes - 1));
            }
        }
    }
}
