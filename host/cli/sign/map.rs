//! `warpseq sign map`.

use super::parameters::Signature;
use crate::cli::options::{Computing, Writing};
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::map::groups::Field;
use warpseq::sign::map::run::{Grouping, Request, run};

const EXAMPLES: &str = "\
Examples:
  warpseq sign map genomes.wsig -o map.tsv --svg map.svg
      where each genome lies, as a table and as a picture
  warpseq sign map genomes.fasta --k 11 --group-by _:2 --svg map.svg > map.tsv
      coloured by the second part of names such as OR258483_DENV1; the genomes are signed on the fly
  warpseq sign search genomes.wsig references.wsig --top 1 | cut -f 1,4 > groups.tsv
  warpseq sign map genomes.wsig --groups groups.tsv -o map.tsv --svg map.svg
      coloured by the nearest reference

Sequences with like signatures lie near each other: classical multidimensional scaling of the
distances that warpseq sign dist writes; above 1000 sequences, landmark MDS by 500 of them.
Columns: sequence, x, y, and group where groups are given. How well groups are apart is told on
standard error: the silhouette is 1 for groups far apart, near 0 where they meet, and below 0
for a group whose sequences are nearer to another. Sequences without a signature are left out.";

/// Show sequences as points of a plane.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Signatures, or FASTA or FASTQ to be signed; `-`: sequences from standard input
    input: PathBuf,

    #[command(flatten)]
    signature: Signature,

    /// Colour by group: a file of lines with a name, a tab and a group
    #[arg(long, value_name = "FILE", conflicts_with = "group_by", help_heading = "Showing")]
    groups: Option<PathBuf>,
    /// Colour by a part of the name: names are split at each C, and part N is taken: 1 is the first, -1 the last
    #[arg(long, value_name = "C:N", allow_hyphen_values = true, help_heading = "Showing")]
    group_by: Option<Field>,
    /// Which random numbers choose the landmarks
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Showing")]
    seed: u64,

    /// Draw a picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
}

impl Args {
    /// Places the sequences and writes where they lie.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let signing = self.signature.signing(&self.computing, self.writing.console());
        let grouping = self.groups.map(Grouping::Table).or(self.group_by.map(Grouping::Field));
        let Self { input, seed, svg: picture, writing: Writing { output, .. }, .. } = self;
        run(&Request { input, grouping, seed, output, picture, signing })
    }
}
