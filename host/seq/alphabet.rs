//! The residues of DNA and of proteins, and which of them make k-mers.

use std::fmt;

/// The bases of DNA, in the order of their 2-bit codes. The complement of code c is 3 - c.
pub const BASES: &[u8; 4] = b"ACGT";

/// The 20 amino acids.
pub const AMINO_ACIDS: &[u8; 20] = b"ACDEFGHIKLMNPQRSTVWY";

/// Which residues make k-mers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// Every byte is a residue.
    Raw,
    /// A, C, G and T; case folded, U is T. K-mers with any other residue are skipped.
    Dna,
    /// The 20 amino acids; case folded. K-mers with any other residue are skipped.
    Protein,
}

impl Alphabet {
    /// The residues of k-mers in the order of their codes; none for raw bytes, which are their own codes.
    pub fn letters(self) -> &'static [u8] {
        match self {
            Self::Raw => b"",
            Self::Dna => BASES,
            Self::Protein => AMINO_ACIDS,
        }
    }

    /// The residue that a byte stands for; `None` for a byte that no k-mer may hold.
    pub fn letter(self, byte: u8) -> Option<u8> {
        let upper = byte.to_ascii_uppercase();
        match self {
            Self::Raw => Some(byte),
            Self::Dna if upper == b'U' => Some(b'T'),
            Self::Dna | Self::Protein => self.letters().contains(&upper).then_some(upper),
        }
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Raw => "raw",
            Self::Dna => "dna",
            Self::Protein => "protein",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Wildcards, iupac::digits, strand::complement};

    #[test]
    fn letters_are_folded_or_not() {
        assert_eq!(Alphabet::Dna.letter(b'u'), Some(b'T'));
        assert_eq!(Alphabet::Dna.letter(b'N'), None);
        assert_eq!(Alphabet::Protein.letter(b'w'), Some(b'W'));
        assert_eq!(Alphabet::Protein.letter(b'U'), None);
        assert_eq!(Alphabet::Raw.letter(b'u'), Some(b'u'));
    }

    #[test]
    fn codes_of_bases_are_their_places() {
        let codes = digits(Wildcards::Iupac);
        for (code, &base) in (0..).zip(BASES) {
            assert_eq!(codes[usize::from(base)], code);
            assert_eq!(codes[usize::from(complement(base, Wildcards::N))], 3 - code);
        }
    }
}
