//! `sign search`: the nearest of a database, exactly.
//!
//! # Definition
//!
//! ```text
//! by window     for each window of the queries, the windows of the database by distance in bits
//! by sequence   for each sequence of the queries, the sequences of the database by distance (see dist), here in bits
//! ```
//!
//! Of these, the first `top` within `distance` are hits; of targets at the same distance, those first in the database. Of the hits
//! of windows, those whose E-value is above `evalue` are left out (see [`significance`](crate::significance)). Windows
//! without a k-mer have no hits and are no hits, and neither are sequences that have no other windows.
//!
//! # Who does what
//!
//! ```text
//! queries -> slices | blocks -> Hamming against the whole database -> hits -> text, in order
//! ```
//!
//! # Why it is right at the edges
//!
//! The hits of a query do not depend on how the queries are cut. If the database is searched in parts, their hits are merged
//! by distance and place. Memory is bounded however many hits there are: a slice of queries that has too many is halved and
//! searched again, and only the hits of a single window are always held.

mod format;
pub mod run;
mod sequences;
#[cfg(test)]
mod tests;
mod windows;

pub use format::Format;

use super::collection::Collection;
use super::metric::Metric;
use super::significance::Significance;
use super::sink::Sink;
use super::{Comparer, Hash, Parameters};
use format::Rows;
use std::ops::Range;
use warpseq_engine::error::{Error, Result};

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    #[default]
    /// Windows with windows.
    Window,
    /// Sequences with sequences.
    Sequence,
}

/// What is asked about each query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Question {
    /// What is compared.
    pub by: By,
    /// The most hits per query, at least 1; `None`: all within the distance.
    pub top: Option<u32>,
    /// The most bits in which a hit may differ; `None`: any.
    pub distance: Option<u32>,
    /// The largest E-value of a hit of a window; `None`: [`MOST_EXPECTED`] where bits are coins (mix64), and any elsewhere.
    pub evalue: Option<f64>,
    /// What is written of a hit besides its distance.
    pub metric: Metric,
    /// How rows are written.
    pub format: Format,
}

/// The largest E-value of a hit, unless another is asked for.
pub const MOST_EXPECTED: f64 = 0.001;

impl Question {
    /// The largest E-value of a hit among signatures of these parameters.
    pub fn most_expected(&self, parameters: &Parameters) -> f64 {
        let usual = if parameters.hash == Hash::Mix64 { MOST_EXPECTED } else { f64::INFINITY };
        if self.by == By::Sequence { f64::INFINITY } else { self.evalue.unwrap_or(usual) }
    }

    /// Refuses to ask for every pair of a query and a target.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub fn require_limit(&self, parameters: &Parameters) -> Result<()> {
        if self.top.is_some() || self.distance.is_some() || self.most_expected(parameters).is_finite() {
            return Ok(());
        }
        let message = "--top all alone would report every target for every query: add --max-distance BITS";
        Err(Error::Usage(message.into()))
    }
}

/// A database that is being searched.
pub struct Search<'a> {
    database: &'a Collection,
    question: Question,
    comparer: &'a mut Comparer<'a>,
    /// Bytes that hits and copies may take.
    memory: usize,
    /// Windows of the database that are searched at a time.
    parts: Vec<Range<usize>>,
    /// The E-values of its windows; `None` for sequences.
    significance: Option<Significance>,
    /// Hits so far.
    pub rows: u64,
}

impl<'a> Search<'a> {
    /// Prepares to search `database`, taking about `memory` bytes.
    pub fn new(database: &'a Collection, question: Question, comparer: &'a mut Comparer<'a>, memory: usize) -> Self {
        let parts = windows::parts(database, memory);
        let significance = (question.by == By::Window).then(|| Significance::new(database));
        Self { database, question, comparer, memory, parts, significance, rows: 0 }
    }

    /// Writes the header line, if the format has one.
    ///
    /// # Errors
    /// Those of `sink`.
    pub fn write_header(&self, sink: &mut impl Sink) -> Result<()> {
        Ok(sink.put(self.written().header().as_bytes())?)
    }

    fn written(&self) -> Rows {
        let Question { format, by, metric, .. } = self.question;
        Rows { format, by, metric }
    }

    /// Writes the rows of some queries, made with the parameters of the database.
    ///
    /// # Errors
    /// Those of the device and of `sink`.
    pub fn write(&mut self, queries: &Collection, sink: &mut impl Sink) -> Result<()> {
        match self.question.by {
            By::Window => self.write_windows(queries, sink),
            By::Sequence => self.write_sequences(queries, sink),
        }
    }
}
