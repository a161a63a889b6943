//! Cells kept on the way: every 64th row and column, from which any patch between them is computed anew.
//!
//! A traceback needs directions only along its path. Keeping a direction for each cell would write a quarter of a byte per
//! cell or more; rows and columns of scores are a thirty-second part of the cells, and a path crosses few patches.

use super::border::Border;
use super::strip::{COLUMNS, ROWS, Strip};
use super::vector::Vector;

/// Rows and columns of a patch. A chunk of columns is a patch wide.
pub const PATCH: usize = COLUMNS;

/// H, F of rows and H, E of columns 0, 64, 128 ...
pub struct Checkpoints<V> {
    rows: Border<V>,
    row_length: usize,
    columns: Border<V>,
    column_length: usize,
}

impl<V: Vector> Checkpoints<V> {
    /// Nothing kept.
    pub fn new() -> Self {
        Self { rows: Border::new(), row_length: 0, columns: Border::new(), column_length: 0 }
    }

    /// Makes room for a rectangle.
    pub fn resize(&mut self, rows: usize, columns: usize, proof: V) {
        self.row_length = columns + 1;
        self.column_length = rows.next_multiple_of(PATCH);
        self.rows.resize(rows.div_ceil(PATCH) * self.row_length, proof);
        self.columns.resize(columns.div_ceil(PATCH) * self.column_length, proof);
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes()
    }

    /// Keeps the row above row `row`, counted from 0, if it is one to be kept.
    pub fn keep_row(&mut self, row: usize, above: &Border<V>) {
        if row.is_multiple_of(PATCH) {
            let at = row / PATCH * self.row_length;
            self.rows.h[at..][..self.row_length].copy_from_slice(&above.h[..self.row_length]);
            self.rows.gap[at..][..self.row_length].copy_from_slice(&above.gap[..self.row_length]);
        }
    }

    /// Keeps four rows of the column left of column `column`, which begins a chunk.
    pub fn keep_column(&mut self, row: usize, column: usize, strip: &Strip<V>) {
        let at = column / PATCH * self.column_length + row;
        self.columns.h[at..][..ROWS].copy_from_slice(&strip.left);
        self.columns.gap[at..][..ROWS].copy_from_slice(&strip.e);
    }

    /// Copies one lane's borders of the patch that begins at `[row, column]`.
    pub fn copy(&self, lane: usize, [row, column]: [usize; 2], above: &mut Border<V>, left: &mut Border<V>) {
        let row_at = row / PATCH * self.row_length + column;
        for k in 0..=PATCH.min(self.row_length - 1 - column) {
            above.set(lane, k, self.rows.get(lane, row_at + k));
        }
        left.set(lane, 0, self.rows.get(lane, row_at));
        let column_at = column / PATCH * self.column_length + row;
        for k in 0..PATCH {
            left.set(lane, k + 1, self.columns.get(lane, column_at + k));
        }
    }
}
