//! Row 0 and column 0: what a gap costs where an end is not free, else 0.

use super::Lane;
use crate::abi::mode;
use crate::align::cell::{self, Scores};
use crate::align::forward::Kind;

impl<K: Kind, const R: usize> Lane<'_, K, R> {
    /// The border above the first row.
    #[inline(always)]
    pub(super) fn start(&mut self) {
        let first = self.place.first_column(R);
        self.left = K::Scores::splat(self.above(first));
        each_quad!(_quad, r of R; {
            each!(k in 0 1 2 3; {
                self.h[r + k] = K::Scores::splat(self.above(first + (r + k) as u32 + 1));
            });
        });
    }

    /// H of row 0 in column `j`.
    #[inline(always)]
    fn above(&self, j: u32) -> i32 {
        let rules = &self.args.rules;
        if rules.mode == mode::GLOBAL { cell::gap(j, rules.open, rules.extend) } else { 0 }
    }

    /// H of column 0 in row `i`.
    #[inline(always)]
    pub(super) fn beside(&self, i: u32) -> i32 {
        let rules = &self.args.rules;
        let charged = rules.mode == mode::GLOBAL || rules.mode == mode::FIT;
        if charged { cell::gap(i, rules.open, rules.extend) } else { 0 }
    }
}
