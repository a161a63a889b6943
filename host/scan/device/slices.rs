//! A batch cut into slices, each small enough for one slot of device memory.
//!
//! A slice is a run of *pieces*; a piece is a sequence, or a part of one that is longer than a slice. Parts of a sequence overlap
//! by the longest pattern less one symbol, so that every match lies inside some part; a match that lies inside two parts
//! belongs to the first, because a part *owns* only the starts before the next part begins.
//!
//! The middle of a long run of N is left out where no pattern may lie in it: as much of it stays as a match that reaches out of the run
//! may have wild.

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

impl Slice {
    /// Of the symbols of a batch, or of their qualities, those of the slice.
    pub fn parts<'b>(&self, all: &'b [u8]) -> Vec<&'b [u8]> {
        self.ranges.iter().map(|range| &all[range.start as usize..range.end as usize]).collect()
    }
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
    /// The byte of which runs are left out, one that is wild, and how many of these a match may have, where every match has others.
    pub left_out: Option<(u8, u64)>,
}

/// Every so many symbols, or as many as a match may have wild, a run of N is looked for, and one of twice as many is found.
const LOOKED_AT: usize = 1 << 13;
/// The fewest symbols of a run that is left out.
pub const LEAST_LEFT_OUT: u64 = 2 * LOOKED_AT as u64;

impl Cut {
    /// Cuts sequences, sequence k being `bases[starts[k]..starts[k + 1]]`, into slices.
    pub fn slices(&self, starts: &[u64], bases: &[u8]) -> Vec<Slice> {
        let mut slices = Vec::new();
        let mut open = Slice::default();
        for (sequence, bounds) in starts.windows(2).enumerate() {
            if bounds[1] - bounds[0] < self.shortest {
                continue;
            }
            let stretches = self.stretches(&bases[bounds[0] as usize..bounds[1] as usize]);
            for piece in stretches.into_iter().flat_map(|stretch| self.pieces_of(sequence as u32, stretch)) {
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

    /// The parts of a sequence in which a pattern may lie.
    fn stretches(&self, bases: &[u8]) -> Vec<Range<u64>> {
        let (mut stretches, mut start) = (Vec::new(), 0);
        let Some((wild, most)) = self.left_out else { return std::iter::once(0..bases.len() as u64).collect() };
        let every = LOOKED_AT.max(most as usize);
        let mut at = every;
        while at < bases.len() {
            if bases[at] == wild {
                let first = at - trailing(&bases[start..at], wild);
                let end = at + leading(&bases[at..], wild);
                if end - first >= 2 * every {
                    stretches.push(start as u64..first as u64 + most);
                    start = end - most as usize;
                }
                at = at.max(end);
            }
            at += every;
        }
        stretches.push(start as u64..bases.len() as u64);
        stretches.retain(|stretch| !stretch.is_empty());
        stretches
    }

    fn pieces_of(&self, sequence: u32, stretch: Range<u64>) -> impl Iterator<Item = Piece> {
        let length = stretch.end - stretch.start;
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
            let offset_of_piece = stretch.start + offset;
            let piece = Piece { sequence, offset: offset_of_piece, length: piece_length as u32, owned: owned as u32 };
            offset += step;
            Some(piece)
        })
    }
}

/// Bytes that are compared with a run at a time.
const COMPARED: usize = 64;

/// How many bytes from the first one on are `byte`.
fn leading(bytes: &[u8], byte: u8) -> usize {
    let same = bytes.as_chunks().0.iter().take_while(|chunk| **chunk == [byte; COMPARED]).count() * COMPARED;
    same + bytes[same..].iter().take_while(|&&other| other == byte).count()
}

/// The same up to the last one.
fn trailing(bytes: &[u8], byte: u8) -> usize {
    let same = bytes.as_rchunks().1.iter().rev().take_while(|chunk| **chunk == [byte; COMPARED]).count() * COMPARED;
    same + bytes[..bytes.len() - same].iter().rev().take_while(|&&other| other == byte).count()
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
        let bases = vec![b'A'; starts[starts.len() - 1] as usize];
        Cut { symbols, pieces: 3, shortest, longest, left_out: None }.slices(starts, &bases)
    }

    #[test]
    fn the_middle_of_a_long_run_is_left_out() {
        let run = |length: usize| b"N".repeat(length);
        let cut = |most| Cut { symbols: 1 << 20, pieces: 9, shortest: 5, longest: 20, left_out: Some((b'N', most)) };
        let stretches = |parts: &[&[u8]]| cut(9).stretches(&parts.concat());
        let (bases, length) = (b"ACGTA".repeat(4000), 20_000);
        assert_eq!(stretches(&[&bases, &run(16_383), &bases]), std::slice::from_ref(&(0..56_383)));
        let end = length + 30_000;
        assert_eq!(stretches(&[&bases, &run(30_000), &bases]), [0..length + 9, end - 9..end + length]);
        assert_eq!(stretches(&[&run(30_000), &bases]), [0..9, 30_000 - 9..50_000]);
        assert_eq!(stretches(&[&run(90_000)]), [0..9, 90_000 - 9..90_000]);
        assert_eq!(stretches(&[&bases, &run(30_000), b"A", &run(30_000)]).len(), 3);
        assert_eq!(stretches(&[]), []);
        // Wherever it begins and ends.
        for (before, inside) in (0..130).zip(16_500..) {
            let (bases, behind) = (&b"ACGTA".repeat(40)[..before], b"GATTACA".repeat(before));
            let (start, end) = (before as u64, (before + inside) as u64);
            let left = [0..start + 9, end - 9..end + 7 * start];
            assert_eq!(stretches(&[bases, &run(inside), &behind]), left);
        }
        // Where nothing may be wild, nothing stays.
        let all = [&run(30_000)[..], &bases, &run(20_000)].concat();
        assert_eq!(cut(0).stretches(&all), std::slice::from_ref(&(30_000..50_000)));
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
