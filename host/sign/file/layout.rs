//! Where the sections lie. All follows from the sizes of a signature, of the set and of the names.

use super::{ALIGNMENT, HEADER, TRAILER};
use crate::{Parameters, Window};
use std::ops::Range;
use warpseq_io::format::{self, sized, u64_at};

/// The places of the sections, in bytes from the start of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub sequences: u64,
    pub windows: u64,
    pub present: u64,
    /// Where the words are; of version 1, which has none, where the lengths are.
    pub words: u64,
    pub lengths: u64,
    pub firsts: u64,
    pub name_offsets: u64,
    pub names: u64,
    /// Bytes of the file.
    pub total: u64,
    /// Bytes of the number of words of a window; none in a file of version 1.
    pub word_width: u64,
}

/// Bytes of a number of words in files of a version: as few as hold that of any window.
pub(super) fn word_width(version: u32, window: Window) -> u64 {
    match window {
        _ if version == 1 => 0,
        Window::Length(..0x100) => 1,
        Window::Length(..0x1_0000) => 2,
        Window::Length(_) | Window::Whole => 4,
    }
}

impl Layout {
    /// That of a file of a version, with `sequences` names of `names` bytes in all, and `windows` signatures made with `parameters`. `None`
    /// when there is no such file, because its length would not fit 64 bits.
    pub fn new(version: u32, parameters: &Parameters, [sequences, windows, names]: [u64; 3]) -> Option<Self> {
        let word_width = word_width(version, parameters.window);
        let present = windows.checked_mul(parameters.width() as u64)?.checked_add(HEADER as u64)?;
        let words = after(present, windows.div_ceil(8))?;
        let lengths = after(words, windows.checked_mul(word_width)?)?;
        let firsts = after(lengths, sequences.checked_mul(8)?)?;
        let entries = sequences.checked_add(1)?.checked_mul(8)?;
        let name_offsets = after(firsts, entries)?;
        let names_start = after(name_offsets, entries)?;
        let total = after(names_start, names)?.checked_add(TRAILER as u64)?;
        let names = names_start;
        Some(Self { sequences, windows, present, words, lengths, firsts, name_offsets, names, total, word_width })
    }

    /// The bytes of the trailer up to the checksum.
    pub fn encode(&self) -> Vec<u8> {
        let Self { sequences, windows, present, lengths, firsts, name_offsets, names, total, .. } = *self;
        let numbers = [sequences, windows, present, lengths, firsts, name_offsets, names, total];
        numbers.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// What a trailer says, right or wrong, of a file of a version with these windows.
    pub fn decode(trailer: &[u8], version: u32, window: Window) -> Self {
        let number = |index: usize| u64_at(trailer, 8 * index);
        let [sequences, windows, present, lengths] = [0, 1, 2, 3].map(number);
        let [firsts, name_offsets, names, total] = [4, 5, 6, 7].map(number);
        let words = after(present, windows.div_ceil(8)).unwrap_or(lengths);
        let word_width = word_width(version, window);
        Self { sequences, windows, present, words, lengths, firsts, name_offsets, names, total, word_width }
    }

    pub fn signature_bytes(&self) -> Range<usize> {
        HEADER..self.present as usize
    }

    pub fn present_bytes(&self) -> Range<usize> {
        sized(self.present, self.windows.div_ceil(8))
    }

    /// The words of each window, in a file that has them.
    pub fn word_bytes(&self) -> Option<Range<usize>> {
        (self.word_width > 0).then(|| sized(self.words, self.word_width * self.windows))
    }

    pub fn length_bytes(&self) -> Range<usize> {
        sized(self.lengths, 8 * self.sequences)
    }

    pub fn first_bytes(&self) -> Range<usize> {
        sized(self.firsts, 8 * (self.sequences + 1))
    }

    /// The names in a file whose sections lie where they must.
    pub fn name_bytes(&self, bytes: &[u8]) -> Range<usize> {
        sized(self.names, u64_at(bytes, self.name_offset_bytes().end - 8))
    }

    pub fn name_offset_bytes(&self) -> Range<usize> {
        sized(self.name_offsets, 8 * (self.sequences + 1))
    }
}

/// Where the section behind one of `bytes` bytes at `start` lies.
fn after(start: u64, bytes: u64) -> Option<u64> {
    format::after(start, bytes, ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_by_hand() {
        // Two sequences, nine windows of 300 symbols with 16 bytes each, names of 5 bytes.
        let parameters = Parameters { window: Window::Length(300), bits: 128, ..Parameters::QUT };
        let layout = Layout::new(2, &parameters, [2, 9, 5]).unwrap();
        let Layout { present, words, lengths, firsts, name_offsets, names, total, .. } = layout;
        assert_eq!([present, words, lengths, firsts, name_offsets, names], [208, 216, 240, 256, 280, 304]);
        assert_eq!(total, 312 + 80);
        assert_eq!(layout.present_bytes(), 208..210);
        assert_eq!(Layout::decode(&layout.encode(), 2, parameters.window), layout);
        let first = Layout::new(1, &parameters, [2, 9, 5]).unwrap();
        assert_eq!((first.words, first.lengths, first.total, first.word_bytes()), (216, 216, 288 + 80, None));
    }

    #[test]
    fn words_of_every_window_fit() {
        for (window, width) in [(4, 1), (254, 1), (256, 2), (65_534, 2), (65_536, 4)] {
            assert_eq!(word_width(2, Window::Length(window)), width, "{window}");
        }
        assert_eq!([2, 1].map(|version| word_width(version, Window::Whole)), [4, 0]);
    }

    #[test]
    fn lengths_that_do_not_fit_are_none() {
        let most = u64::MAX;
        for sizes in [[most, 0, 0], [most / 8, 0, 0], [0, most, 0], [0, most / 8, 0], [0, 0, most]] {
            assert_eq!(Layout::new(2, &Parameters::QUT, sizes), None, "{sizes:?}");
        }
    }
}
