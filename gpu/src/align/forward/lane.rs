//! One lane of the forward pass: its columns in registers, a row per step.
//!
//! Instructions for two packed cells in local mode: with linear gaps a PRMT, an add, an add-max-0, an add-max and half
//! a max3; with affine gaps a PRMT, an add, an add and an add-max twice, a max3-0 and half a max3. All but the adds
//! share one pipe of 64 lanes per clock.

mod best;
mod copies;
mod ends;
mod feed;

use super::{Kind, Place, SharedStorage};
use crate::abi::ForwardArgs;
use crate::align::cell::Scores;
use crate::tuning::CHECKPOINT;
use core::marker::PhantomData;
use cuda_std::{U32x4, warp};
use feed::Feed;

/// A lane's part of the matrix: `R` columns, a multiple of 16.
pub(super) struct Lane<'a, K: Kind, const R: usize> {
    args: &'a ForwardArgs<'a>,
    place: Place,
    shared: SharedStorage,
    h: [u32; R],
    f: [u32; R],
    e: u32,
    /// The scores that a cell must exceed to be a candidate for the end.
    best: u32,
    /// The group's best scores when its lanes last exchanged them.
    group_best: u32,
    /// The best score found in each pair, and its row.
    noted: [i32; 2],
    noted_rows: [u32; 2],
    /// Where the next row's scores are in the profile: the first pair's in the low half, the second's in the high half.
    offsets: u32,
    /// This row's scores, loaded a step before they are used. That hides the load where warps are few.
    scores: [[U32x4; 2]; 2],
    /// H to the left of the first column, in the last row.
    left: u32,
    open: u32,
    extend: u32,
    kind: PhantomData<K>,
}

impl<'a, K: Kind, const R: usize> Lane<'a, K, R> {
    /// 128-bit elements that a lane's columns fill.
    const QUADS: u32 = R as u32 / 4;

    /// A lane before the first step of its item.
    #[inline(always)]
    pub(super) fn new(args: &'a ForwardArgs<'a>, place: Place, shared: SharedStorage) -> Self {
        let first = place.first;
        let mut lane = Self::blank(args, place, shared);
        lane.offsets = lane.profile_offsets(lane.row_residues(first.wrapping_sub(lane.place.lane)));
        lane.scores = lane.load_scores();
        if K::SAVED && first != 0 {
            lane.resume();
        } else if !K::LOCAL {
            lane.start();
        }
        lane
    }

    /// A lane above the first row of a local alignment.
    #[inline(always)]
    fn blank(args: &'a ForwardArgs<'a>, place: Place, shared: SharedStorage) -> Self {
        let lowest = K::Scores::splat(K::Scores::LOWEST);
        Self {
            args,
            place,
            shared,
            h: [0; R],
            f: [lowest; R],
            e: lowest,
            best: 0,
            group_best: 0,
            noted: [0; 2],
            noted_rows: [0; 2],
            offsets: 0,
            scores: [[U32x4([0; 4]); 2]; 2],
            left: 0,
            open: K::Scores::splat(-args.rules.open),
            extend: K::Scores::splat(-args.rules.extend),
            kind: PhantomData,
        }
    }

    /// Computes all steps of the item.
    #[inline(always)]
    pub fn run(&mut self) {
        let Place { first, end, width, lane, .. } = self.place;
        let mut step = first;
        // Loaded a feed ahead. Where warps are few, nothing else hides the load.
        let mut residues = self.row_residues(first + lane + 1);
        // All groups of a warp take as many steps as the longest one needs. The rest is padding for the others, because
        // only packed pairs that have a warp of their own are cut into chunks.
        while warp::ballot(step < end) != 0 {
            let feed = self.feed(step, residues);
            residues = self.row_residues(step + width + lane + 1);
            if K::LOCAL {
                self.share_best();
            }
            let mut k = 0;
            while k < width {
                self.four_steps(&feed, step, k);
                k += 4;
            }
            step += width;
        }
    }

    /// Computes steps `from + k .. from + k + 4`, and saves what is due after them.
    #[inline(always)]
    fn four_steps(&mut self, feed: &Feed, from: u32, k: u32) {
        let (mut h, mut e) = ([0; 4], [0; 4]);
        unroll!(j in 0 1 2 3; {
            self.step(feed, from, k + j as u32);
            (h[j], e[j]) = (self.h[R - 1], self.e);
        });
        if K::SAVED && from + k < self.place.end {
            let Place { strip, lane, .. } = self.place;
            let at = self.place.column_checkpoint(strip, from + k, lane);
            self.args.checkpoints.columns_h.write(at, U32x4(h));
            if K::AFFINE {
                self.args.checkpoints.columns_e.write(at, U32x4(e));
            }
            if (from + k + 4).is_multiple_of(CHECKPOINT) {
                self.save_row(from + k + 4);
            }
        }
    }

    /// Computes one row in each lane.
    #[inline(always)]
    fn step(&mut self, feed: &Feed, from: u32, k: u32) {
        let (h, e) = self.enter(feed, k);
        let row = (from + k).wrapping_sub(self.place.lane);
        let [first, second] = self.place.lengths;
        let next_scores = self.load_scores();
        if K::LOCAL {
            let before = self.best;
            self.row(h, e);
            if self.best != before {
                self.improved(before, row);
            }
        } else if row < first.max(second) {
            self.row(h, e);
            if row + 1 == first || row + 1 == second {
                self.save_last(row + 1);
            }
        }
        let [[a, b], [c, d]] = next_scores;
        self.scores = [[a, b], [c, d]];
    }

    /// H and E to the left of this lane's next row. Also passes on the offsets of the row after. All come from the lane
    /// to the left, or from step `k` of `feed`.
    #[inline(always)]
    fn enter(&mut self, feed: &Feed, k: u32) -> (u32, u32) {
        let Place { width, lane, strip, .. } = self.place;
        let offsets = warp::shuffle_up(self.offsets, 1, width);
        let mut h = warp::shuffle_up(self.h[R - 1], 1, width);
        let mut e = if K::AFFINE { warp::shuffle_up(self.e, 1, width) } else { 0 };
        let next = warp::shuffle(feed.offsets, k, width);
        self.offsets = if lane == 0 { next } else { offsets };
        if !K::LOCAL || K::SAVED && strip != 0 {
            let next_h = warp::shuffle(feed.h, k, width);
            h = if lane == 0 { next_h } else { h };
        } else if lane == 0 {
            h = 0;
        }
        if K::AFFINE {
            let next_e = if K::SAVED && strip != 0 { warp::shuffle(feed.e, k, width) } else { feed.e };
            e = if lane == 0 { next_e } else { e };
        }
        (h, e)
    }

    /// The scores of the row at `offsets`, 16 columns per element, for the first and the second pair.
    #[inline(always)]
    fn load_scores(&self) -> [[U32x4; 2]; 2] {
        let lane = warp::lane_id();
        let (first, second) = ((self.offsets & 0xffff) + lane, (self.offsets >> 16) + lane);
        let mut scores = [[U32x4([0; 4]); 2]; 2];
        unroll!(part in 0 1; {
            if part * 16 < R {
                scores[0][part] = self.shared.profile.read(first + part as u32 * 32);
                if K::Scores::PAIRS == 2 {
                    scores[1][part] = self.shared.profile.read(second + part as u32 * 32);
                }
            }
        });
        scores
    }

    /// Computes the cells of one row. `h` and `e` are to the left of it.
    #[inline(always)]
    fn row(&mut self, h: u32, e: u32) {
        let mut diagonal = self.left;
        let (mut left, mut e) = (h, e);
        self.left = h;
        // A best cell is reached diagonally, since gaps only cost. Looking at the candidates instead of H keeps each
        // sum in a register of its own: ptxas then does not fuse it with a maximum that is cheaper taken over three.
        unroll!(r in 0 16; { if r < R {
            let (first, second) = (self.scores[0][r / 16].0, self.scores[1][r / 16].0);
            unroll!(q in 0 1 2 3; {
                let mut candidates = [0; 4];
                unroll!(byte in 0 1 2 3; {
                    let at = r + 4 * q + byte;
                    let candidate = K::Scores::add(diagonal, K::Scores::pick(first[q], second[q], byte as u32));
                    diagonal = self.h[at];
                    (left, e) = self.cell(at, [candidate, diagonal, left, e]);
                    self.h[at] = left;
                    candidates[byte] = candidate;
                });
                self.look_at(candidates);
            });
        } });
        self.e = e;
    }

    /// H and E of column `at`, from its diagonal candidate, H above it, and H and E to its left.
    #[inline(always)]
    fn cell(&mut self, at: usize, [candidate, above, left, e]: [u32; 4]) -> (u32, u32) {
        if K::AFFINE {
            let up = K::Scores::add_max::<false>(above, self.open, K::Scores::add(self.f[at], self.extend));
            let e = K::Scores::add_max::<false>(left, self.open, K::Scores::add(e, self.extend));
            self.f[at] = up;
            (max_of_three::<K>(candidate, up, e), e)
        } else {
            (K::Scores::add_max::<false>(left, self.open, up::<K>(above, self.open, candidate)), e)
        }
    }
}

#[inline(always)]
fn max_of_three<K: Kind>(a: u32, b: u32, c: u32) -> u32 {
    if K::LOCAL { K::Scores::max3::<true>(a, b, c) } else { K::Scores::max3::<false>(a, b, c) }
}

#[inline(always)]
fn up<K: Kind>(above: u32, cost: u32, candidate: u32) -> u32 {
    if K::LOCAL {
        K::Scores::add_max::<true>(above, cost, candidate)
    } else {
        K::Scores::add_max::<false>(above, cost, candidate)
    }
}
