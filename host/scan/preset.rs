//! The rules of the two course programs that `scan` can stand in for, option by option.

use super::format::Format;
use super::{Choice, Fraction, Options, Strands, Wildcards};

/// A known program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// First match, format `text-2024`.
    Cs3210Of2024,
    /// Best match, format `text`.
    Cs3210Of2025,
}

impl Preset {
    /// What the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cs3210Of2024 => "cs3210-2024",
            Self::Cs3210Of2025 => "cs3210-2025",
        }
    }

    /// What it searches for and how it writes that. Both: forward strand, only N wild, no limit on N.
    pub fn rules(self) -> (Options, Format) {
        let (choice, format) = match self {
            Self::Cs3210Of2024 => (Choice::First, Format::Text2024),
            Self::Cs3210Of2025 => (Choice::Best, Format::Text),
        };
        let (wildcards, strands) = (Wildcards::N, Strands::Forward);
        (Options { wildcards, strands, choice, max_n_frac: Fraction::ONE, ..Options::default() }, format)
    }
}
