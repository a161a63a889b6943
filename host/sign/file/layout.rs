//! Where the sections lie. All follows from the sizes of a signature, of the set and of the names.

use super::{ALIGNMENT, HEADER, TRAILER};
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
}

impl Layout {
    /// That of a file of a version, with `sequences` names of `names` bytes in all, and `windows` signatures of `width` bytes. `None` when
    /// there is no such file, because its length would not fit 64 bits.
    pub fn new(version: u32, width: u64, [sequences, windows, names]: [u64; 3]) -> Option<Self> {
        let present = windows.checked_mul(width)?.checked_add(HEADER as u64)?;
        let words = after(present, windows.div_ceil(8))?;
        let lengths = if version == 1 { words } else { after(words, windows.checked_mul(4)?)? };
        let firsts = after(lengths, sequences.checked_mul(8)?)?;
        let entries = sequences.checked_add(1)?.checked_mul(8)?;
        let name_offsets = after(firsts, entries)?;
        let names_start = after(name_offsets, entries)?;
        let total = after(names_start, names)?.checked_add(TRAILER as u64)?;
        Some(Self { sequences, windows, present, words, lengths, firsts, name_offsets, names: names_start, total })
    }

    /// The bytes of the trailer up to the checksum.
    pub fn encode(&self) -> Vec<u8> {
        let Self { sequences, windows, present, lengths, firsts, name_offsets, names, total, .. } = *self;
        let numbers = [sequences, windows, present, lengths, firsts, name_offsets, names, total];
        numbers.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// What a trailer says, right or wrong.
    pub fn decode(trailer: &[u8]) -> Self {
        let number = |index: usize| u64_at(trailer, 8 * index);
        let [sequences, windows, present, lengths] = [0, 1, 2, 3].map(number);
        let [firsts, name_offsets, names, total] = [4, 5, 6, 7].map(number);
        let words = after(present, windows.div_ceil(8)).unwrap_or(lengths);
        Self { sequences, windows, present, words, lengths, firsts, name_offsets, names, total }
    }

    pub fn signature_bytes(&self) -> Range<usize> {
        HEADER..self.present as usize
    }

    pub fn present_bytes(&self) -> Range<usize> {
        sized(self.present, self.windows.div_ceil(8))
    }

    /// The words of each window, 4 bytes each, in a file that has them.
    pub fn word_bytes(&self) -> Option<Range<usize>> {
        (self.words < self.lengths).then(|| sized(self.words, 4 * self.windows))
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
        // Two sequences, nine windows of 16 bytes, names of 5 bytes.
        let layout = Layout::new(2, 16, [2, 9, 5]).unwrap();
        let Layout { present, words, lengths, firsts, name_offsets, names, total, .. } = layout;
        assert_eq!([present, words, lengths, firsts, name_offsets, names], [208, 216, 256, 272, 296, 320]);
        assert_eq!(total, 328 + 80);
        assert_eq!(layout.present_bytes(), 208..210);
        assert_eq!(Layout::decode(&layout.encode()), layout);
        let first = Layout::new(1, 16, [2, 9, 5]).unwrap();
        assert_eq!((first.words, first.lengths, first.total, first.word_bytes()), (216, 216, 288 + 80, None));
    }

    #[test]
    fn lengths_that_do_not_fit_are_none() {
        let most = u64::MAX;
        for sizes in [[most, 0, 0], [most / 8, 0, 0], [0, most, 0], [0, most / 8, 0], [0, 0, most]] {
            assert_eq!(Layout::new(2, 8, sizes), None, "{sizes:?}");
        }
    }
}
