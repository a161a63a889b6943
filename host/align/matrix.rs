//! Substitution matrices: what a letter of the query over a letter of the target scores.
//!
//! # Definition
//!
//! A matrix has letters and, for each ordered pair of them, a whole number. The query's letter chooses the row, the target's
//! letter the column; a matrix need not be symmetric. Case is folded. A matrix with a letter `X` is one of proteins: J, O and U
//! score as X in it unless it has them (see [`super::scoring::Letters`]).
//!
//! Built in are the tables that NCBI publishes as files (`ftp.ncbi.nih.gov/blast/matrices`): Henikoff and Henikoff (1992),
//! PNAS 89:10915; Dayhoff et al. (1978), Atlas of Protein Sequence and Structure 5:345; Todd Lowe's NUC.4.4. BLOSUM80 is
//! the file's, in thirds of bits (W over W scores 16); BLAST's own code has another one, in half bits (11).

mod ncbi;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use warpseq_engine::error::{Error, FileError, Result};

/// A file larger than this is no matrix.
const FILE_BYTES_MAX: u64 = 1 << 20;

const BUILT_IN: [(&str, &str); 9] = [
    ("BLOSUM45", include_str!("matrix/BLOSUM45")),
    ("BLOSUM50", include_str!("matrix/BLOSUM50")),
    ("BLOSUM62", include_str!("matrix/BLOSUM62")),
    ("BLOSUM80", include_str!("matrix/BLOSUM80")),
    ("BLOSUM90", include_str!("matrix/BLOSUM90")),
    ("PAM30", include_str!("matrix/PAM30")),
    ("PAM70", include_str!("matrix/PAM70")),
    ("PAM250", include_str!("matrix/PAM250")),
    ("NUC.4.4", include_str!("matrix/NUC.4.4")),
];

/// A substitution matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The name of a built-in matrix, or that of the file, its folder left out.
    pub name: String,
    /// The letters in upper case, each once, at least one.
    pub letters: Vec<u8>,
    /// `scores[q * letters.len() + t]`: letter `q` of the query over letter `t` of the target, by their places in `letters`.
    pub scores: Vec<i32>,
}

impl Matrix {
    /// The built-in matrix of that name, in any case; otherwise the file of that name.
    ///
    /// # Errors
    /// [`Error::Usage`] when there is neither, and those of [`Matrix::read`].
    pub fn open(name: &str) -> Result<Self> {
        if let Some(matrix) = Self::built_in(name) {
            return Ok(matrix);
        }
        let path = Path::new(name);
        if !path.exists() {
            let names = Self::built_in_names().join(", ");
            return Err(Error::Usage(format!(
                "--matrix {name}: there is no such file, and the matrices built in are {names}"
            )));
        }
        Self::read(path)
    }

    /// The names of the built-in matrices.
    pub fn built_in_names() -> [&'static str; 9] {
        BUILT_IN.map(|(name, _)| name)
    }

    /// A built-in matrix. The case of `name` does not matter.
    pub fn built_in(name: &str) -> Option<Self> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        let (letters, scores) = ncbi::parse(text).expect("the built-in matrices are well formed");
        Some(Self { name: (*name).into(), letters, scores })
    }

    /// Reads a file in NCBI's format: comments after `#`, a header row of letters, for each letter a row that starts with it.
    ///
    /// # Errors
    /// [`FileError::File`] when it cannot be read; [`FileError::Unusable`] with the line when it is no matrix.
    pub fn read(path: &Path) -> Result<Self> {
        let unusable = |message| FileError::Unusable { path: path.into(), message };
        let text = text_of(path).map_err(|source| FileError::File { path: path.into(), action: "read", source })?;
        let text = text.ok_or_else(|| unusable("it is larger than 1 MiB, which no matrix is".into()))?;
        let (letters, scores) = ncbi::parse(&text).map_err(|fault| unusable(fault.to_string()))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Ok(Self { name: name.replace(char::is_control, "?"), letters, scores })
    }

    /// The place of a letter among the letters, case folded.
    pub fn place(&self, letter: u8) -> Option<usize> {
        self.letters.iter().position(|known| known.eq_ignore_ascii_case(&letter))
    }
}

/// What is in a file, unless it is larger than a matrix.
fn text_of(path: &Path) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let small = bytes.len() as u64 <= FILE_BYTES_MAX;
    Ok(small.then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(matrix: &Matrix, query: u8, target: u8) -> i32 {
        let [query, target] = [query, target].map(|letter| matrix.place(letter).unwrap());
        matrix.scores[query * matrix.letters.len() + target]
    }

    #[test]
    fn known_entries() {
        let cases = [
            ("BLOSUM62", [("WW", 11), ("AA", 4), ("RK", 2), ("LI", 2), ("CW", -2), ("*A", -4), ("**", 1), ("BD", 4)]),
            ("BLOSUM45", [("WW", 15), ("AA", 5), ("RK", 3), ("LI", 2), ("CW", -5), ("*A", -5), ("**", 1), ("BD", 5)]),
            ("BLOSUM50", [("WW", 15), ("AA", 5), ("RK", 3), ("LI", 2), ("CW", -5), ("*A", -5), ("**", 1), ("BD", 5)]),
            ("BLOSUM80", [("WW", 16), ("AA", 7), ("RK", 3), ("LI", 2), ("CW", -5), ("*A", -8), ("**", 1), ("BD", 6)]),
            ("BLOSUM90", [("WW", 11), ("AA", 5), ("RK", 2), ("LI", 1), ("CW", -4), ("*A", -6), ("**", 1), ("BD", 4)]),
            ("PAM30", [("WW", 13), ("AA", 6), ("RK", 0), ("LI", -1), ("CW", -15), ("*A", -17), ("**", 1), ("BD", 6)]),
            ("PAM70", [("WW", 13), ("AA", 5), ("RK", 2), ("LI", 1), ("CW", -11), ("*A", -11), ("**", 1), ("BD", 5)]),
            ("PAM250", [("WW", 17), ("AA", 2), ("RK", 3), ("LI", 2), ("CW", -8), ("*A", -8), ("**", 1), ("BD", 3)]),
            ("NUC.4.4", [("AA", 5), ("AT", -4), ("AN", -2), ("NN", -1), ("SC", 1), ("RY", -4), ("BV", -2), ("DC", -4)]),
        ];
        for (name, entries) in cases {
            let matrix = Matrix::built_in(name).unwrap();
            for (pair, want) in entries {
                assert_eq!(score(&matrix, pair.as_bytes()[0], pair.as_bytes()[1]), want, "{name} {pair}");
            }
        }
    }

    #[test]
    fn all_built_in_are_symmetric() {
        for name in Matrix::built_in_names() {
            let matrix = Matrix::built_in(&name.to_lowercase()).unwrap();
            let letters = if name == "NUC.4.4" { "ATGCSWRYKMBVHDN" } else { "ARNDCQEGHILKMFPSTWYVBZX*" };
            assert_eq!((matrix.name.as_str(), matrix.letters.as_slice()), (name, letters.as_bytes()));
            for a in letters.bytes() {
                for b in letters.bytes() {
                    assert_eq!(score(&matrix, a, b), score(&matrix, b, a), "{name} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_file_is_read_and_a_missing_one_is_a_usage_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.mat");
        std::fs::write(&path, "# mine\n   A C\nC -3 4\na  1 2\n").unwrap();
        let matrix = Matrix::open(path.to_str().unwrap()).unwrap();
        assert_eq!((matrix.name.as_str(), score(&matrix, b'c', b'A'), score(&matrix, b'A', b'C')), ("own.mat", -3, 2));
        std::fs::write(&path, "   A C\nC -3\n").unwrap();
        let message = Matrix::read(&path).unwrap_err().to_string();
        assert!(
            message.ends_with("own.mat: line 2: row C has 1 number, expected 2: one for each letter of the header row")
        );
        // Read in part, it would be a matrix with other scores.
        let mut long = b"   A\nA 12\n".to_vec();
        long.splice(0..0, [&b"#".repeat((FILE_BYTES_MAX - 9) as usize)[..], b"\n"].concat());
        std::fs::write(&path, &long).unwrap();
        assert!(Matrix::read(&path).unwrap_err().to_string().ends_with("it is larger than 1 MiB, which no matrix is"));
        std::fs::write(&path, &long[2..]).unwrap();
        assert_eq!(Matrix::read(&path).unwrap().scores, [12]);
        let error = Matrix::open("BLOSUM63").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().starts_with("--matrix BLOSUM63: there is no such file"), "{error}");
    }
}
