//! Vectors from a table of all words over some letters.

use super::super::lanes::{LANES, Lanes};
use super::super::planes::Rows;
use super::Vectors;
use crate::sign::Parameters;
use crate::sign::sparse::{Table, spelled};
use std::ops::Range;

/// The codes of letters and of words, as [`Table`] has them.
#[derive(Clone)]
pub struct Codes {
    /// Of each byte; `words` for one that no word holds.
    letters: [u32; 256],
    /// How many letters there are.
    base: u32,
    /// How many words there are, which is also the code of a missing one.
    pub words: u32,
    pub k: usize,
}

impl Codes {
    fn new(parameters: &Parameters, letters: &[u8], words: usize) -> Self {
        assert!(words < 1 << 23, "a code times 256 letters is a number of 32 bits");
        let place = |letter| letters.iter().position(|&other| other == letter);
        let code = |letter: Option<u8>| letter.and_then(place).unwrap_or(words) as u32;
        let letter_codes = super::letters(parameters.alphabet).map(code);
        Self { letters: letter_codes, base: letters.len() as u32, words: words as u32, k: parameters.k as usize }
    }

    /// Replaces `codes` by those of the words that start in `starts`, [`Codes::words`] for those with another letter.
    ///
    /// A code grows letter by letter, and is never more than the number of words: neither is met before the last letter of
    /// a word that counts, and one that does not count stays there, since each further step multiplies by at least 1.
    #[inline(always)]
    pub fn find(&self, sequence: &[u8], starts: Range<usize>, codes: &mut Vec<u32>, letters: &mut Vec<u32>) {
        letters.clear();
        codes.clear();
        if starts.is_empty() {
            return;
        }
        letters.extend(sequence[starts.start..starts.end + self.k - 1].iter().map(|&byte| self.letters[byte as usize]));
        codes.extend_from_slice(&letters[..starts.len()]);
        for j in 1..self.k {
            for (code, &letter) in codes.iter_mut().zip(&letters[j..]) {
                *code = (*code * self.base + letter).min(self.words);
            }
        }
    }
}

/// The vectors of all words.
pub struct Entries {
    pub codes: Codes,
    /// Of each letter that has a code.
    letters: Vec<u8>,
    /// Lanes of a vector.
    stride: usize,
    /// The vectors by code, that of the missing word, and a row more.
    lanes: Vec<u64>,
}

impl Entries {
    /// Those of a table of sparse vectors.
    pub fn sparse(parameters: &Parameters, letters: &[u8]) -> Self {
        let table = Table::new(parameters, letters);
        let (words, stride) = (table.words(), 2 * table.columns());
        Self::new(parameters, letters, words, stride, table.into_pairs().into_flattened())
    }

    /// Those of dense vectors.
    pub fn dense(parameters: &Parameters, letters: &[u8], mut vectors: impl Vectors) -> Self {
        let words = letters.len().pow(parameters.k);
        let stride = parameters.bits as usize / 64;
        let mut lanes = Vec::with_capacity((words + 1) * stride + LANES);
        for code in 0..words {
            let word = spelled(letters, parameters.k, code);
            vectors.begin();
            vectors.find(&word, 0..1);
            let vector = (0..stride.div_ceil(LANES)).flat_map(|block| vectors.rows(block).row(0).0);
            lanes.extend(vector.take(stride));
        }
        Self::new(parameters, letters, words, stride, lanes)
    }

    fn new(parameters: &Parameters, letters: &[u8], words: usize, stride: usize, mut lanes: Vec<u64>) -> Self {
        lanes.resize((words + 1) * stride + LANES, 0);
        Self { codes: Codes::new(parameters, letters, words), letters: letters.to_vec(), stride, lanes }
    }

    /// Whether all of these letters have codes.
    pub fn have(&self, letters: &[u8]) -> bool {
        letters.iter().all(|letter| self.letters.contains(letter))
    }

    /// The vectors as pairs of lanes, when they have just two.
    pub fn pairs(&self) -> &[[u64; 2]] {
        assert_eq!(self.stride, 2, "vectors of one column");
        self.lanes.as_chunks().0
    }
}

/// Looks the vectors of words up.
pub struct Lookup<'a> {
    entries: &'a Entries,
    /// Of the words found.
    codes: Vec<u32>,
    letters: Vec<u32>,
}

impl<'a> Lookup<'a> {
    /// The vectors of a table.
    pub fn new(entries: &'a Entries) -> Self {
        Self { entries, codes: Vec::new(), letters: Vec::new() }
    }
}

impl Vectors for Lookup<'_> {
    #[inline(always)]
    fn begin(&mut self) {}

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize {
        let codes = &self.entries.codes;
        codes.find(sequence, starts, &mut self.codes, &mut self.letters);
        if self.codes.iter().max() == Some(&codes.words) {
            self.codes.retain(|&code| code < codes.words);
        }
        self.codes.len()
    }

    #[inline(always)]
    fn rows(&self, block: usize) -> impl Rows {
        Found { lanes: &self.entries.lanes[block * LANES..], stride: self.entries.stride, words: &self.codes }
    }
}

/// A block of the vectors of some words.
pub struct Found<'a> {
    /// Those of all words from the block's first lane on, and a row more.
    pub lanes: &'a [u64],
    /// Lanes of a vector.
    pub stride: usize,
    /// Places of the vectors.
    pub words: &'a [u32],
}

impl Rows for Found<'_> {
    #[inline(always)]
    fn row(&self, k: usize) -> Lanes {
        let lanes = &self.lanes[self.words[k] as usize * self.stride..][..LANES];
        Lanes(lanes.try_into().expect("as many lanes as a row has"))
    }
}
