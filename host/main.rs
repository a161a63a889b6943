//! The program: reads the command line, runs what it asks for, and turns errors into one line and an exit code.

mod cli;

use std::error::Error as _;
use std::io::ErrorKind;
use std::process::ExitCode;
use warpseq::error::{Error, Result};
use warpseq::output::interrupt;
use warpseq::report::say;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error, Error::ClosedPipe | Error::Interrupted) {
                say(format_args!("warpseq: error: {error}{}", advice(&error)));
            }
            ExitCode::from(error.exit_code())
        }
    }
}

fn run() -> Result<()> {
    let command = cli::parse();
    interrupt::install()?;
    command.run()
}

/// What to do about an error of the system, whose own words do not say.
fn advice(error: &Error) -> &'static str {
    let cause = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    match cause.map(std::io::Error::kind) {
        Some(ErrorKind::NotFound) => "; check the path",
        Some(ErrorKind::PermissionDenied) => "; check who may read and write there",
        Some(ErrorKind::IsADirectory) => "; give a file",
        Some(ErrorKind::StorageFull) => "; make room, or write elsewhere",
        _ => "",
    }
}
