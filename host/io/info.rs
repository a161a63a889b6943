//! What a file holds, for people and for scripts.
//!
//! ```text
//! text     a paragraph for each file
//! tsv      a header line, and a row for each file with the columns named there
//! jsonl    an object for each file with the same keys
//! ```

use serde::Serialize;
use std::io::{self, Write};

/// How it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Lines for people.
    #[default]
    Text,
    /// A tab-separated table with a header.
    Tsv,
    /// One JSON object per line.
    Jsonl,
}

/// What a file of some kind holds. The names of the fields are the keys of `jsonl`.
pub trait Describe: Serialize {
    /// The columns of `tsv`, tabs between them: the keys in any order.
    const COLUMNS: &'static str;

    /// Writes lines for people.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()>;

    /// Writes the row of `tsv`, with its newline.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_row(&self, out: &mut impl Write) -> io::Result<()>;
}

impl Format {
    /// Writes what comes before the first file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_header<I: Describe>(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Tsv => writeln!(out, "{}", I::COLUMNS),
            Self::Text | Self::Jsonl => Ok(()),
        }
    }

    /// Writes what a file holds.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(self, out: &mut impl Write, info: &impl Describe) -> io::Result<()> {
        match self {
            Self::Text => info.write_text(out),
            Self::Tsv => info.write_row(out),
            Self::Jsonl => {
                serde_json::to_writer(&mut *out, info)?;
                out.write_all(b"\n")
            }
        }
    }
}
