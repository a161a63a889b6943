//! `align`: exact pairwise alignment of very many pairs, with traceback.
//!
//! # Definition (semantics: the book, `docs/align.md`)
//!
//! Query symbols are rows i, target symbols columns j; both counted from 1, row and column 0 being the border. With a gap of n
//! symbols costing `open + (n - 1) * extend` (Gotoh 1982):
//!
//! ```text
//! E[i][j] = max(H[i][j-1] - open, E[i][j-1] - extend)                       a gap in the query: left
//! F[i][j] = max(H[i-1][j] - open, F[i-1][j] - extend)                       a gap in the target: up
//! H[i][j] = max(H[i-1][j-1] + s(q_i, t_j), F[i][j], E[i][j])                and 0 in local mode
//! ```
//!
//! On the border, H is 0 where the mode leaves that end free, and the cost of one gap where it does not; E and F of the
//! border are no candidates. Ties: diagonal, then up, then left; inside a gap opening wins over extending. [`Mode`] says
//! where an alignment ends, [`Stop`] where a local traceback stops.
//!
//! # Who does what
//!
//! ```text
//! fastx -> Batch -> executor: an Alignment for each pair, in the pairs' order -> format -> output
//! ```
//!
//! Every executor gives the same alignments: the naive reference, the CPU engine, a GPU and the emulator.

#![deny(missing_docs)]
// Some of it is for the vector code of x86-64 alone.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_variables))]

mod batch;
pub mod check;
pub mod cpu;
pub mod database;
pub mod device;
pub mod engine;
pub mod filter;
pub mod format;
pub mod input;
pub mod matrix;
pub mod pairing;
mod pieces;
pub mod reference;
pub mod run;
mod runs;
pub mod scoring;
pub mod search;
pub mod statistics;
pub mod strands;

pub use batch::{Batch, Pair};
pub use runs::Runs;
use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Problem};
pub use warpseq_seq::Sequences;

/// Which ends of the sequences are free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Starts and ends anywhere (Smith and Waterman 1981). The end is the cell of the highest score with the smallest i, then
    /// the smallest j, the border included.
    #[default]
    Local,
    /// Both sequences from end to end (Needleman and Wunsch 1970). The end is (m, n).
    Global,
    /// The whole query inside the target, whose ends are free. The end is in row m: highest score, smallest j.
    Fit,
    /// End gaps are free in both. The end is in row m or column n: highest score, smallest i, then smallest j.
    Overlap,
}

/// Where the traceback of a local alignment stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stop {
    /// At the first cell of score 0.
    #[default]
    AtZero,
    /// Stopping is the last choice: a cell of score 0 that equals its diagonal, upper or left candidate follows it.
    ThroughZero,
}

/// What a gap costs, in scaled units. `open >= extend >= 1`; the costs are linear when both are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The first symbol of a gap.
    pub open: i32,
    /// Each further symbol.
    pub extend: i32,
}

impl Gap {
    /// What a gap of `symbols` costs; 0 symbols are no gap. Gaps of 2^32 symbols that cost 2^31 each reach the end of 64 bits.
    pub fn cost(self, symbols: usize) -> i64 {
        let Self { open, extend } = self;
        if symbols == 0 {
            0
        } else {
            (symbols as i64 - 1).saturating_mul(i64::from(extend)).saturating_add(open.into())
        }
    }
}

/// How alignments are scored: everything an executor needs to know beside the residues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// Which ends are free.
    pub mode: Mode,
    /// Matters in local mode only.
    pub stop: Stop,
    /// What gaps cost.
    pub gap: Gap,
    /// The code of each residue: below `size`. Residues without a meaning never reach an executor.
    pub codes: [u8; 256],
    /// How many codes there are: 1 to 256.
    pub size: usize,
    /// `scores[query code * size + target code]`, in scaled units.
    pub scores: Vec<i32>,
    /// Two residues are *equal* (`=` in a CIGAR) when these are the same and not 0.
    pub identity: [u8; 256],
    /// All scores and costs are `scale` times what the user gave, so that they are whole numbers.
    pub scale: u32,
}

impl Scoring {
    /// The score of a query residue over a target residue.
    pub fn score(&self, query: u8, target: u8) -> i32 {
        self.scores
            [usize::from(self.codes[usize::from(query)]) * self.size + usize::from(self.codes[usize::from(target)])]
    }

    /// Whether a CIGAR shows the two residues as `=`.
    pub fn equal(&self, query: u8, target: u8) -> bool {
        let [query, target] = [query, target].map(|residue| self.identity[usize::from(residue)]);
        query == target && query != 0
    }

    /// Whether every symbol of a gap costs the same.
    pub fn is_linear(&self) -> bool {
        self.gap.open == self.gap.extend
    }
}

/// How much of an alignment is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Want {
    /// Score and end only.
    Score,
    /// Score, end, start and path.
    Path,
}

/// One kind of column of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `=`: diagonal, the residues are equal.
    Equal,
    /// `X`: diagonal, the residues differ.
    Different,
    /// `I`: up, a query symbol over a gap.
    Insertion,
    /// `D`: left, a gap over a target symbol.
    Deletion,
}

/// Columns of one kind in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// The kind of these columns.
    pub op: Op,
    /// At least 1.
    pub length: u32,
}

/// The alignment of one pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// In scaled units.
    pub score: i64,
    /// The query symbols aligned. `Want::Score`: empty, both ends being the end. A local score of 0: `0..0`.
    pub query: Range<u64>,
    /// The target symbols aligned, likewise.
    pub target: Range<u64>,
    /// The path. `Want::Score`: empty.
    pub path: Runs,
}

/// Alignments of pairs.
pub struct Aligning;

/// Pairs to align, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job<'j> {
    /// The pairs.
    pub batch: Batch<'j>,
    /// How they are scored.
    pub scoring: &'j Scoring,
    /// How much of each alignment is wanted.
    pub want: Want,
    /// Names of the queries and of the targets, for messages.
    pub names: Option<[&'j Sequences; 2]>,
}

impl Problem for Aligning {
    type Job<'j> = Job<'j>;
    /// The alignment of each pair, in the order of the pairs.
    type Output = Vec<Alignment>;
}

/// The alignment of each pair, in the order of the pairs.
///
/// # Errors
/// Those of the executor.
pub fn align(
    executor: &mut (impl Executor<Aligning> + ?Sized),
    batch: &Batch,
    scoring: &Scoring,
    want: Want,
) -> Result<Vec<Alignment>> {
    let mut alignments = Vec::new();
    executor.compute(Job { batch: *batch, scoring, want, names: None }, &mut alignments)?;
    Ok(alignments)
}
