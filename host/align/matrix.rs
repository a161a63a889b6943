//! Substitution matrices: what a residue of the query over a residue of the target scores.
//!
//! # Definition
//!
//! A matrix has residues and, for each ordered pair of them, a whole number. The query's residue chooses the row, the target's
//! residue the column; a matrix need not be symmetric. Case is folded. A matrix with a residue `X` is one of proteins: J, O and U
//! score as X in it unless it has them (see [`super::scoring::Residues`]).
//!
//! Built in are the tables that NCBI publishes as files (`ftp.ncbi.nih.gov/blast/matrices`): Henikoff and Henikoff (1992),
//! PNAS 89:10915; Dayhoff et al. (1978), Atlas of Protein Sequence and Structure 5:345; Todd Lowe's NUC.4.4. BLOSUM80 is
//! the file's, in thirds of bits (W over W scores 16); BLOSUM80-BLAST is the one of BLAST's own code, in half bits (11).

mod ncbi {
    //! NCBI's text format of a substitution matrix.
    //!
    //! ```text
    //! # a comment
    //!    A  R  N          header row: the residues of the columns
    //! A  4 -1 -2          a row for each of them, in any order: its residue, then a whole number per column
    //! R -1  5  0
    //! N -2  0  6
    //! ```
    //!
    //! Blanks separate, `#` starts a comment line, empty lines do not count. Residues are single printable characters, case folded.

    use std::fmt;

    /// Why a text is no matrix.
    #[derive(Debug, PartialEq, Eq)]
    pub(super) struct Fault {
        /// The line's number, from 1; the last line's when something is missing.
        line: usize,
        message: String,
    }

    impl fmt::Display for Fault {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "line {}: {}", self.line, self.message)
        }
    }

    /// The residues of the header row, and the scores in that order: row after row, query by target.
    ///
    /// # Errors
    /// A header row or a row is missing, repeated, too short or too long, or holds something else than whole numbers.
    pub(super) fn parse(text: &str) -> Result<(Vec<u8>, Vec<i32>), Fault> {
        let counts = |(_, line): &(usize, &str)| !line.trim_ascii().is_empty() && !line.starts_with('#');
        let mut lines = (1..).zip(text.lines()).filter(counts);
        let last = text.lines().count().max(1);
        let none =
            || Fault { line: last, message: "expected a header row of residues, found the end of the file".into() };
        let (line, header) = lines.next().ok_or_else(none)?;
        let residues = read_header(header).map_err(|message| Fault { line, message })?;
        let mut rows: Vec<Option<Vec<i32>>> = vec![None; residues.len()];
        for (line, row) in lines {
            read_row(row, &residues, &mut rows).map_err(|message| Fault { line, message })?;
        }
        let missing =
            residues.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(&residue, _)| char::from(residue));
        let missing: Vec<_> = missing.map(String::from).collect();
        if !missing.is_empty() {
            let message =
                format!("there is no row for {}: expected one for each residue of the header row", missing.join(", "));
            return Err(Fault { line: last, message });
        }
        Ok((residues, rows.into_iter().flatten().flatten().collect()))
    }

    fn read_header(header: &str) -> Result<Vec<u8>, String> {
        let mut residues = Vec::new();
        for word in header.split_ascii_whitespace() {
            let residue = residue_of(word).ok_or_else(|| {
                format!(
                    "expected a header row of residues of one letter each (as in `A R N D C`), found `{}`",
                    shown(word)
                )
            })?;
            if residues.contains(&residue) {
                return Err(format!("residue {} is twice in the header row", char::from(residue)));
            }
            residues.push(residue);
        }
        Ok(residues)
    }

    fn read_row(row: &str, residues: &[u8], rows: &mut [Option<Vec<i32>>]) -> Result<(), String> {
        let mut words = row.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let found = residue_of(first).and_then(|residue| residues.iter().position(|&known| known == residue));
        let place = found.ok_or_else(|| {
            format!("expected a row to start with a residue of the header row, found `{}`", shown(first))
        })?;
        let residue = char::from(residues[place]);
        let number = |word: &str| {
            word.parse::<i32>()
                .map_err(|_| format!("expected a whole number in row {residue}, found `{}`", shown(word)))
        };
        let numbers = words.map(number).collect::<Result<Vec<_>, _>>()?;
        if numbers.len() != residues.len() {
            let (count, noun) = (numbers.len(), if numbers.len() == 1 { "number" } else { "numbers" });
            let expected = residues.len();
            return Err(format!(
                "row {residue} has {count} {noun}, expected {expected}: one for each residue of the header row"
            ));
        }
        match rows[place].replace(numbers) {
            None => Ok(()),
            Some(_) => Err(format!("a second row for residue {residue}")),
        }
    }

    fn residue_of(word: &str) -> Option<u8> {
        match word.as_bytes() {
            [residue] if residue.is_ascii_graphic() => Some(residue.to_ascii_uppercase()),
            _ => None,
        }
    }

    /// The start of a word, fit for a message.
    fn shown(word: &str) -> String {
        const LENGTH_MAX: usize = 20;
        word.chars().take(LENGTH_MAX).map(|c| if c.is_control() { '?' } else { c }).collect()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn rows_come_in_any_order_and_case() {
            let text = "# a comment\r\n\r\n\ta\tC\t*\r\n* 1 2 3\r\nA 4 +5 -6\r\n# another\r\nc 7 8 9";
            assert_eq!(parse(text), Ok((b"AC*".to_vec(), vec![4, 5, -6, 7, 8, 9, 1, 2, 3])));
        }

        #[test]
        fn what_is_wrong_is_said_with_its_line() {
            let cases = [
                ("", "line 1: expected a header row of residues, found the end of the file"),
                ("# only\n\n", "line 2: expected a header row of residues, found the end of the file"),
                (
                    ">seq1 of a long name\nACGT\n",
                    "line 1: expected a header row of residues of one letter each (as in `A R N D C`), found `>seq1`",
                ),
                (" A C a\n", "line 1: residue A is twice in the header row"),
                (" A C\nA 1 2\n", "line 2: there is no row for C: expected one for each residue of the header row"),
                (" A C\n", "line 1: there is no row for A, C: expected one for each residue of the header row"),
                (" A C\nA 1 2\nG 1 2\n", "line 3: expected a row to start with a residue of the header row, found `G`"),
                (" A C\n1 2\n3 4\n", "line 2: expected a row to start with a residue of the header row, found `1`"),
                ("#\n A C\nA 1\n", "line 3: row A has 1 number, expected 2: one for each residue of the header row"),
                (" A C\nA 1 2 3\n", "line 2: row A has 3 numbers, expected 2: one for each residue of the header row"),
                (" A C\nA 1 2\nA 1 2\n", "line 3: a second row for residue A"),
                (
                    " A C\nA 1 2\n\u{3000}\nC 1 2\n",
                    "line 3: expected a row to start with a residue of the header row, found `\u{3000}`",
                ),
                (" A C\nA 1 2.5\n", "line 2: expected a whole number in row A, found `2.5`"),
                (" A C\nA 1 9999999999\n", "line 2: expected a whole number in row A, found `9999999999`"),
            ];
            for (text, want) in cases {
                assert_eq!(parse(text).unwrap_err().to_string(), want, "{text:?}");
            }
        }
    }
}

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use warpseq_engine::error::{Error, FileError, Result};

/// A file larger than this is no matrix.
const FILE_BYTES_MAX: u64 = 1 << 20;

const BUILT_IN: [(&str, &str); 10] = [
    ("BLOSUM45", include_str!("matrix/BLOSUM45")),
    ("BLOSUM50", include_str!("matrix/BLOSUM50")),
    ("BLOSUM62", include_str!("matrix/BLOSUM62")),
    ("BLOSUM80", include_str!("matrix/BLOSUM80")),
    ("BLOSUM80-BLAST", include_str!("matrix/BLOSUM80-BLAST")),
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
    /// The residues in upper case, each once, at least one.
    pub residues: Vec<u8>,
    /// `scores[q * residues.len() + t]`: residue `q` of the query over residue `t` of the target, by their places in `residues`.
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
    pub fn built_in_names() -> [&'static str; 10] {
        BUILT_IN.map(|(name, _)| name)
    }

    /// A built-in matrix. The case of `name` does not matter.
    pub fn built_in(name: &str) -> Option<Self> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        let (residues, scores) = ncbi::parse(text).expect("the built-in matrices are well formed");
        Some(Self { name: (*name).into(), residues, scores })
    }

    /// Reads a file in NCBI's format: comments after `#`, a header row of residues, for each residue a row that starts with it.
    ///
    /// # Errors
    /// [`FileError::File`] when it cannot be read; [`FileError::Unusable`] with the line when it is no matrix.
    pub fn read(path: &Path) -> Result<Self> {
        let unusable = |message| FileError::Unusable { path: path.into(), message };
        let text = text_of(path).map_err(|source| FileError::File { path: path.into(), action: "read", source })?;
        let text = text.ok_or_else(|| unusable("it is larger than 1 MiB, which no matrix is".into()))?;
        let (residues, scores) = ncbi::parse(&text).map_err(|fault| unusable(fault.to_string()))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Ok(Self { name: name.replace(char::is_control, "?"), residues, scores })
    }

    /// The place of a residue among the residues, case folded.
    pub fn place(&self, residue: u8) -> Option<usize> {
        self.residues.iter().position(|known| known.eq_ignore_ascii_case(&residue))
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
        let [query, target] = [query, target].map(|residue| matrix.place(residue).unwrap());
        matrix.scores[query * matrix.residues.len() + target]
    }

    #[test]
    fn known_entries() {
        let cases = [
            ("BLOSUM62", [("WW", 11), ("AA", 4), ("RK", 2), ("LI", 2), ("CW", -2), ("*A", -4), ("**", 1), ("BD", 4)]),
            ("BLOSUM45", [("WW", 15), ("AA", 5), ("RK", 3), ("LI", 2), ("CW", -5), ("*A", -5), ("**", 1), ("BD", 5)]),
            ("BLOSUM50", [("WW", 15), ("AA", 5), ("RK", 3), ("LI", 2), ("CW", -5), ("*A", -5), ("**", 1), ("BD", 5)]),
            ("BLOSUM80", [("WW", 16), ("AA", 7), ("RK", 3), ("LI", 2), ("CW", -5), ("*A", -8), ("**", 1), ("BD", 6)]),
            (
                "BLOSUM80-BLAST",
                [("WW", 11), ("AA", 5), ("RK", 2), ("LI", 1), ("CW", -3), ("*A", -6), ("**", 1), ("BD", 5)],
            ),
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
            let residues = match name {
                "NUC.4.4" => "ATGCSWRYKMBVHDN",
                "BLOSUM80-BLAST" => "ARNDCQEGHILKMFPSTWYVBJZX*",
                _ => "ARNDCQEGHILKMFPSTWYVBZX*",
            };
            assert_eq!((matrix.name.as_str(), matrix.residues.as_slice()), (name, residues.as_bytes()));
            for a in residues.bytes() {
                for b in residues.bytes() {
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
            message
                .ends_with("own.mat: line 2: row C has 1 number, expected 2: one for each residue of the header row")
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
