//! `warpseq sign build`.

use super::parameters::Signature;
use crate::cli::options::{Computing, Writing};
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::sign::run::{Format, Request, run};
use warpseq::sign::signing::Summary;

const EXAMPLES: &str = "\
Examples:
  warpseq sign build proteins.fasta -o proteins.wsig
      one signature of 1024 bits for each protein, to search, compare, group and show
  warpseq sign build genomes.fasta.gz --k 11 --window 1000 -o genomes.wsig
      one for each window of 1000 bases, which overlap by half
  warpseq sign build proteins.fasta --preset qut --raw -o proteins.sig
      what the program of the k-mer report writes, to the byte

The file says how its signatures were made, so what compares them needs no options for that. The
same sequences give the same bytes on every device.";

/// Make the signatures of all sequences of a file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// FASTA or FASTQ; plain or gzip; `-` is standard input
    sequences: PathBuf,

    #[command(flatten)]
    signature: Signature,

    /// Write the bare signatures, for other programs; search, dist, cluster and map cannot read them
    #[arg(long, help_heading = "Output")]
    raw: bool,
    /// Write before each signature the number of its sequence: from 0, 4 bytes, little-endian (needs --raw)
    #[arg(long, requires = "raw", help_heading = "Output")]
    ids: bool,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
}

impl Args {
    /// Makes and writes the signatures.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let console = self.writing.console();
        let signing = self.signature.signing(&self.computing, console);
        let format = if self.raw { Format::Raw { ids: self.ids } } else { Format::File };
        let Self { sequences, writing: Writing { output, .. }, .. } = self;
        tell(console, &run(&Request { sequences, output, format, signing })?);
        Ok(())
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { sequences, residues, windows, call_seconds, seconds, engine, .. } = summary;
    console.detail(format_args!("{sequences} sequences, {residues} residues, {windows} windows"));
    console.detail(format_args!("signed by {engine}: call {call_seconds:.3} s, process {seconds:.3} s"));
}
