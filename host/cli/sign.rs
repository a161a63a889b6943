//! `warpseq sign`. This file is its table of contents: one subcommand, one file.

mod build;
mod info;
mod parameters;

use clap::Subcommand;
use warpseq::error::Result;

const EXAMPLES: &str = "\
Examples:
  warpseq sign build proteins.fasta -o proteins.wsig
  warpseq sign build proteins.fasta --preset qut --raw -o proteins.sig
  warpseq sign info proteins.wsig";

/// K-mer signatures of sequences: make them, and tell what files of them hold.
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
            What::Info(args) => args.run(),
        }
    }
}
