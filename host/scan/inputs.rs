//! The inputs of a run: what holds the sequences, and which sample each belongs to.
//!
//! ```text
//! input   one file, one file with mates 1 and 2 in turn, or two files, record k of one with record k of the other
//! sample  a label, and the inputs that have it, which stand together
//! ```

pub mod sheet;

use sheet::Row;
use std::collections::HashMap;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use warpseq_io::error::{FileError, Result};
use warpseq_io::{label, standard};

/// Where the sequences of an input are: FASTQ or FASTA; `-` is standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Sequences without mates.
    Single(PathBuf),
    /// Mate 1 and mate 2 of each pair, one behind the other.
    Interleaved(PathBuf),
    /// Mates 1 and mates 2.
    Pair(PathBuf, PathBuf),
}

impl Reads {
    /// Whether the sequences are mates.
    pub fn are_paired(&self) -> bool {
        !matches!(self, Self::Single(_))
    }

    /// The files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let (first, second) = match self {
            Self::Single(path) | Self::Interleaved(path) => (path, None),
            Self::Pair(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second).map(PathBuf::as_path)
    }

    /// Bytes of the files; `None` when one of them has no size, as a pipe.
    pub fn bytes(&self) -> Option<u64> {
        let bytes = |path| standard::metadata_of_input(path).ok().filter(|file| file.is_file()).map(|file| file.len());
        self.paths().map(bytes).sum()
    }

    fn first(&self) -> &Path {
        self.paths().next().expect("there is one")
    }
}

impl fmt::Display for Reads {
    /// The files, as messages name them.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Single(path) | Self::Interleaved(path) => path.display().fmt(f),
            Self::Pair(first, second) => write!(f, "{} and {}", first.display(), second.display()),
        }
    }
}

/// Some sequences, and their sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The sample, by its number.
    pub sample: usize,
    /// Where the sequences are.
    pub reads: Reads,
}

/// All inputs of a run, in order: those of a sample stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    samples: Vec<Vec<u8>>,
    inputs: Vec<Input>,
    numbers: HashMap<Vec<u8>, usize>,
}

impl Inputs {
    /// One file, whose sample has its label.
    pub fn of_file(path: impl Into<PathBuf>) -> Self {
        let mut inputs = Self::default();
        inputs.push(Reads::Single(path.into())).expect("there is no other input");
        inputs
    }

    /// Adds an input whose sample has the label of its first file.
    ///
    /// # Errors
    /// [`FileError::Usage`] when another input has that label.
    pub fn push(&mut self, reads: Reads) -> Result<()> {
        let label = label::of_sample(reads.first());
        let Some(&other) = self.numbers.get(&label) else {
            self.add(label, reads);
            return Ok(());
        };
        let other = self.inputs.iter().find(|input| input.sample == other).expect("every sample has an input");
        let label = String::from_utf8_lossy(&label);
        Err(FileError::Usage(format!(
            "two inputs are called {label}, {} and {reads}: give the files of mates as -1 FILE -2 FILE, and other labels in a \
             sheet (--samples)",
            other.reads
        )))
    }

    /// Adds the rows of a sheet, of which rows in a row may have one label.
    ///
    /// # Errors
    /// [`FileError::Input`] when other rows or inputs have the label of one.
    pub fn extend(&mut self, sheet: &Path, rows: Vec<Row>) -> Result<()> {
        let mut before: Option<(Vec<u8>, usize)> = None;
        for Row { label, reads, line } in rows {
            let sample = match (self.numbers.get(&label), &before) {
                (None, _) => self.add(label.clone(), reads),
                (Some(&number), Some((last, _))) if *last == label => {
                    self.inputs.push(Input { sample: number, reads });
                    number
                }
                (Some(_), _) => {
                    let label = String::from_utf8_lossy(&label);
                    let message = format!(
                        "another input is called {label}: the rows of a sample stand one behind the other, and other samples \
                         have other labels"
                    );
                    return Err(FileError::Input { path: sheet.to_path_buf(), line, record: line - 1, message });
                }
            };
            before = Some((label, sample));
        }
        Ok(())
    }

    fn add(&mut self, label: Vec<u8>, reads: Reads) -> usize {
        let sample = self.samples.len();
        self.inputs.push(Input { sample, reads });
        self.numbers.insert(label.clone(), sample);
        self.samples.push(label);
        sample
    }

    /// The labels of the samples, in order.
    pub fn samples(&self) -> &[Vec<u8>] {
        &self.samples
    }

    /// The inputs, in order.
    pub fn all(&self) -> &[Input] {
        &self.inputs
    }

    /// All files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().flat_map(|input| input.reads.paths())
    }

    /// Whether there are mates among the sequences.
    pub fn have_pairs(&self) -> bool {
        self.inputs.iter().any(|input| input.reads.are_paired())
    }

    /// Refuses inputs of which a file is missing, before the first one is read.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn require_files(&self) -> Result<()> {
        for path in self.paths().filter(|path| path.as_os_str() != "-") {
            let found = standard::metadata_of_input(path).and_then(|metadata| match metadata.is_dir() {
                true => Err(ErrorKind::IsADirectory.into()),
                false => Ok(()),
            });
            found.map_err(|source| FileError::File { path: path.to_path_buf(), action: "open", source })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, line: u64) -> Row {
        Row { label: label.into(), reads: Reads::Single(format!("{label}{line}.fq").into()), line }
    }

    #[test]
    fn labels_of_files_differ() {
        let mut inputs = Inputs::of_file("a/x.fq");
        inputs.push(Reads::Pair("y_R1.fq".into(), "y_R2.fq".into())).unwrap();
        for again in ["b/x.fastq.gz", "y.fa"] {
            let told = inputs.push(Reads::Single(again.into())).unwrap_err().to_string();
            assert!(told.contains(again) && told.contains("-1 FILE -2 FILE") && told.contains("--samples"), "{told}");
        }
        assert_eq!(inputs.samples(), [b"x", b"y"]);
        assert_eq!(inputs.all().iter().map(|input| input.sample).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn only_rows_in_a_row_are_one_sample() {
        let mut inputs = Inputs::of_file("x.fq");
        inputs.extend(Path::new("s.tsv"), vec![row("a", 2), row("a", 3), row("b", 4)]).unwrap();
        assert_eq!(inputs.all().iter().map(|input| input.sample).collect::<Vec<_>>(), [0, 1, 1, 2]);
        for rows in [vec![row("c", 2), row("d", 3), row("c", 4)], vec![row("x", 4)]] {
            let told = inputs.clone().extend(Path::new("s.tsv"), rows).unwrap_err().to_string();
            assert!(told.starts_with("s.tsv, line 4, record 3: another input is called "), "{told}");
        }
    }
}
