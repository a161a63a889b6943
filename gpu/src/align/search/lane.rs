//! One lane of a search: its residues of the query in registers, a residue of the targets per step.
//!
//! Instructions for two packed cells: with affine gaps a PRMT, two adds, a max3-0 and two add-maxima; with linear gaps a PRMT, an
//! add, an add-max-0 and an add-max; and half a max3 for the best. All but the adds share one pipe of 64 lanes per clock.

use super::{Kind, parts};
use crate::abi::SearchArgs;
use crate::align::cell::Scores;
use crate::tuning::{LETTER, SEARCH_GAP};
use core::marker::PhantomData;
use cuda_std::bits::dot_product;
use cuda_std::{Shared, U32x2, U32x4, thread, warp};

/// A lane's part of the matrix: `R` rows, an even number, one strip after another.
pub struct Lane<'a, K: Kind, const R: usize> {
    args: &'a SearchArgs<'a>,
    profile: Shared<U32x4>,
    lanes: u32,
    /// Its number in the group.
    lane: u32,
    /// The couple's first letter and its columns. Past them is padding.
    start: u32,
    columns: u32,
    /// For each of the couple's targets, what makes of a letter the bytes from its row of the profile to code 0's.
    weights: [u32; 2],
    /// This group's border.
    border: u32,
    /// H in the last column, and E of the next.
    h: [u32; R],
    e: [u32; R],
    /// H above the first row, in the last column.
    above: u32,
    /// F below the last row.
    f: u32,
    /// 0 in the first lane of a group, 1 in the others: whether what is above comes from the lane before.
    inner: u32,
    best: u32,
    open: u32,
    extend: u32,
    kind: PhantomData<K>,
}

/// Letters and elements of the border that are loaded ahead: they may come from afar.
const AHEAD: usize = 2;

impl<'a, K: Kind, const R: usize> Lane<'a, K, R> {
    /// A lane of the group whose unit is `unit`.
    #[inline(always)]
    pub fn new(args: &'a SearchArgs<'a>, profile: Shared<U32x4>, unit: u32) -> Self {
        let U32x2([start, columns]) = args.couples.read(unit >> (2 - K::Scores::PAIRS));
        let lanes = args.rules.lanes;
        let group = thread::index_1d() >> lanes.trailing_zeros();
        let lane = warp::lane_id() & (lanes - 1);
        let row = parts(R as u32) * args.rules.slots() * size_of::<U32x4>() as u32 / LETTER;
        let second = if K::Scores::PAIRS == 2 { row << 8 } else { 0 };
        Self {
            args,
            profile,
            lanes,
            lane,
            start,
            columns,
            weights: [if K::Scores::PAIRS == 2 { row } else { row << (unit % 2 * 8) }, second],
            border: group * args.rules.border,
            h: [0; R],
            e: [0; R],
            above: 0,
            f: 0,
            inner: dot_product(u32::from(lane > 0), 1, 0),
            best: 0,
            open: K::Scores::splat(-args.rules.open),
            extend: K::Scores::splat(-args.rules.extend),
            kind: PhantomData,
        }
    }

    /// The best scores of the unit, in all lanes of its group. All lanes of the warp call this, for as many steps.
    #[inline(always)]
    pub fn run(&mut self, strips: u32, steps: u32) -> u32 {
        if strips == 1 {
            self.strip::<false>((0, 1), steps);
        } else {
            self.end_border();
            let mut strip = 0;
            while strip < strips {
                self.strip::<true>((strip, strips), steps);
                strip += 1;
                // What the last lane wrote is read by the first.
                warp::sync();
            }
        }
        let mut apart = self.lanes / 2;
        while apart > 0 {
            let other = warp::shuffle_xor(self.best, apart);
            self.best = K::Scores::max3::<false>(self.best, other, other);
            apart /= 2;
        }
        self.best
    }

    /// Sees to it that what is read past the last column is no other couple's.
    #[inline(always)]
    fn end_border(&mut self) {
        if (self.lane as usize) < AHEAD {
            self.args.borders.write(self.border + SEARCH_GAP + self.columns + self.lane, U32x2([0, self.open]));
        }
        warp::sync();
    }

    /// Computes one of so many strips, of several if there are `BORDERS`.
    #[inline(always)]
    fn strip<const BORDERS: bool>(&mut self, (strip, strips): (u32, u32), steps: u32) {
        (self.h, self.e, self.above, self.f) = ([0; R], [self.open; R], 0, self.open);
        let slots = self.args.rules.slots();
        let base = (strip * (self.args.rules.codes + 1) * parts(R as u32) * slots + (warp::lane_id() & (slots - 1))) * 16;
        let reads = BORDERS && strip > 0 && self.lane == 0;
        let writes = BORDERS && strip + 1 < strips && self.lane == self.lanes - 1;
        // The next letter to be loaded; past the couple all are padding.
        let (mut next, end) = (self.start - self.lane, self.start + self.columns);
        let mut letters = [0; AHEAD];
        let mut entering = [U32x2([0; 2]); AHEAD];
        unroll!(k in 0 1; {
            letters[k] = self.letters(next, k as u32);
            entering[k] = self.entering::<BORDERS>(reads, 0, k as u32);
        });
        let mut step = 0;
        while step < steps {
            next = (next + AHEAD as u32).min(end);
            let column = (step + AHEAD as u32).min(self.columns);
            let written = self.border + SEARCH_GAP + step - self.lane;
            unroll!(k in 0 1; {
                let scores = self.scores(base, letters[k]);
                letters[k] = self.letters(next, k as u32);
                let h = warp::shuffle_up(self.h[R - 1], 1, self.lanes) * self.inner;
                let f = warp::shuffle_up(self.f, 1, self.lanes) * self.inner;
                let U32x2([h_entering, f_entering]) = entering[k];
                entering[k] = self.entering::<BORDERS>(reads, column, k as u32);
                self.column(scores, h.wrapping_add(h_entering), f.wrapping_add(f_entering));
                if writes {
                    self.args.borders.write_past(written, k as u32, U32x2([self.h[R - 1], self.f]));
                }
            });
            step += AHEAD as u32;
        }
    }

    /// The couple's letters at a place.
    #[inline(always)]
    fn letters(&self, at: u32, past: u32) -> u32 {
        u32::from(self.args.letters.read_past(at, past))
    }

    /// H and F above the first lane in a column, 0 in the other lanes.
    #[inline(always)]
    fn entering<const BORDERS: bool>(&self, reads: bool, column: u32, past: u32) -> U32x2 {
        if BORDERS && reads {
            self.args.borders.read_past(self.border + SEARCH_GAP + column, past)
        } else {
            U32x2([0, if self.lane == 0 { self.open } else { 0 }])
        }
    }

    /// The scores of this lane's rows with the letters of a column, of the first and the second target.
    #[inline(always)]
    fn scores(&self, base: u32, letters: u32) -> [[U32x4; 2]; 2] {
        let part_bytes = self.args.rules.slots() * 16;
        let mut scores = [[U32x4([0; 4]); 2]; 2];
        unroll!(part in 0 1; {
            if part * 16 < R {
                let from = base + part as u32 * part_bytes;
                scores[0][part] = self.profile.read_at(dot_product(letters, self.weights[0], from));
                if K::Scores::PAIRS == 2 {
                    scores[1][part] = self.profile.read_at(dot_product(letters, self.weights[1], from));
                }
            }
        });
        scores
    }

    /// Computes the cells of one column. `h` and `f` are above it.
    #[inline(always)]
    fn column(&mut self, scores: [[U32x4; 2]; 2], h: u32, f: u32) {
        let (mut above, mut f) = (h, f);
        let mut candidate = candidate::<K>(&scores, 0, self.above);
        self.above = h;
        unroll!(pair in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; { if 2 * pair < R {
            let mut candidates = [0; 2];
            unroll!(one in 0 1; {
                let at = 2 * pair + one;
                // The next row's candidate comes before this row's H, which then takes the register of the H before it.
                let next = if at + 1 < R { self::candidate::<K>(&scores, at + 1, self.h[at]) } else { 0 };
                candidates[one] = core::mem::replace(&mut candidate, next);
                (above, f) = self.cell(at, candidates[one], above, f);
                self.h[at] = above;
            });
            // The best cell is reached diagonally, since gaps only cost.
            self.best = K::Scores::max3::<false>(self.best, candidates[0], candidates[1]);
        } });
        self.f = f;
    }

    /// H of row `at` and F of the next, from its diagonal candidate, H above it, and its F.
    #[inline(always)]
    fn cell(&mut self, at: usize, candidate: u32, above: u32, f: u32) -> (u32, u32) {
        if K::AFFINE {
            let h = K::Scores::max3::<true>(candidate, self.e[at], f);
            let opened = K::Scores::add(h, self.open);
            self.e[at] = K::Scores::add_max::<false>(self.e[at], self.extend, opened);
            (h, K::Scores::add_max::<false>(f, self.extend, opened))
        } else {
            let h = K::Scores::add_max::<true>(self.h[at], self.open, candidate);
            (K::Scores::add_max::<false>(above, self.open, h), f)
        }
    }
}

/// What row `at` has of its diagonal.
#[inline(always)]
fn candidate<K: Kind>(scores: &[[U32x4; 2]; 2], at: usize, diagonal: u32) -> u32 {
    let (part, word, byte) = (at / 16, at / 4 % 4, at as u32 % 4);
    K::Scores::add(diagonal, K::Scores::pick(scores[0][part].0[word], scores[1][part].0[word], byte))
}
