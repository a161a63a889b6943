//! The words of a stretch of a sequence, and their vectors as rows to count.
//!
//! ```text
//! Mixed        dense vectors, computed from keys where they are counted       mix64
//! Entries      looked up in a table of all words, sparse or dense             few letters, small k
//! Remembered   sparse vectors, drawn once for each word that occurs           many letters or large k
//! ```
//!
//! A vector takes a row's eight lanes for each *block* of it: eight columns of 64 elements of a dense vector, four of a
//! sparse one, whose columns have two lanes, positive bits and inverted negative bits ([`crate::sparse`]). Lanes past
//! the last column are counted and left alone.

mod entries;
mod key;
mod mixed;
mod remembered;

use super::lanes::{Lanes, Vector};
use crate::Alphabet;
pub use entries::{Entries, Lookup};
pub use key::{Hashed, Key, Rolling};
pub use mixed::Mixed;
pub use remembered::Remembered;
use std::array::from_fn;
use std::ops::Range;

/// Words that are found at a time.
pub const WORDS: usize = 2048;

/// Finds words and gives their vectors.
pub trait Vectors {
    /// Forgets the sequence before.
    fn begin(&mut self);

    /// Finds the words that start in `starts`, at most [`WORDS`] and none past the last whole one, and returns how many of
    /// them have a vector. What was found before goes.
    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize;

    /// Lays out a block of the vectors of the words found, beginning with word `first`, in one row each.
    fn lay_out<V: Vector>(&self, proof: V, block: usize, first: usize, rows: &mut [Lanes]);
}

/// The letters that bytes stand for, `None` for those that no word holds.
pub fn letters(alphabet: Alphabet) -> [Option<u8>; 256] {
    from_fn(|byte| alphabet.letter(byte as u8))
}
