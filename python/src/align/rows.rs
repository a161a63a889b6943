//! Rows of alignments, put into columns of Arrow by all threads.
//!
//! ```text
//! alignments -> shares, one for each thread -> push: a value at the end of each column -> the columns are a part of the table
//! ```
//!
//! A row of a table is no object. CIGARs are written where the column has them.

use super::arguments::Request;
use crate::table::{Column, Table, column};
use arrow_array::builder::{BinaryBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray, UInt64Array};
use arrow_schema::ArrowError;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::Arc;
use warpseq::align::format::Counts;
use warpseq::align::statistics::Statistics;
use warpseq::align::{Alignment, Want};
use warpseq::seq::Records;

/// Bytes of text that complete a part: a column of Arrow has less than 2^31.
const TEXT: usize = 1 << 30;
/// The fewest rows of a share. They are written in as long as it takes to wake a thread up.
pub const SHARE: usize = 128;

/// An alignment, and the records that it is of.
pub struct Row<'a> {
    /// Queries and targets, and which of them.
    pub records: [(&'a Records, usize); 2],
    pub alignment: &'a Alignment,
    /// Whether the query's reverse complement is aligned.
    pub reverse: bool,
}

impl Row<'_> {
    /// The lengths of query and target.
    pub fn lengths(&self) -> [usize; 2] {
        self.records.map(|(records, k)| records.sequences().length(k))
    }
}

/// The rows of a call.
pub struct Rows<'r> {
    request: &'r Request,
    /// Columns of rows that follow each other.
    parts: Vec<Vec<Column>>,
}

/// Columns that rows are written to.
struct Part<'r> {
    request: &'r Request,
    /// Of queries and of targets.
    sides: [Side; 2],
    strand: StringBuilder,
    score: Vec<i64>,
    matches: Vec<u64>,
    columns: Vec<u64>,
    identity: Vec<f64>,
    cigar: BinaryBuilder,
    evalue: Float64Builder,
    bits: Float64Builder,
}

/// What rows tell of their queries, or of their targets.
#[derive(Default)]
struct Side {
    name: StringBuilder,
    start: Int64Builder,
    end: Int64Builder,
    length: Vec<u64>,
}

impl<'r> Rows<'r> {
    /// No rows yet.
    pub fn new(request: &'r Request) -> Self {
        Self { request, parts: Vec::new() }
    }

    /// More rows, whose alignments do not fall short, written by the threads of `pool`.
    pub fn extend(&mut self, pool: &ThreadPool, rows: &[Row], statistics: Option<&Statistics>) {
        let request = self.request;
        let share = rows.len().div_ceil(pool.current_num_threads()).max(SHARE);
        let write = |rows: &[Row]| Part::of(request, rows, statistics);
        if rows.len() <= share {
            self.parts.extend(write(rows));
        } else {
            self.parts.extend(pool.install(|| rows.par_chunks(share).flat_map_iter(write).collect::<Vec<_>>()));
        }
    }

    /// The table of all parts.
    ///
    /// # Errors
    /// Those of Arrow.
    pub fn table(self) -> Result<Table, ArrowError> {
        Table::new(Part::new(self.request).take(), self.parts)
    }
}

impl<'r> Part<'r> {
    /// The columns of these rows: none where there are no rows, and more than once where one column could not hold the text.
    fn of(request: &'r Request, rows: &[Row], statistics: Option<&Statistics>) -> Vec<Vec<Column>> {
        let (mut part, mut parts) = (Self::new(request), Vec::new());
        for row in rows {
            part.push(row, statistics);
            if part.text() >= TEXT {
                parts.push(part.take());
            }
        }
        if !part.score.is_empty() {
            parts.push(part.take());
        }
        parts
    }

    fn new(request: &'r Request) -> Self {
        Self {
            request,
            sides: Default::default(),
            strand: StringBuilder::new(),
            score: Vec::new(),
            matches: Vec::new(),
            columns: Vec::new(),
            identity: Vec::new(),
            cigar: BinaryBuilder::new(),
            evalue: Float64Builder::new(),
            bits: Float64Builder::new(),
        }
    }

    /// One more row.
    fn push(&mut self, row: &Row, statistics: Option<&Statistics>) {
        let Alignment { score, query, target, path } = row.alignment;
        let (score, lengths, has_place) = (*score, row.lengths(), self.request.has_place(*score));
        for (side, (records, k)) in self.sides.iter_mut().zip(row.records) {
            side.name.append_value(String::from_utf8_lossy(records.name(k)));
        }
        self.score.push(score);
        match self.request.want {
            // Along the strand that was aligned.
            Want::Score => self.put_ends([query.end, target.end], has_place),
            Want::Path => {
                let (start, end, length) = (query.start, query.end, lengths[0] as u64);
                let query = if row.reverse { [length - end, length - start] } else { [start, end] };
                self.put_places([query, [target.start, target.end]], lengths, has_place);
                self.strand.append_value(if row.reverse { "-" } else { "+" });
                self.put_path(path);
            }
        }
        if self.request.parameters.is_some() {
            let of = statistics.filter(|_| has_place);
            self.evalue.append_option(of.map(|of| of.evalue(score, lengths[0], lengths[1])));
            self.bits.append_option(of.map(|of| of.bits(score)));
        }
    }

    fn put_ends(&mut self, ends: [u64; 2], has_place: bool) {
        for (side, end) in self.sides.iter_mut().zip(ends) {
            side.end.append_option(has_place.then_some(end as i64));
        }
    }

    fn put_places(&mut self, places: [[u64; 2]; 2], lengths: [usize; 2], has_place: bool) {
        self.put_ends(places.map(|[_, end]| end), has_place);
        for ((side, [start, _]), length) in self.sides.iter_mut().zip(places).zip(lengths) {
            side.start.append_option(has_place.then_some(start as i64));
            side.length.push(length as u64);
        }
    }

    fn put_path(&mut self, path: &[warpseq::align::Run]) {
        let counts = Counts::of(path);
        self.matches.push(counts.equal);
        self.columns.push(counts.columns());
        self.identity.push(counts.identity());
        if path.is_empty() {
            return self.cigar.append_null();
        }
        self.request.cigar.write(&mut self.cigar, path).expect("writing to memory does not fail");
        self.cigar.append_value(b"");
    }

    /// Bytes in the longest column of text.
    fn text(&self) -> usize {
        let [query, target] = self.sides.each_ref().map(|side| side.name.values_slice().len());
        query.max(target).max(self.cigar.values_slice().len())
    }

    /// The columns; they are empty then.
    fn take(&mut self) -> Vec<Column> {
        let [query, target] = &mut self.sides;
        let mut columns = vec![column("query", query.name.finish()), column("target", target.name.finish())];
        match self.request.want {
            Want::Score => columns.extend([
                Column::new("score", scores(&mut self.score, self.request.scoring.scale)),
                column("query_end", query.end.finish()),
                column("target_end", target.end.finish()),
            ]),
            Want::Path => columns.extend(self.take_paths()),
        }
        if self.request.parameters.is_some() {
            columns.extend([column("evalue", self.evalue.finish()), column("bits", self.bits.finish())]);
        }
        columns
    }

    fn take_paths(&mut self) -> [Column; 12] {
        let numbers = |numbers: &mut Vec<u64>| UInt64Array::from(std::mem::take(numbers));
        let cigar = StringArray::try_from_binary(self.cigar.finish()).expect("a CIGAR is ASCII");
        let [query, target] = &mut self.sides;
        [
            column("strand", self.strand.finish()),
            Column::new("score", scores(&mut self.score, self.request.scoring.scale)),
            column("query_start", query.start.finish()),
            column("query_end", query.end.finish()),
            column("query_length", numbers(&mut query.length)),
            column("target_start", target.start.finish()),
            column("target_end", target.end.finish()),
            column("target_length", numbers(&mut target.length)),
            column("matches", numbers(&mut self.matches)),
            column("columns", numbers(&mut self.columns)),
            column("identity", Float64Array::from(std::mem::take(&mut self.identity))),
            column("cigar", cigar),
        ]
    }
}

/// Whole numbers, or where costs have decimals floating ones.
fn scores(scores: &mut Vec<i64>, scale: u32) -> ArrayRef {
    let scores = std::mem::take(scores);
    match scale {
        1 => Arc::new(Int64Array::from(scores)),
        scale => Arc::new(scores.into_iter().map(|score| score as f64 / f64::from(scale)).collect::<Float64Array>()),
    }
}
