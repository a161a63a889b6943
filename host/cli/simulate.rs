//! `warpseq simulate`.

use super::options::{Writing, start_threads};
use clap::Subcommand;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use warpseq::error::{FileError, Result};
use warpseq::fastx::{BUFFER_BYTES, Sizes, refuse_one_stream};
use warpseq::output::places::{Place, Places};
use warpseq::output::{Output, beside};
use warpseq::scan::{Options, input};
use warpseq::simulate::reads::{self, Mix};
use warpseq::simulate::{pairs, proteins, samples, signatures};
use warpseq::table::View;

const EXAMPLES: &str = "\
Examples:
  warpseq simulate signatures 1000 3000 10000 0.1 -o signatures.fasta
  warpseq simulate samples signatures.fasta 200 20 1 2 10000 20000 10 30 0.1 -o s.fastq
  warpseq simulate reads genomes.fasta 100000 -o reads
  warpseq simulate pairs 1000 512 -o pairs
  warpseq simulate proteins 200000 60 357 -o proteins.fasta

The same arguments and the same --seed give the same bytes on every machine.";

const SIGNATURES_EXAMPLE: &str = "\
Examples:
  warpseq simulate signatures 1000 3000 10000 0.1 -o signatures.fasta
      1000 signatures of 3000 to 10000 bases, of which one in ten is an N
  warpseq simulate signatures 2 200000000 200000000 0 --line-width 60 -o genome.fasta
      sequences as long as chromosomes, in lines of 60";

const SAMPLES_EXAMPLE: &str = "\
Example:
  warpseq simulate samples signatures.fasta 2000 20 1 2 100000 200000 10 30 0.1 \\
      --truth truth.tsv -o samples.fastq
      2020 samples of 100 to 200 kb, 20 of them with 1 or 2 viruses";

const READS_EXAMPLE: &str = "\
Examples:
  warpseq simulate reads genomes.fasta 100000 --seed 7 --truth truth.tsv -o sample
      pairs of reads of 150 bases, one base in a hundred wrong, in sample_R1.fastq.gz and
      sample_R2.fastq.gz; longer genomes have more of them
  warpseq simulate reads genomes.fasta 100000 --mix mix.tsv --length 100 --insert 250,30 -o sample
      as often of each genome as mix.tsv says";

const PAIRS_EXAMPLE: &str = "\
Examples:
  warpseq simulate pairs 1000 512 -o random
      1000 unrelated pairs, in random.queries.fasta and random.targets.fasta
  warpseq simulate pairs 1000 512 --alphabet ACGT --divergence 0.05 -o related
      each target is a copy of its query with 5 changes per 100 bases";

const PROTEINS_EXAMPLE: &str = "\
Example:
  warpseq simulate proteins 200000 60 357 -o proteins.fasta";

/// Make random signatures, samples, reads, pairs or proteins
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Signatures(Signatures),
    Samples(Samples),
    Reads(Reads),
    Pairs(Pairs),
    Proteins(Proteins),
}

/// Make random virus signatures, as FASTA
#[derive(clap::Args)]
#[command(after_long_help = SIGNATURES_EXAMPLE)]
struct Signatures {
    /// Number of signatures
    count: usize,
    /// Smallest length in bases
    min: usize,
    /// Largest length in bases
    max: usize,
    /// Probability of N, 0 to 1
    n_ratio: f64,
    #[command(flatten)]
    seed: Seed,
    /// Bases on a line; 0: all
    #[arg(short = 'w', long, value_name = "BASES", default_value_t = 0, help_heading = "Output")]
    line_width: usize,
    #[command(flatten)]
    writing: Writing,
}

/// Make random samples with signatures in some of them, as FASTQ
#[derive(clap::Args)]
#[command(after_long_help = SAMPLES_EXAMPLE)]
struct Samples {
    /// FASTA of the signatures to insert, plain or compressed
    signatures: PathBuf,
    /// Number of samples without viruses
    no_virus: usize,
    /// Number of samples with viruses
    with_virus: usize,
    /// Fewest viruses in such a sample
    min_viruses: usize,
    /// Most viruses in such a sample
    max_viruses: usize,
    /// Smallest length in bases, viruses included
    min_len: usize,
    /// Largest length in bases
    max_len: usize,
    /// Smallest Phred score
    min_phred: u8,
    /// Largest Phred score
    max_phred: u8,
    /// Probability of N outside viruses, 0 to 1
    n_ratio: f64,
    /// Make half of the background runs of N of so many bases
    #[arg(long, value_name = "MIN,MAX", value_parser = range, help_heading = "Simulation")]
    n_runs: Option<RangeInclusive<usize>>,
    /// Insert half of the signatures reverse-complemented
    #[arg(long, help_heading = "Simulation")]
    both_strands: bool,
    /// Write what was inserted where
    ///
    /// Columns: sample, signature, strand, start, end.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    truth: Option<PathBuf>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    writing: Writing,
}

/// Make pairs of reads of genomes, as two FASTQ files
///
/// Mates read the two ends of a fragment, each along its own strand. A fragment is at least as long as a read and at most as long as
/// its genome; a genome shorter than a read is read as a whole. Fragments with more than a tenth of N are drawn again.
#[derive(clap::Args)]
#[command(after_long_help = READS_EXAMPLE)]
struct Reads {
    /// FASTA of the genomes, plain or compressed; `-`: standard input
    genomes: PathBuf,
    /// Number of pairs
    pairs: usize,
    /// Bases of a read
    #[arg(long, value_name = "N", default_value_t = 150, help_heading = "Simulation")]
    length: usize,
    /// Mean and standard deviation of the length of a fragment
    #[arg(long, value_name = "MEAN,SD", default_value = "350,50", value_parser = numbers, help_heading = "Simulation")]
    insert: (usize, usize),
    /// Probability that a base is read wrongly, 0 to 1
    ///
    /// As another base: there are no insertions or deletions. All Phred scores are those of this error, at most 93; N has 0.
    #[arg(long, value_name = "E", default_value_t = 0.01, help_heading = "Simulation")]
    error: f64,
    /// Draw genomes by a table of weights [default: by length]
    ///
    /// Each line has the name of a genome, a tab and a weight. Genomes that are not in the table are not drawn.
    #[arg(long, value_name = "FILE", help_heading = "Simulation")]
    mix: Option<PathBuf>,
    #[command(flatten)]
    seed: Seed,
    /// Write PREFIX_R1.fastq.gz and PREFIX_R2.fastq.gz
    ///
    /// A device such as /dev/null takes both as it is.
    #[arg(short, long, value_name = "PREFIX", help_heading = "Output")]
    output: PathBuf,
    /// Write PREFIX_R1.fastq and PREFIX_R2.fastq
    #[arg(long, help_heading = "Output")]
    uncompressed: bool,
    /// Write where each pair comes from
    ///
    /// Columns: read, genome, start, end, strand: those of the fragment, of which both mates are ends.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    truth: Option<PathBuf>,
}

/// Make random pairs of sequences, as two FASTA files
#[derive(clap::Args)]
#[command(after_long_help = PAIRS_EXAMPLE)]
struct Pairs {
    /// Number of pairs
    count: usize,
    /// Length of each sequence in residues
    length: usize,
    /// Residues to draw from
    #[arg(long, value_name = "LETTERS", default_value = "ACGTN", help_heading = "Simulation")]
    alphabet: String,
    /// Changes per residue from query to target, 0 to 1 [default: unrelated]
    #[arg(long, value_name = "D", help_heading = "Simulation")]
    divergence: Option<f64>,
    /// Write PREFIX.queries.fasta and PREFIX.targets.fasta
    ///
    /// A device such as /dev/null takes both as it is.
    #[arg(short, long, value_name = "PREFIX", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    seed: Seed,
}

/// Make random proteins, as FASTA
#[derive(clap::Args)]
#[command(after_long_help = PROTEINS_EXAMPLE)]
struct Proteins {
    /// Number of proteins
    count: usize,
    /// Smallest length in residues
    min: usize,
    /// Largest length in residues
    max: usize,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    writing: Writing,
}

#[derive(clap::Args)]
struct Seed {
    /// Random seed
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = "Simulation")]
    seed: u64,
}

impl Args {
    /// Makes the sequences and writes them.
    ///
    /// # Errors
    /// [`warpseq::error::Error::Usage`] for a recipe that cannot be met; those of the files.
    pub fn run(self) -> Result<()> {
        start_threads(None)?;
        match self.what {
            What::Signatures(asked) => asked.run(),
            What::Samples(asked) => asked.run(),
            What::Reads(asked) => asked.run(),
            What::Pairs(asked) => asked.run(),
            What::Proteins(asked) => asked.run(),
        }
    }
}

impl Signatures {
    fn run(self) -> Result<()> {
        let Self { count, min, max, n_ratio, seed: Seed { seed }, line_width, .. } = self;
        let recipe = signatures::Recipe { count, lengths: RangeInclusive::new(min, max), n_ratio, seed };
        let made = signatures::Signatures::new(recipe)?;
        self.writing.write(|output| made.write(line_width, output))
    }
}

/// Reads `MIN,MAX`.
fn range(text: &str) -> std::result::Result<RangeInclusive<usize>, String> {
    numbers(text).map(|(least, greatest)| least..=greatest)
}

/// Reads two numbers with a comma between them.
fn numbers(text: &str) -> std::result::Result<(usize, usize), String> {
    match text.split_once(',').map(|(first, second)| (first.parse(), second.parse())) {
        Some((Ok(first), Ok(second))) => Ok((first, second)),
        _ => Err("expected two whole numbers with a comma between them, as in 350,50".into()),
    }
}

impl Samples {
    fn run(self) -> Result<()> {
        let sizes = Sizes { block: BUFFER_BYTES, ahead: 2 };
        let signatures = input::signatures(&self.signatures, &Options::default(), sizes)?;
        let recipe = samples::Recipe {
            without: self.no_virus,
            with: self.with_virus,
            viruses: RangeInclusive::new(self.min_viruses, self.max_viruses),
            lengths: RangeInclusive::new(self.min_len, self.max_len),
            phred: RangeInclusive::new(self.min_phred, self.max_phred),
            n_ratio: self.n_ratio,
            n_runs: self.n_runs,
            both_strands: self.both_strands,
            seed: self.seed.seed,
        };
        let made = samples::Samples::new(recipe, &signatures)?;
        let output = self.writing.output.as_deref();
        let inputs = [self.signatures.as_path()];
        let mut outputs = beside::open(output, ("--truth", self.truth.as_deref()), &inputs)?;
        outputs.1.iter_mut().for_each(|truth| truth.show(&View::of_file(self.truth.as_deref())));
        write_all([Some(outputs.0), outputs.1], |[samples, truth]| made.write(samples, truth))
    }
}

impl Reads {
    fn run(self) -> Result<()> {
        let Self { pairs, length, insert: (insert, deviation), error, seed: Seed { seed }, .. } = self;
        let mix = self.mix.as_deref();
        let inputs: Vec<_> =
            [("genomes", self.genomes.as_path())].into_iter().chain(mix.map(|mix| ("--mix", mix))).collect();
        refuse_one_stream(&inputs)?;
        let genomes = input::genomes(&self.genomes, Sizes { block: BUFFER_BYTES, ahead: 2 })?;
        let mix = mix.map_or_else(|| Ok(Mix::by_length(&genomes)), |path| Mix::read(path, &genomes))?;
        let recipe = reads::Recipe { pairs, length, insert, deviation, error, seed };
        let made = reads::Reads::new(recipe, &genomes, mix)?;
        let outputs = self.open()?;
        let (outputs, mostly_wild) = written(outputs, |[first, second, truth]| made.write([first, second], truth))?;
        if let Some(genome) = mostly_wild {
            let name = String::from_utf8_lossy(genomes.name(genome));
            let message = format!("genome {name} is nearly all N, so no reads of it can be made: remove it");
            return Err(FileError::Unusable { path: self.genomes, message }.into());
        }
        Ok(Output::finish_all(outputs)?)
    }

    /// Opens both files of reads and the truth.
    fn open(&self) -> Result<[Option<Output>; 3]> {
        let end = if self.uncompressed { "fastq" } else { "fastq.gz" };
        let [first, second] = ["_R1.", "_R2."].map(|mate| named(&self.output, &format!("{mate}{end}")));
        let inputs: Vec<&Path> = [self.genomes.as_path()].into_iter().chain(self.mix.as_deref()).collect();
        let mut places = Places::new(&inputs);
        let first = places.add("-o", Some(&first))?;
        let second = places.add("-o", Some(&second))?;
        let truth = self.truth.as_deref().map(|path| places.add("--truth", Some(path))).transpose()?;
        let mut truth = truth.map(Place::open).transpose()?;
        truth.iter_mut().for_each(|truth| truth.show(&View::of_file(self.truth.as_deref())));
        Ok([Some(first.open()?), Some(second.open()?), truth])
    }
}

impl Pairs {
    fn run(self) -> Result<()> {
        let Self { count, length, alphabet, divergence, output, seed: Seed { seed } } = self;
        let made = pairs::Pairs::new(pairs::Recipe { count, length, alphabet: alphabet.into(), divergence, seed })?;
        let [queries, targets] = [".queries.fasta", ".targets.fasta"].map(|end| named(&output, end));
        let outputs = beside::open(Some(&queries), ("-o", Some(&targets)), &[])?;
        write_all([Some(outputs.0), outputs.1], |[queries, targets]| made.write(queries, targets))
    }
}

/// The name of a file that begins with `prefix`. What is written to /dev/null or a terminal needs no name of its own.
fn named(prefix: &Path, end: &str) -> PathBuf {
    let is_device = prefix.metadata().is_ok_and(|metadata| metadata.file_type().is_char_device());
    let mut name = prefix.as_os_str().to_owned();
    if !is_device {
        name.push(end);
    }
    PathBuf::from(name)
}

impl Proteins {
    fn run(self) -> Result<()> {
        let Self { count, min, max, seed: Seed { seed }, .. } = self;
        let made = proteins::Proteins::new(proteins::Recipe { count, lengths: RangeInclusive::new(min, max), seed })?;
        self.writing.write(|output| made.write(output))
    }
}

impl Writing {
    /// Lets `write` write to the output, and finishes it.
    fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let mut output = Output::create(self.output.as_deref(), &[])?;
        write(&mut output).map_err(|error| output.fault(error))?;
        Ok(output.finish()?)
    }
}

/// Lets `write` write to the outputs, and finishes them. What is written to `None` is dropped.
fn write_all<const N: usize>(
    outputs: [Option<Output>; N],
    write: impl FnOnce([&mut dyn Write; N]) -> io::Result<()>,
) -> Result<()> {
    let (outputs, ()) = written(outputs, write)?;
    Ok(Output::finish_all(outputs)?)
}

/// Lets `write` write to the outputs, and returns those that are there, and what it returns.
fn written<const N: usize, T>(
    outputs: [Option<Output>; N],
    write: impl FnOnce([&mut dyn Write; N]) -> io::Result<T>,
) -> Result<(Vec<Output>, T)> {
    let mut outputs = outputs.map(|output| Watched { output, fault: None });
    match write(outputs.each_mut().map(|output| output as &mut dyn Write)) {
        Ok(done) => Ok((outputs.into_iter().filter_map(|watched| watched.output).collect(), done)),
        Err(error) => {
            let fault = outputs.into_iter().find_map(|watched| watched.fault);
            Err(fault.unwrap_or(FileError::File { path: "output".into(), action: "write", source: error }).into())
        }
    }
}

/// An output that remembers its error, so that the message names the right file.
struct Watched {
    output: Option<Output>,
    fault: Option<FileError>,
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(output) = &mut self.output else { return Ok(bytes.len()) };
        output.write(bytes).inspect_err(|error| {
            self.fault = Some(output.fault(io::Error::new(error.kind(), error.to_string())));
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.as_mut().map_or(Ok(()), Output::flush)
    }
}
