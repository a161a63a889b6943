//! Sums of quality bytes, exact, fast.

use std::ops::Range;

/// Bytes between two kept sums.
const BLOCK: usize = 64;

/// Words of 8 bytes whose sums fit four lanes of 16 bits: each adds at most 510 to a lane.
const WORDS: usize = 128;
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// The sum of all bytes. Bytes are added pairwise in four 16-bit lanes of a word, five operations for 8 bytes (which the
/// compiler does for several words at once), so that this keeps up with memory.
pub fn sum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let of_run = |run: &[[u8; 8]]| {
        let lanes = run.iter().map(|word| u64::from_le_bytes(*word)).map(|word| (word & EVEN) + (word >> 8 & EVEN));
        let lanes: u64 = lanes.sum();
        (0..4).map(|lane| lanes >> (16 * lane) & 0xffff).sum::<u64>()
    };
    words.chunks(WORDS).map(of_run).sum::<u64>() + rest.iter().map(|&byte| u64::from(byte)).sum::<u64>()
}

/// Sums of stretches of one sequence's quality bytes.
pub struct QualitySums<'a> {
    bytes: &'a [u8],
    /// Entry k: the sum of the bytes before byte 64 k. Empty when not worth its making.
    before: Vec<u64>,
}

impl<'a> QualitySums<'a> {
    /// For stretches of `asked` bytes altogether: sums are kept when that is more than there are bytes.
    pub fn new(bytes: &'a [u8], asked: u64) -> Self {
        let mut before = Vec::new();
        if asked > bytes.len() as u64 {
            before.reserve_exact(bytes.len() / BLOCK + 1);
            before.push(0);
            before.extend(bytes.chunks_exact(BLOCK).scan(0, |total, block| {
                *total += sum(block);
                Some(*total)
            }));
        }
        Self { bytes, before }
    }

    /// The sum of the bytes in `range`.
    pub fn sum(&self, range: Range<usize>) -> u64 {
        let (first, last) = (range.start.div_ceil(BLOCK), range.end / BLOCK);
        if self.before.is_empty() || first >= last {
            return sum(&self.bytes[range]);
        }
        let ends = sum(&self.bytes[range.start..first * BLOCK]) + sum(&self.bytes[last * BLOCK..range.end]);
        ends + self.before[last] - self.before[first]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_bytes_fit_their_lanes() {
        for length in [0, 1, 7, 8, 9, 1023, 1024, 1025, 5000] {
            assert_eq!(sum(&vec![255; length]), 255 * length as u64);
        }
    }

    #[test]
    fn kept_sums_equal_plain_sums() {
        let bytes: Vec<u8> = (0..1000).map(|k| (k * 37 % 251) as u8).collect();
        let (kept, plain) = (QualitySums::new(&bytes, 1001), QualitySums::new(&bytes, 1000));
        assert!(!kept.before.is_empty() && plain.before.is_empty());
        for start in (0..1000).step_by(13) {
            for end in (start..=1000).step_by(7).chain([1000]) {
                let want = bytes[start..end].iter().map(|&b| u64::from(b)).sum::<u64>();
                assert_eq!((kept.sum(start..end), plain.sum(start..end)), (want, want), "{start}..{end}");
            }
        }
    }

    #[test]
    fn long_sums_do_not_wrap() {
        assert_eq!(sum(&vec![255; 20_000_000]), 5_100_000_000);
    }
}
