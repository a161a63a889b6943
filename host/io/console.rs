//! What a run tells the person at the terminal, on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard error. That nobody can read it is no reason to stop.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Console {
    /// Only errors.
    pub quiet: bool,
    /// Times and choices too.
    pub verbose: bool,
}

impl Console {
    /// Something the user should know about the input or the machine.
    pub fn warn(self, message: impl Display) {
        if !self.quiet {
            say(format_args!("warpseq: warning: {message}"));
        }
    }

    /// Something that happened and is fine.
    pub fn note(self, message: impl Display) {
        if !self.quiet {
            say(format_args!("warpseq: {message}"));
        }
    }

    /// Something that was asked for by an option: said whatever else is.
    pub fn result(self, message: impl Display) {
        say(format_args!("warpseq: {message}"));
    }

    /// Something only the curious want to know.
    pub fn detail(self, message: impl Display) {
        if self.verbose {
            say(format_args!("warpseq: {message}"));
        }
    }
}
