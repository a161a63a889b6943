//! `warpseq align`.

mod filters;

use super::options::{Named, PHRED_OFFSETS, Run, STRANDS, Sharding, Writing, one_of};
use super::tables::{Tables, chosen};
use filters::Filters;
use std::path::{Path, PathBuf};
use warpseq::align::format::{CigarStyle, Format};
use warpseq::align::matrix::Matrix;
use warpseq::align::pairing::Pairing;
use warpseq::align::run::{Request, Summary, run};
use warpseq::align::scoring::preset::Preset;
use warpseq::align::scoring::{Alphabet, Decimal, GapModel, Rules};
use warpseq::align::{Mode, Stop};
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::fastx::refuse_one_stream;
use warpseq::output::refuse_inputs;
use warpseq::scan::{PhredOffset, Strands};

const EXAMPLES: &str = "\
Examples:
  warpseq align queries.fasta targets.fasta
      the first query with the first target, the second with the second, as a table
  warpseq align reads.fastq.gz gene.fasta --strand both --gap-open 5 --gap-extend 2 --format sam
      every read with one target, on its better strand, for samtools
  warpseq align proteins.fasta proteins.fasta --pairs all --top 5 --matrix BLOSUM62
      the five best targets of each protein
  warpseq align --pairs all --matrix BLOSUM62 --top 10 --evalue 1e-3 --format blast6 queries.fa proteins.fa
      the ten best targets of each protein that chance hardly gives, as BLAST's table
  warpseq align queries.fa --targets-db proteins.wdb --pairs all --matrix BLOSUM62 --top 10
      the same of a database file, which `warpseq db build` has made of the proteins
  warpseq align a.fasta b.fasta --device cuda --verify cpu -o out.tsv
      on the GPU, then again on the CPU: both times, and whether the alignments are identical

A gap of n symbols costs open + (n - 1) * extend, as in EMBOSS and parasail. BLAST and minimap2 \
charge open + n * extend: give --gap-model blast to use their numbers.";

/// Align pairs of sequences exactly
///
/// Every pair gets an optimal alignment. Of several optimal ones, fixed rules choose the same one on every device.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// FASTA or FASTQ, plain or compressed; `-`: standard input
    queries: PathBuf,
    /// FASTA or FASTQ, plain or compressed; `-`: standard input
    #[arg(required_unless_present = "targets_db")]
    targets: Option<PathBuf>,
    /// Targets as a file of `warpseq db build`
    ///
    /// In place of TARGETS, with --pairs all. The rows are those of the sequences that the file was made of.
    #[arg(long, value_name = "FILE", help_heading = "Alignment")]
    targets_db: Option<PathBuf>,

    /// Rules of a course program: gpu101 (see docs/course-presets.md)
    #[arg(
        long,
        value_name = "NAME",
        value_parser = one_of(PRESETS),
        hide_short_help = true,
        hide_possible_values = true,
        help_heading = "Alignment"
    )]
    preset: Option<Preset>,
    /// What an alignment covers [default: local]
    #[arg(long, value_name = "MODE", value_parser = one_of(MODES), help_heading = "Alignment")]
    mode: Option<Mode>,
    /// Trace a local alignment back through scores of 0
    ///
    /// Without this option, traceback stops at the first cell whose score is 0.
    #[arg(long, hide_short_help = true, help_heading = "Alignment")]
    through_zero: bool,
    /// Pairing
    #[arg(
        long,
        value_name = "HOW",
        default_value = "zip",
        value_parser = one_of(PAIRINGS),
        help_heading = "Alignment"
    )]
    pairs: Pairing,
    /// Report only the K best targets of a query
    ///
    /// Needs --pairs all. The best comes first; targets of equal score keep their order.
    #[arg(long, value_name = "K", value_parser = top, help_heading = "Alignment")]
    top: Option<usize>,
    /// Strands of the queries (nucleotides only)
    ///
    /// With both, the better strand is reported, and + if the scores are equal.
    #[arg(
        long,
        value_name = "STRAND",
        default_value = "forward",
        value_parser = one_of(STRANDS),
        help_heading = "Alignment"
    )]
    strand: Strands,

    /// Score of two equal residues [default: 1]
    #[arg(long = "match", value_name = "SCORE", allow_negative_numbers = true, help_heading = "Scoring")]
    match_: Option<Decimal>,
    /// Score of two different residues [default: -1]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, help_heading = "Scoring")]
    mismatch: Option<Decimal>,
    /// Cost of each symbol of a gap [default: 2]
    ///
    /// A gap of n symbols costs n times as much. Costs are positive.
    #[arg(long, value_name = "COST", allow_negative_numbers = true, help_heading = "Scoring")]
    gap: Option<Decimal>,
    /// Cost of the first symbol of a gap [default: 2]
    ///
    /// With a matrix, the default is 11.
    #[arg(long, value_name = "COST", allow_negative_numbers = true, help_heading = "Scoring")]
    gap_open: Option<Decimal>,
    /// Cost of each further symbol [default: 2]
    ///
    /// With a matrix, the default is 1.
    #[arg(long, value_name = "COST", allow_negative_numbers = true, help_heading = "Scoring")]
    gap_extend: Option<Decimal>,
    /// Meaning of --gap-open
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "affine",
        value_parser = one_of(GAP_MODELS),
        hide_short_help = true,
        help_heading = "Scoring"
    )]
    gap_model: GapModel,
    /// Substitution matrix: a name or a file
    ///
    /// Built in: BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM80-BLAST (the one of BLAST itself), BLOSUM90, PAM30, PAM70, PAM250
    /// and NUC.4.4. A file is in NCBI's format.
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "literal", help_heading = "Scoring")]
    matrix: Option<String>,
    /// Compare bytes as they are: case matters, and N equals N
    #[arg(long, hide_short_help = true, help_heading = "Scoring")]
    literal: bool,

    #[command(flatten)]
    filters: Filters,

    /// Output format [default: tsv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    tables: Tables,
    /// Write scores and ends only, which is faster (tsv)
    #[arg(long, help_heading = "Output")]
    score_only: bool,
    /// How CIGARs show aligned residues
    #[arg(
        long,
        value_name = "STYLE",
        default_value = "eq",
        value_parser = one_of(CIGARS),
        hide_short_help = true,
        help_heading = "Output"
    )]
    cigar: CigarStyle,
    /// Leave out SAM's @PG line, which holds the command line
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    no_pg: bool,
    /// Encoding of the queries' qualities, for SAM
    #[arg(
        long,
        value_name = "OFFSET",
        default_value = "33",
        value_parser = one_of(PHRED_OFFSETS),
        hide_short_help = true,
        help_heading = "Output"
    )]
    phred_offset: PhredOffset,
    #[command(flatten)]
    shard: Sharding,
    #[command(flatten)]
    run: Run,
}

const PRESETS: &[Named<Preset>] =
    &[(Preset::Gpu101.name(), Preset::Gpu101, "local, literal, through zero, format text")];

const MODES: &[Named<Mode>] = &[
    ("local", Mode::Local, "any part of the query with any part of the target"),
    ("global", Mode::Global, "the whole query with the whole target"),
    ("fit", Mode::Fit, "the whole query with any part of the target; also called semi-global"),
    ("overlap", Mode::Overlap, "gaps at the ends of both are free"),
    ("semi-global", Mode::Fit, ""),
    ("semiglobal", Mode::Fit, ""),
    ("infix", Mode::Fit, ""),
    ("hw", Mode::Fit, ""),
    ("nw", Mode::Global, ""),
    ("sw", Mode::Local, ""),
];

const PAIRINGS: &[Named<Pairing>] = &[
    ("zip", Pairing::Zip, "query k with target k; a single record with every record of the other file"),
    ("all", Pairing::All, "each query with each target"),
];

const GAP_MODELS: &[Named<GapModel>] = &[
    ("affine", GapModel::Affine, "n symbols cost open + (n - 1) * extend"),
    ("blast", GapModel::Blast, "n symbols cost open + n * extend"),
    ("ncbi", GapModel::Blast, ""),
    ("minimap2", GapModel::Blast, ""),
    ("emboss", GapModel::Affine, ""),
    ("parasail", GapModel::Affine, ""),
];

const FORMATS: &[Named<Format>] = &[
    (Format::Tsv.name(), Format::Tsv, "a table with a header line"),
    (Format::Paf.name(), Format::Paf, "PAF, as minimap2 writes it"),
    (Format::Sam.name(), Format::Sam, "SAM, for samtools"),
    (Format::Jsonl.name(), Format::Jsonl, "one JSON object per alignment"),
    (Format::Blast6.name(), Format::Blast6, "BLAST's tabular format, -outfmt 6 (needs --pairs all)"),
    (Format::Text.name(), Format::Text, "scores and direction codes"),
    (Format::Pretty.name(), Format::Pretty, "the aligned residues, for people"),
    ("json", Format::Jsonl, ""),
    ("ndjson", Format::Jsonl, ""),
    ("outfmt6", Format::Blast6, ""),
    ("m8", Format::Blast6, ""),
];

const CIGARS: &[Named<CigarStyle>] = &[
    ("eq", CigarStyle::Distinct, "= for equal residues, X for different ones"),
    ("m", CigarStyle::Merged, "M for both"),
];

fn top(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number of at least 1".to_owned())
}

impl Args {
    /// Runs the alignment.
    ///
    /// # Errors
    /// Those of [`run`]; [`Error::Usage`] for an unknown matrix.
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        tell(console, &run(&self.request()?)?);
        Ok(())
    }

    fn request(self) -> Result<Request> {
        let (targets, stored) = self.targets()?;
        let (rules, format) = self.rules(&targets)?;
        let (format, view) = self.tables.clone().of(format, [Format::Tsv, Format::Jsonl])?;
        Ok(Request {
            queries: self.queries,
            shard: self.shard.shard,
            targets,
            stored,
            run: self.run.options(),
            output: self.run.writing.output,
            rules,
            pairing: self.pairs,
            top: self.top,
            thresholds: self.filters.thresholds(),
            strands: self.strand,
            format,
            view,
            score_only: self.score_only,
            cigar: self.cigar,
            command: (!self.no_pg).then(command_line),
            phred: self.phred_offset,
        })
    }

    /// Where the targets are, and whether that is a database file.
    fn targets(&self) -> Result<(PathBuf, bool)> {
        match (self.targets.clone(), self.targets_db.clone()) {
            (Some(targets), Some(database)) => Err(Error::Usage(format!(
                "the targets are given twice, as {} and as --targets-db {}: leave out one of them",
                targets.display(),
                database.display()
            ))),
            (targets, database) => {
                let stored = database.is_some();
                Ok((database.or(targets).expect("the command line has one of them"), stored))
            }
        }
    }

    /// The rules of the preset or the default ones, overridden by the options.
    fn rules(&self, targets: &Path) -> Result<(Rules, Format)> {
        let (mut rules, format) = self.preset.map(Preset::rules).unwrap_or_default();
        self.override_path(&mut rules)?;
        self.override_residues(&mut rules, targets)?;
        self.override_gaps(&mut rules);
        // A preset tells the format as the option does.
        let (given, default) = (self.format.or(self.preset.map(|_| format)), Format::default());
        let Writing { output, .. } = &self.run.writing;
        Ok((rules, chosen((given, default), FORMATS, output.as_deref(), self.run.writing.console())))
    }

    fn override_path(&self, rules: &mut Rules) -> Result<()> {
        rules.mode = self.mode.unwrap_or(rules.mode);
        if !self.through_zero {
            return Ok(());
        }
        rules.stop = Stop::ThroughZero;
        match rules.mode {
            Mode::Local => Ok(()),
            _ => Err(Error::Usage("--through-zero is for local alignments: give --mode local, or leave it out".into())),
        }
    }

    fn override_residues(&self, rules: &mut Rules, targets: &Path) -> Result<()> {
        if self.literal {
            rules.alphabet = Alphabet::Literal;
        }
        if let Some(name) = &self.matrix {
            if Matrix::built_in(name).is_none() {
                let path = Path::new(name);
                refuse_one_stream(&[("queries", &self.queries), ("targets", targets), ("--matrix", path)])?;
                refuse_inputs(self.run.writing.output.as_deref(), &[path])?;
            }
            rules.alphabet = Alphabet::Matrix(Matrix::open(name)?);
            (rules.match_, rules.mismatch) = (None, None);
        }
        rules.match_ = self.match_.or(rules.match_);
        rules.mismatch = self.mismatch.or(rules.mismatch);
        Ok(())
    }

    fn override_gaps(&self, rules: &mut Rules) {
        if self.gap.or(self.gap_open).or(self.gap_extend).is_some() {
            (rules.gap, rules.gap_open, rules.gap_extend) = (self.gap, self.gap_open, self.gap_extend);
        }
        rules.gap_model = self.gap_model;
    }
}

/// The command line as one line.
fn command_line() -> String {
    let words: Vec<_> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ")
}

fn tell(console: Console, summary: &Summary) {
    let Summary { queries, pairs, cells, call_seconds, seconds, engine, .. } = summary;
    console.detail(format_args!("{queries} queries, {pairs} pairs, {cells} cells"));
    let gcups = summary.gcups();
    console.detail(format_args!(
        "aligned by {engine}: call {call_seconds:.3} s, {gcups:.2} GCUPS, process {seconds:.3} s"
    ));
}
