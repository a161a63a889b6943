//! Row 0 in modes in which not every end is free.

use super::Lane;
use crate::align::cell::Scores;
use crate::align::forward::Kind;

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// Sets H above the first row.
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
}
