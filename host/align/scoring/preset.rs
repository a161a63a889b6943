//! The rules of a course program that `align` can stand in for, option by option.

use super::{Alphabet, Rules};
use crate::format::Format;
use crate::{Mode, Stop};

/// A known program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// GPU101's assignment on Smith and Waterman: match 1, mismatch -1, gap 2, local, bytes as they are, through zero,
    /// format `text`.
    Gpu101,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Gpu101];

    /// What the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpu101 => "gpu101",
        }
    }

    /// How it scores, and how it writes that. Scores and costs are the default ones of bytes as they are, so that an option
    /// given beside the preset overrides just itself.
    pub fn rules(self) -> (Rules, Format) {
        let Self::Gpu101 = self;
        let (alphabet, mode, stop) = (Alphabet::Literal, Mode::Local, Stop::ThroughZero);
        (Rules { mode, stop, alphabet, ..Rules::default() }, Format::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gap;

    #[test]
    fn gpu101_is_the_assignment() {
        let (rules, format) = Preset::Gpu101.rules();
        let scoring = rules.scoring().unwrap();
        assert_eq!((scoring.mode, scoring.stop, format), (Mode::Local, Stop::ThroughZero, Format::Text));
        assert_eq!((scoring.gap, scoring.scale), (Gap { open: 2, extend: 2 }, 1));
        assert_eq!([(b'N', b'N'), (b'A', b'N'), (b'a', b'A')].map(|(q, t)| scoring.score(q, t)), [1, -1, -1]);
    }
}
