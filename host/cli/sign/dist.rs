//! `warpseq sign dist`.

use super::parameters::Signature;
use super::search::METRICS;
use super::signing;
use crate::cli::options::{Named, Run, Writing, one_of};
use crate::cli::tables::{Tables, chosen};
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::dist::run::{Request, run};
use warpseq::sign::dist::table::Format;
use warpseq::sign::metric::Metric;
use warpseq::table::View;

const EXAMPLES: &str = "\
Examples:
  warpseq sign dist genomes.wsig
      the distance of each pair of genomes
  warpseq sign dist genomes.fasta --format phylip -o genomes.dist
      a matrix for programs that draw trees; the genomes are signed on the fly
  warpseq sign dist new.fasta known.wsig --metric ani
      the average nucleotide identity of each new sequence to each known one

Each window of one sequence has a distance in bits to the nearest window of the other. The distance \
of the sequences is the mean of these, averaged over both directions and divided by the bits of a \
signature: 0 if all their windows are the same, about 0.5 if they have nothing in common, NA if one \
has no signature.";

/// Write the distances between sequences
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Signatures or sequences (FASTA, FASTQ); `-`: standard input
    ///
    /// Sequences are signed on the fly. Standard input is read as sequences.
    a: PathBuf,
    /// Second file, to compare A with B [default: A with itself]
    ///
    /// Each sequence of A is compared with each of B. Sequences are signed with the options of A.
    b: Option<PathBuf>,

    /// What to write in place of the distance
    #[arg(long, value_name = "METRIC", default_value = "hamming", value_parser = one_of(METRICS), help_heading = "Comparison")]
    metric: Metric,
    #[command(flatten)]
    signature: Signature,

    /// Output format [default: tsv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Option<Written>,
    /// Write the names of phylip-strict, with the sequences' own
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    names: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    run: Run,
}

/// How distances are written.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    Tsv,
    Jsonl,
    Phylip,
    PhylipStrict,
}

const FORMATS: &[Named<Written>] = &[
    ("tsv", Written::Tsv, "a table of query, target and distance"),
    ("jsonl", Written::Jsonl, "one JSON object per distance"),
    ("phylip", Written::Phylip, "a square matrix of A in relaxed PHYLIP, tab-separated"),
    ("phylip-strict", Written::PhylipStrict, "the same with names of ten characters, for PHYLIP itself"),
];

impl Args {
    /// Computes and writes the distances.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.run.start()?;
        let signing = signing(&self.run, self.signature.wanted());
        let (writing, default) = (&self.run.writing, Written::Tsv);
        let format = chosen((self.format, default), FORMATS, writing.output.as_deref(), writing.console());
        let (written, view) = self.tables.of(format, [Written::Tsv, Written::Jsonl])?;
        let view = View { jsonl: format == Written::Jsonl, ..view };
        let format = match written {
            Written::Phylip => Format::Phylip,
            Written::PhylipStrict => Format::PhylipStrict,
            Written::Tsv | Written::Jsonl => Format::Tsv,
        };
        let Self { a: rows, b: columns, metric, names, run: Run { writing: Writing { output, .. }, .. }, .. } = self;
        run(&Request { rows, columns, output, format, names, metric, view, signing })
    }
}
