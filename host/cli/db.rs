//! `warpseq db`. One subcommand, one file.

mod build;
mod info;

use clap::Subcommand;
use warpseq::error::Result;

const EXAMPLES: &str = "\
A database file holds sequences as `warpseq align` searches them: checked once, and mapped into memory \
from then on. A search of it finds what a search of the sequences finds.

Examples:
  warpseq db build proteins.fasta.gz -o proteins.wdb
  warpseq align queries.fasta --targets-db proteins.wdb --pairs all --matrix BLOSUM62 --top 10
  warpseq db info proteins.wdb";

/// Make and show files of targets that are searched many times
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(build::Args),
    Info(info::Args),
}

impl Args {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// Those of the subcommand.
    pub fn run(self) -> Result<()> {
        match self.what {
            What::Build(args) => args.run(),
            What::Info(args) => args.run(),
        }
    }
}
