//! `warpseq summary`.

use super::options::Writing;
use super::scan::SummaryOptions;
use super::tables::TableFormat;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::scan::summary::run::{Request, run};

const EXAMPLES: &str = "\
Examples:
  warpseq summary counts.tsv -s probes.fasta -o summary.tsv
      what `warpseq scan -s probes.fasta --summary` writes beside these counts
  warpseq summary part1.tsv part2.tsv -s probes.fasta --negative-control water --matrix matrix.tsv
      counts of several runs, added up; the samples are compared with the one called water
  warpseq summary *.counts.tsv -s probes.fasta -o summary.tsv --stats virus_mqc.json
      the calls also for MultiQC";

/// Sum counts of `scan` up for each sample and genome
///
/// The counts of a sample in several files add up.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// What `warpseq scan --counts` wrote; `-`: standard input
    #[arg(required = true)]
    counts: Vec<PathBuf>,
    /// The signatures that were searched for
    #[arg(short, long, value_name = "FILE")]
    signatures: PathBuf,
    #[command(flatten)]
    options: SummaryOptions,
    #[command(flatten)]
    format: TableFormat,
    #[command(flatten)]
    writing: Writing,
}

impl Args {
    /// Makes the summary.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.writing.console();
        let view = self.format.view(self.writing.output.as_deref(), console);
        let counting = self.options.with(Default::default());
        run(&Request {
            counts: self.counts,
            signatures: self.signatures,
            output: self.writing.output,
            view,
            counting,
            console,
        })
    }
}
