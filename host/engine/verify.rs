//! `--verify`: everything is computed a second time, by an executor that shares less code, and compared. Each engine says how
//! (`scan::run::verify`, `align::run::verify`).

/// Which executor computes a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Verify {
    /// The naive reference: shares nothing with the engines, and is slow.
    Reference,
    /// The CPU engine.
    Cpu,
}

impl Verify {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Cpu => "cpu",
        }
    }
}
