//! `warpseq db info`.

use crate::cli::info::Files;
use warpseq::align::database::info::Info;
use warpseq::error::Result;

const EXAMPLES: &str = "\
Examples:
  warpseq db info proteins.wdb
      how many sequences and letters the file holds, and of which alphabet
  warpseq db info *.wdb --format tsv -o files.tsv
      one line for each of many files";

/// Show what database files hold, and check that they are complete
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
        self.files.show(|file| Ok(Info::of(file)?))
    }
}
