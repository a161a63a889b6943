//! `warpseq bench scan`.

use super::Measuring;
use warpseq::bench::scan::study::Factor;
use warpseq::bench::scan::work::works;
use warpseq::error::Result;

pub const EXAMPLES: &str = "\
Three clocks: kernel (the GPU's own, tables included), call (host arrays in, results out, warm) and process (the whole
program, files in the page cache). A wrong answer ends the benchmark with exit code 1.

Examples:
  warpseq bench scan                              the default works; the record goes to bench/record
  warpseq bench scan --work smoke --device cpu    seconds, on any machine
  warpseq bench scan --work long --no-process     4 GB of memory
  warpseq bench scan --process old/warpseq new/warpseq
  warpseq bench scan --vary n-ratio --record out  out/scan-n-ratio.csv and .svg";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Works to measure, by name.
    #[arg(long = "work", value_name = "NAME", default_values = ["default", "no-n", "n30", "dense"])]
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
