//! Copies of the rows that hold the best cells, for passes without checkpoints: they give the best cell's column.
//!
//! They are in shared memory, indexed by pair, group of eight columns of 16 bits, lane.

use super::Lane;
use crate::align::forward::Kind;
use cuda_std::bits::byte_permute;
use cuda_std::{U32x4, warp};

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// Copies the current row of a pair.
    #[inline(always)]
    pub(super) fn copy_row(&self, pair: u32) {
        let halves = if pair == 0 { 0x5410 } else { 0x7632 };
        let Self { h, .. } = self;
        unroll!(eight in 0 1 2 3; {
            let r = eight * 8;
            if r < R {
                let row = U32x4([
                    byte_permute(h[r], h[r + 1], halves),
                    byte_permute(h[r + 2], h[r + 3], halves),
                    byte_permute(h[r + 4], h[r + 5], halves),
                    byte_permute(h[r + 6], h[r + 7], halves),
                ]);
                self.shared.copies.write((pair * (Self::QUADS / 2) + eight as u32) * 32 + warp::lane_id(), row);
            }
        });
    }

    /// The first of this lane's columns with the best score in the copied row.
    #[inline(always)]
    pub(super) fn best_column(&self, pair: u32, score: i32) -> u32 {
        let mut column = 0;
        let mut eight = Self::QUADS / 2;
        while eight > 0 {
            eight -= 1;
            let row = self.shared.copies.read((pair * (Self::QUADS / 2) + eight) * 32 + warp::lane_id()).0;
            unroll!(k in 3 2 1 0; {
                let first = eight * 8 + 2 * k as u32;
                column = if row[k] as i32 >> 16 == score { first + 1 } else { column };
                column = if i32::from(row[k] as i16) == score { first } else { column };
            });
        }
        column
    }
}
