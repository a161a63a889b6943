//! `warpseq sign search`.

use super::parameters::Signature;
use crate::cli::options::{Computing, Writing};
use clap::ValueEnum;
use std::path::PathBuf;
use warpseq::error::{Error, Result};
use warpseq::sign::search::run::{Request, Summary, run};
use warpseq::sign::search::{By, Format, Question};

const EXAMPLES: &str = "\
Examples:
  warpseq sign search reads.fasta genomes.wsig
      the 10 windows of the genomes that are nearest to each window of the reads
  warpseq sign search proteins.wsig proteins.wsig --top all --max-distance 40 -o near.tsv
      all pairs of windows that differ in at most 40 bits
  warpseq sign search new.fasta known.fasta --by sequence --top 1 --k 11
      the known sequence that is nearest to each new one; both are signed on the fly

Columns: query, query_start, query_end, target, target_start, target_end, distance, bits. Places
are 0-based, their end is exclusive; distance is the number of bits that differ, of `bits`. Of
targets as far, those first in the database are taken. With --by sequence: query, target,
distance, bits, where the distance of two sequences is the mean over the windows of one of the
least distance to a window of the other, and then the mean of both directions.";

/// Find the nearest signatures of a database, exactly.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Signatures, or FASTA or FASTQ to be signed as the database was; `-`: sequences from standard input
    queries: PathBuf,
    /// Signatures, or FASTA or FASTQ to be signed; `-`: sequences from standard input
    database: PathBuf,

    /// Most hits of a query, or all (with --max-distance)
    #[arg(long, value_name = "N|all", default_value = "10", value_parser = top, help_heading = "Searching")]
    top: Top,
    /// Most bits in which a hit may differ [default: any]
    #[arg(long, value_name = "BITS", help_heading = "Searching")]
    max_distance: Option<u32>,
    /// What is compared: window or sequence
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "window",
        help_heading = "Searching",
        hide_possible_values = true
    )]
    by: What,
    #[command(flatten)]
    signature: Signature,

    /// tsv or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "tsv", help_heading = "Output", hide_possible_values = true)]
    format: Layout,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
}

/// How many hits; `None`: all.
#[derive(Clone, Copy)]
struct Top(Option<u32>);

#[derive(Clone, Copy, ValueEnum)]
enum What {
    Window,
    Sequence,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layout {
    Tsv,
    Jsonl,
}

fn top(text: &str) -> std::result::Result<Top, String> {
    if text == "all" {
        return Ok(Top(None));
    }
    let number = text.parse().ok().filter(|&number| number > 0);
    number.map(|number| Top(Some(number))).ok_or_else(|| "expected a number from 1 on, or all".to_owned())
}

impl Args {
    /// Searches.
    ///
    /// # Errors
    /// [`Error::Usage`] for all hits at any distance; those of [`run`].
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let console = self.writing.console();
        let question = self.question()?;
        let signing = self.signature.signing(&self.computing, console);
        let Self { queries, database, writing: Writing { output, .. }, .. } = self;
        let Summary { queries, rows, seconds } = run(&Request { queries, database, output, question, signing })?;
        console.detail(format_args!("{queries} query sequences, {rows} rows: process {seconds:.3} s"));
        Ok(())
    }

    fn question(&self) -> Result<Question> {
        let Self { top: Top(top), max_distance: distance, .. } = *self;
        if top.is_none() && distance.is_none() {
            let message = "--top all would give every target for every query: say how near with --max-distance BITS";
            return Err(Error::Usage(message.into()));
        }
        let by = match self.by {
            What::Window => By::Window,
            What::Sequence => By::Sequence,
        };
        let format = match self.format {
            Layout::Tsv => Format::Tsv,
            Layout::Jsonl => Format::Jsonl,
        };
        Ok(Question { by, top, distance, format })
    }
}
