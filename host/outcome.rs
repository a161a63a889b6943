//! How the program ends: an exit code, and at most one line on standard error.
//!
//! ```text
//! success, or a closed pipe   no message                                   0
//! an error                    what happened, where, and what to do         1; wrong usage 2
//! a signal to end             no message                                   130
//! a panic in any thread       what happened, where, and to report it       1
//! ```
//!
//! A panic is a bug in the program. It unwinds into the thread that waits for the panicking one and drops the outputs, which
//! then leave no file. So nobody takes a wrong or half-written file for a result.

use crate::error::{Error, FileError, Result};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::error::Error as _;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use std::path::Path;
use warpseq_io::allocator;
use warpseq_io::console::say;

/// The exit code after a panic.
const PANICKED: u8 = 1;

/// Runs the program, prints what went wrong, and returns the exit code.
pub fn of(program: impl FnOnce() -> Result<()>) -> u8 {
    set_hook(Box::new(print_panic));
    // Unwind safe: nothing that the program touched is used after a panic.
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

/// What to do about an error of the operating system, whose message does not say.
fn advice(error: &Error) -> &'static str {
    if let Error::File(FileError::File { path, action, source }) = error
        && source.kind() == ErrorKind::NotFound
        && is_url(path)
    {
        return match *action {
            "create" => "; this is a URL and not a file: write to a file",
            _ => "; this is a URL and not a file: download it first, or give `curl -L URL | warpseq ... -`",
        };
    }
    if let Error::File(FileError::File { action: "start", .. }) = error {
        return "; lower -t, or raise the limits of memory and processes";
    }
    let cause = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    match cause.map(std::io::Error::kind) {
        Some(ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename) => "; check the path",
        Some(ErrorKind::PermissionDenied) => "; check the permissions",
        Some(ErrorKind::IsADirectory) => "; give a file",
        Some(ErrorKind::FileTooLarge) => "; raise `ulimit -f`, or write less",
        Some(ErrorKind::Unsupported) => "; write to another folder",
        Some(ErrorKind::StorageFull) => "; free some space, or write elsewhere",
        _ => "",
    }
}

/// Whether a path is a scheme, `://` and more.
fn is_url(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn print_panic(info: &PanicHookInfo) {
    let message = info.payload_as_str().unwrap_or("no reason given").replace('\n', " ");
    // Rust's runtime panics where a new thread gets no memory for its stack of signals, and aborts when that unwinds.
    if message.ends_with("(os error 12)") || message.contains("alternative stack") {
        allocator::end(None);
    }
    let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
    say(format_args!(
        "warpseq: error: a bug in warpseq{place}: {message}; please report this line and the command, and do not use the \
         output"
    ));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        say(trace);
    }
}
