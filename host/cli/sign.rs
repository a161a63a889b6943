//! `warpseq sign`. This file is its table of contents: one subcommand, one file.

mod build;
mod dist;
mod info;
mod parameters;
mod search;

use clap::Subcommand;
use warpseq::error::Result;

const EXAMPLES: &str = "\
Examples:
  warpseq sign build proteins.fasta -o proteins.wsig
  warpseq sign build proteins.fasta --preset qut --raw -o proteins.sig
  warpseq sign search new.fasta proteins.wsig --top 5
  warpseq sign dist proteins.wsig --format phylip -o proteins.dist
  warpseq sign info proteins.wsig";

/// K-mer signatures of sequences: make them, find and compare them, and tell what files of them hold.
///
/// A signature is a few bits that say which words of k letters a window holds: similar windows differ in few of them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Make the signatures of all sequences of a file
    Build(build::Args),
    /// Find the nearest signatures of a database, exactly
    Search(search::Args),
    /// Write the distances of sequences
    Dist(dist::Args),
    /// Tell what signature files hold, and check that they are whole
    Info(info::Args),
}

impl Args {
    /// Does what is asked.
    ///
    /// # Errors
    /// Those of the subcommand.
    pub fn run(self) -> Result<()> {
        match self.what {
            What::Build(args) => args.run(),
            What::Search(args) => args.run(),
            What::Dist(args) => args.run(),
            What::Info(args) => args.run(),
        }
    }
}
