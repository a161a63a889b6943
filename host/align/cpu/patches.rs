//! The patches where the tracebacks of all lanes are, with directions.

use super::block::Rectangle;
use super::border::Border;
use super::checkpoints::{Checkpoints, PATCH};
use super::question::Question;
use super::strip::{Directions, Edge, ROWS};
use super::table::Table;
use super::traceback::{Ground, Traceback};
use super::vector::Vector;
use super::window::{Part, Window};
use crate::Scoring;

/// A patch in each lane.
pub struct Patches<V> {
    /// First row, first column of each lane's patch.
    origins: Vec<[usize; 2]>,
    above: Border<V>,
    left: Border<V>,
    directions: Table<V>,
}

impl<V: Vector> Patches<V> {
    /// No patches.
    pub fn new(proof: V) -> Self {
        let mut border = Border::new();
        border.resize(PATCH, proof);
        let mut directions = Table::new();
        directions.resize([PATCH; 2], proof);
        Self { origins: vec![[0; 2]; V::LANES], above: border.clone(), left: border, directions }
    }

    /// Computes the patch of each traceback that goes on, up to the rows and columns that one of them needs.
    pub fn compute(
        &mut self,
        question: &Question<V>,
        window: &mut Window<V>,
        checkpoints: &Checkpoints<V>,
        tracebacks: &[Traceback],
    ) {
        let mut size = [0; 2];
        self.origins.fill([0; 2]);
        for (lane, traceback) in tracebacks.iter().enumerate().filter(|(_, traceback)| traceback.goes_on()) {
            let cell = [traceback.row, traceback.column];
            self.origins[lane] = cell.map(|at| (at - 1) / PATCH * PATCH);
            size = [0, 1].map(|k| size[k].max(cell[k] - self.origins[lane][k]));
            checkpoints.copy(lane, self.origins[lane], &mut self.above, &mut self.left);
        }
        window.open(question, &self.origins, size);
        let stop = question.stop(window.costs());
        for row in (0..size[0]).step_by(ROWS) {
            let mut strip = self.left.strip(row);
            let [h, f] = [&mut self.above.h, &mut self.above.gap].map(|border| &mut border[1..=size[1]]);
            let directions = self.directions.strip(row, 0..size[1]);
            let part = Part { row, columns: 0..size[1] };
            window.compute(question, part, Edge { strip: &mut strip, h, f }, Directions { directions, stop });
        }
    }

    /// Follows each traceback through its patch.
    pub fn follow(&self, scoring: &Scoring, rectangles: &[Rectangle], tracebacks: &mut [Traceback]) {
        for (lane, (traceback, rectangle)) in tracebacks.iter_mut().zip(rectangles).enumerate() {
            if traceback.goes_on() {
                let ground = Ground { scoring, query: rectangle.query, target: rectangle.target };
                traceback.follow(ground, self.origins[lane], |row, column| self.directions.get(lane, row, column));
            }
        }
    }
}
