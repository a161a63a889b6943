//! How the program ends: at most one line on standard error, and an exit code.
//!
//! ```text
//! done, or a pipe closed by its reader   nothing                      0
//! an error                               what, where, what next       1; wrong usage 2
//! SIGINT, SIGTERM                        nothing                      130
//! a panic in any thread                  what, where, to be reported  1
//! ```
//!
//! A panic is a bug of the program. It unwinds through whoever waits for its thread, so outputs on the way are dropped and
//! leave no file: nothing wrong or half written is taken for an answer.

use crate::error::{Error, FileError, Result};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::error::Error as _;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use warpseq_io::console::say;

/// The exit code after a panic.
const PANICKED: u8 = 1;

/// Runs the program, says what went wrong, and answers the exit code.
pub fn of(program: impl FnOnce() -> Result<()>) -> u8 {
    set_hook(Box::new(tell_panic));
    // Nothing that the program has touched is used again.
    match catch_unwind(AssertUnwindSafe(program)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            if !matches!(error, Error::File(FileError::ClosedPipe | FileError::Interrupted)) {
                say(format_args!("warpseq: error: {error}{}", advice(&error)));
            }
            error.exit_code()
        }
        Err(_told) => PANICKED,
    }
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

fn tell_panic(info: &PanicHookInfo) {
    let message = info.payload_as_str().unwrap_or("no reason given").replace('\n', " ");
    let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
    say(format_args!(
        "warpseq: error: a bug in warpseq{place}: {message}; please report this line and the command, and do not use what \
         came out"
    ));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        say(trace);
    }
}
