//! What the sequences of a file are, DNA or proteins, by their letters.
//!
//! # Definition
//!
//! ```text
//! symbols   - - A C G T N R - M K V ...     those of the first sequences, one after another
//! letters       A C G T N R   M K V ...     without gaps, `-` and `.`; the first 10,000
//! DNA       when at least 9 of 10 letters are IUPAC codes of nucleotides: ACGTURYSWKMBDHVN, in either case
//! proteins  otherwise
//! ```
//!
//! Without a letter there is nothing to judge by. About a third of the letters of proteins (E, F, I, L, P, Q) are no codes of
//! nucleotides, and of DNA none but those of masked repeats. Neither an empty first record, nor gaps, nor ambiguity codes say
//! anything about the rest, so they do not decide.
//!
//! Sequences wait in memory until this is known, so it is judged by the first [`SEQUENCES`] of them and [`SYMBOLS`] symbols even
//! if these have fewer letters.

use super::Alphabet;

/// The most letters that are looked at.
pub const LETTERS: usize = 10_000;
/// The most symbols that are looked at.
pub const SYMBOLS: usize = 1 << 20;
/// The most sequences that are looked at.
pub const SEQUENCES: usize = 1 << 16;

/// The letters of the first sequences of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Composition {
    sequences: usize,
    symbols: usize,
    letters: usize,
    nucleotides: usize,
}

impl Composition {
    /// Adds the next sequence.
    pub fn add(&mut self, residues: &[u8]) {
        self.sequences += 1;
        for &residue in residues {
            if self.is_settled() {
                return;
            }
            self.symbols += 1;
            if !matches!(residue, b'-' | b'.') {
                self.letters += 1;
                self.nucleotides += usize::from(is_nucleotide(residue));
            }
        }
    }

    /// Whether further sequences do not matter.
    pub fn is_settled(&self) -> bool {
        let Self { sequences, symbols, letters, .. } = *self;
        letters == LETTERS || symbols == SYMBOLS || sequences > SEQUENCES
    }

    /// What the sequences are; `None` if they have no letters.
    pub fn alphabet(&self) -> Option<Alphabet> {
        let is_dna = 10 * self.nucleotides >= 9 * self.letters;
        (self.letters > 0).then_some(if is_dna { Alphabet::Dna } else { Alphabet::Protein })
    }
}

fn is_nucleotide(residue: u8) -> bool {
    b"ACGTURYSWKMBDHVN".contains(&residue.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use proptest::prelude::*;

    fn judged<S: AsRef<[u8]>>(sequences: &[S]) -> Option<Alphabet> {
        let mut composition = Composition::default();
        sequences.iter().for_each(|residues| composition.add(residues.as_ref()));
        composition.alphabet()
    }

    /// Regression: the first sequence decided, empty or not, and gaps and ambiguity codes were taken for residues of proteins.
    #[test]
    fn neither_empty_nor_gapped_nor_ambiguous_sequences_decide_for_others() {
        let (dna, protein) = (Some(Alphabet::Dna), Some(Alphabet::Protein));
        for (sequences, expected) in [
            (&["ACGTUNacgtun"][..], dna),
            (&["ACGTACGTAL"], dna),
            (&["ACGTACGTLL"], protein),
            (&["", "MKVLATFEQI"], protein),
            (&["ACGT", "MKVLATFEQIMKVLATFEQI"], protein),
            (&["----------....ACG-T"], dna),
            (&["RYSWKMBDHVNryswkmbdhvn"], dna),
            (&["-.-.-", ""], None),
            (&[], None),
            (&["MKVL*AT**"], protein),
        ] {
            assert_eq!(judged(sequences), expected, "{sequences:?}");
            assert_eq!(reference::alphabet(sequences), expected, "{sequences:?}");
        }
    }

    #[test]
    fn so_many_are_looked_at() {
        let letters = ["A".repeat(LETTERS - 1), "L".repeat(1001), "L".repeat(9 * LETTERS)];
        let symbols = ["-".repeat(SYMBOLS - 1), "A".into(), "L".repeat(99)];
        let mut sequences = vec![String::new(); SEQUENCES + 1];
        sequences[SEQUENCES - 1] = "A".into();
        sequences[SEQUENCES] = "L".repeat(99);
        for sequences in [&letters[..], &symbols, &sequences] {
            assert_eq!(judged(sequences), Some(Alphabet::Dna));
            assert_eq!(reference::alphabet(sequences), Some(Alphabet::Dna));
        }
    }

    proptest! {
        #[test]
        fn sequences_are_judged_as_by_the_reference(
            sequences in proptest::collection::vec("[ACGTUNRYEFILPQacgtnl*.-]{0,12}|[ACGTN]{0,60}", 0..8)
        ) {
            prop_assert_eq!(judged(&sequences), reference::alphabet(&sequences));
        }
    }
}
