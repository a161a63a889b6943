//! `warpseq sign`. One subcommand, one file.

mod build;
mod cluster;
mod dist;
mod info;
mod map;
mod merge;
mod parameters;
mod search;
mod tree;

use super::options::Run;
use clap::Subcommand;
use warpseq::error::Result;
use warpseq::sign::signing::SignOptions;
use warpseq::sign::wanted::Wanted;

const EXAMPLES: &str = "\
A signature is a short bit vector that summarises the k-mers of a sequence or of a window of it. \
The more alike two windows are, the fewer bits of their signatures differ. `build` writes a file \
of signatures; search, dist, cluster, map and tree read such a file, or sign sequences on the fly.

Examples:
  warpseq sign build proteins.fasta -o proteins.wsig
  warpseq sign search new.fasta proteins.wsig --top 5
  warpseq sign dist proteins.wsig --format phylip -o proteins.dist
  warpseq sign cluster proteins.wsig --clusters 100 -o clusters.tsv
  warpseq sign map proteins.wsig -o map.tsv --svg map.svg
  warpseq sign tree proteins.wsig -o tree.nwk
  warpseq sign merge proteins.wsig more.wsig -o all.wsig
  warpseq sign info proteins.wsig";

/// Find, compare, cluster and map sequences by k-mer signatures
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(build::Args),
    Search(search::Args),
    Dist(dist::Args),
    Cluster(cluster::Args),
    Map(map::Args),
    Tree(tree::Args),
    Merge(merge::Args),
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
            What::Search(args) => args.run(),
            What::Dist(args) => args.run(),
            What::Cluster(args) => args.run(),
            What::Map(args) => args.run(),
            What::Tree(args) => args.run(),
            What::Merge(args) => args.run(),
            What::Info(args) => args.run(),
        }
    }
}

/// How a run signs sequences whose signatures are then compared.
fn signing(run: &Run, wanted: Wanted) -> SignOptions {
    SignOptions { wanted, run: run.first_options() }
}
