//! Sparse vectors drawn once for each word that occurs, for words of which there are too many for a table.

use super::super::lanes::{LANES, Lanes, Vector};
use super::entries::lay_out;
use super::{Vectors, letters};
use crate::Parameters;
use crate::sparse::{Sparse, canonical};
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of vectors that are kept, but for those of the words found last.
const KEPT: usize = 4 << 20;

/// Remembers the vectors of words.
pub struct Remembered {
    sparse: Sparse,
    letters: [Option<u8>; 256],
    k: usize,
    canonical: bool,
    /// Places of vectors.
    places: HashMap<Box<[u8]>, u32>,
    /// Lanes of a vector.
    stride: usize,
    /// The vectors, one at least, and a row more.
    lanes: Vec<u64>,
    /// Places of the vectors of the words found.
    found: Vec<u32>,
    /// The letters of a stretch; 0 for those that no word holds.
    stretch: Vec<u8>,
}

impl Remembered {
    /// The vectors of these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        Self {
            sparse: Sparse::new(parameters),
            letters: letters(parameters.alphabet),
            k: parameters.k as usize,
            canonical: parameters.canonical,
            places: HashMap::new(),
            stride: parameters.bits as usize / 32,
            lanes: vec![0; parameters.bits as usize / 32 + LANES],
            found: Vec::new(),
            stretch: Vec::new(),
        }
    }

    /// Draws the vector of a word and returns its place.
    fn draw(&mut self, word: &[u8]) -> u32 {
        let columns = self.stride / 2;
        let (mut positive, mut negative) = (vec![0; columns], vec![0; columns]);
        match self.canonical {
            true => self.sparse.vector(&canonical(word.to_vec()), &mut positive, &mut negative),
            false => self.sparse.vector(word, &mut positive, &mut negative),
        }
        let place = self.places.len();
        self.lanes.truncate(place * self.stride);
        self.lanes.extend(positive.iter().zip(&negative).flat_map(|(&positive, &negative)| [positive, !negative]));
        self.lanes.resize((place + 1) * self.stride + LANES, 0);
        self.places.insert(word.into(), place as u32);
        place as u32
    }

    fn forget(&mut self) {
        self.places.clear();
        self.lanes.clear();
        self.lanes.resize(self.stride + LANES, 0);
    }
}

impl Vectors for Remembered {
    #[inline(always)]
    fn begin(&mut self) {}

    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize {
        if self.lanes.len() * 8 > KEPT {
            self.forget();
        }
        let bytes = &sequence[starts.start..starts.end + self.k - 1];
        let mut stretch = std::mem::take(&mut self.stretch);
        stretch.clear();
        stretch.extend(bytes.iter().map(|&byte| self.letters[byte as usize].unwrap_or(0)));
        self.found.clear();
        let mut run = 0;
        for (end, &byte) in bytes.iter().enumerate() {
            run = if self.letters[byte as usize].is_some() { run + 1 } else { 0 };
            if run >= self.k {
                let word = &stretch[end + 1 - self.k..=end];
                let place = self.places.get(word).copied().unwrap_or_else(|| self.draw(word));
                self.found.push(place);
            }
        }
        self.stretch = stretch;
        self.found.len()
    }

    #[inline(always)]
    fn lay_out<V: Vector>(&self, _: V, block: usize, first: usize, rows: &mut [Lanes]) {
        lay_out(&self.lanes[block * LANES..], self.stride, &self.found[first..], rows);
    }
}
