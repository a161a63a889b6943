//! `warpseq db build`.

use crate::cli::options::{Named, Writing, one_of, start_threads, thread_count};
use std::path::PathBuf;
use warpseq::align::database::Kind;
use warpseq::align::database::build::{Request, Summary, run};
use warpseq::console::Console;
use warpseq::error::Result;
use warpseq::options::memory_size;
use warpseq::profile;

const EXAMPLES: &str = "\
Examples:
  warpseq db build proteins.fasta.gz -o proteins.wdb
      one database of all proteins of a file
  warpseq db build chr*.fasta --alphabet nucleotide -o genome.wdb
      one of several files, in the order given; each letter has to be a nucleotide's

The same sequences in the same order give the same bytes. No scoring is asked for: `warpseq align \
--targets-db` takes any that has the letters of the sequences.";

/// Write all sequences of some files as a database file
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// FASTA or FASTQ, plain or compressed; `-`: standard input
    #[arg(required = true, value_name = "TARGETS")]
    targets: Vec<PathBuf>,

    /// What the sequences are [default: their letters tell]
    ///
    /// Without this option, a file that holds proteins beside long nucleotide sequences is refused.
    #[arg(long, value_name = "ALPHABET", value_parser = one_of(KINDS), help_heading = "Database")]
    alphabet: Option<Kind>,
    #[command(flatten)]
    writing: Writing,
    /// CPU threads [default: all]
    #[arg(short, long, value_name = "N", value_parser = thread_count, help_heading = "Performance")]
    threads: Option<usize>,
    /// Memory limit, such as 500M or 4G
    ///
    /// K, M and G are powers of 1024. A record larger than the limit is still held whole.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory_size, hide_short_help = true, help_heading = "Performance")]
    max_memory: usize,
}

const KINDS: &[Named<Kind>] = &[
    ("nucleotide", Kind::Nucleotides, "DNA or RNA, IUPAC codes included"),
    ("protein", Kind::Proteins, "any letters, and *"),
    ("dna", Kind::Nucleotides, ""),
    ("nucleotides", Kind::Nucleotides, ""),
    ("proteins", Kind::Proteins, ""),
];

impl Args {
    /// Makes and writes the database.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let Self { targets, alphabet, writing, threads, max_memory } = self;
        if writing.verbose {
            profile::begin();
        }
        start_threads(threads)?;
        let console = writing.console();
        let request = Request { inputs: targets, output: writing.output, kind: alphabet, memory: max_memory, console };
        tell(console, &run(&request)?);
        Ok(())
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { sequences, residues, kind, seconds } = summary;
    console.detail(format_args!("{sequences} {}, {residues} letters, process {seconds:.3} s", kind.name()));
}
