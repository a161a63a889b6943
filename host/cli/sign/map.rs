//! `warpseq sign map`.

use super::parameters::Signature;
use super::signing;
use crate::cli::options::{Run, Writing};
use crate::cli::tables::TableFormat;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::map::groups::Field;
use warpseq::sign::map::run::{Grouping, Request, run};

const EXAMPLES: &str = "\
Examples:
  warpseq sign map genomes.wsig -o map.tsv --svg map.svg
      the position of each genome, as a table and as a picture
  warpseq sign map genomes.fasta --group-by _:2 --svg map.svg > map.tsv
      coloured by the second part of names such as OR258483_DENV1
  warpseq sign search genomes.wsig references.wsig --top 1 | cut -f 1,4 > groups.tsv
  warpseq sign map genomes.wsig --groups groups.tsv -o map.tsv --svg map.svg
      coloured by the nearest reference

Sequences with similar signatures lie near each other: classical multidimensional scaling (MDS) of \
the distances that `warpseq sign dist` writes, or above 1000 sequences, landmark MDS with 500 \
landmarks. Columns: sequence, x, y, and the group if groups are given. Sequences without a signature \
are left out.

Standard error shows how well the groups separate, as silhouettes: 1 for a group far from all \
others, near 0 for groups that touch, below 0 for a group nearer to another than to itself.";

/// Draw sequences as points of a plane
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed on the fly. Standard input is read as sequences.
    input: PathBuf,

    #[command(flatten)]
    signature: Signature,

    /// Colour by a table of groups
    ///
    /// Each line has a name, a tab and a group.
    #[arg(long, value_name = "FILE", conflicts_with = "group_by", help_heading = "Map")]
    groups: Option<PathBuf>,
    /// Colour by part N of the names, split at C
    ///
    /// 1 is the first part, -1 the last.
    #[arg(long, value_name = "C:N", allow_hyphen_values = true, help_heading = "Map")]
    group_by: Option<Field>,
    /// Random seed of the landmarks
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true, help_heading = "Map")]
    seed: u64,

    /// Draw a picture, as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    format: TableFormat,
    #[command(flatten)]
    run: Run,
}

impl Args {
    /// Places the sequences and writes their positions.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.run.start()?;
        let view = self.format.view(self.run.writing.output.as_deref(), self.run.writing.console());
        let signing = signing(&self.run, self.signature.wanted());
        let grouping = self.groups.map(Grouping::Table).or(self.group_by.map(Grouping::Field));
        let Self { input, seed, svg: picture, run: Run { writing: Writing { output, .. }, .. }, .. } = self;
        run(&Request { input, grouping, seed, output, view, picture, signing })
    }
}
