//! How the pairs of a workload are aligned: options of `warpseq align`, for the engines and for the command line.

use crate::align::matrix::Matrix;
use crate::align::scoring::preset::Preset;
use crate::align::scoring::{Alphabet, Decimal, Rules};
use crate::align::{self, Want};
use crate::error::{Error, Result};
use serde::Deserialize;

/// The alignment mode.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Local,
    Global,
    Fit,
    Overlap,
}

impl Mode {
    /// The value for `--mode`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Global => "global",
            Self::Fit => "fit",
            Self::Overlap => "overlap",
        }
    }

    fn rule(self) -> align::Mode {
        match self {
            Self::Local => align::Mode::Local,
            Self::Global => align::Mode::Global,
            Self::Fit => align::Mode::Fit,
            Self::Overlap => align::Mode::Overlap,
        }
    }
}

/// What to compute: scores, or paths too.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    Score,
    Path,
}

impl From<Wanted> for Want {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Score => Self::Score,
            Wanted::Path => Self::Path,
        }
    }
}

/// The scoring options of `warpseq align`, under the same names.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Options {
    pub preset: Option<String>,
    #[serde(rename = "match")]
    pub match_: Option<i64>,
    pub mismatch: Option<i64>,
    pub gap: Option<i64>,
    pub gap_open: Option<i64>,
    pub gap_extend: Option<i64>,
    pub matrix: Option<String>,
}

impl Options {
    /// The rules of these options in a mode.
    ///
    /// # Errors
    /// [`Error::Usage`] for an unknown preset or matrix.
    pub fn rules(&self, mode: Mode) -> Result<Rules> {
        let mut rules = match &self.preset {
            Some(name) => preset(name)?.rules().0,
            None => Rules::default(),
        };
        if let Some(name) = &self.matrix {
            rules.alphabet = Alphabet::Matrix(Matrix::open(name)?);
        }
        let whole = |number: Option<i64>| number.map(Decimal::whole);
        Ok(Rules {
            mode: mode.rule(),
            match_: whole(self.match_),
            mismatch: whole(self.mismatch),
            gap: whole(self.gap),
            gap_open: whole(self.gap_open),
            gap_extend: whole(self.gap_extend),
            ..rules
        })
    }

    /// The same as arguments of `warpseq align`.
    pub fn arguments(&self, mode: Mode) -> Vec<String> {
        let numbers = [
            ("match", self.match_),
            ("mismatch", self.mismatch),
            ("gap", self.gap),
            ("gap-open", self.gap_open),
            ("gap-extend", self.gap_extend),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, number)| Some(format!("--{name}={}", number?)));
        let words = [("preset", &self.preset), ("matrix", &self.matrix)];
        let words = words.into_iter().filter_map(|(name, word)| Some(format!("--{name}={}", word.as_ref()?)));
        std::iter::once(format!("--mode={}", mode.name())).chain(words).chain(numbers).collect()
    }
}

fn preset(name: &str) -> Result<Preset> {
    let known = Preset::ALL.into_iter().find(|preset| preset.name() == name);
    known.ok_or_else(|| {
        Error::Usage(format!("align has no preset {name:?}: choose from {}", Preset::ALL.map(Preset::name).join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::{Gap, Stop};

    #[test]
    fn engines_and_command_line_are_told_the_same() {
        let options =
            Options { matrix: Some("BLOSUM62".into()), gap_open: Some(12), gap_extend: Some(2), ..Options::default() };
        let scoring = options.rules(Mode::Fit).unwrap().scoring().unwrap();
        assert_eq!((scoring.mode, scoring.gap), (align::Mode::Fit, Gap { open: 12, extend: 2 }));
        assert_eq!(scoring.score(b'W', b'W'), 11);
        let told = options.arguments(Mode::Fit).join(" ");
        assert_eq!(told, "--mode=fit --matrix=BLOSUM62 --gap-open=12 --gap-extend=2");
    }

    #[test]
    fn a_preset_is_one_of_those_there_are() {
        let options = |name: &str| Options { preset: Some(name.into()), ..Options::default() };
        assert_eq!(options("gpu101").rules(Mode::Local).unwrap().stop, Stop::ThroughZero);
        assert_eq!(options("gpu102").rules(Mode::Local).unwrap_err().exit_code(), 2);
    }
}
