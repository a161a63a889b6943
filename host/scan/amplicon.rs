//! `amplicon`: what primer pairs amplify, a PCR on paper.
//!
//! # Definition (semantics: the book, `docs/amplicon.md`)
//!
//! ```text
//! strand +   5' ---FFFF>----------------------<RRRR--- 3'      F as it is at a, the reverse complement of R at b
//! strand -   5' ---RRRR>----------------------<FFFF--- 3'      R as it is at a, the reverse complement of F at b
//!                  a                          b    end
//! ```
//!
//! The primer at a *opens* the product, and the one at b, which lies on the other strand, *closes* it. The product runs from a to
//! the end of the primer at b; the primers do not overlap. So a primer opens where its symbols match, with its 3' end at the right,
//! and closes where its reverse complement matches, with its 3' end at the left.
//!
//! # Who does what
//!
//! ```text
//! pairs -> primers: the different patterns -> an executor of scan: every match -> sites -> products -> format -> output
//! ```
//!
//! All matches of all primers and probes are found in one search, by scan's executors: see [`primers`]. The matches of a
//! sequence are then put together to products: see [`products`]. The naive reference knows neither: see [`mod@reference`].

pub mod engine;
pub mod format;
pub mod pairs;
pub mod primers;
pub mod products;
pub mod reference;
pub mod run;

pub use pairs::Pair;

/// Which products there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most mismatches of each primer, and of a probe.
    pub max_mismatch: u32,
    /// Symbols at the 3' end of a primer that may not be mismatches.
    pub three_prime: u32,
    /// The least length of a product, primers included.
    pub min_length: u64,
    /// The greatest length of a product, primers included.
    pub max_length: u64,
    /// Whether products may run over the end of a sequence into its beginning.
    pub circular: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_mismatch: 0, three_prime: 0, min_length: 40, max_length: 5000, circular: false }
    }
}

impl Options {
    /// The greatest length of a product in a sequence of `length` symbols: going round a circle twice makes none.
    pub fn longest(&self, length: u64) -> u64 {
        self.max_length.min(length)
    }
}

/// What a pair amplifies. In the order of rows: by sequence, start, end, pair and strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Product {
    /// The sequence, by its number in the batch.
    pub sequence: u32,
    /// First symbol of the primer that opens the product; less than the length of the sequence.
    pub start: u64,
    /// One past the last symbol of the primer that closes it, counted on over the end of a circular sequence.
    pub end: u64,
    /// The pair, by its number in the run.
    pub pair: u32,
    /// Whether the reverse primer opens the product: strand `-`.
    pub reverse: bool,
    /// Mismatches of the forward primer.
    pub forward_mismatches: u32,
    /// Mismatches of the reverse primer.
    pub reverse_mismatches: u32,
    /// The fewest mismatches of the probe inside the product, on either strand; `None` when there are too many, or no probe.
    pub probe_mismatches: Option<u32>,
}
