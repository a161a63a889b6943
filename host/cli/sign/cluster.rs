//! `warpseq sign cluster`.

use super::signing;
use crate::cli::options::{Run, Writing};
use crate::cli::tables::TableFormat;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::cluster::Recipe;
use warpseq::sign::cluster::run::{Request, run};
use warpseq::sign::wanted::Wanted;

const EXAMPLES: &str = "\
Examples:
  warpseq sign cluster proteins.wsig --k 100 -o clusters.tsv --summary sizes.tsv
      the cluster of each protein, and a table of the clusters
  warpseq sign cluster genomes.fasta --k 8 --seed 2
      genomes signed on the fly
  warpseq sign cluster genomes.wsig --k 8 | cut -f 1,4 > groups.tsv
  warpseq sign map genomes.wsig --groups groups.tsv -o map.tsv --svg map.svg
      a map of the genomes, coloured by cluster

K-means in Hamming space: the centroid of a cluster is the bitwise majority of its members. To \
cluster sequences, sign them whole (the default); to cluster windows, build signatures of windows. \
Columns: sequence, start, end, cluster, distance. The distance is in bits, to the centroid; NA for \
a window without a signature. The size, distances and medoid (the member in the middle) of each \
cluster are printed on standard error. The same input, K and seed give the same clusters on every \
device.";

/// Cluster windows by their signatures
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed as by `warpseq sign build` without options. Standard input is read as sequences.
    input: PathBuf,

    /// Number of clusters
    #[arg(long, value_name = "K", help_heading = "Clustering")]
    k: u32,
    /// Random seed of the first centroids (k-means++)
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Clustering")]
    seed: u64,

    /// Write size, mean and largest distance, and medoid of each cluster
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,
    #[command(flatten)]
    format: TableFormat,
    #[command(flatten)]
    run: Run,
}

impl Args {
    /// Clusters the windows.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.run.start()?;
        let view = self.format.view(self.run.writing.output.as_deref(), self.run.writing.console());
        let signing = signing(&self.run, Wanted::default());
        let Self { input, k, seed, summary, run: Run { writing: Writing { output, .. }, .. }, .. } = self;
        run(&Request { input, recipe: Recipe { k, seed }, output, view, summary, signing })
    }
}
