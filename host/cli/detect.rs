//! `warpseq detect`.

use super::options::Run;
use super::scan::{CallOptions, ReadInputs};
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::scan::Mismatches;
use warpseq::scan::detect::{Request, Summary, run};
use warpseq::scan::probes::groups::Grouping;
use warpseq::scan::run::Counting;

const USAGE: &str = "warpseq detect -r REFERENCES [OPTIONS] -o DIR [READS]... [-1 FILE -2 FILE]...";

const EXAMPLES: &str = "\
Examples:
  warpseq detect -r viruses.fasta -1 p12_R1.fastq.gz -2 p12_R2.fastq.gz -o p12
      which of these viruses are in a sample: open p12/report.html
  warpseq detect -r viruses.fasta --groups groups.tsv --samples sheet.tsv --negative-control water -o run7
      in all samples of a sheet; related references are called together, and compared with a control
  warpseq detect -r viruses.fasta --exclude human.fasta.gz --samples sheet.tsv -o run7 --force
      without probes that occur in the human genome; files of an earlier run are replaced

DIR holds:
  report.html        the calls, and the depth along what is positive
  summary.tsv        a row for each sample and genome
  counts.tsv         a row for each sample and probe that was found
  stats_mqc.json     the calls for MultiQC and for scripts
  probes.fa          what was searched for, and probes.tsv: why other windows were not
  matched/           the reads that a probe matches, of each sample";

/// Find out which reference genomes are in which samples
///
/// Cuts probes from the references, which tell them apart, searches the reads for them, and calls what is there: what `warpseq
/// probes` and `warpseq scan` do one after the other.
#[derive(clap::Args)]
#[command(override_usage = USAGE, after_long_help = EXAMPLES)]
#[command(mut_arg("files", |reads| reads.value_name("READS").help("FASTQ or FASTA, plain or compressed; `-`: standard input")))]
#[command(mut_arg("output", |output| {
    output
        .value_name("DIR")
        .required(true)
        .help("Write all files into this folder, which is made")
        .long_help("Write all files into this folder\n\nIt is made. One that is there must be empty, unless --force is given. \
            An error or Ctrl-C leaves it as it was.")
}))]
pub struct Args {
    /// Reference genomes: FASTA
    #[arg(short, long, value_name = "FILE")]
    references: PathBuf,
    #[command(flatten)]
    reads: ReadInputs,

    /// Read from a table which references are called together
    ///
    /// Each line has a reference, a tab and a group, such as a virus with its strains or segments. Probes tell groups apart; what two
    /// groups share is in none. So put related references into one group.
    #[arg(long, value_name = "FILE", help_heading = "Calls")]
    groups: Option<PathBuf>,
    /// Drop probes that occur in this FASTA or FASTQ; may repeat
    #[arg(long, value_name = "FILE", num_args = 1, help_heading = "Calls")]
    exclude: Vec<PathBuf>,
    /// Mismatches in a match: at most K, or P% of a probe
    ///
    /// No probe occurs in another group with twice as many.
    #[arg(short, long, value_name = "K|P%", default_value = "2", help_heading = "Calls")]
    max_mismatch: Mismatches,
    #[command(flatten)]
    calls: CallOptions,

    /// Replace files of earlier runs in DIR
    ///
    /// Other files stay.
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    run: Run,
}

impl Args {
    /// Detects.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        let folder = self.run.writing.output.clone().expect("it is required");
        let summary = run(&Request {
            references: self.references,
            grouping: self.groups.map(Grouping::Table).unwrap_or_default(),
            excluded: self.exclude,
            inputs: self.reads.open()?,
            max_mismatch: self.max_mismatch,
            counting: self.calls.with(Counting::default()),
            probing: self.run.first_options(),
            scanning: self.run.options(),
            force: self.force,
            folder: folder.clone(),
        })?;
        tell(console, &summary);
        console.note(format_args!("open {}", folder.join("report.html").display()));
        Ok(())
    }
}

fn tell(console: Console, Summary { probes, scan, seconds }: &Summary) {
    console.detail(format_args!(
        "{} probes of {} references in {} groups",
        probes.probes, probes.references, probes.groups
    ));
    console.detail(format_args!("{} sequences, {} bases", scan.sequences, scan.bases));
    console.detail(format_args!("searched by {}: process {seconds:.3} s", scan.engine));
}
