//! The *process* clock of `warpseq align`.

use super::rules::{Mode, Wanted};
use super::work::{Input, Work};
use crate::align::Sequences;
use crate::bench::process::{self, Folder, RESULT, Took};
use crate::bench::spread::Repeat;
use crate::error::{Error, Result};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

const QUERIES: &str = "queries.fasta";
const TARGETS: &str = "targets.fasta";

/// Writes an input to a new folder in `scratch`.
///
/// # Errors
/// [`FileError::File`](crate::error::FileError::File) if that fails.
pub fn files(input: &Input, scratch: &Path) -> Result<Folder> {
    let folder = Folder::new(scratch)?;
    folder.write(QUERIES, |output| write(output, "query", &input.queries))?;
    folder.write(TARGETS, |output| write(output, "target", &input.targets))?;
    Ok(folder)
}

fn write(output: &mut dyn Write, name: &str, sequences: &Sequences) -> io::Result<()> {
    for k in 0..sequences.len() {
        writeln!(output, ">{name}_{k}")?;
        output.write_all(sequences.get(k))?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

/// A run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub program: &'a Path,
    pub work: &'a Work,
    pub mode: Mode,
    /// The value for `--device`.
    pub device: &'a str,
    /// The expected sum of the scores, if it is known.
    pub score_sum: Option<i64>,
}

/// Runs a program on the files, and checks its output.
///
/// # Errors
/// [`Error::Mismatch`] if it fails, or does not write the expected score of each pair.
pub fn measure(files: &Folder, asked: Asked, repeat: Repeat) -> Result<Took> {
    let threads = rayon::current_num_threads();
    let mut command = Command::new(asked.program);
    command.arg("align").arg(files.file(QUERIES)).arg(files.file(TARGETS));
    command.args(["--quiet", "--device", asked.device, "--threads", &threads.to_string()]);
    command.args(asked.work.scoring.arguments(asked.mode)).arg("-o").arg(files.file(RESULT));
    command.args((asked.work.want == Wanted::Score).then_some("--score-only"));
    if asked.work.search.is_some() {
        command.args(["--pairs", "all", "--top", "1"]);
    }
    process::measure(files, &mut command, repeat, || asked.check(&files.read(RESULT)?))
}

impl Asked<'_> {
    fn check(&self, text: &[u8]) -> Result<()> {
        let wrong = |what: String| Err(Error::Mismatch(format!("{}: {what}", self.program.display())));
        let (mut rows, mut sum) = (0, 0);
        for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            match self.score(line) {
                Some(Ok(score)) => (rows, sum) = (rows + 1, sum + score),
                Some(Err(_)) => {
                    return wrong(format!("expected a score in the line {:?}", String::from_utf8_lossy(line)));
                }
                None => {}
            }
        }
        let expected = self.work.search.as_ref().map_or(self.work.count, |searched| searched.queries.len());
        if rows != expected {
            return wrong(format!("expected {expected} pairs in the result, found {rows}"));
        }
        match self.score_sum.filter(|&expected| expected != sum) {
            Some(expected) => wrong(format!("expected the scores to add up to {expected}, found {sum}")),
            None => Ok(()),
        }
    }

    /// The score of a line; `None` for the header lines of a table.
    fn score(&self, line: &[u8]) -> Option<std::result::Result<i64, ()>> {
        if line.starts_with(b"#") || line.starts_with(b"query\t") {
            return None;
        }
        // The format of a preset is `query score codes`. A table starts with `query target strand score`, and has no strand
        // if it holds scores only.
        let column = match (&self.work.scoring.preset, self.work.want) {
            (Some(_), _) => 1,
            (None, Wanted::Score) => 2,
            (None, Wanted::Path) => 3,
        };
        let word = line.split(|&byte| byte == b'\t').nth(column).and_then(|word| std::str::from_utf8(word).ok());
        Some(word.and_then(|word| word.parse().ok()).ok_or(()))
    }
}
