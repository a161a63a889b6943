//! What the sequences of a database are, told by their letters.
//!
//! ```text
//! nucleotides   every letter is an IUPAC code
//! proteins      some letter is none
//! ```
//!
//! A short protein may have no other letters than nucleotides have. One of [`LONG`] residues that are all A, C, G, T, U or N is
//! none, so beside proteins it is refused: it would be aligned, and score.

use rayon::prelude::*;
use std::path::{Path, PathBuf};
use warpseq_io::error::FileError;
use warpseq_seq::{Records, iupac};

/// What the sequences are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// DNA or RNA.
    Nucleotides,
    /// Amino acids.
    Proteins,
}

/// Residues of which chance makes no protein with five letters.
const LONG: usize = 100;

/// Records of a batch whose letters a thread looks at together.
const GRAIN: usize = 256;

/// A letter that is no nucleotide; one that is none of A, C, G, T, U and N.
const NO_NUCLEOTIDE: u8 = 1;
const NO_BASE: u8 = 2;

impl Kind {
    /// All of them, by their numbers in a file.
    pub const ALL: [Self; 2] = [Self::Nucleotides, Self::Proteins];

    /// By its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nucleotides => "nucleotides",
            Self::Proteins => "proteins",
        }
    }

    /// Whether a byte is a letter of such sequences.
    pub fn has(self, byte: u8) -> bool {
        match self {
            Self::Nucleotides => is_nucleotide(byte),
            Self::Proteins => byte.is_ascii_alphabetic() || byte == b'*',
        }
    }
}

fn is_nucleotide(byte: u8) -> bool {
    byte.is_ascii_alphabetic() && iupac::base_set(byte).is_some_and(|set| set != 0)
}

/// A record, as messages name it.
type Named = (PathBuf, String);

/// What has been seen of the sequences so far.
pub(super) struct Seen {
    judged: [u8; 256],
    /// The first record that can only be a protein, and the first that can only be nucleotides.
    protein: Option<Named>,
    nucleotides: Option<Named>,
}

impl Default for Seen {
    fn default() -> Self {
        let judge = |byte: usize| {
            let byte = byte as u8;
            let is_base = b"ACGTUN".contains(&byte.to_ascii_uppercase());
            NO_NUCLEOTIDE * u8::from(!is_nucleotide(byte)) + NO_BASE * u8::from(!is_base)
        };
        Self { judged: std::array::from_fn(judge), protein: None, nucleotides: None }
    }
}

impl Seen {
    /// Looks at some records of a file.
    ///
    /// # Errors
    /// [`FileError::Unusable`] when proteins and nucleotides are mixed.
    pub fn look_at(&mut self, path: &Path, records: &Records) -> Result<(), FileError> {
        let kinds: Vec<u8> =
            (0..records.len()).into_par_iter().with_min_len(GRAIN).map(|k| self.of(records.sequence(k))).collect();
        let named = |k: usize| (path.to_path_buf(), String::from_utf8_lossy(records.name(k)).into_owned());
        let first = |is: &dyn Fn(u8, usize) -> bool| {
            (0..records.len()).find(|&k| is(kinds[k], records.sequences().length(k))).map(named)
        };
        self.protein = self.protein.take().or_else(|| first(&|kind, _| kind & NO_NUCLEOTIDE != 0));
        self.nucleotides = self.nucleotides.take().or_else(|| first(&|kind, length| kind == 0 && length >= LONG));
        match (&self.protein, &self.nucleotides) {
            (Some(protein), Some(nucleotides)) => Err(mixed(protein, nucleotides)),
            _ => Ok(()),
        }
    }

    fn of(&self, residues: &[u8]) -> u8 {
        residues.iter().fold(0, |all, &residue| all | self.judged[usize::from(residue)])
    }

    /// What all of them are.
    pub fn kind(&self) -> Kind {
        if self.protein.is_some() { Kind::Proteins } else { Kind::Nucleotides }
    }
}

fn mixed((proteins, protein): &Named, (path, name): &Named) -> FileError {
    let message = format!(
        "record {name} has letters of nucleotides alone, and record {protein} of {} is a protein: a database holds one or the \
         other; make one of each, or give --alphabet protein if both are proteins",
        proteins.display()
    );
    FileError::Unusable { path: path.clone(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(sequences: &[&str]) -> Result<Kind, String> {
        let mut seen = Seen::default();
        for (k, sequence) in sequences.iter().enumerate() {
            let records = Records::from_iter([(format!("r{k}"), sequence)]);
            seen.look_at(Path::new("x.fa"), &records).map_err(|error| error.to_string())?;
        }
        Ok(seen.kind())
    }

    #[test]
    fn letters_tell() {
        let (dna, short) = ("ACGTN".repeat(20), "acgun".repeat(19));
        assert_eq!(kind(&[&dna, "RYSWKMBDHVU", ""]), Ok(Kind::Nucleotides));
        assert_eq!(kind(&["GAG", &short, "MKLV", "*"]), Ok(Kind::Proteins));
        assert_eq!(kind(&["ACGT*"]), Ok(Kind::Proteins));
        assert_eq!(kind(&[]), Ok(Kind::Nucleotides));
        // Letters that both have tell nothing.
        assert_eq!(kind(&["MKLV", &("ACGT".repeat(25) + "R")]), Ok(Kind::Proteins));
        for mixture in [[dna.as_str(), "MKVL"], ["MKVL", &dna]] {
            let message = kind(&mixture).unwrap_err();
            assert!(message.starts_with("x.fa: record r") && message.contains("one of each"), "{message}");
        }
    }
}
