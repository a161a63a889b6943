//! `warpseq scan`.

use super::options::{Computing, Offset, Strand, Writing, one_of};
use clap::ValueEnum;
use std::path::PathBuf;
use warpseq::console::{Console, say};
use warpseq::error::Result;
use warpseq::scan::format::Format;
use warpseq::scan::preset::Preset;
use warpseq::scan::run::{Request, Summary, run};
use warpseq::scan::{Algorithm, Choice, Options, Wildcards};

const EXAMPLES: &str = "\
Examples:
  warpseq scan samples.fastq signatures.fasta
      the best match of each signature in each sample, as a table
  warpseq scan samples.fastq.gz signatures.fasta --report all --strand forward -o hits.bed --format bed
      every match on the forward strand, for a genome browser
  zcat run1.gz run2.gz | warpseq scan - signatures.fasta --format jsonl | jq .mean_phred
      samples from a pipe, rows into another
  warpseq scan samples.fastq signatures.fasta --preset cs3210-2025
      what the CS3210 assignment of 2025 prints";

/// Find virus signatures in sequencing samples.
///
/// A signature matches where every pair of symbols is compatible. Each match has a score, the mean Phred quality under it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// FASTQ, or FASTA without qualities; plain or gzip; `-` is standard input
    samples: PathBuf,
    /// FASTA; plain or gzip; `-` is standard input
    signatures: PathBuf,

    /// Rules of a known program; the options below still override each [cs3210-2024: first match, text-2024; cs3210-2025:
    /// best match, text; both: forward strand, only N wild, no limit on N]
    #[arg(long, value_name = "NAME", value_parser = one_of(&Preset::ALL, Preset::name), help_heading = "Matching")]
    preset: Option<Preset>,
    /// What is wild: iupac (all ambiguity codes, any case, U = T) or n (only N, bytes exact) [default: iupac]
    #[arg(long, value_name = "RULE", help_heading = "Matching", hide_possible_values = true)]
    wildcards: Option<WildcardRule>,
    /// both, forward, or reverse (the signature's reverse complement) [default: both]
    #[arg(long, value_name = "STRAND", help_heading = "Matching", hide_possible_values = true)]
    strand: Option<Strand>,
    /// best (highest score), first (smallest start), or all [default: best]
    #[arg(long, value_name = "WHICH", help_heading = "Matching", hide_possible_values = true)]
    report: Option<Report>,
    /// Drop matches with a larger fraction of wild positions; 1 keeps all [default: 0.5]
    #[arg(long, value_name = "F", value_parser = fraction, help_heading = "Matching")]
    max_n_frac: Option<f64>,
    /// How qualities are encoded: 33, 64, or solexa (64, down to -5)
    #[arg(long, value_name = "OFFSET", default_value = "33", help_heading = "Matching", hide_possible_values = true)]
    phred_offset: Offset,

    /// tsv, jsonl, bed, text, or text-2024 [default: tsv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output", hide_possible_values = true)]
    format: Option<Layout>,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
    /// How matches are searched: auto, anchor, or brute; the matches are the same
    #[arg(long, value_name = "HOW", default_value = "auto", help_heading = "Computing", hide_possible_values = true)]
    algorithm: How,
}

#[derive(Clone, Copy, ValueEnum)]
enum WildcardRule {
    Iupac,
    N,
}

#[derive(Clone, Copy, ValueEnum)]
enum Report {
    Best,
    First,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layout {
    Tsv,
    Jsonl,
    Bed,
    Text,
    #[value(name = "text-2024")]
    Text2024,
}

#[derive(Clone, Copy, ValueEnum)]
enum How {
    Auto,
    Anchor,
    Brute,
}

fn fraction(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Args {
    /// Runs the scan.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let console = self.writing.console();
        let graded = self.preset.is_some();
        let summary = run(&self.request())?;
        if graded {
            say(format_args!("(FOR AUTOMATED CHECKING) Total runMatcher time: {}s", summary.call_seconds));
        }
        tell(console, &summary);
        Ok(())
    }

    fn request(self) -> Request {
        let (options, format) = self.rules();
        let algorithm = match self.algorithm {
            How::Auto => Algorithm::Auto,
            How::Anchor => Algorithm::Anchor,
            How::Brute => Algorithm::Brute,
        };
        Request {
            samples: self.samples,
            signatures: self.signatures,
            options,
            format,
            algorithm,
            run: self.computing.options(self.writing.console()),
            output: self.writing.output,
        }
    }

    /// The preset's rules, or the default ones, with what the options override.
    fn rules(&self) -> (Options, Format) {
        let (mut options, mut format) = self.preset.map(Preset::rules).unwrap_or_default();
        if let Some(rule) = self.wildcards {
            options.wildcards = match rule {
                WildcardRule::Iupac => Wildcards::Iupac,
                WildcardRule::N => Wildcards::N,
            };
        }
        if let Some(strand) = self.strand {
            options.strands = strand.into();
        }
        if let Some(report) = self.report {
            options.choice = match report {
                Report::Best => Choice::Best,
                Report::First => Choice::First,
                Report::All => Choice::All,
            };
        }
        if let Some(layout) = self.format {
            format = match layout {
                Layout::Tsv => Format::Tsv,
                Layout::Jsonl => Format::Jsonl,
                Layout::Bed => Format::Bed,
                Layout::Text => Format::Text,
                Layout::Text2024 => Format::Text2024,
            };
        }
        options.max_n_frac = self.max_n_frac.unwrap_or(options.max_n_frac);
        options.phred = self.phred_offset.into();
        (options, format)
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { samples, letters, rows, call_seconds, seconds, engine } = summary;
    console.detail(format_args!("{samples} samples, {letters} letters, {rows} rows"));
    console.detail(format_args!("searched by {engine}: call {call_seconds:.3} s, process {seconds:.3} s"));
}
