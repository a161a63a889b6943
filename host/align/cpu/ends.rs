//! Where each lane's alignment ends: the highest score, the first row that has it, the first column in that row.
//!
//! Cells are offered row by row, each row from the left, and only a higher score replaces one that is held: what stays is the
//! cell that the tie rule names. In local mode the lanes themselves keep the best of each of four rows ([`Best`]), and the cell
//! as well, where its row and column are numbers that a lane has, from its least on; in other modes only cells of the last row
//! and column count.

use super::border::Side;
use super::strip::{Best, ROWS};
use super::vector::{Lane, Vector, Work};
use crate::{Mode, Scoring};

/// The best cell of the border of a pair where its alignment may end, and its score; for a pair that is all border, its end.
pub fn on_the_border(scoring: &Scoring, [rows, columns]: [usize; 2]) -> (i64, [usize; 2]) {
    let cell = match scoring.mode {
        Mode::Local => [0, 0],
        Mode::Global => [rows, columns],
        Mode::Fit => [rows, 0],
        Mode::Overlap => [0, if rows == 0 { 0 } else { columns }],
    };
    let score = match cell {
        [0, column] => Side::Above.score(scoring, column),
        [row, 0] => Side::Left.score(scoring, row),
        _ => i64::MIN,
    };
    (score, cell)
}

/// The best cell of each lane so far.
pub struct Ends<V: Vector> {
    /// What had to be exceeded.
    first: V,
    best: V,
    cell: Vec<[usize; 2]>,
    /// Of the strip at hand: the best of each row, and its column in each lane.
    rows: [V; ROWS],
    columns: [Vec<usize>; ROWS],
    /// The same where lanes count: the cell, and of the strip the columns.
    counted: Option<Counted<V>>,
}

/// Cells as numbers of lanes, from the least on.
#[derive(Clone, Copy)]
struct Counted<V> {
    row: V,
    column: V,
    columns: [V; ROWS],
}

/// A lane's part of a pair: how long it is, and whether the pair's last row and column are in it.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub rows: usize,
    pub columns: usize,
    pub last_row: bool,
    pub last_column: bool,
}

impl Extent {
    /// Whether row `row`, counted from 1, holds a cell where the alignment may end; in local mode that is not asked.
    pub fn may_end(&self, mode: Mode, row: usize) -> bool {
        let last = self.last_row && row == self.rows;
        match mode {
            Mode::Local => false,
            Mode::Global => last && self.last_column,
            Mode::Fit => last,
            Mode::Overlap => last || self.last_column && row <= self.rows,
        }
    }

    /// The first column of that row where it may end, counted from 1; the last one is `columns`.
    fn first_column(&self, mode: Mode, row: usize) -> usize {
        let whole = self.last_row && row == self.rows && mode != Mode::Global;
        if whole { 1 } else { self.columns }
    }
}

impl<V: Vector> Ends<V> {
    /// None yet, but a score that must be exceeded.
    pub fn beyond(best: V) -> Self {
        let columns = std::array::from_fn(|_| vec![0; V::LANES]);
        Self { first: best, best, cell: vec![[0; 2]; V::LANES], rows: [best; ROWS], columns, counted: None }
    }

    /// Begins again, with a score that must be exceeded in a rectangle of so many rows and columns.
    pub fn begin(&mut self, mode: Mode, best: V, [rows, columns]: [usize; 2]) {
        (self.first, self.best) = (best, best);
        self.cell.fill([0; 2]);
        let most = V::Lane::MOST.abs_diff(V::Lane::LEAST);
        let counts = mode == Mode::Local && rows as u64 <= most && columns as u64 <= most;
        self.counted = counts.then_some(Counted { row: best, column: best, columns: [best; ROWS] });
    }

    /// The best number of a lane and its cell, rows and columns counted from 1; `None` when nothing exceeded the first.
    pub fn get(&self, lane: usize) -> Option<(V::Lane, [usize; 2])> {
        let best = self.best.lanes()[lane];
        let number = |of: V| of.lanes()[lane].wide().abs_diff(V::Lane::LEAST) as usize + 1;
        let cell = self.counted.map_or(self.cell[lane], |Counted { row, column, .. }| [row, column].map(number));
        (best > self.first.lanes()[lane]).then_some((best, cell))
    }

    /// How many of the first `lanes` have the largest number there is.
    pub fn at_most(&self, lanes: usize) -> usize {
        self.best.lanes()[..lanes].iter().filter(|lane| lane.wide() == V::Lane::MOST).count()
    }

    /// Begins a strip of a local alignment.
    pub fn begin_strip(&mut self) {
        self.rows = [self.best; ROWS];
    }

    /// What the next chunk has to exceed, which begins after `before` columns.
    pub fn begin_chunk(&self, before: usize) -> Best<V> {
        match self.counted {
            Some(Counted { columns, .. }) => {
                Best { column: columns, ..Best::beyond(self.rows, V::Lane::LEAST + before as i64) }
            }
            None => Best::beyond(self.rows, 0),
        }
    }

    /// Takes what a chunk that begins after `before` columns has found.
    pub fn end_chunk(&mut self, found: &Best<V>, before: usize) {
        if let Some(counted) = &mut self.counted {
            (self.rows, counted.columns) = (found.score, found.column);
            return;
        }
        for row in 0..ROWS {
            let (old, new, columns) = (self.rows[row], found.score[row], found.column[row]);
            if old.lanes() != new.lanes() {
                for lane in (0..V::LANES).filter(|&lane| old.lanes()[lane] != new.lanes()[lane]) {
                    self.columns[row][lane] = before + columns.lanes()[lane].wide() as usize + 1;
                }
            }
        }
        self.rows = found.score;
    }

    /// Ends a strip that begins after `before` rows.
    pub fn end_strip(&mut self, before: usize) {
        if let Some(counted) = &mut self.counted {
            let first = self.best.splat(V::Lane::clamped(V::Lane::LEAST + before as i64));
            let offered = Offered { first, rows: self.rows, best: self.best, counted: *counted };
            (self.best, *counted) = first.compiled(offered);
            return;
        }
        for row in 0..ROWS {
            if self.rows[row].max(self.best).lanes() != self.best.lanes() {
                for lane in 0..V::LANES {
                    self.offer(lane, self.rows[row].lanes()[lane], [before + row + 1, self.columns[row][lane]]);
                }
            }
        }
    }

    /// Takes the cells of a strip that begins after `before` rows where lanes may end: `values[column][row]`.
    pub fn see(&mut self, mode: Mode, extents: &[Extent], before: usize, values: &[[V; ROWS]]) {
        for (lane, extent) in extents.iter().enumerate() {
            for row in (0..ROWS).filter(|row| extent.may_end(mode, before + row + 1)) {
                for column in extent.first_column(mode, before + row + 1)..=extent.columns {
                    let number = values[column - 1][row].lanes()[lane];
                    self.offer(lane, number, [before + row + 1, column]);
                }
            }
        }
    }

    fn offer(&mut self, lane: usize, number: V::Lane, cell: [usize; 2]) {
        if number > self.best.lanes()[lane] {
            self.best.lanes_mut()[lane] = number;
            self.cell[lane] = cell;
        }
    }
}

/// The best of each row of a strip, offered to the best so far.
struct Offered<V> {
    /// The number of the first row.
    first: V,
    rows: [V; ROWS],
    best: V,
    counted: Counted<V>,
}

impl<V: Vector> Work for Offered<V> {
    type Output = (V, Counted<V>);

    #[inline(always)]
    fn work(self) -> Self::Output {
        let Self { first: mut number, rows, mut best, mut counted } = self;
        let one = number.splat(V::Lane::clamped(1));
        for (score, column) in rows.into_iter().zip(counted.columns) {
            counted.row = score.if_greater(best, number, counted.row);
            counted.column = score.if_greater(best, column, counted.column);
            best = best.max(score);
            number = number.add(one);
        }
        (best, counted)
    }
}
