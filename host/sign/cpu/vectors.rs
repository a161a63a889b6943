//! Finds the k-mers of a stretch of a sequence, and gives their vectors as rows to count.
//!
//! ```text
//! Mixed        dense vectors, computed from keys where they are counted       mix64
//! Entries      looked up in a table of all k-mers, sparse or dense             few residues, small k
//! Remembered   sparse vectors, drawn once for each k-mer that occurs           many residues or large k
//! ```
//!
//! A vector is cut into *blocks*, each of which takes the eight lanes of a row: eight columns of 64 elements of a dense
//! vector, or four of a sparse one, whose columns have two lanes, positive bits and inverted negative bits
//! ([`crate::sparse`]). Lanes past the last column are counted and ignored.

mod entries;
mod mixed;
mod remembered;

use super::lanes::{Lanes, Vector};
use crate::Alphabet;
pub use entries::{Codes, Entries, Lookup};
pub use mixed::{Hashed, Mixed, Rolling};
pub use remembered::Remembered;
use std::array::from_fn;
use std::ops::Range;

/// K-mers that are found at a time.
pub const KMERS: usize = 2048;

/// Finds k-mers and gives their vectors.
pub trait Vectors {
    /// Starts a new sequence.
    fn begin(&mut self);

    /// Finds the k-mers that start in `starts`, at most [`KMERS`] and none past the last whole one, and returns how many of
    /// them have a vector. They replace those found before.
    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize;

    /// Lays out a block of the vectors of the k-mers found, from k-mer `first` on, a row for each.
    fn lay_out<V: Vector>(&self, proof: V, block: usize, first: usize, rows: &mut [Lanes]);
}

/// The residue of each byte; `None` for bytes that no k-mer contains.
pub fn residues(alphabet: Alphabet) -> [Option<u8>; 256] {
    from_fn(|byte| alphabet.letter(byte as u8))
}
