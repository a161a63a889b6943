//! A path, traced from its end to its start: through tiles, then along the border.

use super::cell::{E_EXTENDS, F_EXTENDS, LEFT, UP};
use super::{Group, LANE_COLUMNS, Tile};
use crate::abi::mode;
use crate::align::cell::Best;
use crate::tuning::TRACEBACK_LANES;
use cuda_std::warp;

/// The matrix that the path is in.
const IN_H: u32 = 0;
const IN_F: u32 = 1;
const IN_E: u32 = 2;

/// A path being traced: the next cell, counted from 1, and what was written.
pub struct Path {
    pub row: u32,
    pub column: u32,
    state: u32,
    pub moves: u32,
    /// The moves that were not written yet.
    word: u32,
    /// The word that the first moves are written to.
    first_word: u32,
    pub done: bool,
}

impl Path {
    /// A path of which only the end is known.
    #[inline(always)]
    pub fn from(end: &Best, first_word: u32) -> Self {
        Self { row: end.row, column: end.column, state: IN_H, moves: 0, word: 0, first_word, done: false }
    }
}

impl Group<'_> {
    /// Follows a path through one tile, or ends it at the border. All lanes of the warp call this.
    #[inline(always)]
    pub(super) fn follow(&self, path: &mut Path) {
        let inside = !path.done && path.row > 0 && path.column > 0;
        let (row, column) = if inside { (path.row, path.column) } else { (1, 1) };
        let tile = Tile::of(row, column, &self.args.rules);
        self.compute(&tile, if inside { path.row - tile.first_row } else { 0 }, |_, _| {});
        if self.pair.lane == 0 {
            if inside {
                self.follow_inside(path, &tile);
            }
            if !path.done && (path.row == 0 || path.column == 0) {
                self.follow_border(path);
            }
        }
        path.row = warp::shuffle(path.row, 0, TRACEBACK_LANES);
        path.column = warp::shuffle(path.column, 0, TRACEBACK_LANES);
        path.done = warp::shuffle(u32::from(path.done), 0, TRACEBACK_LANES) != 0;
    }

    #[inline(always)]
    fn follow_inside(&self, path: &mut Path, tile: &Tile) {
        while !path.done && path.row > tile.first_row && path.column > tile.first_column {
            let (row, column) = (path.row - 1 - tile.first_row, path.column - 1 - tile.first_column);
            let byte = self.shared.moves.read(row * TRACEBACK_LANES + column / LANE_COLUMNS as u32);
            let moves = u32::from(byte) >> (4 * (column % LANE_COLUMNS as u32));
            let mut step = moves & 3;
            if path.state == IN_F {
                step = UP;
            } else if path.state == IN_E {
                step = LEFT;
            }
            if step == 0 {
                path.done = true;
                return;
            }
            path.state = match step {
                UP if moves & F_EXTENDS != 0 => IN_F,
                LEFT if moves & E_EXTENDS != 0 => IN_E,
                _ => IN_H,
            };
            path.row -= u32::from(step != LEFT);
            path.column -= u32::from(step != UP);
            self.note(path, step);
        }
    }

    /// On the border a path goes on to the corner if that end is not free.
    #[inline(always)]
    fn follow_border(&self, path: &mut Path) {
        let rules = self.args.rules.mode;
        while rules == mode::GLOBAL && path.column > 0 {
            path.column -= 1;
            self.note(path, LEFT);
        }
        while (rules == mode::GLOBAL || rules == mode::FIT) && path.row > 0 && path.column == 0 {
            path.row -= 1;
            self.note(path, UP);
        }
        path.done = true;
    }

    /// Appends a move, and writes every 16 of them as a word.
    #[inline(always)]
    fn note(&self, path: &mut Path, step: u32) {
        path.word |= step << (path.moves % 16 * 2);
        path.moves += 1;
        if path.moves.is_multiple_of(16) {
            self.args.paths.write(path.first_word + path.moves / 16 - 1, path.word);
            path.word = 0;
        }
    }

    /// Writes the moves after the last full word.
    #[inline(always)]
    pub(super) fn write_rest(&self, path: &Path) {
        if !path.moves.is_multiple_of(16) {
            self.args.paths.write(path.first_word + path.moves / 16, path.word);
        }
    }
}
