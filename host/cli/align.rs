//! `warpseq align`.

use super::options::{Computing, Offset, Strand, Writing, one_of};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use warpseq::align::format::{CigarStyle, Format};
use warpseq::align::matrix::Matrix;
use warpseq::align::pairing::Pairing;
use warpseq::align::run::{Request, Summary, run};
use warpseq::align::scoring::preset::Preset;
use warpseq::align::scoring::{Alphabet, Decimal, GapModel, Rules};
use warpseq::align::{self, Stop};
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::output::refuse_inputs;

const EXAMPLES: &str = "\
Examples:
  warpseq align queries.fasta targets.fasta
      the first query with the first target, the second with the second, as a table
  warpseq align reads.fastq.gz gene.fasta --strand both --gap-open 5 --gap-extend 2 --format sam
      every read with one target, on its better strand, for samtools
  warpseq align proteins.fasta proteins.fasta --pairs all --top 5 --matrix BLOSUM62
      the five best targets of each protein
  warpseq align a.fasta b.fasta --preset gpu101 --device cuda --verify cpu -o out.txt
      the GPU against the CPU: both times, and whether their alignments are identical

A gap of n symbols costs open + (n - 1) * extend, as in EMBOSS and parasail. BLAST and minimap2
charge open + n * extend: say --gap-model blast to give their numbers.";

/// Align pairs of sequences exactly.
///
/// Every pair gets an optimal alignment: the same one on every device, for ties have rules.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct Args {
    /// FASTA or FASTQ; plain or gzip; `-` is standard input
    queries: PathBuf,
    /// FASTA or FASTQ; plain or gzip; `-` is standard input
    targets: PathBuf,

    /// Rules of a known program; the options below still override each [gpu101: match 1, mismatch -1, gap 2, local, literal,
    /// through zero, format text]
    #[arg(long, value_name = "NAME", value_parser = one_of(&Preset::ALL, Preset::name), help_heading = "Alignment")]
    preset: Option<Preset>,
    /// local (starts and ends anywhere), global (end to end), fit (the whole query inside the target; also: semi-global), or
    /// overlap (end gaps are free in both) [default: local]
    #[arg(long, value_name = "MODE", help_heading = "Alignment", hide_possible_values = true)]
    mode: Option<Mode>,
    /// Follow a path through cells of score 0 instead of stopping at the first (local)
    #[arg(long, help_heading = "Alignment")]
    through_zero: bool,
    /// zip (record k with record k; one record with every record) or all (each query with each target)
    #[arg(long, value_name = "HOW", default_value = "zip", help_heading = "Alignment", hide_possible_values = true)]
    pairs: Pairs,
    /// Report the best K targets of each query, best first, equals in the order of the targets (needs --pairs all)
    #[arg(long, value_name = "K", value_parser = top, help_heading = "Alignment")]
    top: Option<usize>,
    /// Strand of the queries: forward, reverse, or both (the better one is reported, + if equal); nucleotides only
    #[arg(
        long,
        value_name = "STRAND",
        default_value = "forward",
        help_heading = "Alignment",
        hide_possible_values = true
    )]
    strand: Strand,

    /// Score of two equal letters [default: 1]
    #[arg(long = "match", value_name = "SCORE", help_heading = "Scoring")]
    match_: Option<Decimal>,
    /// Score of two different letters, negative [default: -1]
    #[arg(long, value_name = "SCORE", help_heading = "Scoring")]
    mismatch: Option<Decimal>,
    /// Cost of every symbol of a gap, positive [default: 2]
    #[arg(long, value_name = "COST", help_heading = "Scoring")]
    gap: Option<Decimal>,
    /// Cost of the first symbol of a gap, positive [default: 2; with a matrix: 11]
    #[arg(long, value_name = "COST", help_heading = "Scoring")]
    gap_open: Option<Decimal>,
    /// Cost of each further symbol, positive [default: 2; with a matrix: 1]
    #[arg(long, value_name = "COST", help_heading = "Scoring")]
    gap_extend: Option<Decimal>,
    /// affine (n symbols cost open + (n - 1) * extend) or blast (open + n * extend)
    #[arg(long, value_name = "MODEL", default_value = "affine", help_heading = "Scoring", hide_possible_values = true)]
    gap_model: Model,
    /// Substitution matrix: BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250, NUC.4.4, or a file in NCBI's format
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "literal", help_heading = "Scoring")]
    matrix: Option<String>,
    /// Compare letters as bytes: case counts, and N equals N
    #[arg(long, help_heading = "Scoring")]
    literal: bool,

    /// tsv, paf, sam, jsonl, text (score and direction codes), or pretty (for people) [default: tsv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&Format::ALL, Format::name), help_heading = "Output", hide_possible_values = true)]
    format: Option<Format>,
    /// Scores and ends only, which is faster (tsv)
    #[arg(long, help_heading = "Output")]
    score_only: bool,
    /// How CIGARs show letters over letters: eq (= and X) or m (M)
    #[arg(long, value_name = "STYLE", default_value = "eq", help_heading = "Output", hide_possible_values = true)]
    cigar: Cigar,
    /// Leave out SAM's @PG line, which holds the command line
    #[arg(long, help_heading = "Output")]
    no_pg: bool,
    /// How the queries' qualities are encoded, for SAM: 33, 64, or solexa (64, down to -5)
    #[arg(long, value_name = "OFFSET", default_value = "33", help_heading = "Output", hide_possible_values = true)]
    phred_offset: Offset,
    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    computing: Computing,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Mode {
    Local,
    Global,
    #[value(alias = "semi-global")]
    Fit,
    Overlap,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pairs {
    Zip,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    Affine,
    Blast,
}

#[derive(Clone, Copy, ValueEnum)]
enum Cigar {
    Eq,
    M,
}

fn top(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number from 1 on".to_owned())
}

impl Args {
    /// Runs the alignment.
    ///
    /// # Errors
    /// Those of [`run`]; [`Error::Usage`] for a matrix that is not there.
    pub fn run(self) -> Result<()> {
        self.computing.start_threads()?;
        let console = self.writing.console();
        tell(console, &run(&self.request()?)?);
        Ok(())
    }

    fn request(self) -> Result<Request> {
        let (rules, format) = self.rules()?;
        Ok(Request {
            queries: self.queries,
            targets: self.targets,
            run: self.computing.options(self.writing.console()),
            output: self.writing.output,
            rules,
            pairing: match self.pairs {
                Pairs::Zip => Pairing::Zip,
                Pairs::All => Pairing::All,
            },
            top: self.top,
            strands: self.strand.into(),
            format,
            score_only: self.score_only,
            cigar: match self.cigar {
                Cigar::Eq => CigarStyle::Distinct,
                Cigar::M => CigarStyle::Merged,
            },
            command: (!self.no_pg).then(command_line),
            phred: self.phred_offset.into(),
        })
    }

    /// The preset's rules, or the default ones, with what the options override.
    fn rules(&self) -> Result<(Rules, Format)> {
        let (mut rules, format) = self.preset.map(Preset::rules).unwrap_or_default();
        self.override_path(&mut rules)?;
        self.override_letters(&mut rules)?;
        self.override_gaps(&mut rules);
        Ok((rules, self.format.unwrap_or(format)))
    }

    fn override_path(&self, rules: &mut Rules) -> Result<()> {
        match self.mode {
            Some(Mode::Local) => rules.mode = align::Mode::Local,
            Some(Mode::Global) => rules.mode = align::Mode::Global,
            Some(Mode::Fit) => rules.mode = align::Mode::Fit,
            Some(Mode::Overlap) => rules.mode = align::Mode::Overlap,
            None => (),
        }
        if !self.through_zero {
            return Ok(());
        }
        rules.stop = Stop::ThroughZero;
        match rules.mode {
            align::Mode::Local => Ok(()),
            _ => Err(Error::Usage(
                "--through-zero says where local alignments stop: write --mode local, or leave it out".into(),
            )),
        }
    }

    fn override_letters(&self, rules: &mut Rules) -> Result<()> {
        if self.literal {
            rules.alphabet = Alphabet::Literal;
        }
        if let Some(name) = &self.matrix {
            if Matrix::built_in(name).is_none() {
                refuse_inputs(self.writing.output.as_deref(), &[Path::new(name)])?;
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
        rules.gap_model = match self.gap_model {
            Model::Affine => GapModel::Affine,
            Model::Blast => GapModel::Blast,
        };
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
