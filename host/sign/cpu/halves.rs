//! Which words two neighbouring windows share.
//!
//! Windows begin every h = w / 2 letters, and window i has the words that start in [i h, i h + w - k]. With k <= h + 1:
//!
//! ```text
//! starts     |  half i                  |  half i + 1              |
//!            |  0 ..................h-1 |  0 ....h-k h-k+1 ... h-1 |
//! window i   [  all                     |  shared  ]                  h + (h - k + 1) = w - k + 1 words
//! window i+1                            [  all                     |  shared of half i + 2 ]
//! ```
//!
//! So each word is counted once: those shared first, whose counts complete the window before, and the others on top of them.
//! With k > h + 1 no word is shared, and of a half only the first w - k + 1 starts count. A sequence that is one whole window
//! is one half. What a sequence's end cuts off has no words.

use crate::{Parameters, Window};
use std::ops::Range;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    pub k: usize,
    /// Letters from one window's start to the next one's.
    pub step: usize,
    /// Starts of a half that count for its window.
    pub all: usize,
    /// Those of them, the first ones, that count for the window before as well.
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

    /// How many words start in a sequence, counting those with letters that make none.
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
