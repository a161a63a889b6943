//! What `db info` and `sign info` have in common.

use crate::cli::options::{Named, one_of};
use crate::cli::tables::{Tables, chosen};
use std::path::{Path, PathBuf};
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::info::{Describe, Format};
use warpseq::output::Output;

/// Files to show, and where to.
#[derive(clap::Args)]
pub struct Files {
    /// Files to show; `-`: standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    tables: Tables,
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

impl Files {
    /// Writes what each file holds, as `of` says.
    ///
    /// # Errors
    /// Those of `of` and of the output; columns of lines for people.
    pub fn show<I: Describe>(self, of: impl Fn(&Path) -> Result<I>) -> Result<()> {
        let format = chosen((self.format, Format::Text), FORMATS, self.output.as_deref(), Console::default());
        let (format, view) = self.tables.of(format, [Format::Tsv, Format::Jsonl])?;
        let inputs: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        let mut output = Output::create(self.output.as_deref(), &inputs)?;
        if format == Format::Tsv {
            output.show(&view);
        }
        format.write_header::<I>(&mut output).map_err(|error| output.fault(error))?;
        for file in &self.files {
            let info = of(file)?;
            format.write(&mut output, &info).map_err(|error| output.fault(error))?;
        }
        Ok(output.finish()?)
    }
}
