//! The residues of queries and targets: which are legal, which code each has, and which are the same residue.
//!
//! ```text
//! nucleotides   A C G T code 0 to 3 (U is T), the other IUPAC codes code 4, which matches nothing, not even itself
//! literal       every byte is a residue and its own code
//! a matrix      a residue's code is its place in the matrix; J, O and U have that of X where the matrix lacks them and has X
//! ```
//!
//! Case is folded except under `literal`. Two residues are the *same* (`=` in a CIGAR, whatever they score) when they are equal
//! after folding; a nucleotide ambiguity code (without a matrix) is the same as none. U over U stays `=` where both score as X.

use crate::matrix::Matrix;
use warpseq_engine::error::{Error, Result};
use warpseq_seq::{Wildcards, alphabet::BASES, iupac, strand::complement};

/// How the residues of sequences are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Alphabet {
    /// A, C, G, T and U; IUPAC ambiguity codes match nothing.
    #[default]
    Nucleotides,
    /// Bytes compare as they are.
    Literal,
    /// The residues of a substitution matrix.
    Matrix(Matrix),
}

/// What each byte is under an [`Alphabet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residues {
    /// The code of each legal byte; 0 for the others.
    pub codes: [u8; 256],
    /// How many codes there are.
    pub size: usize,
    /// See [`Scoring::identity`](crate::Scoring::identity).
    pub identity: [u8; 256],
    /// [`ILLEGAL`], 1 for a legal byte that scores as X because the matrix lacks it, 0 for the other legal ones: so that the sum over
    /// a chunk tells both.
    judged: [u32; 256],
    /// What the legal residues are, in words.
    described: String,
    strands: bool,
}

/// Bytes that are judged together.
const CHUNK: usize = 256;
/// More than a chunk of legal bytes adds up to.
const ILLEGAL: u32 = 1 << 16;

/// The code of all ambiguity codes among nucleotides.
pub const AMBIGUOUS: u8 = 4;

impl Alphabet {
    /// What each byte is.
    pub fn residues(&self) -> Residues {
        match self {
            Self::Nucleotides => nucleotides(),
            Self::Literal => literal(),
            Self::Matrix(matrix) => of_matrix(matrix),
        }
    }
}

fn nucleotides() -> Residues {
    let described = "expected A, C, G, T, U or another IUPAC code (for proteins: --matrix BLOSUM62; to compare bytes as they are: --literal)";
    let mut residues = Residues::none(usize::from(AMBIGUOUS) + 1, described.into());
    for residue in (0..=255u8).filter(u8::is_ascii_alphabetic) {
        let Some(set) = iupac::base_set(residue) else { continue };
        let at = usize::from(residue);
        residues.judged[at] = 0;
        residues.codes[at] = AMBIGUOUS;
        if set.is_power_of_two() {
            residues.codes[at] = set.trailing_zeros() as u8;
            residues.identity[at] = BASES[usize::from(residues.codes[at])];
        }
    }
    residues.strands = true;
    residues
}

fn literal() -> Residues {
    let mut residues = Residues::none(256, "expected any byte".into());
    residues.codes = std::array::from_fn(|byte| byte as u8);
    residues.identity = residues.codes;
    residues.judged = [0; 256];
    residues
}

fn of_matrix(matrix: &Matrix) -> Residues {
    let shown: Vec<_> = matrix.residues.iter().map(|&residue| char::from(residue).to_string()).collect();
    let mut residues =
        Residues::none(matrix.residues.len(), format!("the matrix {} has {}", matrix.name, shown.join(" ")));
    for byte in 0..=255u8 {
        let (at, own) = (usize::from(byte), matrix.place(byte));
        let as_x = own.is_none() && matches!(byte, b'J' | b'O' | b'U' | b'j' | b'o' | b'u');
        let Some(place) = own.or_else(|| matrix.place(b'X').filter(|_| as_x)) else { continue };
        residues.judged[at] = u32::from(as_x);
        residues.codes[at] = place as u8;
        residues.identity[at] = byte.to_ascii_uppercase();
    }
    residues.strands = matrix.residues.iter().all(|&residue| {
        let opposite = complement(residue, Wildcards::Iupac);
        iupac::base_set(residue).is_some_and(|set| set != 0) && residues.is_legal(opposite)
    });
    residues
}

impl Residues {
    fn none(size: usize, described: String) -> Self {
        Self { codes: [0; 256], size, identity: [0; 256], judged: [ILLEGAL; 256], described, strands: false }
    }

    fn is_legal(&self, residue: u8) -> bool {
        self.judged[usize::from(residue)] != ILLEGAL
    }

    /// Checks that all of `residues` are legal, and counts those that score as X because the matrix lacks J, O or U, of which there
    /// is one warning.
    ///
    /// # Errors
    /// The offset of the first that is not.
    pub fn check(&self, residues: &[u8]) -> std::result::Result<u64, usize> {
        let mut as_x = 0;
        for (k, chunk) in residues.chunks(CHUNK).enumerate() {
            let sum = chunk.iter().map(|&residue| self.judged[usize::from(residue)]).sum::<u32>();
            if sum >= ILLEGAL {
                let at = chunk.iter().position(|&residue| !self.is_legal(residue));
                return Err(k * CHUNK + at.expect("one of the chunk is illegal"));
            }
            as_x += u64::from(sum);
        }
        Ok(as_x)
    }

    /// Why an illegal residue is refused, and what to do.
    pub fn refusal(&self, residue: u8) -> String {
        let gap =
            if matches!(residue, b'-' | b'.') { "; sequences are aligned without their gaps: remove them" } else { "" };
        format!("{:?} cannot be aligned: {}{gap}", char::from(residue), self.described)
    }

    /// Whether queries have another strand: nucleotides have one, also under a matrix of IUPAC codes (NUC.4.4).
    pub fn have_strands(&self) -> bool {
        self.strands
    }

    /// Checks that queries have another strand.
    ///
    /// # Errors
    /// [`Error::Usage`] when they have none.
    pub fn check_strands(&self) -> Result<()> {
        match self.strands {
            true => Ok(()),
            false => Err(Error::Usage("only nucleotides have a reverse strand: write --strand forward".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Residues {
        Alphabet::Matrix(Matrix::built_in(name).unwrap()).residues()
    }

    fn same(residues: &Residues, a: u8, b: u8) -> bool {
        let [a, b] = [a, b].map(|residue| residues.identity[usize::from(residue)]);
        a == b && a != 0
    }

    #[test]
    fn nucleotides_fold_case_and_ambiguity_matches_nothing() {
        let residues = Alphabet::Nucleotides.residues();
        assert_eq!(b"ACGTUacgtuNRn".map(|b| residues.codes[usize::from(b)]), [0, 1, 2, 3, 3, 0, 1, 2, 3, 3, 4, 4, 4]);
        assert!(same(&residues, b'u', b'T') && same(&residues, b'a', b'A') && !same(&residues, b'A', b'C'));
        assert!(!same(&residues, b'N', b'N') && !same(&residues, b'R', b'r'));
        assert_eq!((0..=255).filter(|&b| residues.is_legal(b)).count(), 32);
        assert_eq!(residues.check(b"ACGTURYSWKMBDHVNacgturyswkmbdhvn"), Ok(0));
        for illegal in *b"EFILPQXZJO*-.?1" {
            assert_eq!(residues.check(&[b'A', illegal]), Err(1));
            assert!(residues.refusal(illegal).contains("--matrix BLOSUM62"));
        }
        assert!(residues.refusal(b'-').ends_with("remove them"));
    }

    #[test]
    fn literal_residues_are_bytes() {
        let residues = Alphabet::Literal.residues();
        assert!(same(&residues, b'N', b'N') && !same(&residues, b'a', b'A'));
        assert_eq!((residues.size, residues.codes[200], residues.check(b"\x01-*")), (256, 200, Ok(0)));
        assert!(!residues.have_strands() && residues.check_strands().unwrap_err().exit_code() == 2);
    }

    #[test]
    fn proteins_have_x_for_what_is_rare() {
        let residues = of("BLOSUM62");
        let code = |residue: u8| residues.codes[usize::from(residue)];
        assert_eq!((code(b'A'), code(b'w'), code(b'*'), code(b'U'), code(b'j'), code(b'x')), (0, 17, 23, 22, 22, 22));
        assert!(same(&residues, b'U', b'u') && !same(&residues, b'U', b'X') && same(&residues, b'X', b'x'));
        assert_eq!(residues.check(b"MUOXjJA"), Ok(4));
        assert_eq!(residues.check(&[b'U'; 3 * CHUNK + 1]), Ok(3 * CHUNK as u64 + 1));
        assert_eq!(residues.check(b"MKV1"), Err(3));
        assert!(residues.refusal(b'1').contains("the matrix BLOSUM62 has A R N D"));
        assert!(!residues.have_strands());
    }

    #[test]
    fn a_matrix_without_x_takes_only_its_own_residues() {
        let residues = of("NUC.4.4");
        assert_eq!((residues.check(b"ACGU"), residues.check(b"nNrA")), (Err(3), Ok(0)));
        assert!(same(&residues, b'N', b'n') && residues.have_strands());
        let rna = Matrix { name: "rna".into(), residues: b"ACGU".to_vec(), scores: vec![0; 16] };
        let rna = Alphabet::Matrix(rna).residues();
        assert!(!rna.have_strands() && rna.check(b"acgu").is_ok());
    }

    #[test]
    fn the_first_illegal_residue_is_found_wherever_it_is() {
        let residues = Alphabet::Nucleotides.residues();
        for at in [0, 1, 255, 256, 257, 700] {
            let mut sequence = vec![b'r'; 1000];
            (sequence[at], sequence[900]) = (b'!', b'!');
            assert_eq!(residues.check(&sequence), Err(at));
        }
        assert_eq!(residues.check(b""), Ok(0));
    }
}
