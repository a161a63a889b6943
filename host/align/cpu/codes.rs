//! The residues of all lanes as codes, one lane's sequence after another.

use super::strip::COLUMNS;
use super::vector::{Lane, Vector};

/// Codes between two lanes: lanes that are looked at together should not meet in the same few sets of the first cache.
const APART: usize = 32;
/// Lanes and symbols of a square of bytes.
const SIDE: usize = 8;

/// A sequence of codes for each lane, padded to one length, at least the next multiple of [`COLUMNS`].
#[derive(Default)]
pub struct Codes {
    codes: Vec<u16>,
    stride: usize,
}

impl Codes {
    /// Replaces the sequences; lanes beyond the given ones are padding.
    pub fn load<'a>(
        &mut self,
        lanes: usize,
        sequences: impl Iterator<Item = &'a [u8]> + Clone,
        (code, padding): (&[u16; 256], u16),
    ) {
        let longest = sequences.clone().map(<[u8]>::len).max().unwrap_or(0);
        self.stride = longest.max(1).next_multiple_of(COLUMNS) + APART;
        self.codes.clear();
        self.codes.resize(lanes * self.stride, padding);
        for (lane, sequence) in self.codes.chunks_exact_mut(self.stride).zip(sequences) {
            lane.iter_mut().zip(sequence).for_each(|(to, &residue)| *to = code[usize::from(residue)]);
        }
    }

    /// The codes of a lane.
    #[inline]
    pub fn lane(&self, lane: usize) -> &[u16] {
        &self.codes[lane * self.stride..(lane + 1) * self.stride]
    }

    /// The classes of each lane's symbols from its origin on, side by side: squares of eight lanes and eight symbols are turned.
    pub fn classes<V: Vector>(&self, origins: impl Iterator<Item = usize>, classes: &mut [V]) {
        let sequences: Vec<&[u16]> = origins.enumerate().map(|(k, origin)| &self.lane(k)[origin..]).collect();
        for (lane, sequences) in (0..).step_by(SIDE).zip(sequences.chunks(SIDE)) {
            for (symbol, classes) in (0..).step_by(SIDE).zip(classes.chunks_mut(SIDE)) {
                let mut square = [0; SIDE];
                for (row, sequence) in square.iter_mut().zip(sequences) {
                    let codes = sequence[symbol..].first_chunk::<SIDE>().expect("sequences are padded to squares");
                    *row = u64::from_le_bytes(codes.map(|code| code as u8));
                }
                for (class, row) in classes.iter_mut().zip(turned(square)) {
                    let row = row.to_le_bytes().map(|class| V::Lane::class(class.into()));
                    let lanes = &mut class.lanes_mut()[lane..lane + sequences.len()];
                    lanes.copy_from_slice(&row[..sequences.len()]);
                }
            }
        }
    }
}

/// A square of bytes, a row to a number, with rows and columns exchanged: halves first, then quarters, then eighths.
fn turned(mut rows: [u64; SIDE]) -> [u64; SIDE] {
    for (apart, mask) in [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff_u64)] {
        for k in (0..SIDE).filter(|k| k & apart == 0) {
            let (one, other) = (rows[k], rows[k + apart]);
            rows[k] = one & mask | (other & mask) << (8 * apart);
            rows[k + apart] = one >> (8 * apart) & mask | other & !mask;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let square: [[u8; SIDE]; SIDE] = std::array::from_fn(|row| std::array::from_fn(|k| (row * SIDE + k) as u8));
        let turned = turned(square.map(u64::from_le_bytes)).map(u64::to_le_bytes);
        for (row, k) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |k| (row, k))) {
            assert_eq!(turned[k][row], square[row][k]);
        }
    }
}
