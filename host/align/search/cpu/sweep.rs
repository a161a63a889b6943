//! The recurrence: the rows of one query over some columns of all lanes.
//!
//! ```text
//!               columns, in registers: H and F of the row above
//!             ┌──┬──┬──┬──┬──┬──┬──┬──┐
//!  Row: H, E  │->│->│->│->│->│->│->│->│  Row: H, E of the last column
//!             ├──┼──┼──┼──┼──┼──┼──┼──┤
//!             │  │  │  │  │  │  │  │  │
//! ```
//!
//! Numbers count from the least of a lane, which stands for 0; see [`super`]. The gap of an edge is that of the cell
//! that follows.

use super::block::Profile;
use crate::cpu::vector::Vector;

/// H left of a row, and E of the row's next cell.
#[derive(Clone, Copy)]
pub struct Row<V> {
    h: V,
    e: V,
}

/// What is the same for all cells.
#[derive(Clone, Copy)]
pub struct Costs<V> {
    pub open: V,
    pub extend: V,
    /// The number of the score 0.
    pub zero: V,
}

impl<V: Vector> Costs<V> {
    /// A row without cells.
    pub fn row(&self) -> Row<V> {
        Row { h: self.zero, e: self.zero }
    }
}

/// Computes the cells of `ACROSS` columns of the profile from `first` on; returns `best`, or the highest score where that is more.
#[inline(always)]
pub fn sweep<V: Vector, const ACROSS: usize, const AFFINE: bool>(
    (profile, first): (&Profile<V>, usize),
    (query, rows): (&[u8], &mut [Row<V>]),
    costs: &Costs<V>,
    mut best: V,
) -> V {
    let Costs { open, extend, zero } = *costs;
    let (mut h, mut f, mut corner) = ([zero; ACROSS], [zero; ACROSS], zero);
    for (&code, row) in query.iter().zip(rows) {
        let scores: &[V; ACROSS] = profile[usize::from(code) % profile.len()][first..].first_chunk().expect("columns");
        let Row { h: mut left, mut e } = *row;
        let mut diagonal = std::mem::replace(&mut corner, left);
        for column in 0..ACROSS {
            let matched = diagonal.add(scores[column]);
            diagonal = h[column];
            if AFFINE {
                left = matched.max(f[column]).max(e);
                let opened = left.sub(open);
                e = e.sub(extend).max(opened);
                f[column] = f[column].sub(extend).max(opened);
            } else {
                left = matched.max(diagonal.max(left).sub(open));
            }
            h[column] = left;
            best = best.max(left);
        }
        *row = Row { h: left, e };
    }
    best
}
