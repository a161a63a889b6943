//! What a database file holds. A file is listed only if it is complete: the checksum of its bytes is the one that it stores.

use super::{Stored, VERSION};
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use warpseq_io::error::Result;
use warpseq_io::info::Describe;

/// What a file holds. The names of the fields are the columns of `tsv` and the keys of `jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    /// Its path.
    pub file: String,
    /// Version of the file format.
    pub version: u32,
    /// `proteins` or `nucleotides`.
    pub alphabet: &'static str,
    /// Number of sequences.
    pub sequences: usize,
    /// Number of sequences without residues.
    pub empty: u64,
    /// Number of residues of all sequences.
    pub letters: u64,
    /// Number of residues of the shortest sequence.
    pub shortest: u64,
    /// Number of residues of the longest sequence.
    pub longest: u64,
    /// Bytes of the file, decompressed.
    pub bytes: u64,
    /// The checksum of the file, as 16 hexadecimal digits.
    pub checksum: String,
}

impl Info {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// Those of [`Stored::open`].
    pub fn of(path: &Path) -> Result<Self> {
        let stored = Stored::open(path)?;
        let lengths = || (0..stored.len()).into_par_iter().map(|k| stored.length(k));
        let (shortest, longest) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
        stored.require_unchanged()?;
        Ok(Self {
            file: path.display().to_string(),
            version: VERSION,
            alphabet: stored.kind().name(),
            sequences: stored.len(),
            empty: stored.len() as u64 - stored.with_residues(),
            letters: stored.residues(),
            shortest,
            longest,
            bytes: stored.bytes(),
            checksum: format!("{:016x}", stored.checksum()),
        })
    }
}

impl Describe for Info {
    const COLUMNS: &'static str =
        "file\tversion\talphabet\tsequences\tempty\tletters\tshortest\tlongest\tbytes\tchecksum";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { file, version, alphabet, sequences, empty, letters, shortest, longest, bytes, checksum } = self;
        writeln!(out, "{file}")?;
        writeln!(out, "    format      version {version}, {bytes} bytes, checksum {checksum}: ok")?;
        writeln!(out, "    sequences   {sequences} {alphabet}, {letters} letters in all")?;
        writeln!(out, "    lengths     {shortest} to {longest}, {empty} sequences without letters")
    }

    fn write_row(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { file, version, alphabet, sequences, empty, letters, shortest, longest, bytes, checksum } = self;
        write!(out, "{file}\t{version}\t{alphabet}\t{sequences}\t{empty}\t{letters}")?;
        writeln!(out, "\t{shortest}\t{longest}\t{bytes}\t{checksum}")
    }
}
