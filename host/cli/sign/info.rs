//! `warpseq sign info`.

use clap::ValueEnum;
use std::path::{Path, PathBuf};
use warpseq::error::Result;
use warpseq::output::Output;
use warpseq::sign::info::{Format, Info};

const EXAMPLES: &str = "\
Examples:
  warpseq sign info proteins.wsig
      what it holds, and how it was made
  warpseq sign info *.wsig --format tsv -o files.tsv
      a table of many files
  warpseq sign info proteins.wsig --format jsonl | jq -r .options
      the options that make signatures comparable with these";

/// Tell what signature files hold, and check that they are whole.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Signature files, as `warpseq sign build` writes them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// text, tsv, or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output", hide_possible_values = true)]
    format: Layout,
    /// Where results go; a name ending in .gz is compressed (BGZF) [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layout {
    Text,
    Tsv,
    #[value(alias = "json")]
    Jsonl,
}

impl Args {
    /// Tells it, file by file.
    ///
    /// # Errors
    /// Those of [`Info::of`] and of the output.
    pub fn run(&self) -> Result<()> {
        let format = match self.format {
            Layout::Text => Format::Text,
            Layout::Tsv => Format::Tsv,
            Layout::Jsonl => Format::Jsonl,
        };
        let inputs: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let mut output = Output::create(self.output.as_deref(), &inputs)?;
        format.write_header(&mut output).map_err(|error| output.fault(error))?;
        for file in &self.files {
            let info = Info::of(file)?;
            format.write(&mut output, &info).map_err(|error| output.fault(error))?;
        }
        Ok(output.finish()?)
    }
}
