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

pub mod check;
pub mod cpu;
pub mod device;
pub mod engine;
pub mod format;
pub mod input;
pub mod matrix;
pub mod pairing;
pub mod reference;
pub mod run;
pub mod scoring;

use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Problem};

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

/// How alignments are scored: everything an executor needs to know beside the letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    pub mode: Mode,
    /// Matters in local mode only.
    pub stop: Stop,
    pub gap: Gap,
    /// The code of each letter: below `size`. Letters without a meaning never reach an executor.
    pub codes: [u8; 256],
    /// How many codes there are: 1 to 256.
    pub size: usize,
    /// `scores[query code * size + target code]`, in scaled units.
    pub scores: Vec<i32>,
    /// Two letters are *equal* (`=` in a CIGAR) when these are the same and not 0.
    pub identity: [u8; 256],
    /// All scores and costs are `scale` times what the user gave, so that they are whole numbers.
    pub scale: u32,
}

impl Scoring {
    /// The score of a query letter over a target letter.
    pub fn score(&self, query: u8, target: u8) -> i32 {
        self.scores
            [usize::from(self.codes[usize::from(query)]) * self.size + usize::from(self.codes[usize::from(target)])]
    }

    /// Whether a CIGAR shows the two letters as `=`.
    pub fn equal(&self, query: u8, target: u8) -> bool {
        let [query, target] = [query, target].map(|letter| self.identity[usize::from(letter)]);
        query == target && query != 0
    }

    /// Whether every symbol of a gap costs the same.
    pub fn is_linear(&self) -> bool {
        self.gap.open == self.gap.extend
    }
}

/// Sequences held in memory together, flat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    /// The letters of all sequences as read, one sequence after another.
    pub letters: Vec<u8>,
    /// Sequence k is `letters[starts[k]..starts[k + 1]]`; one more entry than sequences, `starts[0] == 0`. An empty list
    /// stands for no sequences, too.
    pub starts: Vec<u64>,
}

impl Sequences {
    /// How many sequences there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letters of sequence `k`.
    pub fn get(&self, k: usize) -> &[u8] {
        &self.letters[self.starts[k] as usize..self.starts[k + 1] as usize]
    }

    /// Symbols of sequence `k`.
    pub fn length(&self, k: usize) -> usize {
        (self.starts[k + 1] - self.starts[k]) as usize
    }

    /// Adds a sequence.
    pub fn push(&mut self, letters: &[u8]) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.letters.extend_from_slice(letters);
        self.starts.push(self.letters.len() as u64);
    }
}

impl<L: AsRef<[u8]>> FromIterator<L> for Sequences {
    fn from_iter<I: IntoIterator<Item = L>>(sequences: I) -> Self {
        let mut all = Self::default();
        sequences.into_iter().for_each(|letters| all.push(letters.as_ref()));
        all
    }
}

/// Which query is aligned with which target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Its number among the batch's queries.
    pub query: u32,
    /// Its number among the batch's targets.
    pub target: u32,
}

/// Pairs to align.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub queries: &'a Sequences,
    pub targets: &'a Sequences,
    pub pairs: &'a [Pair],
}

impl<'a> Batch<'a> {
    /// The letters of pair `k`: query, target.
    pub fn letters(&self, k: usize) -> (&'a [u8], &'a [u8]) {
        let Pair { query, target } = self.pairs[k];
        (self.queries.get(query as usize), self.targets.get(target as usize))
    }

    /// The lengths of pair `k`: query, target.
    pub fn lengths(&self, k: usize) -> (usize, usize) {
        let Pair { query, target } = self.pairs[k];
        (self.queries.length(query as usize), self.targets.length(target as usize))
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
    /// `=`: diagonal, the letters are equal.
    Equal,
    /// `X`: diagonal, the letters differ.
    Different,
    /// `I`: up, a query symbol over a gap.
    Insertion,
    /// `D`: left, a gap over a target symbol.
    Deletion,
}

/// Columns of one kind in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
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
    /// The path from start to end, neighbouring runs of different kinds. `Want::Score`: empty.
    pub path: Vec<Run>,
}

/// Alignments of pairs.
pub struct Aligning;

/// Pairs to align, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job<'j> {
    pub batch: Batch<'j>,
    pub scoring: &'j Scoring,
    pub want: Want,
    /// Names of the queries and of the targets, for messages.
    pub names: Option<[&'j [Vec<u8>]; 2]>,
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
