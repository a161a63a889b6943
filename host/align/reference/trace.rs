//! From the end cell back to the start.
//!
//! In H the first candidate that equals the cell is followed: diagonal, F, E. In F and E a column is emitted at each cell,
//! and the way leads back to H as soon as the gap can have been opened here: opening wins over extending.
//!
//! Inside the border every cell equals one of its candidates, except where local mode put its 0. On the border a free end
//! is left out of the path; one that is charged is one gap, to the corner.

use super::matrices::{Matrices, charges_query_start, charges_target_start};
use crate::{Mode, Op, Run, Scoring, Stop};
use std::iter::repeat_n;

/// The matrix that the traceback stands in.
#[derive(Clone, Copy)]
enum Layer {
    H,
    F,
    E,
}

/// Where the traceback stands, and the column that brought it there; a change of matrix has none.
struct Step {
    column: Option<Op>,
    cell: (usize, usize),
    layer: Layer,
}

/// A pair and its matrices.
pub struct Trace<'a> {
    pub matrices: &'a Matrices,
    pub query: &'a [u8],
    pub target: &'a [u8],
    pub scoring: &'a Scoring,
}

impl Trace<'_> {
    /// The start cell, and the path from there to `end`.
    pub fn back(&self, end: (usize, usize)) -> ((usize, usize), Vec<Run>) {
        let (mut cell, mut layer, mut columns) = (end, Layer::H, Vec::new());
        while let Some(step) = self.step(cell, layer) {
            columns.extend(step.column);
            (cell, layer) = (step.cell, step.layer);
        }
        let (mut i, mut j) = cell;
        if j == 0 && charges_query_start(self.scoring.mode) {
            columns.extend(repeat_n(Op::Insertion, i));
            i = 0;
        }
        if i == 0 && charges_target_start(self.scoring.mode) {
            columns.extend(repeat_n(Op::Deletion, j));
            j = 0;
        }
        columns.reverse();
        ((i, j), runs(&columns))
    }

    fn step(&self, (i, j): (usize, usize), layer: Layer) -> Option<Step> {
        let Matrices { h, e, f } = self.matrices;
        let open = i64::from(self.scoring.gap.open);
        match layer {
            Layer::H => self.step_in_h((i, j)),
            Layer::F => {
                let opened = f[(i, j)] == h[(i - 1, j)] - open;
                let layer = if opened { Layer::H } else { Layer::F };
                Some(Step { column: Some(Op::Insertion), cell: (i - 1, j), layer })
            }
            Layer::E => {
                let opened = e[(i, j)] == h[(i, j - 1)] - open;
                let layer = if opened { Layer::H } else { Layer::E };
                Some(Step { column: Some(Op::Deletion), cell: (i, j - 1), layer })
            }
        }
    }

    /// `None` at the border, and where a local alignment starts.
    fn step_in_h(&self, (i, j): (usize, usize)) -> Option<Step> {
        let Matrices { h, e, f } = self.matrices;
        let zero = self.scoring.mode == Mode::Local && h[(i, j)] == 0;
        if i == 0 || j == 0 || zero && self.scoring.stop == Stop::AtZero {
            return None;
        }
        let (residue, symbol) = (self.query[i - 1], self.target[j - 1]);
        if h[(i, j)] == h[(i - 1, j - 1)] + i64::from(self.scoring.score(residue, symbol)) {
            let column = if self.scoring.equal(residue, symbol) { Op::Equal } else { Op::Different };
            return Some(Step { column: Some(column), cell: (i - 1, j - 1), layer: Layer::H });
        }
        let stay = |layer| Some(Step { column: None, cell: (i, j), layer });
        if h[(i, j)] == f[(i, j)] {
            stay(Layer::F)
        } else if h[(i, j)] == e[(i, j)] {
            stay(Layer::E)
        } else {
            assert!(zero, "only the 0 of local mode has no candidate");
            None
        }
    }
}

/// Columns of one kind together.
fn runs(columns: &[Op]) -> Vec<Run> {
    let alike = columns.chunk_by(|a, b| a == b);
    alike.map(|columns| Run { op: columns[0], length: columns.len() as u32 }).collect()
}
