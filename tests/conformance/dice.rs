//! Random symbols and numbers for cases, fixed by a seed.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq::scan::Wildcards;
use warpseq::scan::reference::iupac::reverse_complement;

pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// Letters of `alphabet`.
    pub fn letters(&mut self, alphabet: &[u8], length: usize) -> Vec<u8> {
        (0..length).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    /// Bases, each `N` with a chance of `n_percent`.
    pub fn bases(&mut self, length: usize, n_percent: usize) -> Vec<u8> {
        let mut bases = self.letters(b"ACGT", length);
        self.sprinkle(&mut bases, n_percent);
        bases
    }

    /// Turns each base into `N` with a chance of `n_percent`.
    pub fn sprinkle(&mut self, bases: &mut [u8], n_percent: usize) {
        for base in bases {
            if self.below(100) < n_percent {
                *base = b'N';
            }
        }
    }

    /// Replaces a symbol in each of `places` equal stretches by another base, or by the same.
    pub fn spoil(&mut self, bases: &mut [u8], places: usize) {
        let stretch = bases.len() / places.max(1);
        for k in 0..places {
            bases[k * stretch + self.below(stretch)] = b"ACGT"[self.below(4)];
        }
    }

    /// `length` bases of a random one of the texts that are long enough, as they are or as the other strand.
    pub fn cut(&mut self, texts: &[Vec<u8>], length: usize) -> Vec<u8> {
        let long: Vec<_> = texts.iter().filter(|text| text.len() >= length).collect();
        let text = long[self.below(long.len())];
        let at = self.below(text.len() - length + 1);
        let piece = &text[at..at + length];
        if self.below(2) == 0 { piece.to_vec() } else { reverse_complement(piece, Wildcards::Iupac) }
    }
}
