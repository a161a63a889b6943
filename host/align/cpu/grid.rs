//! A long pair cut into square tiles, whose last rows and columns are kept.
//!
//! Scores in a tile count from the cell above left of it, its base. However long the pair, they then fit lanes of 16 bits
//! ([`super::reach`]), and 0 of a local alignment is the number of minus the base, or one below all others where the base is
//! so high that no cell of the tile can be 0.

use super::block::{Block, Rectangle};
use super::border::{Border, Side};
use super::ends::on_the_border;
use super::question::Question;
use super::vector::{Lane, Vector};
use crate::Scoring;
use std::sync::OnceLock;

/// A long pair.
pub struct Grid<'a, T> {
    query: &'a [u8],
    target: &'a [u8],
    /// Rows and columns of a tile.
    side: usize,
    /// Tiles from top to bottom, from left to right.
    pub size: [usize; 2],
    /// Row by row; empty while not computed, and again when no longer needed.
    tiles: Vec<OnceLock<Tile<T>>>,
    /// Score and end so far.
    pub end: (i64, [usize; 2]),
}

/// What is kept of a tile.
pub struct Tile<T> {
    base: i64,
    bottom: Line<T>,
    right: Line<T>,
}

/// The last row (H and F) or column (H and E). Gaps are empty when they are linear.
struct Line<T> {
    h: Vec<T>,
    gap: Vec<T>,
}

impl<T: Lane> Line<T> {
    fn of<V: Vector<Lane = T>>(border: &Border<V>, lane: usize, cells: usize, affine: bool) -> Self {
        let line = |border: &[V], cells| border[1..=cells].iter().map(|cell| cell.lanes()[lane]).collect();
        Self { h: line(&border.h, cells), gap: line(&border.gap, if affine { cells } else { 0 }) }
    }

    /// Copies the line to a lane's border, whose base is lower by `shift`.
    fn copy<V: Vector<Lane = T>>(&self, lane: usize, cells: usize, shift: i64, border: &mut Border<V>) {
        let shifted = |number: &T| T::clamped(number.wide().saturating_add(shift));
        for (cell, number) in border.h[1..=cells].iter_mut().zip(&self.h) {
            cell.lanes_mut()[lane] = shifted(number);
        }
        for (cell, number) in border.gap[1..=cells].iter_mut().zip(&self.gap) {
            cell.lanes_mut()[lane] = shifted(number);
        }
    }
}

impl<'a, T: Lane> Grid<'a, T> {
    /// A grid with no tile computed.
    pub fn new((query, target): (&'a [u8], &'a [u8]), side: usize, scoring: &Scoring) -> Self {
        let size = [query, target].map(|sequence| sequence.len().div_ceil(side));
        let tiles = (0..size[0] * size[1]).map(|_| OnceLock::new()).collect();
        let end = on_the_border(scoring, [query.len(), target.len()]);
        Self { query, target, side, size, tiles, end }
    }

    fn tile(&self, [row, column]: [usize; 2]) -> &Tile<T> {
        self.tiles[row * self.size[1] + column].get().expect("tiles above and to the left are computed first")
    }

    /// The tiles of an anti-diagonal.
    pub fn diagonal(&self, diagonal: usize) -> impl Iterator<Item = [usize; 2]> + use<T> {
        let [rows, columns] = self.size;
        let first = (diagonal + 1).saturating_sub(columns);
        (first..rows.min(diagonal + 1)).map(move |row| [row, diagonal - row])
    }

    /// Forgets the tiles of an anti-diagonal.
    pub fn forget(&mut self, diagonal: usize) {
        for [row, column] in self.diagonal(diagonal) {
            self.tiles[row * self.size[1] + column] = OnceLock::new();
        }
    }

    /// The first row and column of a tile.
    pub fn origin(&self, tile: [usize; 2]) -> [usize; 2] {
        tile.map(|at| at * self.side)
    }

    /// The tile that holds a cell, rows and columns counted from 1.
    pub fn holding(&self, cell: [usize; 2]) -> [usize; 2] {
        cell.map(|at| (at - 1) / self.side)
    }

    /// The residues of a tile up to a cell, rows and columns counted from 1.
    pub fn rectangle(&self, tile: [usize; 2], cell: [usize; 2]) -> Rectangle<'a> {
        let [row, column] = self.origin(tile);
        let [rows, columns] = [self.query.len(), self.target.len()];
        let [last_row, last_column] = [cell[0].min(row + self.side), cell[1].min(column + self.side)];
        Rectangle {
            query: &self.query[row..last_row],
            target: &self.target[column..last_column],
            last_row: last_row == rows,
            last_column: last_column == columns,
        }
    }

    /// The whole of a tile.
    pub fn whole(&self, tile: [usize; 2]) -> Rectangle<'a> {
        self.rectangle(tile, [self.query.len(), self.target.len()])
    }

    /// H of the cell above left of a tile.
    pub fn base<V: Vector<Lane = T>>(&self, question: &Question<V>, tile: [usize; 2]) -> i64 {
        let scoring = question.scoring;
        match (tile, self.origin(tile)) {
            ([0, _], [_, column]) => Side::Above.score(scoring, column),
            ([_, 0], [row, _]) => Side::Left.score(scoring, row),
            ([row, column], _) => {
                let corner = self.tile([row - 1, column - 1]);
                let last = corner.bottom.h.last().expect("a tile has cells");
                corner.base + question.scale.score(*last)
            }
        }
    }

    /// Gives a lane the borders of its tile.
    pub fn begin<V: Vector<Lane = T>>(
        &self,
        question: &Question<V>,
        tile: [usize; 2],
        lane: usize,
        block: &mut Block<V>,
    ) {
        let base = self.base(question, tile);
        let ([row, column], whole) = (tile, self.whole(tile));
        let [above, left] = [&mut block.above, &mut block.left];
        if row == 0 {
            begin_side(question, (Side::Above, self.origin(tile)[1], whole.target.len()), (lane, base), above);
        } else {
            let tile = self.tile([row - 1, column]);
            tile.bottom.copy(lane, whole.target.len().min(above.h.len() - 1), tile.base - base, above);
        }
        if column == 0 {
            begin_side(question, (Side::Left, self.origin(tile)[0], whole.query.len()), (lane, base), left);
        } else {
            let tile = self.tile([row, column - 1]);
            tile.right.copy(lane, whole.query.len().min(left.h.len() - 1), tile.base - base, left);
        }
        finish_side(question, lane, whole.target.len(), above);
        finish_side(question, lane, whole.query.len(), left);
    }

    /// Keeps what a lane has computed of a tile.
    pub fn keep<V: Vector<Lane = T>>(&self, question: &Question<V>, tile: [usize; 2], lane: usize, block: &Block<V>) {
        let (whole, affine) = (self.whole(tile), !question.scoring.is_linear());
        let kept = Tile {
            base: self.base(question, tile),
            bottom: Line::of(&block.above, lane, whole.target.len(), affine),
            right: Line::of(&block.right, lane, whole.query.len(), affine),
        };
        let fresh = self.tiles[tile[0] * self.size[1] + tile[1]].set(kept).is_ok();
        assert!(fresh, "a tile is computed once");
    }
}

/// The border of the pair, from its cell `start` on.
fn begin_side<V: Vector>(
    question: &Question<V>,
    (side, start, cells): (Side, usize, usize),
    (lane, base): (usize, i64),
    border: &mut Border<V>,
) {
    let open = i64::from(question.scoring.gap.open);
    for k in 1..=cells.min(border.h.len() - 1) {
        let score = side.score(question.scoring, start + k) - base;
        border.set(lane, k, [score, score - open].map(|score| question.scale.number(score)));
    }
}

/// The corner, and what lies beyond the pair: not above the base, for what comes of it must not be the highest score.
fn finish_side<V: Vector>(question: &Question<V>, lane: usize, cells: usize, border: &mut Border<V>) {
    let base = [question.scale.number(0); 2];
    border.set(lane, 0, base);
    for k in cells + 1..border.h.len() {
        border.set(lane, k, base);
    }
}
