//! The program: reads the command line and runs what it asks for.

mod cli;

use std::process::ExitCode;
use warpseq::error::Result;
use warpseq::outcome;
use warpseq::output::interrupt;

fn main() -> ExitCode {
    ExitCode::from(outcome::of(run))
}

fn run() -> Result<()> {
    let command = cli::parse()?;
    interrupt::install()?;
    command.run()
}
