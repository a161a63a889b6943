//! `warpseq sign info`.

use crate::cli::info::Files;
use warpseq::error::Result;
use warpseq::sign::info::Info;

const EXAMPLES: &str = "\
Examples:
  warpseq sign info proteins.wsig
      what the file holds, and the options it was made with
  warpseq sign info *.wsig --format tsv -o files.tsv
      one line for each of many files
  warpseq sign info proteins.wsig --format jsonl | jq -r .options
      the options that make comparable signatures";

/// Show what signature files hold, and check that they are complete
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    files: Files,
}

impl Args {
    /// Writes what each file holds.
    ///
    /// # Errors
    /// Those of [`Info::of`] and of the output.
    pub fn run(self) -> Result<()> {
        self.files.show(Info::of)
    }
}
