//! Vectors from a table of all words over some letters.

use super::super::lanes::{LANES, Lanes, Vector};
use super::Vectors;
use crate::Parameters;
use crate::sparse::{Table, spelled};
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
        codes.clear();
        if starts.is_empty() {
            return;
        }
        let bytes = &sequence[starts.start..starts.end + self.k - 1];
        letters.resize(bytes.len(), 0);
        for (letter, &byte) in letters.iter_mut().zip(bytes) {
            *letter = self.letters[byte as usize];
        }
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
    /// The letters that have codes.
    pub letters: Vec<u8>,
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
            for block in 0..stride.div_ceil(LANES) {
                let mut row = [Lanes::ZERO];
                vectors.lay_out(Lanes::ZERO, block, 0, &mut row);
                lanes.extend(row[0].0.iter().take(stride - block * LANES));
            }
        }
        Self::new(parameters, letters, words, stride, lanes)
    }

    fn new(parameters: &Parameters, letters: &[u8], words: usize, stride: usize, mut lanes: Vec<u64>) -> Self {
        lanes.resize((words + 1) * stride + LANES, 0);
        Self { codes: Codes::new(parameters, letters, words), letters: letters.to_vec(), stride, lanes }
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
        if self.codes.iter().fold(0, |most, &code| most.max(code)) == codes.words {
            self.codes.retain(|&code| code < codes.words);
        }
        self.codes.len()
    }

    #[inline(always)]
    fn lay_out<V: Vector>(&self, _: V, block: usize, first: usize, rows: &mut [Lanes]) {
        lay_out(&self.entries.lanes[block * LANES..], self.entries.stride, &self.codes[first..], rows);
    }
}

/// Copies a row of each of some vectors: `lanes` are those of all vectors from the row's first one on, and a row more.
#[inline(always)]
pub fn lay_out(lanes: &[u64], stride: usize, places: &[u32], rows: &mut [Lanes]) {
    for (row, &place) in rows.iter_mut().zip(places) {
        row.0.copy_from_slice(&lanes[place as usize * stride..][..LANES]);
    }
}
