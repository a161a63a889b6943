//! `scan`: where virus signatures occur in sequences from a sequencer.
//!
//! # Definition (semantics: the book, `docs/scan.md`)
//!
//! A signature q of length m matches a sequence s of length n at offset p when every pair `(s[p+j], q[j])` is compatible. What is
//! compatible, and which of several matches is reported, is fixed by [`Options`].
//!
//! # Who does what
//!
//! ```text
//! fastx -> Records -> executor: every match as a Hit -> report::choose -> Row -> format -> output
//! ```
//!
//! An executor finds *all* matches within [`Limits`], but may leave out those that cannot be chosen ([`Job::choice`]); choosing (first,
//! best, all) and scoring are done once, for all executors, in [`report`]. Executors: [`mod@reference`] (naive), [`cpu`], [`device`] (CUDA and emulator).

#![deny(missing_docs)]

pub mod amplicon;
pub mod check;
pub mod circular;
pub mod counts;
pub mod cpu;
pub mod detect;
pub mod device;
pub mod engine;
pub mod facts;
pub mod format;
mod genomes;
pub mod input;
pub mod inputs;
pub mod mismatches;
pub mod page;
mod passes;
pub mod pattern;
pub mod preset;
pub mod probes;
pub mod reference;
pub mod report;
pub mod run;
mod seats;
pub mod seeds;
pub mod stats;
pub mod summary;

pub use mismatches::Mismatches;
pub use passes::{Passes, Turn};
pub use pattern::{Pattern, Patterns, Signature};
use std::ops::Range;
use std::sync::Mutex;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Problem};
pub use warpseq_seq::{Fraction, PhredOffset, Records, Strands, Wildcards};

/// Which of the matches of one (sequence, signature) are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Fewest mismatches, then highest score, then smallest start, then `+`; without qualities, most informative positions in
    /// place of the score.
    #[default]
    Best,
    /// Smallest start, then `+`.
    First,
    /// Every match, by start, then `+` first.
    All,
}

/// How matches are searched. The matches are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Tables of tiles where they pay; every position for patterns that have none worth looking up.
    #[default]
    Auto,
    /// Tables of tiles for all patterns that can be listed there.
    Anchor,
    /// Every pattern at every position.
    Brute,
}

/// What to search for and what to report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which symbols are compatible.
    pub wildcards: Wildcards,
    /// Which strands are searched.
    pub strands: Strands,
    /// Which matches are reported.
    pub choice: Choice,
    /// A match with more than `max_n_frac * m` wild positions is dropped. 1 keeps all.
    pub max_n_frac: Fraction,
    /// How many positions of a match may be mismatches.
    pub max_mismatch: Mismatches,
    /// Whether matches may run over the end of a sequence into its beginning.
    pub circular: bool,
    /// How quality bytes are read.
    pub phred: PhredOffset,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            wildcards: Wildcards::Iupac,
            strands: Strands::Both,
            choice: Choice::Best,
            max_n_frac: Fraction::HALF,
            max_mismatch: Mismatches::NONE,
            circular: false,
            phred: PhredOffset::Sanger,
        }
    }
}

impl Options {
    /// What a match of a signature of `length` symbols may have at most: the largest integer not above `max_n_frac * length`
    /// of wild positions, and so many mismatches.
    pub fn limits(&self, length: usize) -> Limits {
        let length = u32::try_from(length).expect("signatures are shorter than 2^32");
        Limits { wild: self.max_n_frac.of(length), mismatches: self.max_mismatch.of(length) }
    }
}

/// Positions of a place that are not informative: how many there are, or how many there may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limits {
    /// Compatible positions at which either symbol is not a single base (`Wildcards::N`: is `N`).
    pub wild: u32,
    /// Positions at which the symbols are not compatible.
    pub mismatches: u32,
}

/// A match of a pattern in a sequence of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hit {
    /// The sequence, by its number in the batch.
    pub sequence: u32,
    /// The pattern, by its number in the run.
    pub pattern: u32,
    /// The first base of the match in the sequence. (Only under [`Options::circular`] does a match end beyond the sequence.)
    pub start: u64,
    /// Compatible positions at which either symbol is not a single base (`Wildcards::N`: is `N`).
    pub wild: u32,
    /// Positions at which the symbols are not compatible.
    pub mismatches: u32,
}

impl Hit {
    /// The positions of the match that are not informative.
    pub fn found(&self) -> Limits {
        Limits { wild: self.wild, mismatches: self.mismatches }
    }
}

/// Matches that follow one another along a reference: patterns in turn, each a base behind the one before, without mismatches or wild positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streak {
    /// The sequence, by its number in the batch.
    pub sequence: u32,
    /// The first pattern.
    pub pattern: u32,
    /// Where it starts in the sequence.
    pub start: u64,
    /// What is added to the number of each pattern for that of the next.
    pub step: i32,
    /// How many matches there are.
    pub count: u32,
}

impl Streak {
    /// The patterns, in turn.
    pub fn patterns(self) -> impl Iterator<Item = u32> {
        (0..self.count).map(move |k| self.pattern.wrapping_add_signed(self.step.wrapping_mul(k as i32)))
    }
}

/// Every match of every pattern in every sequence of a batch within the limits of its pattern, or those that may be reported.
pub struct Matching;

/// A batch to search.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    /// The sequences to search.
    pub batch: &'j Records,
    /// The most matches there is room for. An executor that runs over stops soon, with little more than these in memory.
    pub most: usize,
    /// Of the matches of one pattern in one sequence, the one that this choice would report is found, or all; an executor may leave out
    /// others.
    pub choice: Choice,
    /// Of an executor that searches in passes, the parts of its patterns that are searched for; `None`: all. Others search for all.
    pub among: Option<&'j Range<usize>>,
    /// Where an executor may put matches together, in place of its output, when it has come to its end with `most` at most: for who only counts them.
    pub streaks: Option<&'j Mutex<Vec<Streak>>>,
}

impl<'j> Job<'j> {
    /// To search `batch` for all matches of all patterns.
    pub fn new(batch: &'j Records, most: usize) -> Self {
        Self { batch, most, choice: Choice::All, among: None, streaks: None }
    }
}

impl Problem for Matching {
    type Job<'j> = Job<'j>;
    /// The matches in any order, each once; `None` when there are more than `most`.
    type Output = Option<Vec<Hit>>;
}

/// All matches in `batch`.
///
/// # Errors
/// Those of the executor.
pub fn find(executor: &mut (impl Executor<Matching> + ?Sized), batch: &Records) -> Result<Vec<Hit>> {
    Ok(find_within(executor, Job::new(batch, usize::MAX))?.expect("no more matches than can be counted"))
}

/// All matches that `job` asks for, or `None` when there are more than it has room for.
///
/// # Errors
/// Those of the executor.
pub fn find_within(executor: &mut (impl Executor<Matching> + ?Sized), job: Job) -> Result<Option<Vec<Hit>>> {
    let mut hits = None;
    executor.compute(job, &mut hits)?;
    Ok(hits)
}
