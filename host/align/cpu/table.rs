//! The directions of all cells of a rectangle in each lane.

use super::strip::ROWS;
use super::vector::{Lane, Vector};
use std::ops::Range;

/// Directions, four rows of a column together: `cells[row / 4 * columns + column][row % 4]`.
pub struct Table<V> {
    cells: Vec<[V; ROWS]>,
    columns: usize,
}

impl<V: Vector> Table<V> {
    /// No cells.
    pub fn new() -> Self {
        Self { cells: vec![], columns: 0 }
    }

    /// Makes room for a rectangle.
    pub fn resize(&mut self, [rows, columns]: [usize; 2], proof: V) {
        self.columns = columns;
        let cells = rows.div_ceil(ROWS) * columns;
        if self.cells.len() < cells {
            self.cells.resize(cells, [proof; ROWS]);
        }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<[V; ROWS]>()
    }

    /// Some columns of four rows from `row` on.
    pub fn strip(&mut self, row: usize, columns: Range<usize>) -> &mut [[V; ROWS]] {
        &mut self.cells[row / ROWS * self.columns..][columns]
    }

    /// The direction of a cell of one lane.
    pub fn get(&self, lane: usize, row: usize, column: usize) -> i64 {
        self.cells[row / ROWS * self.columns + column][row % ROWS].lanes()[lane].wide()
    }
}
