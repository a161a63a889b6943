//! Sparse vectors, each drawn when its k-mer first occurs, for parameters with too many k-mers for a table.

use super::super::lanes::{LANES, Lanes, Vector};
use super::entries::lay_out;
use super::{Vectors, residues};
use crate::Parameters;
use crate::sparse::{Sparse, canonical};
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of vectors that are kept, not counting those of the k-mers found last.
const KEPT: usize = 4 << 20;

/// Remembers the vectors of k-mers.
pub struct Remembered {
    sparse: Sparse,
    residues: [Option<u8>; 256],
    k: usize,
    canonical: bool,
    /// The place of each k-mer's vector.
    places: HashMap<Box<[u8]>, u32>,
    /// Lanes of a vector.
    stride: usize,
    /// The vectors, at least one, then a row of padding.
    lanes: Vec<u64>,
    /// Places of the vectors of the k-mers found.
    found: Vec<u32>,
    /// The residues of a stretch; 0 for bytes that no k-mer contains.
    stretch: Vec<u8>,
}

impl Remembered {
    /// The vectors of these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        Self {
            sparse: Sparse::new(parameters),
            residues: residues(parameters.alphabet),
            k: parameters.k as usize,
            canonical: parameters.canonical,
            places: HashMap::new(),
            stride: parameters.bits as usize / 32,
            lanes: vec![0; parameters.bits as usize / 32 + LANES],
            found: Vec::new(),
            stretch: Vec::new(),
        }
    }

    /// Draws the vector of a k-mer and returns its place.
    fn draw(&mut self, kmer: &[u8]) -> u32 {
        let columns = self.stride / 2;
        let (mut positive, mut negative) = (vec![0; columns], vec![0; columns]);
        match self.canonical {
            true => self.sparse.vector(&canonical(kmer.to_vec()), &mut positive, &mut negative),
            false => self.sparse.vector(kmer, &mut positive, &mut negative),
        }
        let place = self.places.len();
        self.lanes.truncate(place * self.stride);
        self.lanes.extend(positive.iter().zip(&negative).flat_map(|(&positive, &negative)| [positive, !negative]));
        self.lanes.resize((place + 1) * self.stride + LANES, 0);
        self.places.insert(kmer.into(), place as u32);
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
        stretch.extend(bytes.iter().map(|&byte| self.residues[byte as usize].unwrap_or(0)));
        self.found.clear();
        let mut run = 0;
        for (end, &byte) in bytes.iter().enumerate() {
            run = if self.residues[byte as usize].is_some() { run + 1 } else { 0 };
            if run >= self.k {
                let kmer = &stretch[end + 1 - self.k..=end];
                let place = self.places.get(kmer).copied().unwrap_or_else(|| self.draw(kmer));
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
