//! The best cells of a lane, and of its group.

use super::{Lane, Place};
use crate::align::cell::{Best, Scores};
use crate::align::forward::{Kind, first_of_group};
use cuda_std::{U32x4, warp};

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// Raises the score that cells must exceed to one below the group's best, so that a lane notes only cells that may
    /// be the end. One below, because a lane to the right is in an earlier row, and its cell would come before an equal
    /// one. `width` steps later that is over, and a cell has to be better.
    #[inline(always)]
    pub(super) fn share_best(&mut self) {
        let mut best = K::Scores::join(self.noted);
        let mut apart = self.place.width / 2;
        while apart > 0 {
            let other = warp::shuffle_xor(best, apart);
            best = K::Scores::max3::<false>(best, other, other);
            apart /= 2;
        }
        let below = K::Scores::add_max::<false>(best, K::Scores::splat(-1), self.group_best);
        self.best = K::Scores::max3::<false>(self.best, below, below);
        self.group_best = best;
    }

    /// Raises the score that cells must exceed to the best of these candidates.
    #[inline(always)]
    pub(super) fn look_at(&mut self, [a, b, c, d]: [u32; 4]) {
        if K::LOCAL {
            self.best = K::Scores::max3::<false>(self.best, a, b);
            self.best = K::Scores::max3::<false>(self.best, c, d);
        }
    }

    /// Notes the row in which a pair's best score increased.
    #[inline(always)]
    pub(super) fn improved(&mut self, before: u32, row: u32) {
        unroll!(pair in 0 1; {
            let score = K::Scores::get(self.best, pair as u32);
            if pair < K::Scores::PAIRS as usize && score != K::Scores::get(before, pair as u32) {
                self.noted[pair] = score;
                self.noted_rows[pair] = row;
                if !K::SAVED {
                    self.copy_row(pair as u32);
                }
            }
        });
    }

    /// Writes the best cell of the group, for each pair.
    #[inline(always)]
    pub fn finish(&self) {
        if !K::LOCAL {
            return;
        }
        let Place { results, strip, first, steps, width, .. } = self.place;
        let rules = &self.args.rules;
        let record = results + strip * rules.chunks(steps) + (first >> rules.chunk.trailing_zeros());
        unroll!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize {
                let first = self.place.first_column(R);
                let noted = Best { score: self.noted[pair], row: self.noted_rows[pair], column: first };
                let best = first_of_group(noted, width);
                if best.column == first && self.place.end != 0 {
                    let Best { score, row, mut column } = best;
                    if !K::SAVED && score > 0 {
                        column += self.best_column(pair as u32, score);
                    }
                    let place = record * K::Scores::PAIRS + pair as u32;
                    self.args.records.write(place, U32x4([score as u32, row, column, 0]));
                }
            }
        });
    }
}
