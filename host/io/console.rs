//! Messages for people, on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard error. A failure is ignored: nobody would read the message about it.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// How much is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Console {
    /// Nothing: for programs that use the library.
    Silent,
    /// Requested results.
    Quiet,
    /// Warnings and notes, too.
    #[default]
    Usual,
    /// Details, such as counts and times, too.
    Verbose,
}

impl Console {
    /// Prints a warning about the input or the machine, unless quiet.
    pub fn warn(self, message: impl Display) {
        if self > Self::Quiet {
            say(format_args!("warpseq: warning: {message}"));
        }
    }

    /// Prints a note about something harmless, unless quiet.
    pub fn note(self, message: impl Display) {
        if self > Self::Quiet {
            say(format_args!("warpseq: {message}"));
        }
    }

    /// Prints a result that an option asked for, even if quiet.
    pub fn result(self, message: impl Display) {
        if self > Self::Silent {
            say(format_args!("warpseq: {message}"));
        }
    }

    /// Prints a detail, if verbose.
    pub fn detail(self, message: impl Display) {
        if self == Self::Verbose {
            say(format_args!("warpseq: {message}"));
        }
    }
}
