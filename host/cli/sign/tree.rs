//! `warpseq sign tree`.

use super::parameters::Signature;
use super::signing;
use crate::cli::options::{Run, Writing};
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::tree::run::{Request, run};

const EXAMPLES: &str = "\
Examples:
  warpseq sign tree genomes.wsig -o genomes.nwk
      the tree of the genomes
  warpseq sign build --per-file genomes/*.fna.gz -o genomes.wsig
  warpseq sign tree genomes.wsig -o genomes.nwk
      the tree of genomes in many contigs, each called like its file
  warpseq sign tree genes.fasta --k 11
      genes signed on the fly

Neighbour joining (Saitou and Nei 1987) of the distances that `warpseq sign dist` writes. The tree \
is one line of Newick without a root; a length may be below 0. Sequences without a signature are \
left out. At most 5000 sequences.";

/// Write the neighbour-joining tree of sequences, as Newick
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed on the fly. Standard input is read as sequences.
    input: PathBuf,

    #[command(flatten)]
    signature: Signature,
    #[command(flatten)]
    run: Run,
}

impl Args {
    /// Joins the sequences and writes their tree.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.run.start()?;
        let signing = signing(&self.run, self.signature.wanted());
        let Self { input, run: Run { writing: Writing { output, .. }, .. }, .. } = self;
        run(&Request { input, output, signing })
    }
}
