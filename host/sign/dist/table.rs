//! How distances are written: `tsv` and `phylip`, a block of rows at a time, never the whole matrix.
//!
//! ```text
//! tsv     query target distance, tab-separated, one header line; of one file each pair once, the earlier sequence first,
//!         of two files each sequence of the one with each of the other
//! phylip  the number of sequences, then for each its name and its distances to all, tab-separated: a relaxed square matrix
//! ```
//!
//! Distances are divided by the bits of a signature, with six decimals: 0 for equal signatures, about 0.5 for unrelated ones.
//! `NA` stands where a sequence has no signature.

use super::{Sequences, blocks, distances};
use crate::Comparer;
use crate::collection::Collection;
use crate::sink::Sink;
use crate::text;
use std::io::Write;
use std::ops::Range;
use warpseq_engine::error::Result;

/// How distances are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A row for each pair.
    #[default]
    Tsv,
    /// A matrix, relaxed PHYLIP.
    Phylip,
}

/// Bytes that a distance takes while it is computed.
const CELL: usize = 24;
/// The most sequences of a block of rows.
const ROWS: usize = 1 << 12;

/// Distances to be written.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The sequences of the rows.
    pub rows: &'a Collection,
    /// The sequences of the columns; `None`: those of the rows. [`Format::Phylip`] needs `None`.
    pub columns: Option<&'a Collection>,
    /// How distances are written.
    pub format: Format,
}

impl Table<'_> {
    /// Writes the table, taking about `memory` bytes and one row of distances.
    ///
    /// # Errors
    /// Those of the device and of `sink`.
    pub fn write(self, comparer: &mut Comparer, memory: usize, sink: &mut impl Sink) -> Result<()> {
        let Self { rows, columns, format } = self;
        match format {
            Format::Tsv => sink.put(b"query\ttarget\tdistance\n")?,
            Format::Phylip => sink.put(format!("{}\n", rows.len()).as_bytes())?,
        }
        let columns = columns.unwrap_or(rows);
        let most = (memory / 4 / size_of::<f64>() / columns.len().max(1)).clamp(1, ROWS);
        for block in blocks(rows, 0..rows.len(), most, memory / 8 / rows.parameters.width()) {
            let start = if self.has_pairs_once() { block.start } else { 0 };
            let shown = start..columns.len();
            let matrix = self.matrix(comparer, block.clone(), shown.clone(), memory)?;
            text::put(sink, matrix.len(), |cell, text| {
                let (row, column) = (block.start + cell / shown.len(), start + cell % shown.len());
                self.write_cell(text, (row, column), matrix[cell]);
            })?;
        }
        Ok(())
    }

    /// Whether row i has the columns behind i only.
    fn has_pairs_once(&self) -> bool {
        self.columns.is_none() && self.format == Format::Tsv
    }

    /// The distances of a block of rows to a range of columns, in bits, some columns at a time.
    fn matrix(
        &self,
        comparer: &mut Comparer,
        block: Range<usize>,
        shown: Range<usize>,
        memory: usize,
    ) -> Result<Vec<f64>> {
        let columns = self.columns.unwrap_or(self.rows);
        let rows = Sequences::range(self.rows, block.clone())?;
        let mut matrix = vec![f64::NAN; block.len() * shown.len()];
        let most = (memory / 4 / CELL / block.len()).max(1);
        for part in blocks(columns, shown.clone(), most, memory / 8 / columns.parameters.width()) {
            let found = distances(comparer, &rows, &Sequences::range(columns, part.clone())?, memory / 8)?;
            let first = part.start - shown.start;
            for (row, found) in matrix.chunks_exact_mut(shown.len()).zip(found.chunks_exact(part.len())) {
                row[first..first + part.len()].copy_from_slice(found);
            }
        }
        Ok(matrix)
    }

    fn write_cell(&self, text: &mut Vec<u8>, (row, column): (usize, usize), bits: f64) {
        let columns = self.columns.unwrap_or(self.rows);
        match self.format {
            Format::Tsv if self.has_pairs_once() && column <= row => return,
            Format::Tsv => {
                text.extend_from_slice(&self.rows.names[row]);
                text.push(b'\t');
                text.extend_from_slice(&columns.names[column]);
            }
            Format::Phylip if column == 0 => text.extend_from_slice(&self.rows.names[row]),
            Format::Phylip => {}
        }
        match bits.is_nan() {
            true => text.extend_from_slice(b"\tNA"),
            false => write!(text, "\t{:.6}", bits / f64::from(self.rows.parameters.bits)).expect("memory takes all"),
        }
        if self.format == Format::Tsv || column + 1 == columns.len() {
            text.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests;
