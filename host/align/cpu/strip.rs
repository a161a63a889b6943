//! The recurrence: four rows of up to 64 columns, in every lane.
//!
//! # Who holds what
//!
//! ```text
//!              h, f: the row above, one vector per column; replaced by the last of the four rows
//!  corner   ┌────────────────────────────┐
//!           │ row 0   -> -> ->           │     left, e: the column before, one register per row; moves right
//!  left, e  │ row 1                      │
//!           │ row 2                      │     Source: s(q_i, t_j)
//!           │ row 3                      │     Record: what is kept of the cells
//!           └────────────────────────────┘
//! ```
//!
//! A lane is an alignment, so no value ever crosses lanes (Rognes 2011), and four rows share each load and store of the row
//! above. E and F before the first cell are one opening below H: no candidate that extends is better than the one that
//! opens, which is what minus infinity would do, without a number for it.

use super::vector::{Lane, Vector, Work};

/// Rows that are computed together.
pub const ROWS: usize = 4;
/// The most columns of a chunk: column numbers fit any lane, and what a chunk reads and writes stays in the first cache.
pub const COLUMNS: usize = 64;

/// What is the same for all cells of a lane.
#[derive(Clone, Copy)]
pub struct Costs<V> {
    pub open: V,
    pub extend: V,
    /// What a local alignment starts at; the least number in other modes.
    pub zero: V,
    /// The two scores of classes.
    pub equal: V,
    pub different: V,
}

/// What moves right.
#[derive(Clone, Copy)]
pub struct Strip<V> {
    /// H left of each row.
    pub left: [V; ROWS],
    /// E left of each row.
    pub e: [V; ROWS],
    /// H left of the row above.
    pub corner: V,
}

/// The cells that a chunk begins at: `h` and `f` of the row above have one entry per column.
pub struct Edge<'a, V> {
    pub strip: &'a mut Strip<V>,
    pub h: &'a mut [V],
    pub f: &'a mut [V],
}

/// A piece of a strip.
pub struct Chunk<'a, V, S, R> {
    pub edge: Edge<'a, V>,
    pub costs: &'a Costs<V>,
    pub source: S,
    pub record: R,
}

/// Where scores of residues come from.
pub trait Source<V> {
    /// The score of the residues of a cell, counted from the chunk's first.
    fn score(&self, row: usize, column: usize) -> V;
}

/// Residues that are equal or not: classes are compared.
pub struct Classes<'a, V> {
    pub query: [V; ROWS],
    /// One per column.
    pub target: &'a [V],
    pub costs: &'a Costs<V>,
}

impl<V: Vector> Source<V> for Classes<'_, V> {
    #[inline(always)]
    fn score(&self, row: usize, column: usize) -> V {
        self.query[row].if_equal(self.target[column], self.costs.equal, self.costs.different)
    }
}

/// Scores that were looked up before: the four rows of each column.
pub struct Scores<'a, V>(pub &'a [[V; ROWS]]);

impl<V: Vector> Source<V> for Scores<'_, V> {
    #[inline(always)]
    fn score(&self, row: usize, column: usize) -> V {
        self.0[column][row]
    }
}

/// A cell and what it was made of.
#[derive(Clone, Copy)]
pub struct Cell<V> {
    pub h: V,
    pub diagonal: V,
    pub f: V,
    pub e: V,
    /// F if it opens here.
    pub f_open: V,
    /// E if it opens here.
    pub e_open: V,
}

/// What is kept of the cells.
pub trait Record<V> {
    /// Sees every cell, the rows of a column from the top, columns from the left.
    fn cell(&mut self, row: usize, column: usize, cell: Cell<V>);
}

/// Two things are kept.
impl<V: Copy, A: Record<V>, B: Record<V>> Record<V> for (A, B) {
    #[inline(always)]
    fn cell(&mut self, row: usize, column: usize, cell: Cell<V>) {
        self.0.cell(row, column, cell);
        self.1.cell(row, column, cell);
    }
}

/// Nothing is kept.
pub struct Nothing;

impl<V: Vector> Record<V> for Nothing {
    #[inline(always)]
    fn cell(&mut self, _: usize, _: usize, _: Cell<V>) {}
}

/// The highest score of each row, beyond the one given, and the first column that has it.
#[derive(Clone, Copy)]
pub struct Best<V> {
    pub score: [V; ROWS],
    pub column: [V; ROWS],
    /// The number of the column that comes next.
    pub next: V,
    pub one: V,
}

impl<V: Vector> Best<V> {
    /// Nothing seen yet, but `score`; columns are counted from `next` on.
    pub fn beyond(score: [V; ROWS], next: i64) -> Self {
        let [next, one] = [next, 1].map(|number| score[0].splat(V::Lane::clamped(number)));
        Self { score, column: [next; ROWS], next, one }
    }
}

impl<V: Vector> Record<V> for Best<V> {
    #[inline(always)]
    fn cell(&mut self, row: usize, _: usize, cell: Cell<V>) {
        self.column[row] = cell.h.if_greater(self.score[row], self.next, self.column[row]);
        self.score[row] = self.score[row].max(cell.h);
        if row == ROWS - 1 {
            self.next = self.next.add(self.one);
        }
    }
}

/// H of every cell: the four rows of each column.
pub struct Values<'a, V>(pub &'a mut [[V; ROWS]]);

impl<V: Vector> Record<V> for Values<'_, V> {
    #[inline(always)]
    fn cell(&mut self, row: usize, column: usize, cell: Cell<V>) {
        self.0[column][row] = cell.h;
    }
}

/// Where H of a cell comes from: the low two bits of a direction.
pub const STOP: i64 = 0;
pub const DIAGONAL: i64 = 1;
pub const UP: i64 = 2;
pub const LEFT: i64 = 3;
/// Added when F, when E opens at the cell.
pub const F_OPENS: i64 = 4;
pub const E_OPENS: i64 = 8;

/// The direction of every cell: the four rows of each column.
pub struct Directions<'a, V> {
    pub directions: &'a mut [[V; ROWS]],
    pub stop: V,
}

impl<V: Vector> Record<V> for Directions<'_, V> {
    #[inline(always)]
    fn cell(&mut self, row: usize, column: usize, cell: Cell<V>) {
        let h = cell.h;
        let number = |number| h.splat(V::Lane::clamped(number));
        let left = h.if_equal(cell.e, number(LEFT), number(STOP));
        let up = h.if_equal(cell.f, number(UP), left);
        let from = h.if_equal(cell.diagonal, number(DIAGONAL), up);
        let from = h.if_equal(self.stop, number(STOP), from);
        let from = cell.f.if_equal(cell.f_open, from.add(number(F_OPENS)), from);
        self.directions[column][row] = cell.e.if_equal(cell.e_open, from.add(number(E_OPENS)), from);
    }
}

impl<V: Vector, S: Source<V>, R: Record<V>> Chunk<'_, V, S, R> {
    /// Computes its cells.
    pub fn compute(self, affine: bool) -> R {
        let proof = self.costs.open;
        if affine { proof.compiled(Compute::<_, true>(self)) } else { proof.compiled(Compute::<_, false>(self)) }
    }
}

/// The work of computing a chunk.
struct Compute<C, const AFFINE: bool>(C);

impl<V: Vector, S: Source<V>, R: Record<V>, const AFFINE: bool> Work for Compute<Chunk<'_, V, S, R>, AFFINE> {
    type Output = R;

    #[inline(always)]
    fn work(self) -> R {
        compute::<V, S, R, AFFINE>(self.0)
    }
}

#[inline(always)]
fn compute<V: Vector, S: Source<V>, R: Record<V>, const AFFINE: bool>(chunk: Chunk<V, S, R>) -> R {
    let Chunk { edge: Edge { strip, h, f }, costs, source, mut record } = chunk;
    let Costs { open, extend, zero, .. } = *costs;
    let h = &mut h[..f.len()];
    let Strip { mut left, mut e, mut corner } = *strip;
    for column in 0..h.len() {
        let mut above = h[column];
        let mut diagonal = std::mem::replace(&mut corner, above);
        let mut down = if AFFINE { f[column] } else { above };
        for row in 0..ROWS {
            let (f_open, e_open) = (above.sub(open), left[row].sub(open));
            down = if AFFINE { f_open.max(down.sub(extend)) } else { f_open };
            e[row] = if AFFINE { e_open.max(e[row].sub(extend)) } else { e_open };
            let matched = diagonal.add(source.score(row, column));
            let gap = if AFFINE { down.max(e[row]) } else { above.max(left[row]).sub(open) };
            above = matched.max(gap).max(zero);
            diagonal = std::mem::replace(&mut left[row], above);
            record.cell(row, column, Cell { h: above, diagonal: matched, f: down, e: e[row], f_open, e_open });
        }
        h[column] = above;
        if AFFINE {
            f[column] = down;
        }
    }
    *strip = Strip { left, e, corner };
    record
}
