//! `warpseq sign search`.

use super::parameters::Signature;
use super::signing;
use crate::cli::options::{Named, Run, Writing, one_of};
use crate::cli::tables::{Tables, chosen};
use std::path::PathBuf;
use warpseq::error::{Error, Result};
use warpseq::sign::metric::Metric;
use warpseq::sign::search::run::{Request, Summary, run};
use warpseq::sign::search::{By, Format, Question};
use warpseq::table::View;

const EXAMPLES: &str = "\
Examples:
  warpseq sign search reads.fasta genomes.wsig
      the 10 windows of the genomes nearest to each window of the reads
  warpseq sign search proteins.wsig proteins.wsig --top all --max-distance 40 -o near.tsv
      all pairs of windows that differ in at most 40 bits, and are not expected to by chance
  warpseq sign search new.fasta known.fasta --metric ani
      the nearest known sequences, and their average nucleotide identity to each new one
  warpseq sign search new.fasta known.fasta --by sequence --top 1
      the known sequence nearest to each new one; both files are signed on the fly

Columns: query, query_start, query_end, target, target_start, target_end, distance, bits, evalue. \
Positions are 0-based and half-open. The distance is the number of differing bits, out of `bits`. \
Of targets at the same distance, the first in the database win. The E-value is how many windows \
one expects to be as near in a database of unrelated windows of this size.

With --by sequence: query, target, distance, bits. Each window of one sequence has a distance to \
the nearest window of the other; the distance of the sequences is the mean of these, averaged over \
both directions.";

/// Find the nearest signatures of a database, exactly
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed with the options of the database. Standard input is read as sequences.
    queries: PathBuf,
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed on the fly. Standard input is read as sequences.
    database: PathBuf,

    /// Hits to report for each query, or all
    #[arg(long, value_name = "N|all", default_value = "10", value_parser = top, help_heading = "Search")]
    top: Top,
    /// Largest distance of a hit, in bits [default: any]
    #[arg(long, value_name = "BITS", help_heading = "Search")]
    max_distance: Option<u32>,
    /// Largest E-value of a hit, or inf [default: 0.001]
    ///
    /// Of the nearest windows, those above it are left out. With the hashes pcg and isaac the default is inf.
    #[arg(long, value_name = "X", value_parser = expected, help_heading = "Search")]
    max_evalue: Option<f64>,
    /// A further column: what the distance says
    #[arg(long, value_name = "METRIC", default_value = "hamming", value_parser = one_of(METRICS), help_heading = "Search")]
    metric: Metric,
    /// What to compare
    #[arg(long, value_name = "WHAT", default_value = "window", value_parser = one_of(UNITS), help_heading = "Search")]
    by: By,
    #[command(flatten)]
    signature: Signature,

    /// Output format [default: tsv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    run: Run,
}

const UNITS: &[Named<By>] =
    &[("window", By::Window, "each window with each window"), ("sequence", By::Sequence, "whole sequences")];

const FORMATS: &[Named<Format>] =
    &[("tsv", Format::Tsv, "a table with a header line"), ("jsonl", Format::Jsonl, "one JSON object per hit")];

pub(super) const METRICS: &[Named<Metric>] = &[
    ("hamming", Metric::Hamming, "the distance alone"),
    ("cosine", Metric::Cosine, "the cosine of k-mer counts: cos(pi x distance / bits)"),
    ("ani", Metric::Ani, "the identity: cosine^(1/k), NA where chance may be behind it"),
    ("containment", Metric::Containment, "the share of the words of the query that the target has"),
];

fn expected(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number >= 0.0);
    number.ok_or_else(|| "expected a number of at least 0, or inf".to_owned())
}

/// How many hits; `None`: all.
#[derive(Clone, Copy)]
struct Top(Option<u32>);

fn top(text: &str) -> std::result::Result<Top, String> {
    if text == "all" {
        return Ok(Top(None));
    }
    let number = text.parse().ok().filter(|&number| number > 0);
    number.map(|number| Top(Some(number))).ok_or_else(|| "expected a number of at least 1, or all".to_owned())
}

impl Args {
    /// Searches.
    ///
    /// # Errors
    /// [`Error::Usage`] for an E-value of sequences; those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        let (question, view) = self.question()?;
        let signing = signing(&self.run, self.signature.wanted());
        let Self { queries, database, run: Run { writing: Writing { output, .. }, .. }, .. } = self;
        let Summary { queries, rows, seconds } = run(&Request { queries, database, output, question, view, signing })?;
        console.detail(format_args!("{queries} query sequences, {rows} rows: process {seconds:.3} s"));
        Ok(())
    }

    fn question(&self) -> Result<(Question, View)> {
        let Self { top: Top(top), max_distance: distance, max_evalue: evalue, metric, by, .. } = *self;
        let (writing, default) = (&self.run.writing, Format::default());
        let format = chosen((self.format, default), FORMATS, writing.output.as_deref(), writing.console());
        let (format, view) = self.tables.clone().of(format, [Format::Tsv, Format::Jsonl])?;
        if by == By::Sequence && evalue.is_some() {
            let message = "only windows have E-values: leave --max-evalue out, or use --by window";
            return Err(Error::Usage(message.into()));
        }
        Ok((Question { by, top, distance, evalue, metric, format }, view))
    }
}
