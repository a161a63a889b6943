//! `warpseq bench sign`.

use super::Measuring;
use warpseq::bench::sign::study::Factor;
use warpseq::bench::sign::work::works;
use warpseq::error::Result;

pub const EXAMPLES: &str = "\
Three clocks: kernel (the GPU's own), call (host arrays in, host arrays out, warm) and process (`warpseq sign build`, files
in the page cache; searches have none). The CPU engine takes a part of a large work: \"x CPU\" compares rates, and \"as CPU\"
counts the rows compared with the CPU's. A wrong answer ends the benchmark with exit code 1.

Examples:
  warpseq bench sign                              all works but the small ones; the record goes to bench/record
  warpseq bench sign --work smoke --device cpu    seconds, on any machine
  warpseq bench sign --work search-64 --work search-1024
  warpseq bench sign --work qut-large --no-process    4 GB of memory
  warpseq bench sign --vary length --record out   out/sign-length.csv and .svg";

/// What is measured unless something else is asked for.
const USUAL: [&str; 10] = [
    "qut",
    "qut-large",
    "proteins",
    "dna",
    "dna-one",
    "dna-reads",
    "dna-windows",
    "search-64",
    "search-1024",
    "search-few",
];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Works to measure, by name.
    #[arg(long = "work", value_name = "NAME", default_values = USUAL)]
    works: Vec<String>,
    /// Varies one factor of the input instead, and draws what it does.
    #[arg(long, value_name = "FACTOR")]
    vary: Option<Factor>,
    #[command(flatten)]
    pub(super) measuring: Measuring,
}

impl Args {
    pub(super) fn run(&self) -> Result<()> {
        self.measuring.run(works, &self.works, self.vary)
    }
}
