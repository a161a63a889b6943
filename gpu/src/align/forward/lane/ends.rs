//! What a lane begins with and leaves behind: the border above the first row, checkpoints, and the last rows of pairs, for
//! modes in which alignments end there.

use super::{Lane, Place};
use crate::align::cell::Scores;
use crate::align::forward::Kind;
use cuda_std::U32x4;

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// Sets H above the first row, in modes in which not every end is free.
    #[inline(always)]
    pub(super) fn start(&mut self) {
        let first = self.place.first_column(R);
        self.left = K::Scores::splat(self.args.rules.above(first));
        unroll_quads!(_quad, r of R; {
            unroll!(k in 0 1 2 3; {
                self.h[r + k] = K::Scores::splat(self.args.rules.above(first + (r + k) as u32 + 1));
            });
        });
    }

    /// Takes the state before step `first` from the checkpoints of the chunk before.
    #[inline(always)]
    pub(super) fn resume(&mut self) {
        let Place { first, lane, width, .. } = self.place;
        let at = self.place.row_checkpoint(first, Self::QUADS);
        unroll_quads!(quad, r of R; {
            let h = self.args.checkpoints.rows_h.read(at + quad * width).0;
            [self.h[r], self.h[r + 1], self.h[r + 2], self.h[r + 3]] = h;
            if K::AFFINE {
                let f = self.args.checkpoints.rows_f.read(at + quad * width).0;
                [self.f[r], self.f[r + 1], self.f[r + 2], self.f[r + 3]] = f;
            }
        });
        if K::AFFINE {
            self.e = self.saved_column(true, self.place.strip, first - 1, lane);
        }
        let row = first - 1 - lane;
        self.left = if lane != 0 {
            self.saved_column(false, self.place.strip, first - 2, lane - 1)
        } else if self.place.strip != 0 {
            self.saved_column(false, self.place.strip - 1, row + width - 1, width - 1)
        } else {
            K::Scores::splat(if K::LOCAL { 0 } else { self.args.rules.beside(row + 1) })
        };
    }

    /// H, or E, of a lane's last column after a step.
    #[inline(always)]
    pub(super) fn saved_column(&self, e: bool, strip: u32, step: u32, lane: u32) -> u32 {
        let columns = if e { &self.args.checkpoints.columns_e } else { &self.args.checkpoints.columns_h };
        let [a, b, c, d] = columns.read(self.place.column_checkpoint(strip, step, lane)).0;
        match step % 4 {
            0 => a,
            1 => b,
            2 => c,
            _ => d,
        }
    }

    /// Saves the lane's columns before step `step`.
    #[inline(always)]
    pub(super) fn save_row(&self, step: u32) {
        let at = self.place.row_checkpoint(step, Self::QUADS);
        unroll_quads!(quad, r of R; {
            let Self { h, f, .. } = self;
            let at = at + quad * self.place.width;
            self.args.checkpoints.rows_h.write(at, U32x4([h[r], h[r + 1], h[r + 2], h[r + 3]]));
            if K::AFFINE {
                self.args.checkpoints.rows_f.write(at, U32x4([f[r], f[r + 1], f[r + 2], f[r + 3]]));
            }
        });
    }

    /// Saves H of the last row of those pairs whose query has `length` residues.
    #[inline(always)]
    pub(super) fn save_last(&self, length: u32) {
        let Place { results, strip, width, lane, lengths, .. } = self.place;
        unroll!(pair in 0 1; {
            if lengths[pair] == length && pair < K::Scores::PAIRS as usize {
                let first = ((results + strip) * K::Scores::PAIRS + pair as u32) * Self::QUADS * width + lane;
                unroll_quads!(quad, r of R; {
                    let row = U32x4([self.h[r], self.h[r + 1], self.h[r + 2], self.h[r + 3]]);
                    self.args.last.write(first + quad * width, row);
                });
            }
        });
    }
}
