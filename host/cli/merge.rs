//! `warpseq merge`.

use super::options::Writing;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::merge::{Request, run};

const EXAMPLES: &str = "\
Examples:
  for k in 1 2 3 4; do warpseq scan reads.fastq probes.fasta --shard $k/4 -o part$k.tsv; done
  warpseq merge part1.tsv part2.tsv part3.tsv part4.tsv -o hits.tsv
      what `warpseq scan reads.fastq probes.fasta -o hits.tsv` writes, to the byte
  warpseq merge part*.counts.tsv -s probes.fasta -o counts.tsv
      the counts of shards (scan --counts), added up, in the order of the signatures";

/// Put the outputs of shards together
///
/// Tables come one behind the other, with one header: give them in the order of the shards. Counts of `scan --counts` are added up.
/// Outputs of different columns are refused. All may be compressed.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// What the shards wrote, in their order; `-`: standard input
    #[arg(required = true, value_name = "OUT")]
    inputs: Vec<PathBuf>,
    /// The signatures of counts, in whose order they are written
    ///
    /// Without them, signatures are in the order in which they first come.
    #[arg(short, long, value_name = "FILE")]
    signatures: Option<PathBuf>,
    #[command(flatten)]
    writing: Writing,
}

impl Args {
    /// Puts them together.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        run(&Request { inputs: self.inputs, signatures: self.signatures, output: self.writing.output })
    }
}
