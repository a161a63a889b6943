//! `warpseq sign cluster`.

use super::signing;
use crate::cli::options::{Run, Writing};
use crate::cli::tables::TableFormat;
use clap::ArgGroup;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::cluster::run::{Request, run};
use warpseq::sign::cluster::{Method, Recipe};
use warpseq::sign::wanted::Wanted;

const EXAMPLES: &str = "\
Examples:
  warpseq sign cluster proteins.wsig --clusters 100 -o clusters.tsv --summary sizes.tsv
      the cluster of each protein, and a table of the clusters
  warpseq sign cluster genomes.fasta --clusters auto
      genomes signed on the fly, in as many clusters as fit them
  warpseq sign cluster genomes.wsig --max-distance 50 -o clusters.tsv
      genomes of which 50 bits or fewer differ are together
  warpseq sign cluster genomes.wsig --clusters 8 | cut -f 1,4 > groups.tsv
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
#[command(after_long_help = EXAMPLES, group = ArgGroup::new("which").args(["clusters", "max_distance"]).required(true))]
pub struct Args {
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed as by `warpseq sign build` without options. Standard input is read as sequences.
    input: PathBuf,

    /// Number of clusters (k-means), or auto
    ///
    /// auto takes the number, from 2 to 20, whose silhouette is largest: that of all windows, or of 2000 drawn by --seed.
    #[arg(long, visible_alias = "k", value_name = "N|auto", value_parser = number, help_heading = "Clustering")]
    clusters: Option<Number>,
    /// Link windows that differ in at most D bits (single linkage)
    ///
    /// Windows that a chain of such windows connects are one cluster, too. Clusters are numbered by their first windows.
    #[arg(long, value_name = "D", help_heading = "Clustering")]
    max_distance: Option<u32>,
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

/// A number of clusters; `None`: the one with the largest silhouette.
#[derive(Clone, Copy)]
struct Number(Option<u32>);

fn number(text: &str) -> std::result::Result<Number, String> {
    match text {
        "auto" => Ok(Number(None)),
        _ => text.parse().map(|k| Number(Some(k))).map_err(|_| "expected a number of clusters, or auto".to_owned()),
    }
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
        let Self {
            input, clusters, max_distance, seed, summary, run: Run { writing: Writing { output, .. }, .. }, ..
        } = self;
        let method = match (clusters, max_distance) {
            (_, Some(distance)) => Method::Linked { distance },
            (Some(Number(Some(k))), _) => Method::Means(Recipe { k, seed }),
            (_, None) => Method::Best { seed },
        };
        run(&Request { input, method, output, view, summary, signing })
    }
}
