//! `warpseq sign cluster`.

use crate::cli::options::{Computing, Writing};
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::cluster::Recipe;
use warpseq::sign::cluster::run::{Request, run};
use warpseq::sign::signing::SignOptions;
use warpseq::sign::wanted::Wanted;

const EXAMPLES: &str = "\
Examples:
  warpseq sign cluster proteins.wsig --k 100 -o clusters.tsv --summary sizes.tsv
      the cluster of each protein, and what each cluster is like
  warpseq sign cluster genomes.fasta --k 8 --seed 2
      genomes signed on the fly, as warpseq sign build does without options
  warpseq sign cluster genomes.wsig --k 8 | cut -f 1,4 > groups.tsv
  warpseq sign map genomes.wsig --groups groups.tsv -o map.tsv --svg map.svg
      a map of the genomes with the clusters in colours

K-means in Hamming space: a cluster's centroid is the majority of its members, bit by bit.
Signatures of whole sequences group sequences. Columns: sequence, start, end, cluster, distance:
of each window, in bits to its cluster's centroid; NA for a window without a signature. The same
input, K and seed give the same clusters on every device. Sizes, distances and the member in the
middle of each cluster, its medoid, are told on standard error.";

/// Group windows whose signatures are alike.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Signatures, or FASTA or FASTQ to be signed as warpseq sign build does without options; `-`: sequences from standard input
    input: PathBuf,

    /// Clusters to make
    #[arg(long, value_name = "K", help_heading = "Clustering")]
    k: u32,
    /// Which random numbers choose the first centroids (k-means++)
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Clustering")]
    seed: u64,

    /// Write cluster, size, mean and greatest distance, and the medoid of each cluster to a file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
}

impl Args {
    /// Groups the windows and writes the groups.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let run_options = self.computing.options(self.writing.console());
        let signing = SignOptions { wanted: Wanted::default(), run: run_options };
        let Self { input, k, seed, summary, writing: Writing { output, .. }, .. } = self;
        run(&Request { input, recipe: Recipe { k, seed }, output, summary, signing })
    }
}
