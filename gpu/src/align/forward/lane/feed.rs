//! What enters a group from the left: letters, and H and E of the strip to the left or of the border.

use super::{Lane, Place};
use crate::abi::{Pairs, Rules};
use crate::align::cell::Scores;
use crate::align::forward::Kind;

/// For each of the next `width` steps, held by the lane of that number; the letters are
/// those of the row after.
pub struct Feed {
    pub letters: u32,
    pub h: u32,
    pub e: u32,
}

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// Where the profiles of row `row`'s letters start; the padding's outside the query.
    #[inline(always)]
    pub(super) fn scores_of_row(&self, row: u32) -> u32 {
        let Rules { codes, .. } = self.args.rules;
        let Pairs { queries, codes: codes_of, .. } = &self.args.pairs;
        let mut offsets = 0;
        each!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize {
                let code = if row < self.place.lengths[pair] {
                    u32::from(codes_of.read(u32::from(queries.read(self.place.starts[pair] + row))))
                } else {
                    codes
                };
                let offset = (pair as u32 * (codes + 1) + code) * (R as u32 / 16) * 32;
                offsets |= offset << (16 * pair);
            }
        });
        offsets
    }

    /// What enters the group in the `width` steps from `step` on.
    #[inline(always)]
    pub(super) fn feed(&self, step: u32) -> Feed {
        let Place { strip, lane, width, steps, .. } = self.place;
        let row = step + lane;
        let lowest = K::Scores::splat(K::Scores::LOWEST);
        let mut feed = Feed { letters: self.scores_of_row(row + 1), h: 0, e: lowest };
        // The steps are rounded up, so the strip to the left ends before the last rows, which are padding.
        if K::SAVED && strip != 0 && row + width - 1 < steps {
            feed.h = self.saved_column(false, strip - 1, row + width - 1, width - 1);
            if K::AFFINE {
                feed.e = self.saved_column(true, strip - 1, row + width - 1, width - 1);
            }
        } else if !K::LOCAL && strip == 0 {
            feed.h = K::Scores::splat(self.beside((row + 1).min(self.place.lengths[0].max(self.place.lengths[1]))));
        }
        feed
    }
}
