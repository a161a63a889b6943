//! `warpseq sign dist`.

use super::parameters::Signature;
use crate::cli::options::{Computing, Writing};
use clap::ValueEnum;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::dist::run::{Request, run};
use warpseq::sign::dist::table::Format;

const EXAMPLES: &str = "\
Examples:
  warpseq sign dist genomes.wsig
      the distance of each pair of genomes
  warpseq sign dist genomes.fasta --k 11 --format phylip -o genomes.dist
      a matrix for programs that draw trees; the genomes are signed on the fly
  warpseq sign dist new.fasta known.wsig
      of each new sequence to each known one

The distance of two sequences is the mean over the windows of one of the least distance to a
window of the other, then the mean of both directions, divided by the bits of a signature: 0
when all their windows are the same, about 0.5 when they have nothing in common. NA where a
sequence has no signature.";

/// Write the distances of sequences.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Signatures, or FASTA or FASTQ to be signed; `-`: sequences from standard input
    a: PathBuf,
    /// The same, signed as A was: each sequence of A is compared with each of B [default: each pair of A]
    b: Option<PathBuf>,

    #[command(flatten)]
    signature: Signature,

    /// tsv (query, target, distance) or phylip (a relaxed square matrix of A, tab-separated)
    #[arg(long, value_name = "FORMAT", default_value = "tsv", help_heading = "Output", hide_possible_values = true)]
    format: Layout,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layout {
    Tsv,
    Phylip,
}

impl Args {
    /// Computes and writes the distances.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let signing = self.signature.signing(&self.computing, self.writing.console());
        let format = match self.format {
            Layout::Tsv => Format::Tsv,
            Layout::Phylip => Format::Phylip,
        };
        let Self { a: rows, b: columns, writing: Writing { output, .. }, .. } = self;
        run(&Request { rows, columns, output, format, signing })
    }
}
