//! The vectors of all words over some letters.

use super::Sparse;
use crate::Parameters;
use rayon::prelude::*;
use warpseq_seq::{Wildcards, strand::reverse_complement};

/// Sparse vectors by the codes of words, in the form that counting asks for (see [the module](super)).
///
/// The code of a word is its letters' places in the list as the digits of a number, the first letter's highest. With
/// [`Parameters::canonical`], the entry of a word is the vector of the smaller one of the word and its reverse complement.
#[derive(Clone, Debug)]
pub struct Table {
    letters: Vec<u8>,
    words: usize,
    columns: usize,
    pairs: Vec<[u64; 2]>,
}

impl Table {
    /// How many words of `parameters.k` letters there are over a number of letters; `None` when `usize` does not hold it.
    pub fn entries(parameters: &Parameters, letters: usize) -> Option<usize> {
        letters.checked_pow(parameters.k)
    }

    /// Draws the vectors of all words over `letters`, which are in the order of their codes, on all cores of rayon's
    /// current thread pool.
    ///
    /// # Panics
    /// When the table is too large to be addressed ([`Table::entries`]).
    pub fn new(parameters: &Parameters, letters: &[u8]) -> Self {
        let words = Self::entries(parameters, letters.len()).expect("the caller asked how many words there are");
        let columns = parameters.bits as usize / 64;
        let mut pairs = vec![[u64::MAX, 0]; (words + 1) * columns];
        let sparse = Sparse::new(parameters);
        pairs[..words * columns].par_chunks_mut(columns).enumerate().for_each_init(
            || (vec![0; columns], vec![0; columns]),
            |(positive, negative), (code, entry)| {
                let word = spelled(letters, parameters.k, code);
                let word = if parameters.canonical { canonical(word) } else { word };
                sparse.vector(&word, positive, negative);
                for (pair, (&positive, &negative)) in entry.iter_mut().zip(positive.iter().zip(&*negative)) {
                    *pair = [positive, !negative];
                }
            },
        );
        Self { letters: letters.to_vec(), words, columns, pairs }
    }

    /// The letters, in the order of their codes.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// How many words there are; the entry behind theirs is the neutral one of a missing word.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Pairs of an entry: `bits / 64`, one for each 64 elements.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries by code, then the neutral one: `columns()` pairs each of (positive, inverted negative) bits.
    pub fn pairs(&self) -> &[[u64; 2]] {
        &self.pairs
    }

    /// [`Table::pairs`], to keep.
    pub fn into_pairs(self) -> Vec<[u64; 2]> {
        self.pairs
    }
}

/// The word of a code.
pub fn spelled(letters: &[u8], k: u32, mut code: usize) -> Vec<u8> {
    let mut word = vec![0; k as usize];
    for letter in word.iter_mut().rev() {
        *letter = letters[code % letters.len()];
        code /= letters.len();
    }
    word
}

/// The smaller one of a DNA word in capitals and its reverse complement.
pub fn canonical(word: Vec<u8>) -> Vec<u8> {
    let reverse = reverse_complement(&word, Wildcards::N);
    word.min(reverse)
}
