//! The residues of all lanes as codes, one lane's sequence after another.

use super::strip::COLUMNS;
use super::vector::{Lane, Vector};

/// Codes between two lanes: lanes that are looked at together should not meet in the same few sets of the first cache.
const APART: usize = 32;

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

    /// The classes of each lane's symbols from its origin on, side by side.
    pub fn classes<V: Vector>(&self, origins: impl Iterator<Item = usize>, classes: &mut [V]) {
        for (k, origin) in origins.enumerate() {
            for (class, &code) in classes.iter_mut().zip(&self.lane(k)[origin..]) {
                class.lanes_mut()[k] = V::Lane::class(code);
            }
        }
    }
}
