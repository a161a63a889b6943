//! One lane of a search: its residues of the query in registers, a residue of the targets per step.
//!
//! # What a step costs
//!
//! For two packed cells with affine gaps: a PRMT (the scores), an add (the diagonal), a max3-0 (H), an add (H less the opening), two
//! add-maxima (E, F), and half a max3 for the best; with linear gaps a PRMT, an add, an add-max-0, an add-max and half a max3. All
//! but the adds share one pipe that takes an instruction of a warp every other clock: 4.5 of them, 9 clocks. Besides cells, a step
//! has about one instruction of this pipe (two where there are borders) and 20 others:
//!
//! | | |
//! |---|---|
//! | two shuffles, two multiply-adds | what is above: of the lane before, or of the border |
//! | a load from device memory | the letters of a step to come; its address is computed once for [`AHEAD`] of them |
//! | two or four dp4a, as many loads from shared memory | the rows of the profile: a letter times its weights is an address |
//! | 8 moves of 32 residues | H changes registers; two or four steps are written out, so it moves back once for all |
//!
//! What is measured is 10.4 clocks: reading registers is what limits. PRMTs replaced by adds of scores that are wide in the profile
//! (3.5 instructions of the pipe) took as long, since they read as many. So costs of gaps that are part of the instructions
//! ([`Kind::GAP`]) are worth a tenth: they are no registers. Scores of the second target in registers of the other bank, and
//! narrower loads of them, changed nothing.

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
    /// The couple's first letter and its columns. Before and past them is padding.
    start: u32,
    columns: u32,
    /// For each of the couple's targets, what a letter is multiplied by, byte by byte, to give the row of the profile in bytes.
    weights: [u32; 2],
    /// The first element of this group's border.
    border: u32,
    /// H in the last column, and E of the next.
    h: [u32; R],
    e: [u32; R],
    /// H above the first row, in the last column.
    above: u32,
    /// F below the last row.
    f: u32,
    /// 1 where what is above comes from the lane before, 0 in the first lane of a group.
    inner: u32,
    best: u32,
    kind: PhantomData<K>,
}

/// Letters, and elements of the border, that are loaded ahead: they may come from afar.
const AHEAD: usize = 2;

/// Columns past the last one that the last lane may write: what rounding adds to the steps.
const PAST: u32 = 3;

/// Steps that are written out: fewer where 128 registers would not hold what ptxas makes of more.
const fn written_out(residues: usize) -> usize {
    if residues > 26 { 2 } else { 4 }
}

impl<'a, K: Kind, const R: usize> Lane<'a, K, R> {
    /// A lane of the group whose unit is `unit`.
    #[inline(always)]
    pub fn new(args: &'a SearchArgs<'a>, profile: Shared<U32x4>, unit: u32) -> Self {
        let U32x2([start, columns]) = args.couples.read(unit >> (2 - K::Scores::PAIRS));
        let lanes = args.rules.lanes;
        let lane = warp::lane_id() & (lanes - 1);
        let row = parts(R as u32) * args.rules.slots() * size_of::<U32x4>() as u32 / LETTER;
        Self {
            args,
            profile,
            lanes,
            lane,
            start,
            columns,
            weights: if K::Scores::PAIRS == 2 { [row, row << 8] } else { [row << (unit % 2 * 8), 0] },
            border: (thread::index_1d() >> lanes.trailing_zeros()) * args.rules.border,
            h: [0; R],
            e: [0; R],
            above: 0,
            f: 0,
            // A product is not the compiler's to see through: it would make selections of what is multiplied by 0 or 1.
            inner: dot_product(u32::from(lane > 0), 1, 0),
            best: 0,
            kind: PhantomData,
        }
    }

    #[inline(always)]
    fn open(&self) -> u32 {
        K::Scores::splat(-K::GAP.map_or(self.args.rules.open, |[open, _]| open))
    }

    #[inline(always)]
    fn extend(&self) -> u32 {
        K::Scores::splat(-K::GAP.map_or(self.args.rules.extend, |[_, extend]| extend))
    }

    /// The best scores of the unit, in all lanes of its group. All lanes of the warp call this, with the columns of their longest couple.
    #[inline(always)]
    pub fn run(&mut self, strips: u32, columns: u32) -> u32 {
        if strips == 1 {
            self.strip::<false>((0, 1), columns);
        } else {
            self.end_border(columns);
            let mut strip = 0;
            while strip < strips {
                self.strip::<true>((strip, strips), columns);
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

    /// Writes what the first lane reads past the last column: another couple's values there would count as this one's. That is one
    /// element after an odd number of columns, and then again and again those at [`PAST`], which the last lane does not reach.
    #[inline(always)]
    fn end_border(&self, columns: u32) {
        if self.lane <= AHEAD as u32 {
            let past = if self.lane == 0 { 0 } else { PAST + self.lane - 1 };
            self.args.borders.write(self.border + SEARCH_GAP + columns + past, U32x2([0, self.open()]));
        }
        warp::sync();
    }

    /// Computes one of so many strips, of several if there are `BORDERS`. The last lane writes a column of the border three steps or
    /// more after the first one needed it, and so five or more after it was read: before the last barrier.
    #[inline(always)]
    fn strip<const BORDERS: bool>(&mut self, (strip, strips): (u32, u32), columns: u32) {
        (self.h, self.e, self.above, self.f) = ([0; R], [self.open(); R], 0, self.open());
        let slots = self.args.rules.slots();
        let base = strip * (self.args.rules.codes + 1) * parts(R as u32) * slots + (warp::lane_id() & (slots - 1));
        let reads = BORDERS && strip > 0 && self.lane == 0;
        let writes = BORDERS && strip + 1 < strips && self.lane == self.lanes - 1;
        let (mut next, end) = (self.start - self.lane, self.start + self.columns);
        let (mut letters, mut entering) = ([0; AHEAD], [U32x2([0; 2]); AHEAD]);
        let mut column = 0;
        unroll!(k in 0 1; {
            letters[k] = self.letters(next, k);
            entering[k] = self.entering(reads, column, k);
        });
        let mut step = 0;
        while step < columns + self.lanes - 1 {
            if BORDERS {
                warp::sync();
            }
            unroll!(k in 0 1 2 3; { if k < written_out(R) {
                let at = k % AHEAD;
                if at == 0 {
                    // Past the couple there is enough padding, but then comes the next one.
                    next = (next + AHEAD as u32).min(end);
                    column = step + k as u32 + AHEAD as u32;
                    column = if column < columns { column } else { columns + PAST };
                }
                let scores = self.scores(base, letters[at]);
                letters[at] = self.letters(next, at);
                let (h, f) = self.entered(entering[at]);
                entering[at] = self.entering(reads, column, at);
                self.column(scores, h, f);
                if writes {
                    let below = self.border + SEARCH_GAP + step - self.lane;
                    self.args.borders.write_past(below, k as u32, U32x2([self.h[R - 1], self.f]));
                }
            } });
            step += written_out(R) as u32;
        }
    }

    /// The couple's letters so far past a place.
    #[inline(always)]
    fn letters(&self, place: u32, past: usize) -> u32 {
        u32::from(self.args.letters.read_past(place, past as u32))
    }

    /// H and F above the first lane so far past a column; 0 in the other lanes.
    #[inline(always)]
    fn entering(&self, reads: bool, column: u32, past: usize) -> U32x2 {
        if reads {
            self.args.borders.read_past(self.border + SEARCH_GAP + column, past as u32)
        } else {
            U32x2([0, if self.lane == 0 { self.open() } else { 0 }])
        }
    }

    /// H and F above this lane.
    #[inline(always)]
    fn entered(&self, U32x2([h, f]): U32x2) -> (u32, u32) {
        let before = |value| warp::shuffle_up(value, 1, self.lanes) * self.inner;
        (before(self.h[R - 1]).wrapping_add(h), before(self.f).wrapping_add(f))
    }

    /// The scores of this lane's rows with the letters of a column, of the first and the second target.
    #[inline(always)]
    fn scores(&self, base: u32, letters: u32) -> [[U32x4; 2]; 2] {
        let mut scores = [[U32x4([0; 4]); 2]; 2];
        unroll!(part in 0 1; {
            if part * 16 < R {
                let first = base + part as u32 * self.args.rules.slots();
                scores[0][part] = self.profile.read_dot(first, letters, self.weights[0]);
                if K::Scores::PAIRS == 2 {
                    scores[1][part] = self.profile.read_dot(first, letters, self.weights[1]);
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
            let opened = K::Scores::add(h, self.open());
            self.e[at] = K::Scores::add_max::<false>(self.e[at], self.extend(), opened);
            (h, K::Scores::add_max::<false>(f, self.extend(), opened))
        } else {
            let h = K::Scores::add_max::<true>(self.h[at], self.open(), candidate);
            (K::Scores::add_max::<false>(above, self.open(), h), f)
        }
    }
}

/// What row `at` has of its diagonal.
#[inline(always)]
fn candidate<K: Kind>(scores: &[[U32x4; 2]; 2], at: usize, diagonal: u32) -> u32 {
    let (part, word, byte) = (at / 16, at / 4 % 4, at as u32 % 4);
    K::Scores::add(diagonal, K::Scores::pick(scores[0][part].0[word], scores[1][part].0[word], byte))
}
