//! The inputs of `warpseq scan`: which files, and what they are.

use std::path::PathBuf;
use warpseq::error::{Error, Result};
use warpseq::scan::inputs::{Inputs, Reads, sheet};

/// The files that are searched.
#[derive(clap::Args)]
pub struct ReadInputs {
    /// FASTQ or FASTA (`-`: standard input); without -s, then SIGNATURES
    #[arg(value_name = "INPUT")]
    files: Vec<PathBuf>,

    /// Mates 1 of pairs; may be repeated
    #[arg(short = '1', value_name = "FILE")]
    mates1: Vec<PathBuf>,
    /// Mates 2, in the order of mates 1
    ///
    /// The k-th -2 belongs to the k-th -1. Mates have one name, but for /1 and /2, and stand in the same order in both files.
    #[arg(short = '2', value_name = "FILE")]
    mates2: Vec<PathBuf>,
    /// Inputs of one file hold mates 1 and 2 in turn
    ///
    /// Those are the positional arguments, and the rows of a sheet without r2.
    #[arg(long, hide_short_help = true)]
    interleaved: bool,
    /// Search the samples of a sheet
    ///
    /// A table with the columns sample, r1 and, for pairs, r2 (or fastq_1 and fastq_2), with tabs or as CSV. Paths are relative
    /// to the sheet. Rows of one sample stand one behind the other. Order of all inputs: positional arguments, -1 with -2, sheet.
    #[arg(long, value_name = "SHEET")]
    samples: Option<PathBuf>,
}

/// The files that are searched, and for what.
#[derive(clap::Args)]
pub struct InputFiles {
    /// Signatures: FASTA
    ///
    /// Every other argument is then an input. `-` is standard input. All files may be compressed.
    #[arg(short, long, value_name = "FILE")]
    signatures: Option<PathBuf>,
    #[command(flatten)]
    reads: ReadInputs,
}

impl ReadInputs {
    /// The inputs.
    ///
    /// # Errors
    /// [`Error::Usage`] for no input, mates that are not two and two, and inputs of one label; those of the sheet.
    pub fn open(self) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        let single = if self.interleaved { Reads::Interleaved } else { Reads::Single };
        self.files.into_iter().try_for_each(|file| inputs.push(single(file)))?;
        if self.mates1.len() != self.mates2.len() {
            let [first, second] = [self.mates1.len(), self.mates2.len()];
            return Err(Error::Usage(format!(
                "-1 is given {first} times and -2 {second} times: give a -2 for each -1"
            )));
        }
        let pairs = self.mates1.into_iter().zip(self.mates2);
        pairs.into_iter().try_for_each(|(first, second)| inputs.push(Reads::Pair(first, second)))?;
        if let Some(sheet) = self.samples {
            inputs.extend(&sheet, sheet::read(&sheet, self.interleaved)?)?;
        }
        match inputs.all() {
            [] => Err(Error::Usage(
                "there is no input: give files behind the options, -1 FILE -2 FILE, or --samples SHEET".into(),
            )),
            _ => Ok(inputs),
        }
    }

    /// An option that says what inputs are.
    fn given(&self) -> Option<&'static str> {
        let given = [
            ("-1", !self.mates1.is_empty()),
            ("-2", !self.mates2.is_empty()),
            ("--interleaved", self.interleaved),
            ("--samples", self.samples.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }
}

impl InputFiles {
    /// The inputs, and the file of the signatures.
    ///
    /// # Errors
    /// [`Error::Usage`] for other than two files without `-s`, and for options that need it; those of [`ReadInputs::open`].
    pub fn open(self) -> Result<(Inputs, PathBuf)> {
        let Self { signatures, reads } = self;
        match (signatures, reads.given()) {
            (Some(signatures), _) => Ok((reads.open()?, signatures)),
            (None, Some(option)) => {
                Err(Error::Usage(format!("{option} needs the signatures as --signatures FILE (-s FILE)")))
            }
            (None, None) => two_files(reads.files),
        }
    }
}

/// INPUT and SIGNATURES.
fn two_files(files: Vec<PathBuf>) -> Result<(Inputs, PathBuf)> {
    let count = files.len();
    let [input, signatures] = <[PathBuf; 2]>::try_from(files).map_err(|_| {
        Error::Usage(format!(
            "expected two files, INPUT and SIGNATURES, found {count}: give them, or `warpseq scan -s SIGNATURES INPUT...`"
        ))
    })?;
    Ok((Inputs::of_file(input), signatures))
}
