//! What a run tells the person at the terminal, on standard error.

use std::fmt::Display;

/// How much is said.
#[derive(Clone, Copy, Debug, Default)]
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
            eprintln!("warpseq: warning: {message}");
        }
    }

    /// Something that happened and is fine.
    pub fn note(self, message: impl Display) {
        if !self.quiet {
            eprintln!("warpseq: {message}");
        }
    }

    /// Something that was asked for by an option: said whatever else is.
    pub fn result(self, message: impl Display) {
        eprintln!("warpseq: {message}");
    }

    /// Something only the curious want to know.
    pub fn detail(self, message: impl Display) {
        if self.verbose {
            eprintln!("warpseq: {message}");
        }
    }
}
