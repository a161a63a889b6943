//! `warpseq probes`.

use super::options::Run;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::scan::Fraction;
use warpseq::scan::probes::Options;
use warpseq::scan::probes::groups::{Field, Grouping};
use warpseq::scan::probes::run::{Request, Summary, run};

const EXAMPLES: &str = "\
Examples:
  warpseq probes references.fasta --unique=4 -o probes.fa
      60 bases every 30, which occur in no other reference, with up to 4 mismatches either
  warpseq probes references.fasta --groups groups.tsv --unique=4 --exclude human.fa.gz -o probes.fa
      which tell groups of references apart, and do not occur in the human genome
  warpseq probes panel.fasta --group-by '|:1' --unique --per-group 200 --table table.tsv -o probes.fa
      at most 200 a group, spread evenly; the table says why windows were dropped
  warpseq scan -s probes.fa -m 2 -1 a_R1.fq.gz -2 a_R2.fq.gz --report none --summary summary.tsv
      which groups are in a sample: for -m 2, give --unique=4 or more";

/// Cut signatures from reference genomes
///
/// Windows are dropped by these rules in this order: ambiguous symbols, G and C, complexity, repeated in the group, --unique,
/// --exclude, --per-group. A window occurs on either strand, with at most a tenth of its positions ambiguous. What is left is
/// called record:start-end, or group|record:start-end when groups are given.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// FASTA of the references, plain or compressed; `-`: standard input
    references: PathBuf,

    /// Bases of a probe
    #[arg(long, value_name = "N", default_value_t = 60, help_heading = "Windows")]
    length: usize,
    /// Bases between the starts of windows
    ///
    /// One more window ends with the reference, where the last of these does not.
    #[arg(long, value_name = "N", default_value_t = 30, help_heading = "Windows")]
    step: usize,
    /// Let windows run over the end of a genome
    ///
    /// All genomes are circles then, also those that windows are looked up in.
    #[arg(long, help_heading = "Windows")]
    circular: bool,
    /// Share of ambiguous symbols, at most
    #[arg(long, value_name = "F", default_value = "0", help_heading = "Windows")]
    max_n_frac: Fraction,
    /// Share of G and C
    #[arg(long, value_name = "MIN-MAX", default_value = "0.2-0.8", value_parser = fractions, help_heading = "Windows")]
    gc: RangeInclusive<Fraction>,
    /// Share of different 3-mers, at least
    ///
    /// Of those that a window may have: as many as it has words, at most 64.
    #[arg(long, value_name = "F", default_value = "0.5", help_heading = "Windows")]
    min_complexity: Fraction,

    /// Drop windows of other groups, up to K mismatches
    ///
    /// Those that occur in another group. Without K, no mismatches. A K of at least twice the -m of the scan keeps what matches in one group from matching in another. --exclude
    /// takes the same number.
    #[arg(
        long,
        value_name = "K",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        help_heading = "Uniqueness"
    )]
    unique: Option<u32>,
    /// Drop windows that occur in FILE; may repeat
    ///
    /// FASTA or FASTQ, plain or compressed.
    #[arg(long, value_name = "FILE", num_args = 1, help_heading = "Uniqueness")]
    exclude: Vec<PathBuf>,
    /// Groups are part N of the names, split at C [default: each reference]
    ///
    /// 1 is the first part, -1 the last.
    #[arg(long, value_name = "C:N", allow_hyphen_values = true, help_heading = "Uniqueness")]
    group_by: Option<Field>,
    /// Read the groups of references from a table
    ///
    /// Each line has a reference, a tab and a group.
    #[arg(long, value_name = "FILE", conflicts_with = "group_by", help_heading = "Uniqueness")]
    groups: Option<PathBuf>,
    /// Keep at most N probes of a group, spread evenly
    #[arg(long, value_name = "N", help_heading = "Uniqueness")]
    per_group: Option<usize>,

    /// Write how many windows of each group each rule dropped
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    table: Option<PathBuf>,
    #[command(flatten)]
    run: Run,
}

/// Reads `MIN-MAX`.
fn fractions(text: &str) -> std::result::Result<RangeInclusive<Fraction>, String> {
    match text.split_once('-').map(|(least, most)| (least.parse(), most.parse())) {
        Some((Ok(least), Ok(most))) => Ok(RangeInclusive::new(least, most)),
        _ => Err("expected two numbers from 0 to 1 with a hyphen between them, as in 0.2-0.8".into()),
    }
}

impl Args {
    /// Cuts the probes.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        let summary = run(&self.request())?;
        tell(console, &summary);
        Ok(())
    }

    fn request(self) -> Request {
        let Self { length, step, circular, max_n_frac, gc, min_complexity, per_group, .. } = self;
        let (unique, max_mismatch) = (self.unique.is_some(), self.unique.unwrap_or(0));
        let options =
            Options { length, step, max_n_frac, gc, min_complexity, unique, max_mismatch, per_group, circular };
        let grouping = self.groups.map(Grouping::Table).or(self.group_by.map(Grouping::Field)).unwrap_or_default();
        let (references, excluded, table) = (self.references, self.exclude, self.table);
        let run = self.run.options();
        Request { references, grouping, options, excluded, output: self.run.writing.output, table, run }
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { references, groups, windows, probes, call_seconds, seconds, engine, .. } = summary;
    console.detail(format_args!("{references} references, {groups} groups, {windows} windows, {probes} probes"));
    match engine.is_empty() {
        true => console.detail(format_args!("nothing to look up: process {seconds:.3} s")),
        false => console.detail(format_args!("searched by {engine}: call {call_seconds:.3} s, process {seconds:.3} s")),
    }
}
