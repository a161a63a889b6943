//! A rectangle in each lane, computed strip by strip.

use super::border::{Border, Side};
use super::checkpoints::Checkpoints;
use super::ends::{Ends, Extent};
use super::patches::Patches;
use super::question::Question;
use super::strip::{COLUMNS, Costs, Directions, Edge, Nothing, ROWS, Record, Strip, Values};
use super::table::Table;
use super::traceback::{Ground, Traceback};
use super::vector::Vector;
use super::window::{Part, Window};
use crate::Mode;

/// A rectangle of one lane.
#[derive(Clone, Copy)]
pub struct Rectangle<'a> {
    pub query: &'a [u8],
    pub target: &'a [u8],
    /// Whether the pair's last row and column are in it.
    pub last_row: bool,
    pub last_column: bool,
}

impl Rectangle<'_> {
    /// Its cells.
    pub fn cells(&self) -> usize {
        self.query.len() * self.target.len()
    }
}

/// Rectangles side by side, with their borders. Used again and again, for it is large.
pub struct Block<V: Vector> {
    window: Window<V>,
    extents: Vec<Extent>,
    rows: usize,
    columns: usize,
    /// The row above; after [`Self::forward`], the last row.
    pub above: Border<V>,
    /// The column to the left.
    pub left: Border<V>,
    /// The last column, after [`Self::forward`].
    pub right: Border<V>,
    pub ends: Ends<V>,
    keep: Keep,
    checkpoints: Checkpoints<V>,
    directions: Table<V>,
    values: Vec<[V; ROWS]>,
    patches: Patches<V>,
}

/// What is kept for tracebacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing: scores and ends are wanted alone.
    Nothing,
    /// Some rows and columns, from which the patches of a path are computed once more.
    Checkpoints,
    /// The direction of each cell, where all of them stay in a near cache: nothing is computed again.
    Directions,
}

/// What a strip is computed for.
enum Watch {
    Best,
    Values,
    Nothing,
}

impl<V: Vector> Block<V> {
    /// No rectangles.
    pub fn new(proof: V) -> Self {
        Self {
            window: Window::new(proof),
            extents: vec![],
            rows: 0,
            columns: 0,
            above: Border::new(),
            left: Border::new(),
            right: Border::new(),
            ends: Ends::beyond(proof),
            keep: Keep::Nothing,
            checkpoints: Checkpoints::new(),
            directions: Table::new(),
            values: vec![],
            patches: Patches::new(proof),
        }
    }

    /// About how many bytes it takes: what is kept of cells is most of it.
    pub fn bytes(&self) -> usize {
        self.checkpoints.bytes() + self.directions.bytes()
    }

    /// Takes rectangles, at most one per lane, none of them empty. Borders have room, no values.
    pub fn load(&mut self, question: &Question<V>, rectangles: &[Rectangle], costs: Costs<V>) {
        self.window.load(question, rectangles.iter().map(|r| (r.query, r.target)), costs);
        let extent = |r: &Rectangle| {
            let (rows, columns) = (r.query.len(), r.target.len());
            Extent { rows, columns, last_row: r.last_row, last_column: r.last_column }
        };
        self.extents = rectangles.iter().map(extent).collect();
        self.rows = self.extents.iter().map(|extent| extent.rows).max().unwrap_or(0).next_multiple_of(ROWS);
        self.columns = self.extents.iter().map(|extent| extent.columns).max().unwrap_or(0);
        self.above.resize(self.columns, question.proof);
        self.left.resize(self.rows, question.proof);
        self.right.resize(self.rows, question.proof);
        self.ends.begin(question.scoring.mode, costs.zero, [self.rows, self.columns]);
    }

    /// The borders of whole pairs.
    pub fn begin(&mut self, question: &Question<V>) {
        self.above.begin(question, Side::Above);
        self.left.begin(question, Side::Left);
    }

    /// Computes all cells, and keeps what [`Self::trace`] follows. False: given up, for most lanes are too narrow.
    pub fn forward(&mut self, question: &Question<V>, keep: Keep) -> bool {
        self.keep = keep;
        self.window.open(question, &vec![[0; 2]; V::LANES], [self.rows, self.columns]);
        match keep {
            Keep::Nothing => (),
            Keep::Checkpoints => self.checkpoints.resize(self.rows, self.columns, question.proof),
            Keep::Directions => self.directions.resize([self.rows, self.columns], question.proof),
        }
        for row in (0..self.rows).step_by(ROWS) {
            if keep == Keep::Checkpoints {
                self.checkpoints.keep_row(row, &self.above);
            }
            self.strip(question, row);
            if row.is_multiple_of(COLUMNS) && 2 * self.ends.at_most(self.extents.len()) > self.extents.len() {
                return false;
            }
        }
        true
    }

    fn strip(&mut self, question: &Question<V>, row: usize) {
        let mode = question.scoring.mode;
        let watch = self.watch(mode, row);
        let mut strip = self.left.strip(row);
        self.ends.begin_strip();
        for column in (0..self.columns).step_by(COLUMNS) {
            if self.keep == Keep::Checkpoints {
                self.checkpoints.keep_column(row, column, &strip);
            }
            self.chunk(question, &watch, [row, column], &mut strip);
        }
        self.right.keep(row, &strip);
        self.above.h[0] = self.left.h[row + ROWS];
        match watch {
            Watch::Best => self.ends.end_strip(row),
            Watch::Values => self.ends.see(mode, &self.extents, row, &self.values),
            Watch::Nothing => (),
        }
    }

    fn watch(&mut self, mode: Mode, row: usize) -> Watch {
        let ends = |extent: &Extent| (1..=ROWS).any(|k| extent.may_end(mode, row + k));
        if mode == Mode::Local {
            Watch::Best
        } else if self.extents.iter().any(ends) {
            self.values.resize(self.columns, [self.above.h[0]; ROWS]);
            Watch::Values
        } else {
            Watch::Nothing
        }
    }

    fn chunk(&mut self, question: &Question<V>, watch: &Watch, [row, column]: [usize; 2], strip: &mut Strip<V>) {
        let columns = column..self.columns.min(column + COLUMNS);
        let cells = column + 1..columns.end + 1;
        let edge = Edge { strip, h: &mut self.above.h[cells.clone()], f: &mut self.above.gap[cells] };
        let part = Part { row, columns: columns.clone() };
        let directions = (self.keep == Keep::Directions).then(|| self.directions.strip(row, columns.clone()));
        let mut kept = Kept { window: &mut self.window, directions };
        match watch {
            Watch::Best => {
                let found = kept.compute(question, part, edge, self.ends.begin_chunk(column));
                self.ends.end_chunk(&found, column);
            }
            Watch::Values => {
                kept.compute(question, part, edge, Values(&mut self.values[columns]));
            }
            Watch::Nothing => {
                kept.compute(question, part, edge, Nothing);
            }
        }
    }

    /// Follows a traceback in each lane to the border or to its stop. Rows and columns count from the rectangle's first.
    pub fn trace(&mut self, question: &Question<V>, rectangles: &[Rectangle], tracebacks: &mut [Traceback]) {
        if self.keep == Keep::Directions {
            for (lane, (traceback, Rectangle { query, target, .. })) in
                tracebacks.iter_mut().zip(rectangles).enumerate()
            {
                let ground = Ground { scoring: question.scoring, query, target };
                traceback.follow(ground, [0; 2], |row, column| self.directions.get(lane, row, column));
            }
            return;
        }
        while tracebacks.iter().any(Traceback::goes_on) {
            self.patches.compute(question, &mut self.window, &self.checkpoints, tracebacks);
            self.patches.follow(question.scoring, rectangles, tracebacks);
        }
    }
}

/// What computes a chunk, and where its directions are kept, if they are.
struct Kept<'a, V: Vector> {
    window: &'a mut Window<V>,
    directions: Option<&'a mut [[V; ROWS]]>,
}

impl<V: Vector> Kept<'_, V> {
    fn compute<R: Record<V>>(&mut self, question: &Question<V>, part: Part, edge: Edge<V>, record: R) -> R {
        let Some(directions) = &mut self.directions else { return self.window.compute(question, part, edge, record) };
        let directions = Directions { directions, stop: question.stop(self.window.costs()) };
        self.window.compute(question, part, edge, (record, directions)).0
    }
}
