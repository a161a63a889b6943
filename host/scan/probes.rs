//! `probes`: signatures cut from reference genomes, those that tell groups of genomes apart.
//!
//! # Definition (semantics: the book, `docs/probes.md`)
//!
//! ```text
//! reference   ........................................................
//! windows     |<- length ->|
//!                  |<- length ->|              every `step` symbols
//!                                               |<- length ->|   and one that ends with the reference
//! ```
//!
//! In a circle, windows begin every `step` symbols before its end, and run over it. Windows are dropped by the rules of [`Rule`], in
//! their order: each is counted for the first rule that drops it. What is left are probes, in the order of references and
//! starts.
//!
//! # Who does what
//!
//! ```text
//! references -> windows: the rules about a window itself -> lookups: where windows occur, by scan's executors -> thin -> run: files
//! ```
//!
//! Of the places where a window occurs, nothing is kept but whether there is one in another group, and whether there is one in the
//! genomes that are to be avoided. The naive reference knows neither patterns nor engines: see [`mod@reference`].

pub mod groups;
pub mod lookups;
pub mod reference;
pub mod run;
pub mod windows;

pub use groups::Groups;

use crate::{Fraction, Records};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Which windows there are, and which of them are dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Symbols of a window, at least 1.
    pub length: usize,
    /// From the start of a window to that of the next, at least 1.
    pub step: usize,
    /// The share of a window that may be no single base.
    pub max_n_frac: Fraction,
    /// The share of G and C among the single bases of a window.
    pub gc: RangeInclusive<Fraction>,
    /// The share of different words of three single bases among those that there may be, at least.
    pub min_complexity: Fraction,
    /// Whether windows that occur in another group are dropped.
    pub unique: bool,
    /// The most mismatches with which a window occurs, fewer than its symbols.
    pub max_mismatch: u32,
    /// The most probes of a group, at least 1.
    pub per_group: Option<usize>,
    /// Whether genomes are circles.
    pub circular: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            length: 60,
            step: 30,
            max_n_frac: Fraction::printed(0.0),
            gc: Fraction::printed(0.2)..=Fraction::printed(0.8),
            min_complexity: Fraction::HALF,
            unique: false,
            max_mismatch: 0,
            per_group: None,
            circular: false,
        }
    }
}

/// Why a window is no probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Too many symbols are no single base, or one is a gap.
    Wild,
    /// Too few or too many of its bases are G or C.
    Gc,
    /// Too few different words of three bases.
    Complexity,
    /// An earlier window of the group that was not dropped by a rule above is equal to it, or to its reverse complement.
    Repeated,
    /// It occurs in another group.
    Shared,
    /// It occurs in the genomes to be avoided.
    Excluded,
    /// There were more in the group than wanted.
    Thinned,
}

impl Rule {
    /// All rules, in their order.
    pub const ALL: [Self; 7] =
        [Self::Wild, Self::Gc, Self::Complexity, Self::Repeated, Self::Shared, Self::Excluded, Self::Thinned];

    /// What the table calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wild => "wild",
            Self::Gc => "gc",
            Self::Complexity => "complexity",
            Self::Repeated => "repeated",
            Self::Shared => "shared",
            Self::Excluded => "excluded",
            Self::Thinned => "thinned",
        }
    }
}

/// A window of a reference, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The reference, by its number.
    pub reference: u32,
    /// First symbol.
    pub start: u64,
    /// The first rule that drops it; `None`: it is a probe.
    pub dropped: Option<Rule>,
}

impl Window {
    /// Its symbols, from the beginning of the reference again where they run over the end.
    pub fn bases<'r>(&self, references: &'r Records, length: usize) -> Cow<'r, [u8]> {
        let (bases, start) = (references.sequence(self.reference as usize), self.start as usize);
        match bases.get(start..start + length) {
            Some(inside) => inside.into(),
            None => [&bases[start..], &bases[..start + length - bases.len()]].concat().into(),
        }
    }
}
