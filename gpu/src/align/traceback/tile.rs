//! The position of a tile: the columns of one forward lane, between two of its row checkpoints.

use crate::abi::Rules;
use crate::tuning::{CHECKPOINT, COLUMNS};

/// The columns of one forward lane, and the first of its rows.
#[derive(Clone, Copy)]
pub struct Tile {
    pub strip: u32,
    pub lane: u32,
    pub first_row: u32,
    pub first_column: u32,
}

impl Tile {
    /// The tile that holds a cell, counted from 1.
    #[inline(always)]
    pub fn of(row: u32, column: u32, rules: &Rules) -> Self {
        let at = (column - 1) / COLUMNS;
        let lane = at & (rules.width - 1);
        let first_step = (row - 1 + lane) / CHECKPOINT * CHECKPOINT;
        Self {
            strip: at >> rules.width.trailing_zeros(),
            lane,
            first_row: first_step.saturating_sub(lane),
            first_column: at * COLUMNS,
        }
    }

    /// The number of its row checkpoint among those of its lane.
    #[inline(always)]
    pub fn checkpoint(&self) -> u32 {
        (self.first_row + self.lane) / CHECKPOINT
    }

    /// The row after its last.
    #[inline(always)]
    pub fn end_row(&self) -> u32 {
        self.checkpoint() * CHECKPOINT + CHECKPOINT - self.lane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_follow_the_slant_of_the_wavefront() {
        let rules = Rules { mode: 0, open: 2, extend: 2, codes: 4, width: 8, chunk: 32 };
        let [first, below, right, next_strip] =
            [(32, 16), (33, 16), (32, 17), (1, 129)].map(|(row, column)| Tile::of(row, column, &rules));
        assert_eq!((first.first_row, first.end_row(), first.checkpoint()), (0, 32, 0));
        assert_eq!((below.first_row, below.end_row(), below.checkpoint()), (32, 64, 1));
        assert_eq!((right.lane, right.first_row, right.end_row(), right.first_column), (1, 31, 63, 16));
        assert_eq!((next_strip.strip, next_strip.lane, next_strip.first_column), (1, 0, 128));
    }
}
