//! A range of memory that checks what is done to it: a device buffer, or the shared memory of a block.

use super::clock::Clock;
use super::fault::{Access, Kind, Place, PriorAccess};
use super::shadow::{Shadow, Touch};
use core::ops::Range;
use std::vec;
use std::vec::Vec;

/// The bytes, a bit for each that says whether it was written, and the shadow.
pub(super) struct Region {
    bytes: Vec<u8>,
    written: Vec<u64>,
    shadow: Shadow,
}

impl Place {
    fn offset(self) -> u64 {
        match self {
            Self::Global { offset, .. } | Self::Shared { offset } => offset,
        }
    }

    fn with_offset(self, offset: u64) -> Self {
        match self {
            Self::Global { buffer, .. } => Self::Global { buffer, offset },
            Self::Shared { .. } => Self::Shared { offset },
        }
    }
}

impl Region {
    /// A region of `bytes` uninitialised bytes.
    pub fn new(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes], written: vec![0; bytes.div_ceil(64)], shadow: Shadow::new(bytes) }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Makes all bytes uninitialised.
    pub fn forget(&mut self) {
        self.written.fill(0);
    }

    /// Checks an access of `bytes` (1, 2, 4, 8 or 16) at `at` by `thread`, records it, and returns the offset.
    #[inline]
    pub fn check(
        &mut self,
        at: Place,
        bytes: usize,
        access: Access,
        thread: u32,
        clock: &Clock,
    ) -> Result<usize, Kind> {
        let offset = self.range(at, bytes)?.start;
        if !offset.is_multiple_of(bytes) {
            return Err(Kind::Misaligned { at, bytes: bytes as u64 });
        }
        let (word, bits) = (offset / 64, ((1u64 << bytes) - 1) << (offset % 64));
        if access != Access::Write && self.written[word] & bits != bits {
            return Err(self.unwritten(at, offset..offset + bytes));
        }
        let since = match at {
            Place::Global { .. } => clock.launch(),
            Place::Shared { .. } => clock.block(),
        };
        if let Err((by, then)) = self.shadow.touch(Touch { offset, bytes, access, thread, since }, clock) {
            let prior = PriorAccess { block: clock.block_of(then), thread: then.thread(), access: by };
            return Err(Kind::Race { at, access, prior });
        }
        if access == Access::Write {
            self.written[word] |= bits;
        }
        Ok(offset)
    }

    /// The word at a checked offset.
    #[inline]
    pub fn load<const N: usize>(&self, offset: usize) -> [u8; N] {
        core::array::from_fn(|k| self.bytes[offset..offset + N][k])
    }

    /// Stores a word at a checked offset.
    #[inline]
    pub fn store<const N: usize>(&mut self, offset: usize, word: [u8; N]) {
        self.bytes[offset..offset + N].copy_from_slice(&word);
    }

    /// Bytes for the host to write.
    pub fn host_write(&mut self, at: Place, bytes: usize) -> Result<&mut [u8], Kind> {
        let range = self.range(at, bytes)?;
        for (word, bits) in words(&range) {
            self.written[word] |= bits;
        }
        Ok(&mut self.bytes[range])
    }

    /// Bytes for the host to read. All must have been written.
    pub fn host_read(&self, at: Place, bytes: usize) -> Result<&[u8], Kind> {
        let range = self.range(at, bytes)?;
        if words(&range).any(|(word, bits)| self.written[word] & bits != bits) {
            return Err(self.unwritten(at, range));
        }
        Ok(&self.bytes[range])
    }

    #[inline]
    fn range(&self, at: Place, bytes: usize) -> Result<Range<usize>, Kind> {
        let size = self.bytes.len();
        match usize::try_from(at.offset()) {
            Ok(start) if start <= size && bytes <= size - start => Ok(start..start + bytes),
            _ => Err(Kind::OutOfBounds { at, bytes: bytes as u64, size: size as u64 }),
        }
    }

    /// The fault for reading `range`, of which some byte was not written.
    #[cold]
    fn unwritten(&self, at: Place, mut range: Range<usize>) -> Kind {
        let first = range.find(|&byte| self.written[byte / 64] >> (byte % 64) & 1 == 0);
        Kind::Uninitialised { at: at.with_offset(first.expect("a byte of the range is unwritten") as u64) }
    }
}

/// The words of the bits of a range of bytes, each with a mask of the bits that belong to the range.
fn words(range: &Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let Range { start, end } = *range;
    (start / 64..end.div_ceil(64)).map(move |word| {
        let (first, last) = (start.max(word * 64) - word * 64, end.min(word * 64 + 64) - word * 64);
        (word, (u64::MAX >> (64 - (last - first))) << first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cover_exactly_the_range() {
        for start in 0..140 {
            for end in start + 1..200 {
                let mut bits = [0u64; 4];
                words(&(start..end)).for_each(|(word, some)| bits[word] |= some);
                for byte in 0..200 {
                    let is_set = bits[byte / 64] >> (byte % 64) & 1 == 1;
                    assert_eq!(is_set, (start..end).contains(&byte), "byte {byte} of {start}..{end}");
                }
            }
        }
    }

    #[test]
    fn the_first_unwritten_byte_is_named() {
        let mut region = Region::new(200);
        let at = |offset| Place::Shared { offset };
        region.host_write(at(3), 100).unwrap().fill(7);
        assert_eq!(region.host_read(at(3), 100), Ok(&[7u8; 100][..]));
        assert_eq!(region.host_read(at(2), 4), Err(Kind::Uninitialised { at: at(2) }));
        assert_eq!(region.host_read(at(50), 60), Err(Kind::Uninitialised { at: at(103) }));
        region.forget();
        assert_eq!(region.host_read(at(3), 1), Err(Kind::Uninitialised { at: at(3) }));
    }

    #[test]
    fn ranges_past_the_end_are_refused() {
        let mut region = Region::new(20);
        let at = Place::Shared { offset: 16 };
        assert!(region.host_write(at, 4).is_ok());
        assert_eq!(region.host_write(at, 5), Err(Kind::OutOfBounds { at, bytes: 5, size: 20 }));
        let far = Place::Shared { offset: u64::MAX };
        assert_eq!(region.host_read(far, 1), Err(Kind::OutOfBounds { at: far, bytes: 1, size: 20 }));
    }
}
