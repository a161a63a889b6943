//! The last rows of pairs, for modes in which alignments end there.

use super::{Lane, Place};
use crate::align::cell::Scores;
use crate::align::forward::Kind;
use cuda_std::U32x4;

impl<K: Kind, const R: usize> Lane<'_, K, R> {
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
