//! The letters of queries and targets: which are legal, which code each has, and which are the same letter.
//!
//! ```text
//! nucleotides   A C G T code 0 to 3 (U is T), the other IUPAC codes code 4, which matches nothing, not even itself
//! literal       every byte is a letter and its own code
//! a matrix      a letter's code is its place in the matrix; J, O and U have X's where the matrix has an X and not them
//! ```
//!
//! Case is folded except under `literal`. Two letters are the *same* (`=` in a CIGAR, whatever they score) when they are equal
//! after folding; a nucleotide ambiguity code (without a matrix) is the same as none. U over U stays `=` where both score as X.

use crate::matrix::Matrix;
use warpseq_engine::error::{Error, Result};
use warpseq_seq::{Wildcards, alphabet::BASES, iupac, strand::complement};

/// How the letters of the sequences are understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Alphabet {
    /// A, C, G, T and U; IUPAC ambiguity codes match nothing.
    #[default]
    Nucleotides,
    /// Bytes compare as they are.
    Literal,
    /// The letters of a substitution matrix.
    Matrix(Matrix),
}

/// What each byte is under an [`Alphabet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters {
    /// The code of each legal byte; 0 for the others.
    pub codes: [u8; 256],
    /// How many codes there are.
    pub size: usize,
    /// See [`Scoring::identity`](crate::Scoring::identity).
    pub identity: [u8; 256],
    legal: [bool; 256],
    as_x: [bool; 256],
    /// What the legal letters are, in words.
    described: String,
    strands: bool,
}

/// The code of all ambiguity codes among nucleotides.
pub const AMBIGUOUS: u8 = 4;

impl Alphabet {
    /// What each byte is.
    pub fn letters(&self) -> Letters {
        match self {
            Self::Nucleotides => nucleotides(),
            Self::Literal => literal(),
            Self::Matrix(matrix) => of_matrix(matrix),
        }
    }
}

fn nucleotides() -> Letters {
    let described = "A, C, G, T, U and the IUPAC codes are (for proteins: --matrix BLOSUM62; to compare bytes as they are: --literal)";
    let mut letters = Letters::none(usize::from(AMBIGUOUS) + 1, described.into());
    for letter in (0..=255u8).filter(u8::is_ascii_alphabetic) {
        let Some(set) = iupac::base_set(letter) else { continue };
        let at = usize::from(letter);
        letters.legal[at] = true;
        letters.codes[at] = AMBIGUOUS;
        if set.is_power_of_two() {
            letters.codes[at] = set.trailing_zeros() as u8;
            letters.identity[at] = BASES[usize::from(letters.codes[at])];
        }
    }
    letters.strands = true;
    letters
}

fn literal() -> Letters {
    let mut letters = Letters::none(256, "every byte is".into());
    letters.codes = std::array::from_fn(|byte| byte as u8);
    letters.identity = letters.codes;
    letters.legal = [true; 256];
    letters
}

fn of_matrix(matrix: &Matrix) -> Letters {
    let shown: Vec<_> = matrix.letters.iter().map(|&letter| char::from(letter).to_string()).collect();
    let mut letters =
        Letters::none(matrix.letters.len(), format!("the matrix {} has {}", matrix.name, shown.join(" ")));
    for byte in 0..=255u8 {
        let (at, own) = (usize::from(byte), matrix.place(byte));
        letters.as_x[at] = own.is_none() && matches!(byte, b'J' | b'O' | b'U' | b'j' | b'o' | b'u');
        let Some(place) = own.or_else(|| matrix.place(b'X').filter(|_| letters.as_x[at])) else { continue };
        letters.legal[at] = true;
        letters.codes[at] = place as u8;
        letters.identity[at] = byte.to_ascii_uppercase();
    }
    letters.strands = matrix.letters.iter().all(|&letter| {
        let opposite = complement(letter, Wildcards::Iupac);
        iupac::base_set(letter).is_some_and(|set| set != 0) && letters.legal[usize::from(opposite)]
    });
    letters
}

impl Letters {
    fn none(size: usize, described: String) -> Self {
        let (codes, identity, legal, as_x) = ([0; 256], [0; 256], [false; 256], [false; 256]);
        Self { codes, size, identity, legal, as_x, described, strands: false }
    }

    /// Whether all of `letters` are legal.
    ///
    /// # Errors
    /// The offset of the first that is not.
    pub fn check(&self, letters: &[u8]) -> std::result::Result<(), usize> {
        const CHUNK: usize = 256;
        for (k, chunk) in letters.chunks(CHUNK).enumerate() {
            if chunk.iter().fold(true, |all, &b| all & self.legal[usize::from(b)]) {
                continue;
            }
            let at = chunk.iter().position(|&b| !self.legal[usize::from(b)]).expect("one of the chunk is illegal");
            return Err(k * CHUNK + at);
        }
        Ok(())
    }

    /// Why an illegal letter is refused, and what to do.
    pub fn refusal(&self, letter: u8) -> String {
        let gap =
            if matches!(letter, b'-' | b'.') { "; sequences are aligned without their gaps: remove them" } else { "" };
        format!("{:?} is no letter to align: {}{gap}", char::from(letter), self.described)
    }

    /// How many of `letters` score as X because the matrix lacks J, O or U: worth one warning.
    pub fn count_as_x(&self, letters: &[u8]) -> u64 {
        letters.iter().filter(|&&b| self.as_x[usize::from(b)] && self.legal[usize::from(b)]).count() as u64
    }

    /// Whether queries have another strand: nucleotides do, under a matrix of IUPAC codes (NUC.4.4), too.
    pub fn have_strands(&self) -> bool {
        self.strands
    }

    /// That queries have another strand.
    ///
    /// # Errors
    /// [`Error::Usage`] when they have none.
    pub fn check_strands(&self) -> Result<()> {
        match self.strands {
            true => Ok(()),
            false => Err(Error::Usage(
                "only nucleotides have a reverse strand, and these letters are none: write --strand forward".into(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Letters {
        Alphabet::Matrix(Matrix::built_in(name).unwrap()).letters()
    }

    fn same(letters: &Letters, a: u8, b: u8) -> bool {
        let [a, b] = [a, b].map(|letter| letters.identity[usize::from(letter)]);
        a == b && a != 0
    }

    #[test]
    fn nucleotides_fold_case_and_ambiguity_matches_nothing() {
        let letters = Alphabet::Nucleotides.letters();
        assert_eq!(b"ACGTUacgtuNRn".map(|b| letters.codes[usize::from(b)]), [0, 1, 2, 3, 3, 0, 1, 2, 3, 3, 4, 4, 4]);
        assert!(same(&letters, b'u', b'T') && same(&letters, b'a', b'A') && !same(&letters, b'A', b'C'));
        assert!(!same(&letters, b'N', b'N') && !same(&letters, b'R', b'r'));
        assert_eq!((0..=255).filter(|&b| letters.legal[b]).count(), 32);
        assert_eq!(letters.check(b"ACGTURYSWKMBDHVNacgturyswkmbdhvn"), Ok(()));
        for illegal in *b"EFILPQXZJO*-.?1" {
            assert_eq!(letters.check(&[b'A', illegal]), Err(1));
            assert!(letters.refusal(illegal).contains("--matrix BLOSUM62"));
        }
        assert!(letters.refusal(b'-').ends_with("remove them"));
    }

    #[test]
    fn literal_letters_are_bytes() {
        let letters = Alphabet::Literal.letters();
        assert!(same(&letters, b'N', b'N') && !same(&letters, b'a', b'A'));
        assert_eq!((letters.size, letters.codes[200], letters.check(b"\x01-*")), (256, 200, Ok(())));
        assert!(!letters.have_strands() && letters.check_strands().unwrap_err().exit_code() == 2);
    }

    #[test]
    fn proteins_have_x_for_what_is_rare() {
        let letters = of("BLOSUM62");
        let code = |letter: u8| letters.codes[usize::from(letter)];
        assert_eq!((code(b'A'), code(b'w'), code(b'*'), code(b'U'), code(b'j'), code(b'x')), (0, 17, 23, 22, 22, 22));
        assert!(same(&letters, b'U', b'u') && !same(&letters, b'U', b'X') && same(&letters, b'X', b'x'));
        assert_eq!(letters.count_as_x(b"MUOXjJA"), 4);
        assert_eq!(letters.check(b"MKV1"), Err(3));
        assert!(letters.refusal(b'1').contains("the matrix BLOSUM62 has A R N D"));
        assert!(!letters.have_strands());
    }

    #[test]
    fn a_matrix_without_x_takes_only_its_own_letters() {
        let letters = of("NUC.4.4");
        assert_eq!((letters.check(b"ACGU"), letters.count_as_x(b"ACGU"), letters.check(b"nNrA")), (Err(3), 0, Ok(())));
        assert!(same(&letters, b'N', b'n') && letters.have_strands());
        let rna = Matrix { name: "rna".into(), letters: b"ACGU".to_vec(), scores: vec![0; 16] };
        let rna = Alphabet::Matrix(rna).letters();
        assert!(!rna.have_strands() && rna.check(b"acgu").is_ok());
    }

    #[test]
    fn the_first_illegal_letter_is_found_wherever_it_is() {
        let letters = Alphabet::Nucleotides.letters();
        for at in [0, 1, 255, 256, 257, 700] {
            let mut sequence = vec![b'r'; 1000];
            (sequence[at], sequence[900]) = (b'!', b'!');
            assert_eq!(letters.check(&sequence), Err(at));
        }
        assert_eq!(letters.check(b""), Ok(()));
    }
}
