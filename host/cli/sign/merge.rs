//! `warpseq sign merge`.

use crate::cli::options::Writing;
use std::path::PathBuf;
use warpseq::error::Result;
use warpseq::sign::merge::{Request, run};

const EXAMPLES: &str = "\
Examples:
  warpseq sign merge monday.wsig tuesday.wsig -o week.wsig
      the sequences of both files, those of the first one first
  warpseq sign build new.fna --per-file -o new.wsig
  warpseq sign merge all.wsig new.wsig -o all2.wsig
      one more genome, and no other is signed again

The result is, byte for byte, what `warpseq sign build` makes of all the sequences. The files must \
have been made with the same options: `warpseq sign info` shows them.";

/// Put signature files together
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Signature files, in the order of their sequences; `-`: standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    writing: Writing,
}

impl Args {
    /// Writes the signatures of all files.
    ///
    /// # Errors
    /// Those of [`run`].
    pub fn run(self) -> Result<()> {
        let console = self.writing.console();
        run(&Request { inputs: self.files, output: self.writing.output, console })
    }
}
