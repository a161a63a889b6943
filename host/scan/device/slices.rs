//! A batch cut into slices, each small enough for one slot of device memory.
//!
//! A slice is a run of *pieces*; a piece is a sequence, or a part of one that is longer than a slice. Parts of a sequence overlap
//! by the longest pattern less one symbol, so that every match lies inside some part; a match that lies inside two parts
//! belongs to the first, because a part *owns* only the starts before the next part begins.

use std::ops::Range;

/// A part of a sequence in a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index of the sequence in the batch.
    pub sequence: u32,
    /// Offset of the part in the sequence.
    pub offset: u64,
    /// Symbols of the part.
    pub length: u32,
    /// Matches that start this many symbols into the part or later belong to the next part.
    pub owned: u32,
}

/// Pieces that travel to the device together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    pub pieces: Vec<Piece>,
    /// Where the pieces' bases lie in the batch, in order, neighbouring ranges joined.
    pub ranges: Vec<Range<u64>>,
    /// Symbols of all pieces.
    pub symbols: u32,
}

/// How to cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The most symbols of a slice; more than `longest`.
    pub symbols: u32,
    /// The most pieces of a slice.
    pub pieces: usize,
    /// Symbols of the shortest and the longest pattern. Sequences shorter than the shortest are left out.
    pub shortest: u64,
    pub longest: u64,
}

impl Cut {
    /// Cuts sequences, sequence k being `starts[k]..starts[k + 1]`, into slices.
    pub fn slices(&self, starts: &[u64]) -> Vec<Slice> {
        let mut slices = Vec::new();
        let mut open = Slice::default();
        for (sequence, bounds) in starts.windows(2).enumerate() {
            if bounds[1] - bounds[0] < self.shortest {
                continue;
            }
            for piece in self.pieces_of(sequence as u32, bounds[1] - bounds[0]) {
                let full = u64::from(open.symbols) + u64::from(piece.length) > u64::from(self.symbols);
                if full || open.pieces.len() == self.pieces {
                    slices.push(std::mem::take(&mut open));
                }
                open.push(piece, bounds[0]);
            }
        }
        slices.push(open);
        slices.retain(|s| s.symbols > 0);
        slices
    }

    fn pieces_of(&self, sequence: u32, length: u64) -> impl Iterator<Item = Piece> {
        let most = u64::from(self.symbols);
        let step = if length <= most { length } else { most - (self.longest - 1) };
        let mut offset = 0;
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let piece_length = (length - offset).min(most);
            done = offset + piece_length == length;
            let owned = if done { piece_length } else { step };
            let piece = Piece { sequence, offset, length: piece_length as u32, owned: owned as u32 };
            offset += step;
            Some(piece)
        })
    }
}

impl Slice {
    fn push(&mut self, piece: Piece, sequence_start: u64) {
        let start = sequence_start + piece.offset;
        let end = start + u64::from(piece.length);
        match self.ranges.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => self.ranges.push(start..end),
        }
        self.symbols += piece.length;
        self.pieces.push(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(symbols: u32, shortest: u64, longest: u64, starts: &[u64]) -> Vec<Slice> {
        Cut { symbols, pieces: 3, shortest, longest }.slices(starts)
    }

    #[test]
    fn short_sequences_share_a_slice_and_too_short_ones_are_left_out() {
        let slices = cut(100, 5, 20, &[0, 40, 44, 80]);
        assert_eq!(slices.len(), 1);
        assert_eq!(slices[0].pieces.iter().map(|p| p.sequence).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(slices[0].ranges, [0..40, 44..80]);
        assert_eq!(slices[0].symbols, 76);
    }

    #[test]
    fn a_slice_closes_when_symbols_or_pieces_run_out() {
        assert_eq!(cut(100, 1, 20, &[0, 60, 120]).len(), 2);
        assert_eq!(cut(100, 1, 20, &[0, 1, 2, 3, 4]).len(), 2);
        assert_eq!(cut(100, 1, 20, &[0]), []);
    }

    #[test]
    fn every_start_of_a_long_sequence_is_owned_once_and_its_match_lies_inside_the_owner() {
        for length in [101u64, 180, 181, 182, 500, 1234] {
            let longest = 21;
            let slices = cut(100, 1, longest, &[0, length]);
            let pieces: Vec<Piece> = slices.iter().flat_map(|s| s.pieces.clone()).collect();
            let mut owners = vec![0; length as usize];
            for piece in &pieces {
                for start in piece.offset..piece.offset + u64::from(piece.owned) {
                    owners[start as usize] += 1;
                    let end = (start + longest).min(length);
                    assert!(end <= piece.offset + u64::from(piece.length), "a match from {start} leaves {piece:?}");
                }
            }
            assert!(owners.iter().all(|&n| n == 1), "length {length}: {pieces:?}");
        }
    }
}
