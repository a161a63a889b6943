//! What a tile needs from outside: residues, the row above it, and the column to its left.
//!
//! Row and column come from the checkpoints of the forward pass, or are the border of the matrix.

use super::{Group, LANE_COLUMNS, LOWEST, Tile};
use crate::tuning::{ALPHABET_MAX, CHECKPOINT, COLUMNS, TRACEBACK_LANES};

impl Group<'_> {
    /// Loads what the first `rows` rows of a tile need into shared memory.
    #[inline(always)]
    pub(super) fn load(&self, tile: &Tile, rows: u32) {
        let Tile { first_row, first_column, .. } = *tile;
        let mut k = self.pair.lane;
        while k < rows {
            let residue = self.args.pairs.queries.read(self.pair.query + first_row + k);
            self.shared.codes.write(k, u32::from(self.args.pairs.codes.read(u32::from(residue))));
            let (h, e) = self.left_of(tile, first_row + k);
            self.shared.h.write(k + 1, h as u32);
            self.shared.e.write(k + 1, e as u32);
            k += TRACEBACK_LANES;
        }
        if self.pair.lane == 0 && rows > 0 {
            let border = first_row == 0;
            let corner = if border { self.args.rules.above(first_column) } else { self.left_of(tile, first_row - 1).0 };
            self.shared.h.write(0, corner as u32);
        }
    }

    /// H and E in the last column of the lane to the left of a tile, in row `row` counted from 0.
    #[inline(always)]
    fn left_of(&self, tile: &Tile, row: u32) -> (i32, i32) {
        if tile.first_column == 0 {
            return (self.args.rules.beside(row + 1), LOWEST);
        }
        let [_, columns, steps, _] = self.pair.packed_pair;
        let width = self.args.rules.width;
        let (strip, lane) = if tile.lane == 0 { (tile.strip - 1, width - 1) } else { (tile.strip, tile.lane - 1) };
        let step = row + lane;
        let element = columns + (strip * (steps / 4) + step / 4) * width + lane;
        let h = self.score(self.args.columns_h.read(element * 4 + step % 4));
        let linear = self.args.columns_e.is_empty();
        let e = if linear { LOWEST } else { self.score(self.args.columns_e.read(element * 4 + step % 4)) };
        (h, e)
    }

    /// H and F above this lane's columns of a tile.
    #[inline(always)]
    pub(super) fn top(&self, tile: &Tile) -> ([i32; LANE_COLUMNS], [i32; LANE_COLUMNS]) {
        let (mut h, mut f) = ([0; LANE_COLUMNS], [LOWEST; LANE_COLUMNS]);
        let [rows, _, steps, _] = self.pair.packed_pair;
        let mut k = 0;
        while k < LANE_COLUMNS {
            let column = self.pair.lane * LANE_COLUMNS as u32 + k as u32;
            if tile.first_row == 0 {
                h[k] = self.args.rules.above(tile.first_column + column + 1);
            } else {
                let checkpoints = tile.strip * (steps / CHECKPOINT + 1) + tile.checkpoint();
                let quad = checkpoints * (COLUMNS / 4) + column / 4;
                let element = rows + quad * self.args.rules.width + tile.lane;
                h[k] = self.score(self.args.rows_h.read(element * 4 + column % 4));
                if !self.args.rows_f.is_empty() {
                    f[k] = self.score(self.args.rows_f.read(element * 4 + column % 4));
                }
            }
            k += 1;
        }
        (h, f)
    }

    /// The codes of this lane's target residues, with padding past the end.
    #[inline(always)]
    pub(super) fn target_codes(&self, tile: &Tile) -> [u32; LANE_COLUMNS] {
        let mut codes = [ALPHABET_MAX - 1; LANE_COLUMNS];
        let mut k = 0;
        while k < LANE_COLUMNS {
            let column = tile.first_column + self.pair.lane * LANE_COLUMNS as u32 + k as u32;
            if column < self.pair.columns {
                let residue = self.args.pairs.targets.read(self.pair.target + column);
                codes[k] = u32::from(self.args.pairs.codes.read(u32::from(residue)));
            }
            k += 1;
        }
        codes
    }
}
