//! Searches of a database: for each query, the targets that align best with it, among all of them.
//!
//! # Definition
//!
//! The *score* of a target is that of its local alignment with the query, the better one where both strands of the query are
//! searched. Of all targets a query keeps
//!
//! ```text
//! top       the so many of the highest scores, of equal ones the first in the database; all without it
//! passes    of those, the ones whose score is high enough, which may depend on both lengths
//! ```
//!
//! Kept targets are aligned as [`Aligning`](super::Aligning) does it, forward where both strands are as good. They come best
//! first, equal ones in the order of the database; without `top` in that order altogether.
//!
//! # Who does what
//!
//! ```text
//! Rank        scores every target and chooses, without ends or paths: the CPU (cpu), a GPU (device)
//! Finder      a Rank, and an executor that aligns what was chosen
//! Reference   aligns every pair and sorts them
//! ```
//!
//! Several executors divide a search by its queries, or where these are few by the targets ([`Database::shares`]).
//!
//! No pair is an object before it is chosen: a query and a database are two lists, and what is kept of their product is what
//! memory holds.

mod couples;
pub mod cpu;
mod database;
pub mod device;
pub mod engine;
mod finder;
mod gathered;
pub mod reference;
mod shares;

use super::filter::Thresholds;
use super::pairing::Pairing;
use super::{Alignment, Mode, Scoring, Want};
pub use database::{Database, TARGET_BYTES};
pub use engine::Searcher;
pub use finder::{Finder, Rank, Ranking, Scored};
use gathered::Gathered;
use warpseq_engine::executor::Problem;
use warpseq_seq::{Sequences, Strands};

/// Whether a search finds all that is reported of pairs, so that no other need be aligned: they are those of all queries with all
/// targets, in local alignments, and some fall away by their scores alone.
pub fn serves(pairing: Pairing, mode: Mode, top: Option<usize>, thresholds: &Thresholds) -> bool {
    let fall_away = top.is_some() || thresholds.score.is_some() || thresholds.evalue.is_some();
    pairing == Pairing::All && mode == Mode::Local && fall_away
}

/// The best targets of each query.
pub struct Searching;

/// Whether a score, in scaled units, is high enough for a query and a target of these lengths. So is every higher one.
pub type Passes<'j> = &'j (dyn Fn(i64, [usize; 2]) -> bool + Sync);

/// Which targets a query keeps; see the module.
#[derive(Clone, Copy, Default)]
pub struct Keep<'j> {
    /// The most targets.
    pub top: Option<usize>,
    /// The scores that are high enough; without it, all.
    pub passes: Option<Passes<'j>>,
}

/// Queries, and what they are searched in.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    /// What is searched for.
    pub queries: &'j Sequences,
    /// What is searched, or a share of it.
    pub database: &'j Database<'j>,
    /// How alignments are scored. Local ones alone.
    pub scoring: &'j Scoring,
    /// Which strands of the queries are searched.
    pub strands: Strands,
    /// Which targets are kept.
    pub keep: Keep<'j>,
    /// How much of their alignments is wanted.
    pub want: Want,
    /// Names of the queries and of the targets, for messages.
    pub names: Option<[&'j Sequences; 2]>,
}

/// A target that a query keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its number in the database.
    pub target: u32,
    /// Whether the query's reverse complement is aligned.
    pub reverse: bool,
    /// How they align.
    pub alignment: Alignment,
}

impl Problem for Searching {
    type Job<'j> = Job<'j>;
    /// The hits of each query.
    type Output = Vec<Vec<Hit>>;
}
