//! What enters a group from the left: residues, and H and E of the strip to the left or of the border.

use super::{Lane, Place};
use crate::align::cell::Scores;
use crate::align::forward::Kind;
use crate::align::forward::PADDING;

/// Values for the next `width` steps: lane k of the group holds those of the k-th step. The offsets are those of the
/// row after.
pub struct Feed {
    pub offsets: u32,
    pub h: u32,
    pub e: u32,
}

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// Each pair's residue in row `row`.
    #[inline(always)]
    pub(super) fn row_residues(&self, row: u32) -> [u32; 2] {
        let mut residues = [PADDING; 2];
        unroll!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize && row < self.place.lengths[pair] {
                residues[pair] = u32::from(self.args.pairs.queries.read(self.place.starts[pair] + row));
            }
        });
        residues
    }

    /// Where the scores of these residues are in the profiles.
    #[inline(always)]
    pub(super) fn profile_offsets(&self, residues: [u32; 2]) -> u32 {
        let codes = self.args.rules.codes;
        let mut offsets = 0;
        unroll!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize {
                let code = u32::from(self.shared.codes.read(residues[pair]));
                let offset = (pair as u32 * (codes + 1) + code) * (R as u32 / 16) * 32;
                offsets |= offset << (16 * pair);
            }
        });
        offsets
    }

    /// What enters the group in the `width` steps from `step` on. `residues` are those of the row after this lane's
    /// step.
    #[inline(always)]
    pub(super) fn feed(&self, step: u32, residues: [u32; 2]) -> Feed {
        let Place { strip, lane, width, steps, .. } = self.place;
        let row = step + lane;
        let lowest = K::Scores::splat(K::Scores::LOWEST);
        let mut feed = Feed { offsets: self.profile_offsets(residues), h: 0, e: lowest };
        // Steps are rounded up, so the strip to the left ends before the last rows, which are padding.
        if K::SAVED && strip != 0 && row + width - 1 < steps {
            feed.h = self.saved_column(false, strip - 1, row + width - 1, width - 1);
            if K::AFFINE {
                feed.e = self.saved_column(true, strip - 1, row + width - 1, width - 1);
            }
        } else if !K::LOCAL && strip == 0 {
            let [first, second] = self.place.lengths;
            feed.h = K::Scores::splat(self.args.rules.beside((row + 1).min(first.max(second))));
        }
        feed
    }
}
