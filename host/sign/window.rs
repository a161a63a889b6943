//! Windows: the parts of a sequence that each get a signature.
//!
//! For a window length w and a sequence of L residues, with h = w / 2:
//!
//! ```text
//! i = 0; do { window [i, min(i + w, L)); i += h } while (i + h < L)
//! ```
//!
//! There is one window if L <= w. Otherwise there is one for each i = 0, h, 2h, ... with i + h < L: ceil(L / h) - 1 windows,
//! the last of which has more than h residues. Under [`Window::Whole`] the whole sequence is one window. An empty sequence
//! has one empty window.

use std::ops::Range;

/// How sequences are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// Even, 4 to 65,536 residues, overlapping by half.
    Length(u32),
    /// The whole sequence.
    Whole,
}

impl Window {
    /// The number of windows of a sequence of `length` residues: at least one.
    pub fn count(self, length: u64) -> u64 {
        match self {
            Self::Length(w) if length > u64::from(w) => {
                let half = u64::from(w / 2);
                // Sequences are counted by the hundred thousand, and a division takes as long as all else.
                let halves = if half.is_power_of_two() {
                    ((length - 1) >> half.trailing_zeros()) + 1
                } else {
                    length.div_ceil(half)
                };
                halves - 1
            }
            _ => 1,
        }
    }

    /// The residues of window `index` of a sequence of `length` residues.
    pub fn range(self, index: u64, length: u64) -> Range<u64> {
        match self {
            Self::Length(w) => {
                let start = index * u64::from(w / 2);
                start..(start + u64::from(w)).min(length)
            }
            Self::Whole => 0..length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loop of the definition.
    fn windows(w: u64, length: u64) -> Vec<Range<u64>> {
        let (mut i, mut windows) = (0, Vec::new());
        loop {
            windows.push(i..i + w.min(length - i));
            i += w / 2;
            if i + w / 2 >= length {
                return windows;
            }
        }
    }

    #[test]
    fn counts_and_ranges_are_those_of_the_loop() {
        for w in [4, 6, 16, 64, 65_536] {
            for length in 0..400 {
                let window = Window::Length(w);
                let ranges: Vec<_> = (0..window.count(length)).map(|k| window.range(k, length)).collect();
                assert_eq!(ranges, windows(u64::from(w), length), "w {w}, length {length}");
            }
        }
    }

    #[test]
    fn a_whole_sequence_is_one_window() {
        for length in [0, 1, 1 << 40] {
            assert_eq!((Window::Whole.count(length), Window::Whole.range(0, length)), (1, 0..length));
        }
    }

    #[test]
    fn the_greatest_length_has_a_count() {
        for w in [4, 6, 16] {
            assert_eq!(Window::Length(w).count(u64::MAX), u64::MAX.div_ceil(u64::from(w) / 2) - 1);
        }
    }
}
