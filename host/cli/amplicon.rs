//! `warpseq amplicon`.

use super::options::{Named, Run, Sharding, one_of};
use super::tables::{Tables, chosen};
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::scan::amplicon::format::Format;
use warpseq::scan::amplicon::run::{Request, Source, Summary, run};
use warpseq::scan::amplicon::{Options, Pair};

const EXAMPLES: &str = "\
Examples:
  warpseq amplicon genomes.fasta -F GTGYCAGCMGCCGCGGTAA -R GGACTACNVGGGTWTCTAAT
      a table of what the pair amplifies; IUPAC codes are wild, no mismatches
  warpseq amplicon genomes/*.fna.gz -p pairs.tsv -m 2 --three-prime 3 -o products.tsv
      all pairs of a table (name, forward, reverse, maybe a probe), with up to two mismatches in each
      primer, none of them in the last three bases
  warpseq amplicon genomes.fasta -p pairs.tsv --format fasta --inner -o inserts.fasta
      the bases between the primers
  warpseq amplicon plasmids.fasta -p pairs.tsv --circular --format bed
      also products that run over the end of a plasmid into its beginning";

/// Find what primer pairs amplify
///
/// A product begins with one primer of a pair and ends with the reverse complement of the other. Every combination of places in a
/// sequence where both bind is a product, if its length is allowed. Strand + begins with the forward primer, - with the reverse one.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// FASTA or FASTQ, plain or compressed; `-`: standard input
    #[arg(required = true)]
    genomes: Vec<PathBuf>,

    /// Forward primer, 5' to 3', in IUPAC codes; the pair is called `amplicon`
    #[arg(
        short = 'F',
        long,
        value_name = "SEQ",
        requires = "reverse",
        conflicts_with = "pairs",
        required_unless_present = "pairs",
        help_heading = "Primers"
    )]
    forward: Option<String>,
    /// Reverse primer, 5' to 3' as synthesised, in IUPAC codes
    #[arg(short = 'R', long, value_name = "SEQ", requires = "forward", help_heading = "Primers")]
    reverse: Option<String>,
    /// Table of pairs: name, forward, reverse, maybe probe; may repeat
    ///
    /// Columns are separated by tabs. A header line of these names, empty lines and lines that begin with # are skipped. Names
    /// differ. The table may be compressed; `-` is standard input.
    #[arg(short, long, value_name = "FILE", num_args = 1, help_heading = "Primers")]
    pairs: Vec<PathBuf>,

    /// Mismatches of a primer: at most K
    ///
    /// So many, too, of a probe: probe_mismatches are the fewest of any place inside the product, on either strand, and NA above K. An
    /// ambiguous base of a genome that is compatible with the primer is no mismatch, but a tenth of a primer at most may be such.
    #[arg(short, long, value_name = "K", default_value_t = 0, help_heading = "Products")]
    max_mismatch: u32,
    /// No mismatch in the last N bases of a primer, its 3' end
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Products")]
    three_prime: u32,
    /// Least length of a product, primers included
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Products")]
    min_length: u64,
    /// Greatest length of a product, primers included
    #[arg(long, value_name = "N", default_value_t = 5000, help_heading = "Products")]
    max_length: u64,
    /// Take sequences for circles: products may run over the end
    ///
    /// Such a product ends beyond the length of its sequence, as bases are counted on; BED has it in two lines. No product is longer
    /// than its sequence.
    #[arg(long, help_heading = "Products")]
    circular: bool,

    /// Output format [default: tsv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    tables: Tables,
    /// Leave the primers out of --format fasta
    #[arg(long, help_heading = "Output")]
    inner: bool,
    #[command(flatten)]
    shard: Sharding,
    #[command(flatten)]
    run: Run,
}

/// What a pair is called that has no name.
const NAME: &[u8] = b"amplicon";

const FORMATS: &[Named<Format>] = &[
    ("tsv", Format::Tsv, "a table with a header line"),
    ("jsonl", Format::Jsonl, "one JSON object per product"),
    ("bed", Format::Bed, "BED, for genome browsers"),
    ("fasta", Format::Fasta, "the bases of the products, from the forward primer on"),
    ("fa", Format::Fasta, ""),
    ("json", Format::Jsonl, ""),
    ("ndjson", Format::Jsonl, ""),
];

impl Args {
    /// Finds the products.
    ///
    /// # Errors
    /// [`Error::Usage`] for options that contradict each other, and for primers that can be none; those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.run.start()?;
        let summary = run(&self.request()?)?;
        tell(console, &summary);
        Ok(())
    }

    fn request(self) -> Result<Request> {
        let Self { max_mismatch, three_prime, min_length, max_length, circular, .. } = self;
        if min_length > max_length {
            let message =
                format!("--min-length {min_length} is more than --max-length {max_length}: no product would be left");
            return Err(Error::Usage(message));
        }
        let (writing, default) = (&self.run.writing, Format::default());
        let format = chosen((self.format, default), FORMATS, writing.output.as_deref(), writing.console());
        let format = match (format, self.inner) {
            (format, false) => format,
            (Format::Fasta, true) => Format::FastaInner,
            _ => return Err(Error::Usage("--inner leaves the primers out of the bases: add --format fasta".into())),
        };
        let (format, view) = self.tables.of(format, [Format::Tsv, Format::Jsonl])?;
        let options = Options { max_mismatch, three_prime, min_length, max_length, circular };
        let source = match (&self.forward, &self.reverse) {
            (Some(forward), Some(reverse)) => {
                let primers = [forward.as_bytes(), reverse.as_bytes()];
                Source::Pairs(vec![Pair::new(NAME, primers, None, &options).map_err(Error::Usage)?])
            }
            _ => Source::Tables(self.pairs),
        };
        let run = self.run.options();
        let (shard, output) = (self.shard.shard, self.run.writing.output);
        Ok(Request { genomes: self.genomes, shard, source, options, format, view, run, output })
    }
}

fn tell(console: Console, summary: &Summary) {
    let Summary { pairs, sequences, bases, products, call_seconds, seconds, engine } = summary;
    console.detail(format_args!("{pairs} primer pairs, {sequences} sequences, {bases} bases, {products} products"));
    console.detail(format_args!("searched by {engine}: call {call_seconds:.3} s, process {seconds:.3} s"));
}
