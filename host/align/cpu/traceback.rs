//! A traceback on its way from the end of an alignment to its start.

use super::strip::{DIAGONAL, E_OPENS, F_OPENS, LEFT, STOP, UP};
use crate::{Alignment, Mode, Op, Run, Scoring};

/// Runs that a path has room for from the first one on.
const RUNS: usize = 8;

/// What the traceback is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Nothing: at a cell of H.
    Match,
    /// A gap in the target (F): up.
    Up,
    /// A gap in the query (E): left.
    Left,
}

/// A traceback: the cell it has come to, and the path behind it.
#[derive(Clone, Debug)]
pub struct Traceback {
    /// Rows and columns counted from 1; 0 is the border.
    pub row: usize,
    pub column: usize,
    inside: Inside,
    stopped: bool,
    /// The last run first.
    path: Vec<Run>,
}

/// What a traceback goes by: the residues of the pair, or of the part where the traceback is.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    pub scoring: &'a Scoring,
    pub query: &'a [u8],
    pub target: &'a [u8],
}

impl Traceback {
    /// Begins at a cell.
    pub fn from([row, column]: [usize; 2]) -> Self {
        Self { row, column, inside: Inside::Match, stopped: false, path: Vec::new() }
    }

    /// Takes the traceback to a part of the pair that begins at `origin`.
    pub fn enter(&mut self, [row, column]: [usize; 2]) -> Self {
        let path = std::mem::take(&mut self.path);
        Self { row: self.row - row, column: self.column - column, path, ..*self }
    }

    /// Brings the traceback back from that part.
    pub fn leave(&mut self, inside: Self, [row, column]: [usize; 2]) {
        *self = Self { row: inside.row + row, column: inside.column + column, ..inside };
    }

    /// Whether directions decide the next step.
    pub fn goes_on(&self) -> bool {
        !self.stopped && self.row > 0 && self.column > 0
    }

    /// Goes on until it stops or leaves the tile above or to the left; `direction` of a cell, counted from the tile's first.
    pub fn follow(&mut self, ground: Ground, [row, column]: [usize; 2], direction: impl Fn(usize, usize) -> i64) {
        while !self.stopped && self.row > row && self.column > column {
            self.step(ground, direction(self.row - row - 1, self.column - column - 1));
        }
    }

    fn step(&mut self, ground: Ground, direction: i64) {
        match (self.inside, direction % F_OPENS) {
            (Inside::Match, STOP) => self.stopped = true,
            (Inside::Match, DIAGONAL) => {
                (self.row, self.column) = (self.row - 1, self.column - 1);
                let equal = ground.scoring.equal(ground.query[self.row], ground.target[self.column]);
                self.push(if equal { Op::Equal } else { Op::Different }, 1);
            }
            (Inside::Up, _) | (Inside::Match, UP) => {
                self.inside = if direction & F_OPENS == 0 { Inside::Up } else { Inside::Match };
                self.row -= 1;
                self.push(Op::Insertion, 1);
            }
            (Inside::Left, _) | (Inside::Match, LEFT..) => {
                self.inside = if direction & E_OPENS == 0 { Inside::Left } else { Inside::Match };
                self.column -= 1;
                self.push(Op::Deletion, 1);
            }
            (Inside::Match, ..STOP) => unreachable!("directions are not negative"),
        }
    }

    fn push(&mut self, op: Op, length: usize) {
        match self.path.last_mut() {
            Some(run) if run.op == op => run.length += length as u32,
            _ => {
                if self.path.is_empty() {
                    self.path.reserve(RUNS);
                }
                self.path.push(Run { op, length: length as u32 });
            }
        }
    }

    /// The alignment of the traceback that began at `end`: what is left of the border is one gap, where the mode charges it.
    pub fn finish(mut self, mode: Mode, score: i64, end: [usize; 2]) -> Alignment {
        if !self.stopped && matches!(mode, Mode::Global | Mode::Fit) && self.row > 0 {
            self.push(Op::Insertion, self.row);
            self.row = 0;
        }
        if !self.stopped && mode == Mode::Global && self.column > 0 {
            self.push(Op::Deletion, self.column);
            self.column = 0;
        }
        self.path.reverse();
        let [row, column] = end.map(|at| at as u64);
        Alignment { score, query: self.row as u64..row, target: self.column as u64..column, path: self.path.into() }
    }
}
