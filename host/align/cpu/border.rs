//! The cells that a rectangle begins at: H with the corner first, and E or F, for all lanes.

use super::question::Question;
use super::strip::{ROWS, Strip};
use super::vector::Vector;
use crate::{Mode, Scoring};

/// A row (H and F) or a column (H and E) of cells. Entry 0 is the corner, whose gap is never read.
#[derive(Clone)]
pub struct Border<V> {
    pub h: Vec<V>,
    pub gap: Vec<V>,
}

/// Which border of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Row 0.
    Above,
    /// Column 0.
    Left,
}

impl Side {
    /// H of the border's cell `k`: 0 or the cost of one gap.
    pub fn score(self, scoring: &Scoring, k: usize) -> i64 {
        let free = match scoring.mode {
            Mode::Local | Mode::Overlap => true,
            Mode::Fit => self == Self::Above,
            Mode::Global => false,
        };
        if free { 0 } else { -scoring.gap.cost(k) }
    }
}

impl<V: Vector> Border<V> {
    /// No cells.
    pub fn new() -> Self {
        Self { h: vec![], gap: vec![] }
    }

    /// Makes room for a corner and so many cells.
    pub fn resize(&mut self, cells: usize, proof: V) {
        self.h.resize(cells + 1, proof);
        self.gap.resize(cells + 1, proof);
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        (self.h.capacity() + self.gap.capacity()) * size_of::<V>()
    }

    /// The border of a pair, the same in all lanes. A gap there is one opening below H: no better than opening anew.
    pub fn begin(&mut self, question: &Question<V>, side: Side) {
        let open = i64::from(question.scoring.gap.open);
        for (k, (h, gap)) in self.h.iter_mut().zip(&mut self.gap).enumerate() {
            let score = side.score(question.scoring, k);
            (*h, *gap) = (question.number(score), question.number(score - open));
        }
    }

    /// Four rows from `row` on, of a border on the left.
    pub fn strip(&self, row: usize) -> Strip<V> {
        let cells =
            |border: &[V]| *border[row + 1..].first_chunk::<ROWS>().expect("borders are padded to whole strips");
        Strip { left: cells(&self.h), e: cells(&self.gap), corner: self.h[row] }
    }

    /// Keeps what a strip ends with, of a border on the right.
    pub fn keep(&mut self, row: usize, strip: &Strip<V>) {
        self.h[row + 1..][..ROWS].copy_from_slice(&strip.left);
        self.gap[row + 1..][..ROWS].copy_from_slice(&strip.e);
    }

    /// Sets entry `k` of one lane.
    pub fn set(&mut self, lane: usize, k: usize, [h, gap]: [V::Lane; 2]) {
        self.h[k].lanes_mut()[lane] = h;
        self.gap[k].lanes_mut()[lane] = gap;
    }

    /// Entry `k` of one lane.
    pub fn get(&self, lane: usize, k: usize) -> [V::Lane; 2] {
        [self.h[k].lanes()[lane], self.gap[k].lanes()[lane]]
    }
}
