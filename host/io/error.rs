//! What can go wrong with files and streams. A message says what happened and where, and if that is not obvious, what to do.

use std::io;
use std::path::PathBuf;

/// The result of everything that reads or writes.
pub type Result<T> = std::result::Result<T, FileError>;

/// A failure of an input or an output.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A file could not be opened, read, created or renamed.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// A verb phrase: what was tried.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },

    /// An input file breaks its format.
    #[error("{}, line {line}, record {record}: {message}", path.display())]
    Input {
        /// Which file.
        path: PathBuf,
        /// Counts from 1.
        line: u64,
        /// Counts from 1; 0 before the first one.
        record: u64,
        /// What is wrong, and what was expected.
        message: String,
    },

    /// A file as a whole cannot be used: an input without signatures, an output that is also an input.
    #[error("{}: {message}", path.display())]
    Unusable {
        /// Which file.
        path: PathBuf,
        /// Why, and what to do.
        message: String,
    },

    /// Two files of a command exclude each other. Exit code 2.
    #[error("{0}")]
    Usage(String),

    /// A signal to end. Exit code 130.
    #[error("interrupted")]
    Interrupted,

    /// The reader of standard output closed it, which is not a failure. Exit code 0, no message.
    #[error("standard output was closed")]
    ClosedPipe,
}

impl FileError {
    /// The exit code of a program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Usage(_) => 2,
            Self::Interrupted => 130,
            _ => 1,
        }
    }
}
