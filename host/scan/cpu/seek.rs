//! Looks up the tiles of the spans that may lie at each position.
//!
//! Positions come 64 at a time. For most, the first tile without a wild digit, or the first `needed` of them, are looked up: which
//! these are, shifts of one plane say for all 64. What is left is looked at one by one: tiles with few wild digits are looked
//! up under all codes that agree with them.

use super::alphabet::Alphabet;
use super::hard;
use super::plan::Class;
use super::planes::bits;
use super::search::Search;
use crate::seeds::{BESIDE, Shape, TILES_MAX, Table, codes, digest};
use std::ops::Range;

/// Positions looked at together.
const BLOCK: usize = 64;

/// What is known of the positions of a segment for one class. Tasks keep the memory for their next segment.
#[derive(Default)]
pub struct Scratch {
    clean: Vec<u64>,
    hard: Vec<Range<usize>>,
}

/// Examines every candidate of every class at the positions that the segment owns.
#[inline(always)]
pub fn seek<A: Alphabet>(search: &mut Search, scratch: &mut Scratch) {
    let owned = search.segment.owned.clone();
    for class in &search.plan.classes {
        search.segment.planes.clean(class.shape.tile, &mut scratch.clean);
        let mut seek = Seek { class, tables: &class.first, clean: &scratch.clean, search };
        seek.range::<A>(owned.clone(), !class.shape.spread);
        if class.shape.spread {
            hard::runs(class, seek.search.segment, seek.clean, &mut scratch.hard);
            seek.tables = &class.others;
            for range in hard::near(&scratch.hard, seek.search.plan.before, owned.clone()) {
                seek.range::<A>(range, false);
            }
            hard::compare_all::<A>(class, &scratch.hard, seek.search);
        }
    }
}

/// Looks up one class.
struct Seek<'s, 'a> {
    class: &'a Class,
    tables: &'a [Table],
    /// Bit x: the tile at x has no wild digit.
    clean: &'s [u64],
    search: &'s mut Search<'a>,
}

impl<'a> Seek<'_, 'a> {
    /// Looks up the positions of `range`; at hard ones, all patterns are compared if `compared` says so.
    #[inline(always)]
    fn range<A: Alphabet>(&mut self, range: Range<usize>, compared: bool) {
        for at in range.clone().step_by(BLOCK) {
            if self.search.tally.is_full() {
                return;
            }
            let owned = if range.end - at < BLOCK { (1 << (range.end - at)) - 1 } else { u64::MAX };
            let mut left = self.clean_tiles::<A>(at, owned);
            while left != 0 {
                let k = left.trailing_zeros() as usize;
                left &= left - 1;
                self.wild_tiles::<A>(at + k, compared);
            }
        }
    }

    /// Looks up the places in a block that have tiles without wild digits. Returns the others.
    #[inline(always)]
    fn clean_tiles<A: Alphabet>(&mut self, at: usize, mut left: u64) -> u64 {
        let Shape { tile, tiles, needed, .. } = self.class.shape;
        let clean = |k: usize| bits(self.clean, at + k * tile);
        if needed == 1 {
            for k in 0..tiles {
                let clean = bits(self.clean, at + k * tile);
                self.look_up::<A>(at, left & clean, k);
                left &= !clean;
                if left == 0 {
                    break;
                }
            }
            return left;
        }
        let all = (0..needed).fold(left, |all, k| all & clean(k));
        for k in 0..needed {
            self.look_up::<A>(at, all, k);
        }
        left & !all
    }

    /// Looks up tile `k`, without wild digits, of the spans at `places` of the block at `at`.
    #[inline(always)]
    fn look_up<A: Alphabet>(&mut self, at: usize, places: u64, k: usize) {
        let (length, table) = (self.class.shape.tile, &self.tables[k]);
        let first = at + k * length;
        let mut found = 0;
        if places == u64::MAX {
            for place in 0..BLOCK {
                found |=
                    u64::from(table.has(self.search.segment.planes.tile(first + place, length).code(length))) << place;
            }
        } else {
            let mut left = places;
            while left != 0 {
                let place = left.trailing_zeros();
                left &= left - 1;
                let code = self.search.segment.planes.tile(first + place as usize, length).code(length);
                found |= u64::from(table.has(code)) << place;
            }
        }
        while found != 0 {
            let place = found.trailing_zeros() as usize;
            found &= found - 1;
            let code = self.search.segment.planes.tile(first + place, length).code(length);
            self.candidates::<A>(at + place, k, code);
        }
    }

    /// Looks up the `needed` tiles of the span at `at` that have the fewest wild digits, under all codes that agree with them.
    fn wild_tiles<A: Alphabet>(&mut self, at: usize, compared: bool) {
        let Shape { tile: length, tiles, needed, .. } = self.class.shape;
        let segment = self.search.segment;
        let (mut wild, mut all, mut few) = ([0; TILES_MAX], 0, 0);
        for (k, wild) in wild[..tiles].iter_mut().enumerate() {
            *wild = segment.planes.wild_in_tile(at + k * length, length);
            all += *wild;
            few += usize::from(*wild <= self.class.wild);
        }
        if all > self.class.most_wild {
            return;
        }
        if few < needed {
            if compared {
                self.compare_all::<A>(at);
            }
            return;
        }
        for _ in 0..needed {
            let (k, _) = wild[..tiles].iter().enumerate().min_by_key(|(_, wild)| **wild).expect("a span has tiles");
            wild[k] = u32::MAX;
            for code in codes(segment.planes.tile(at + k * length, length), length) {
                if self.tables[k].has(code) {
                    self.candidates::<A>(at, k, code);
                }
            }
        }
    }

    /// Examines the spans at `at` that are listed under `code` of tile `k`, and that agree with what lies beside it.
    #[inline]
    fn candidates<A: Alphabet>(&mut self, at: usize, k: usize, code: u32) {
        let Shape { tile: length, tiles, .. } = self.class.shape;
        let last = k > 0 && k + 1 == tiles;
        let tile = (at + k * length) as isize;
        let beside = if last { tile - BESIDE as isize } else { tile + length as isize };
        let [low, high, wild] = self.search.segment.planes.digits(beside);
        let (sequence, wild, most) = (digest(low, high), wild as u32, self.class.shape.mismatches());
        for entry in self.tables[k].list(code) {
            if entry.differences(sequence, wild, last) <= most {
                self.search.examine_span::<A>(self.class, entry.span, at);
            }
        }
    }

    /// Examines all patterns of the class, at a hard position.
    #[cold]
    fn compare_all<A: Alphabet>(&mut self, at: usize) {
        if self.search.left_in_sequence(at) >= self.class.shape.length() {
            for span in self.class.spans.clone() {
                self.search.examine_span::<A>(self.class, span, at);
            }
        }
    }
}
