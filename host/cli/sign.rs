//! `warpseq sign`. This file is its table of contents: one subcommand, one file.

mod build;
mod cluster;
mod dist;
mod info;
mod map;
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
  warpseq sign cluster proteins.wsig --k 100 -o clusters.tsv
  warpseq sign map proteins.wsig -o map.tsv --svg map.svg
  warpseq sign info proteins.wsig

A signature is a few bits that say which words of k letters a window holds: similar windows
differ in few of them. `build` makes a file of signatures once; search, dist, cluster and map
take such a file, or sequences, which they sign on the fly.";

/// Find, compare, group and show sequences by k-mer signatures.
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
    /// Group windows whose signatures are alike
    Cluster(cluster::Args),
    /// Show sequences as points of a plane
    Map(map::Args),
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
            What::Cluster(args) => args.run(),
            What::Map(args) => args.run(),
            What::Info(args) => args.run(),
        }
    }
}
