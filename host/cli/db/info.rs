//! `warpseq db info`.

use crate::cli::options::{Named, one_of};
use std::path::{Path, PathBuf};
use warpseq::align::database::info::{Format, Info};
use warpseq::error::Result;
use warpseq::output::Output;

const EXAMPLES: &str = "\
Examples:
  warpseq db info proteins.wdb
      how many sequences and letters the file holds, and of which alphabet
  warpseq db info *.wdb --format tsv -o files.tsv
      one line for each of many files";

/// Show what database files hold, and check that they are complete
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Database files written by `warpseq db build`; `-`: standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Format,
    /// Write results to FILE [default: standard output]
    ///
    /// A name that ends in .gz is compressed as BGZF.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

const FORMATS: &[Named<Format>] = &[
    ("text", Format::Text, "lines for people"),
    ("tsv", Format::Tsv, "a table with a header line"),
    ("jsonl", Format::Jsonl, "one JSON object per file"),
    ("json", Format::Jsonl, ""),
];

impl Args {
    /// Writes what each file holds.
    ///
    /// # Errors
    /// Those of [`Info::of`] and of the output.
    pub fn run(&self) -> Result<()> {
        let inputs: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let mut output = Output::create(self.output.as_deref(), &inputs)?;
        self.format.write_header(&mut output).map_err(|error| output.fault(error))?;
        for file in &self.files {
            let info = Info::of(file)?;
            self.format.write(&mut output, &info).map_err(|error| output.fault(error))?;
        }
        Ok(output.finish()?)
    }
}
