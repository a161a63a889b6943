//! Where the sections lie. All follows from the numbers of sequences, of residues and of bytes of names.

use super::{ALIGNMENT, HEADER, LETTERS, TRAILER};
use std::ops::Range;
use warpseq_io::format::{after, sized, u64_at};

/// The places of the sections, in bytes from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub sequences: u64,
    pub residues: u64,
    pub starts: u64,
    pub name_offsets: u64,
    pub names: u64,
    pub letters: u64,
    /// Bytes of the file.
    pub total: u64,
}

impl Layout {
    /// That of a file with `sequences` of `residues` in all, whose names have `names` bytes. `None` when there is no such file,
    /// because its length would not fit 64 bits.
    pub fn new([sequences, residues, names]: [u64; 3]) -> Option<Self> {
        let after = |start, bytes| after(start, bytes, ALIGNMENT);
        let entries = sequences.checked_add(1)?.checked_mul(8)?;
        let starts = after(HEADER as u64, residues)?;
        let name_offsets = after(starts, entries)?;
        let names_start = after(name_offsets, entries)?;
        let letters = after(names_start, names)?;
        let total = after(letters, 8 * LETTERS as u64)?.checked_add(TRAILER as u64)?;
        Some(Self { sequences, residues, starts, name_offsets, names: names_start, letters, total })
    }

    /// The numbers of the trailer from its start on; the kind follows them, then the bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        let Self { sequences, residues, starts, name_offsets, names, letters, .. } = *self;
        [sequences, residues, starts, name_offsets, names, letters].into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// What a trailer says, right or wrong.
    pub fn decode(trailer: &[u8]) -> Self {
        let number = |index: usize| u64_at(trailer, 8 * index);
        let [sequences, residues, starts, name_offsets] = [0, 1, 2, 3].map(number);
        let [names, letters, total] = [4, 5, 7].map(number);
        Self { sequences, residues, starts, name_offsets, names, letters, total }
    }

    pub fn residue_bytes(&self) -> Range<usize> {
        sized(HEADER as u64, self.residues)
    }

    pub fn start_bytes(&self) -> Range<usize> {
        sized(self.starts, 8 * (self.sequences + 1))
    }

    pub fn name_offset_bytes(&self) -> Range<usize> {
        sized(self.name_offsets, 8 * (self.sequences + 1))
    }

    /// The names in a file whose sections lie where they must.
    pub fn name_bytes(&self, bytes: &[u8]) -> Range<usize> {
        sized(self.names, u64_at(bytes, self.name_offset_bytes().end - 8))
    }

    pub fn letter_bytes(&self) -> Range<usize> {
        sized(self.letters, 8 * LETTERS as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_start_at_multiples_of_8() {
        let layout = Layout::new([2, 9, 5]).unwrap();
        let Layout { starts, name_offsets, names, letters, total, .. } = layout;
        assert_eq!([starts, name_offsets, names, letters], [80, 104, 128, 136]);
        assert_eq!(total, 136 + 2048 + 80);
        let mut trailer = layout.encode();
        trailer.extend([[0; 8], total.to_le_bytes()].as_flattened());
        assert_eq!(Layout::decode(&trailer), layout);
    }

    #[test]
    fn lengths_that_do_not_fit_are_none() {
        for k in 0..3 {
            let mut sizes = [0; 3];
            sizes[k] = u64::MAX;
            assert_eq!(Layout::new(sizes), None, "{sizes:?}");
        }
    }
}
