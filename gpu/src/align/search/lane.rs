//! One lane of a search: its residues of the query in registers, a residue of the targets per step.
//!
//! Instructions for two packed cells: with affine gaps a PRMT, two adds, a max3-0 and two add-maxima; with linear gaps a PRMT, an
//! add, an add-max-0 and an add-max; and half a max3 for the best. All but the adds share one pipe of 64 lanes per clock.

use super::{Kind, parts};
use crate::abi::SearchArgs;
use crate::align::cell::Scores;
use core::marker::PhantomData;
use cuda_std::{Shared, U32x2, U32x4, thread, warp};

/// A lane's part of the matrix: `R` rows, an even number, one strip after another.
pub struct Lane<'a, K: Kind, const R: usize> {
    args: &'a SearchArgs<'a>,
    profile: Shared<U32x4>,
    lanes: u32,
    /// Its number in the group.
    lane: u32,
    /// The couple's first letter and its columns. Past them is one of padding.
    start: u32,
    columns: u32,
    /// Which of the couple is this unit's, in bits; 0 where both are.
    shift: u32,
    /// Where this group's two borders begin: one is read while the other is written.
    border: u32,
    /// H in the last column, and E of the next.
    h: [u32; R],
    e: [u32; R],
    /// H above the first row, in the last column.
    above: u32,
    /// F below the last row.
    f: u32,
    best: u32,
    open: u32,
    extend: u32,
    kind: PhantomData<K>,
}

impl<'a, K: Kind, const R: usize> Lane<'a, K, R> {
    /// A lane of the group whose unit is `unit`.
    #[inline(always)]
    pub fn new(args: &'a SearchArgs<'a>, profile: Shared<U32x4>, unit: u32) -> Self {
        let U32x2([start, columns]) = args.couples.read(unit >> (2 - K::Scores::PAIRS));
        let lanes = args.rules.lanes;
        let group = thread::index_1d() >> lanes.trailing_zeros();
        Self {
            args,
            profile,
            lanes,
            lane: warp::lane_id() & (lanes - 1),
            start,
            columns,
            shift: if K::Scores::PAIRS == 2 { 0 } else { unit % 2 * 8 },
            border: group * 2 * args.rules.border,
            h: [0; R],
            e: [0; R],
            above: 0,
            f: 0,
            best: 0,
            open: K::Scores::splat(-args.rules.open),
            extend: K::Scores::splat(-args.rules.extend),
            kind: PhantomData,
        }
    }

    /// The best scores of the unit, in all lanes of its group. All lanes of the warp call this, for as many steps.
    #[inline(always)]
    pub fn run(&mut self, strips: u32, steps: u32) -> u32 {
        let mut strip = 0;
        while strip < strips {
            if strips == 1 {
                self.strip::<false>((0, 1), steps);
            } else {
                self.strip::<true>((strip, strips), steps);
            }
            strip += 1;
            // What the last lane wrote is read by the first.
            warp::sync();
        }
        let mut apart = self.lanes / 2;
        while apart > 0 {
            let other = warp::shuffle_xor(self.best, apart);
            self.best = K::Scores::max3::<false>(self.best, other, other);
            apart /= 2;
        }
        self.best
    }

    /// Computes one of so many strips, of several if there are `BORDERS`.
    #[inline(always)]
    fn strip<const BORDERS: bool>(&mut self, (strip, strips): (u32, u32), steps: u32) {
        (self.h, self.e, self.above, self.f) = ([0; R], [self.open; R], 0, self.open);
        let slots = self.args.rules.slots();
        let base = strip * (self.args.rules.codes + 1) * parts(R as u32) * slots + (warp::lane_id() & (slots - 1));
        let writes = strip + 1 < strips && self.lane == self.lanes - 1;
        let mut column = 0u32.wrapping_sub(self.lane);
        // Loaded a step ahead, and borders two: they may come from afar.
        let mut letters = self.letters(column);
        let (mut entering, mut next) = if BORDERS {
            (self.entering(strip, column), self.entering(strip, column.wrapping_add(1)))
        } else {
            (U32x2([0, self.open]), U32x2([0, self.open]))
        };
        let mut step = 0;
        while step < steps {
            let scores = self.scores(base, letters);
            letters = self.letters(column.wrapping_add(1));
            let mut h = warp::shuffle_up(self.h[R - 1], 1, self.lanes);
            let mut f = warp::shuffle_up(self.f, 1, self.lanes);
            if self.lane == 0 {
                U32x2([h, f]) = entering;
            }
            if BORDERS {
                (entering, next) = (next, self.entering(strip, column.wrapping_add(2)));
            }
            self.column(scores, h, f);
            if BORDERS && writes && column < self.columns {
                self.args.borders.write(self.border_of(strip) + column, U32x2([self.h[R - 1], self.f]));
            }
            column = column.wrapping_add(1);
            step += 1;
        }
    }

    /// The couple's letters in a column: padding outside the targets, before them, too.
    #[inline(always)]
    fn letters(&self, column: u32) -> u32 {
        u32::from(self.args.letters.read(self.start + column.min(self.columns)))
    }

    /// H and F above the first lane in a column. Past the targets it does not matter what they are, if they once were there.
    #[inline(always)]
    fn entering(&self, strip: u32, column: u32) -> U32x2 {
        if strip == 0 {
            return U32x2([0, self.open]);
        }
        self.args.borders.read(self.border_of(strip - 1) + column.min(self.columns - 1))
    }

    /// The first element of the border below a strip.
    #[inline(always)]
    fn border_of(&self, strip: u32) -> u32 {
        self.border + (strip & 1) * self.args.rules.border
    }

    /// The scores of this lane's rows with the letters of a column, of the first and the second target.
    #[inline(always)]
    fn scores(&self, base: u32, letters: u32) -> [[U32x4; 2]; 2] {
        let slots = self.args.rules.slots();
        let row = parts(R as u32) * slots;
        let letters = letters >> self.shift;
        let (first, second) = (base + (letters & 0xff) * row, base + (letters >> 8) * row);
        let mut scores = [[U32x4([0; 4]); 2]; 2];
        unroll!(part in 0 1; {
            if part * 16 < R {
                scores[0][part] = self.profile.read(first + part as u32 * slots);
                if K::Scores::PAIRS == 2 {
                    scores[1][part] = self.profile.read(second + part as u32 * slots);
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
