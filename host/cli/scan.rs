//! `warpseq scan`.

mod counting;
mod inputs;

pub use self::counting::{CallOptions, SummaryOptions};
use self::counting::{CountingOptions, ReadFiles};
use self::inputs::InputFiles;
pub use self::inputs::ReadInputs;
use super::options::{Named, PHRED_OFFSETS, Run, STRANDS, Sharding, Writing, one_of};
use super::tables::{Tables, chosen};
use warpseq::console::{Console, say};
use warpseq::error::{Error, Result};
use warpseq::scan::format::Format;
use warpseq::scan::preset::Preset;
use warpseq::scan::run::{Request, Summary, run};
use warpseq::scan::{Algorithm, Choice, Fraction, Mismatches, Options, PhredOffset, Strands, Wildcards};

const USAGE: &str = "\
warpseq scan [OPTIONS] INPUT SIGNATURES
       warpseq scan [OPTIONS] -s SIGNATURES [INPUT]... [-1 FILE -2 FILE]...";

const EXAMPLES: &str = "\
Examples:
  warpseq scan samples.fastq signatures.fasta
      a table with the best match of each signature in each sequence
  warpseq scan samples.fastq.gz signatures.fasta --report all --format bed -o hits.bed
      every match on both strands, for a genome browser
  warpseq scan genomes.fasta primers.fasta -m 2 --report all
      where primers bind, with up to two mismatches each; IUPAC codes in a primer are wild, no mismatches
  warpseq scan plasmids.fasta signatures.fasta --circular
      also matches that run over the end of a plasmid into its beginning
  warpseq scan -s signatures.fasta -1 a_R1.fq.gz -2 a_R2.fq.gz -1 b_R1.fq.gz -2 b_R2.fq.gz
      the pairs of two samples, a and b
  warpseq scan -s signatures.fasta --samples sheet.tsv
      all samples of a sheet, whose header is: sample, r1, r2
  warpseq scan -s probes.fasta --samples sheet.tsv -m 2 --report none --counts counts.tsv --summary summary.tsv \
      --html report.html
      what is in each sample, without a row for each match, as tables and as a page
  warpseq scan -s probes.fasta --samples sheet.tsv -m 2 --report none --stats virus_mqc.json
      the same for MultiQC, and for scripts
  zcat run1.gz run2.gz | warpseq scan - signatures.fasta --format jsonl | jq .mean_phred
      sequences from one pipe, rows into another";

/// Find virus signatures in sequencing reads or genomes
///
/// A signature matches where each of its symbols is compatible with the sequence's, up to --max-mismatch of them apart. The
/// score of a match is the mean Phred quality of the symbols under it.
#[derive(clap::Args)]
#[command(override_usage = USAGE, after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    inputs: InputFiles,

    /// Rules of a course program: cs3210-2024 or cs3210-2025 (see docs/course-presets.md)
    #[arg(
        long,
        value_name = "NAME",
        value_parser = one_of(PRESETS),
        hide_short_help = true,
        hide_possible_values = true,
        help_heading = "Matching"
    )]
    preset: Option<Preset>,
    /// Which bases are wild [default: iupac]
    #[arg(long, value_name = "RULE", value_parser = one_of(WILDCARDS), hide_short_help = true, help_heading = "Matching")]
    wildcards: Option<Wildcards>,
    /// Strands to search [default: both]
    #[arg(long, value_name = "STRAND", value_parser = one_of(STRANDS), help_heading = "Matching")]
    strand: Option<Strands>,
    /// Matches to report of a signature in a sequence [default: best]
    #[arg(long, value_name = "WHICH", value_parser = one_of(REPORTS), help_heading = "Matching")]
    report: Option<Report>,
    /// Mismatches in a match: at most K, or P% of the signature [default: 0]
    ///
    /// A mismatch is a position whose symbols are not compatible; the gap `-` in a sequence is one, too. There are no insertions
    /// and no deletions. P% of a signature's length is rounded down. Every signature must have more symbols than that.
    #[arg(short, long, value_name = "K|P%", help_heading = "Matching")]
    max_mismatch: Option<Mismatches>,
    /// Take sequences for circles: matches may run over the end
    ///
    /// Such a match ends beyond the length of its sequence, as bases are counted on; BED has it in two lines. A signature longer
    /// than the sequence does not match.
    #[arg(long, hide_short_help = true, help_heading = "Matching")]
    circular: bool,
    /// Largest fraction of wild positions in a match [default: 0.5]
    ///
    /// A position is wild if the signature or the sequence has an ambiguity code there. 1 keeps every match.
    #[arg(long, value_name = "F", hide_short_help = true, help_heading = "Matching")]
    max_n_frac: Option<Fraction>,
    /// Encoding of the qualities
    #[arg(
        long,
        value_name = "OFFSET",
        default_value = "33",
        value_parser = one_of(PHRED_OFFSETS),
        hide_short_help = true,
        help_heading = "Matching"
    )]
    phred_offset: PhredOffset,

    /// Output format [default: tsv]
    ///
    /// The formats of the course programs, text and text-2024, are described in docs/course-presets.md.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    counting: CountingOptions,
    #[command(flatten)]
    reads: ReadFiles,
    #[command(flatten)]
    shard: Sharding,
    #[command(flatten)]
    run: Run,
    /// Search algorithm; the matches are the same
    #[arg(
        long,
        value_name = "HOW",
        default_value = "auto",
        value_parser = one_of(ALGORITHMS),
        hide_short_help = true,
        help_heading = "Performance"
    )]
    algorithm: Algorithm,
}

const PRESETS: &[Named<Preset>] = &[
    (Preset::Cs3210Of2024.name(), Preset::Cs3210Of2024, "first match, format text-2024"),
    (Preset::Cs3210Of2025.name(), Preset::Cs3210Of2025, "best match, format text"),
];

const WILDCARDS: &[Named<Wildcards>] = &[
    ("iupac", Wildcards::Iupac, "all IUPAC ambiguity codes; case is ignored and U equals T"),
    ("n", Wildcards::N, "only N; all other bytes must be equal"),
];

/// Which matches have rows.
#[derive(Clone, Copy, PartialEq)]
enum Report {
    Rows(Choice),
    Nothing,
}

const REPORTS: &[Named<Report>] = &[
    (
        "best",
        Report::Rows(Choice::Best),
        "the match with the fewest mismatches, of these the one with the highest score",
    ),
    ("first", Report::Rows(Choice::First), "the match that starts first"),
    ("all", Report::Rows(Choice::All), "every match"),
    ("none", Report::Nothing, "no match: counts, summaries and reads alone"),
];

const FORMATS: &[Named<Format>] = &[
    ("tsv", Format::Tsv, "a table with a header line"),
    ("jsonl", Format::Jsonl, "one JSON object per match"),
    ("bed", Format::Bed, "BED, for genome browsers"),
    ("json", Format::Jsonl, ""),
    ("ndjson", Format::Jsonl, ""),
    ("text", Format::Text, ""),
    ("text-2024", Format::Text2024, ""),
];

const ALGORITHMS: &[Named<Algorithm>] = &[
    ("auto", Algorithm::Auto, "the faster one for the input"),
    ("anchor", Algorithm::Anchor, "look up an exact part of each signature, then compare the rest"),
    ("brute", Algorithm::Brute, "compare each signature at each position"),
];

impl Args {
    /// Runs the scan.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        let graded = self.preset.is_some();
        let summary = run(&self.request()?)?;
        if graded {
            say(format_args!("(FOR AUTOMATED CHECKING) Total runMatcher time: {}s", summary.call_seconds));
        }
        tell(console, &summary);
        Ok(())
    }

    fn request(self) -> Result<Request> {
        let (options, format) = self.rules();
        let (format, view) = self.tables.clone().of(format, [Format::Tsv, Format::Jsonl])?;
        let counting = self.counting.counting()?;
        let reads_out = self.reads.names();
        require_an_output(
            self.report,
            self.run.writing.output.is_some(),
            counting.is_wanted() || !reads_out.is_empty(),
        )?;
        let format = (self.report != Some(Report::Nothing)).then_some(format);
        let (inputs, signatures) = self.inputs.open()?;
        Ok(Request {
            counting,
            reads_out,
            inputs,
            shard: self.shard.shard,
            signatures,
            options,
            format,
            view,
            algorithm: self.algorithm,
            run: self.run.options(),
            output: self.run.writing.output,
        })
    }

    /// The rules of the preset or the default ones, overridden by the options.
    fn rules(&self) -> (Options, Format) {
        let (mut options, format) = self.preset.map(Preset::rules).unwrap_or_default();
        options.wildcards = self.wildcards.unwrap_or(options.wildcards);
        options.strands = self.strand.unwrap_or(options.strands);
        if let Some(Report::Rows(choice)) = self.report {
            options.choice = choice;
        }
        options.max_n_frac = self.max_n_frac.unwrap_or(options.max_n_frac);
        options.max_mismatch = self.max_mismatch.unwrap_or(options.max_mismatch);
        options.circular = self.circular;
        options.phred = self.phred_offset;
        // A preset tells the format as the option does.
        let (given, default) = (self.format.or(self.preset.map(|_| format)), Format::default());
        let Writing { output, .. } = &self.run.writing;
        (options, chosen((given, default), FORMATS, output.as_deref(), self.run.writing.console()))
    }
}

/// Refuses `--report none` where nothing else is written, and a file for its rows.
fn require_an_output(report: Option<Report>, has_file: bool, has_more: bool) -> Result<()> {
    match report {
        Some(Report::Nothing) if !has_more => Err(Error::Usage(
            "--report none writes no matches: say what to write, as with --counts FILE or --matched FILE".into(),
        )),
        Some(Report::Nothing) if has_file => Err(Error::Usage("--report none writes no matches: leave -o out".into())),
        _ => Ok(()),
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { sequences, bases, rows, call_seconds, seconds, engine } = summary;
    console.detail(format_args!("{sequences} sequences, {bases} bases, {rows} rows"));
    console.detail(format_args!("searched by {engine}: call {call_seconds:.3} s, process {seconds:.3} s"));
}
