//! Which k-mers two neighbouring windows share.
//!
//! Windows begin every h = w / 2 residues, and window i has the k-mers that start in [i h, i h + w - k]. With k <= h + 1:
//!
//! ```text
//! starts     |  half i                  |  half i + 1              |
//!            |  0 ..................h-1 |  0 ....h-k h-k+1 ... h-1 |
//! window i   [  all                     |  shared  ]                  h + (h - k + 1) = w - k + 1 k-mers
//! window i+1                            [  all                     |  shared of half i + 2 ]
//! ```
//!
//! So each k-mer is counted once: first the shared ones, whose counts complete the window before, then the others on top.
//! With k > h + 1 no k-mer is shared, and only the first w - k + 1 starts of a half count. A sequence that is one whole
//! window is one half. Beyond the end of a sequence there are no k-mers.

use crate::{Parameters, Window};
use std::ops::Range;

/// The halves of windows, by the starts of their k-mers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    pub k: usize,
    /// Residues from one window's start to the next one's.
    pub step: usize,
    /// Starts of a half that count for its window.
    pub all: usize,
    /// The first of these, which also count for the window before.
    pub shared: usize,
}

impl Halves {
    /// The halves of windows.
    pub fn new(parameters: &Parameters) -> Self {
        let k = parameters.k as usize;
        match parameters.window {
            Window::Whole => Self { k, step: usize::MAX, all: usize::MAX, shared: 0 },
            Window::Length(w) => {
                let (w, step) = (w as usize, w as usize / 2);
                Self { k, step, all: step.min(w + 1 - k), shared: (step + 1).saturating_sub(k) }
            }
        }
    }

    /// The number of positions of a sequence where a k-mer could start.
    pub fn starts(&self, sequence: &[u8]) -> usize {
        (sequence.len() + 1).saturating_sub(self.k)
    }

    /// The starts of a half of a sequence that are shared, and the others that count.
    #[inline(always)]
    pub fn of(&self, half: u64, starts: usize) -> (Range<usize>, Range<usize>) {
        let first = (half as usize).saturating_mul(self.step);
        let until = |count: usize| first.saturating_add(count).min(starts);
        (first.min(starts)..until(self.shared), until(self.shared)..until(self.all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_all_of_its_half_and_what_the_next_one_shares() {
        for (w, k) in (4..20).step_by(2).flat_map(|w| (1..=w).map(move |k| (w, k))) {
            let window = Window::Length(w);
            let halves = Halves::new(&Parameters { k, window, ..Parameters::QUT });
            for length in 0..100 {
                let starts = halves.starts(&vec![0; length as usize]);
                for i in 0..window.count(length) {
                    let ((shared, others), (next, _)) = (halves.of(i, starts), halves.of(i + 1, starts));
                    let found: Vec<_> = shared.chain(others).chain(next).map(|start| start as u64).collect();
                    let range = window.range(i, length);
                    let expected = range.start..(range.end + 1).saturating_sub(k.into()).max(range.start);
                    assert_eq!(found, expected.collect::<Vec<_>>(), "w {w}, k {k}, length {length}, window {i}");
                }
            }
        }
    }
}
