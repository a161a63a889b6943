//! `warpseq bench align`.

use super::Measuring;
use warpseq::bench::align::study::Factor;
use warpseq::bench::align::work::works;
use warpseq::error::Result;

pub const EXAMPLES: &str = "\
Three clocks: kernel (the GPU's own), call (host arrays in, alignments out, warm) and process (the
whole program, files in the page cache). The CPU engine aligns a sample of a large work: \"x CPU\"
compares rates, and \"as CPU\" counts the alignments compared with the CPU's. A wrong answer ends the
benchmark with exit code 1.

Examples:
  warpseq bench align                              all works but the small one; the record goes to bench/record
  warpseq bench align --work smoke --device cpu    seconds, on any machine
  warpseq bench align --work dna-score --no-process
  warpseq bench align --vary length --record out   out/align-length.csv and .svg";

/// What is measured unless something else is asked for.
const USUAL: [&str; 10] = [
    "thousand",
    "dna-path",
    "dna-path-similar",
    "dna-score",
    "affine-path",
    "protein-144",
    "protein-1000",
    "protein-5478",
    "reads-fit",
    "long",
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
