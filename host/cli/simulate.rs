//! `warpseq simulate`.

use super::options::Writing;
use clap::Subcommand;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use warpseq::error::{FileError, Result};
use warpseq::output::{Output, beside};
use warpseq::scan::{Wildcards, input};
use warpseq::simulate::{pairs, proteins, samples, signatures};

const EXAMPLES: &str = "\
Examples:
  warpseq simulate signatures 1000 3000 10000 0.1 -o signatures.fasta
  warpseq simulate samples signatures.fasta 2000 20 1 2 100000 200000 10 30 0.1 -o samples.fastq --truth truth.tsv
  warpseq simulate pairs 1000 512 -o pairs
  warpseq simulate proteins 200000 60 357 -o proteins.fasta

The same command with the same --seed gives the same bytes, on any machine.";

const SIGNATURES_EXAMPLE: &str = "\
Example:
  warpseq simulate signatures 1000 3000 10000 0.1 -o signatures.fasta
      1000 signatures of 3000 to 10000 bases, one in ten an N";

const SAMPLES_EXAMPLE: &str = "\
Example:
  warpseq simulate samples signatures.fasta 2000 20 1 2 100000 200000 10 30 0.1 -o samples.fastq --truth truth.tsv
      2020 samples of 100 to 200 kb, 20 of them with 1 or 2 viruses";

const PAIRS_EXAMPLE: &str = "\
Examples:
  warpseq simulate pairs 1000 512 -o random
      1000 unrelated pairs, in random.queries.fasta and random.targets.fasta
  warpseq simulate pairs 1000 512 --alphabet ACGT --divergence 0.05 -o related
      each target a copy of its query with a change in 5 of 100 bases";

const PROTEINS_EXAMPLE: &str = "\
Example:
  warpseq simulate proteins 200000 60 357 -o proteins.fasta";

/// Make random signatures, samples, pairs or proteins.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Virus signatures, as FASTA
    Signatures(Signatures),
    /// Samples, some of which hold signatures, as FASTQ
    Samples(Samples),
    /// Pairs of sequences, as two FASTA files
    Pairs(Pairs),
    /// Proteins, as FASTA
    Proteins(Proteins),
}

#[derive(clap::Args)]
#[command(after_help = SIGNATURES_EXAMPLE)]
struct Signatures {
    /// How many
    count: usize,
    /// Least length in bases
    min: usize,
    /// Greatest length in bases
    max: usize,
    /// Probability of N, 0 to 1
    n_ratio: f64,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    writing: Writing,
}

#[derive(clap::Args)]
#[command(after_help = SAMPLES_EXAMPLE)]
struct Samples {
    /// FASTA file of the signatures to insert
    signatures: PathBuf,
    /// Samples without viruses
    no_virus: usize,
    /// Samples with viruses
    with_virus: usize,
    /// Fewest viruses in a sample that has any
    min_viruses: usize,
    /// Most viruses in a sample
    max_viruses: usize,
    /// Least length in bases, viruses included
    min_len: usize,
    /// Greatest length in bases
    max_len: usize,
    /// Least Phred score
    min_phred: u8,
    /// Greatest Phred score
    max_phred: u8,
    /// Probability of N outside viruses, 0 to 1
    n_ratio: f64,
    /// Insert each signature as its reverse complement half of the time
    #[arg(long)]
    both_strands: bool,
    /// Write what was inserted where: sample, signature, strand, start, end
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    writing: Writing,
}

#[derive(clap::Args)]
#[command(after_help = PAIRS_EXAMPLE)]
struct Pairs {
    /// How many
    count: usize,
    /// Letters of each sequence
    length: usize,
    /// Letters to draw from
    #[arg(long, value_name = "LETTERS", default_value = "ACGTN")]
    alphabet: String,
    /// Make the target a copy of the query with this many changes per letter, 0 to 1 [default: unrelated]
    #[arg(long, value_name = "D")]
    divergence: Option<f64>,
    /// Start of the names of the two files: PREFIX.queries.fasta and PREFIX.targets.fasta
    #[arg(short, long, value_name = "PREFIX")]
    output: PathBuf,
    #[command(flatten)]
    seed: Seed,
}

#[derive(clap::Args)]
#[command(after_help = PROTEINS_EXAMPLE)]
struct Proteins {
    /// How many
    count: usize,
    /// Least length in residues
    min: usize,
    /// Greatest length in residues
    max: usize,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    writing: Writing,
}

#[derive(clap::Args)]
struct Seed {
    /// What all randomness comes from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// Makes and writes.
    ///
    /// # Errors
    /// A recipe that makes no sense; those of the files.
    pub fn run(self) -> Result<()> {
        match self.what {
            What::Signatures(asked) => asked.run(),
            What::Samples(asked) => asked.run(),
            What::Pairs(asked) => asked.run(),
            What::Proteins(asked) => asked.run(),
        }
    }
}

impl Signatures {
    fn run(self) -> Result<()> {
        let Self { count, min, max, n_ratio, seed: Seed { seed }, .. } = self;
        let recipe = signatures::Recipe { count, lengths: RangeInclusive::new(min, max), n_ratio, seed };
        let made = signatures::Signatures::new(recipe)?;
        let mut output = Output::create(self.writing.output.as_deref(), &[])?;
        made.write(&mut output).map_err(|error| output.fault(error))?;
        Ok(output.finish()?)
    }
}

impl Samples {
    fn run(self) -> Result<()> {
        let signatures = input::signatures(&self.signatures, Wildcards::Iupac)?;
        let recipe = samples::Recipe {
            without: self.no_virus,
            with: self.with_virus,
            viruses: RangeInclusive::new(self.min_viruses, self.max_viruses),
            lengths: RangeInclusive::new(self.min_len, self.max_len),
            phred: RangeInclusive::new(self.min_phred, self.max_phred),
            n_ratio: self.n_ratio,
            both_strands: self.both_strands,
            seed: self.seed.seed,
        };
        let made = samples::Samples::new(recipe, &signatures)?;
        let output = self.writing.output.as_deref();
        let inputs = [self.signatures.as_path()];
        let outputs = beside::open(output, ("--truth", self.truth.as_deref()), &inputs)?;
        write_both(outputs, |[samples, truth]| made.write(samples, truth))
    }
}

impl Pairs {
    fn run(self) -> Result<()> {
        let Self { count, length, alphabet, divergence, output, seed: Seed { seed } } = self;
        let made = pairs::Pairs::new(pairs::Recipe { count, length, alphabet: alphabet.into(), divergence, seed })?;
        let named = |end: &str| {
            let mut name = output.clone().into_os_string();
            name.push(end);
            PathBuf::from(name)
        };
        let [queries, targets] = [".queries.fasta", ".targets.fasta"].map(named);
        let outputs = beside::open(Some(&queries), ("-o", Some(&targets)), &[])?;
        write_both(outputs, |[queries, targets]| made.write(queries, targets))
    }
}

impl Proteins {
    fn run(self) -> Result<()> {
        let Self { count, min, max, seed: Seed { seed }, .. } = self;
        let made = proteins::Proteins::new(proteins::Recipe { count, lengths: RangeInclusive::new(min, max), seed })?;
        let mut output = Output::create(self.writing.output.as_deref(), &[])?;
        made.write(&mut output).map_err(|error| output.fault(error))?;
        Ok(output.finish()?)
    }
}

/// Writes to two outputs in turns, of which `None` is nowhere, and finishes both.
fn write_both(
    (first, second): (Output, Option<Output>),
    write: impl FnOnce([&mut dyn Write; 2]) -> io::Result<()>,
) -> Result<()> {
    let [mut first, mut second] = [Some(first), second].map(|output| Watched { output, fault: None });
    if let Err(error) = write([&mut first, &mut second]) {
        let fault = first.fault.or(second.fault);
        return Err(fault.unwrap_or(FileError::File { path: "output".into(), action: "write", source: error }).into());
    }
    Ok(Output::finish_all(first.output.into_iter().chain(second.output))?)
}

/// An output that remembers what went wrong with it, so that the error names the right file.
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
