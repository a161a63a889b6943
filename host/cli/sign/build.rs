//! `warpseq sign build`.

use super::parameters::Signature;
use crate::cli::options::{Run, Writing};
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::sign::run::{Format, Request, run};
use warpseq::sign::signing::{SignOptions, Summary};

const EXAMPLES: &str = "\
Examples:
  warpseq sign build proteins.fasta -o proteins.wsig
      one signature of 8192 bits for each protein
  warpseq sign build --per-file genomes/*.fna.gz -o genomes.wsig
      one for each genome, however many contigs it has
  warpseq sign build genomes.fasta.gz --k 15 --window 1000 -o genomes.wsig
      one for each window of 1000 bases; windows overlap by half

The file holds the options that its signatures were made with, so that search, dist, cluster, \
map and tree need none. The same sequences give the same bytes on every device.";

/// Write the signatures of all sequences of some files
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// FASTA or FASTQ, plain or compressed; `-`: standard input
    ///
    /// Sequences are signed in the order of the files. The first file decides the alphabet.
    #[arg(required = true)]
    sequences: Vec<PathBuf>,

    /// Make one signature of each file
    ///
    /// All sequences of a file are one record, which is called like the file, without folder, compression and format. No k-mer
    /// reaches from one sequence into the next. For DNA and proteins, with --window whole.
    #[arg(long, help_heading = "Input")]
    per_file: bool,

    #[command(flatten)]
    signature: Signature,

    /// Write bare signatures, for other programs
    ///
    /// search, dist, cluster, map and tree cannot read them.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    raw: bool,
    /// Write the number of its sequence before each signature (needs --raw)
    ///
    /// The number counts from 0 and takes 4 bytes, little-endian.
    #[arg(long, requires = "raw", hide_short_help = true, help_heading = "Output")]
    ids: bool,
    #[command(flatten)]
    run: Run,
}

impl Args {
    /// Makes and writes the signatures.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        let signing = SignOptions { wanted: self.signature.wanted(), run: self.run.options() };
        let format = if self.raw { Format::Raw { ids: self.ids } } else { Format::File };
        let Self { sequences, per_file, run: Run { writing: Writing { output, .. }, .. }, .. } = self;
        tell(console, &run(&Request { sequences, per_file, output, format, signing })?);
        Ok(())
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { sequences, residues, windows, call_seconds, seconds, engine, .. } = summary;
    console.detail(format_args!("{sequences} sequences, {residues} residues, {windows} windows"));
    console.detail(format_args!("signed by {engine}: call {call_seconds:.3} s, process {seconds:.3} s"));
}
