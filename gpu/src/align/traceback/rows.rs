//! Recomputes a tile: a row per step in each lane, with its moves into shared memory.

use super::cell::{Before, Cell};
use super::{Group, LANE_COLUMNS, LOWEST, Tile};
use crate::tuning::{ALPHABET_MAX, TRACEBACK_LANES};
use cuda_std::warp;

/// This lane's columns of a tile, after some of its rows.
struct Columns<'c> {
    h: &'c mut [i32; LANE_COLUMNS],
    f: &'c mut [i32; LANE_COLUMNS],
    /// H to the left of the first column, in the last row.
    corner: i32,
    /// E of the last column.
    e: i32,
}

impl Group<'_> {
    /// Computes the first `rows` rows of a tile, or none if that is 0. `see` gets H of this lane's columns after each
    /// row. All lanes of the warp call this.
    #[inline(always)]
    pub(super) fn compute(&self, tile: &Tile, rows: u32, mut see: impl FnMut(u32, &[i32; LANE_COLUMNS])) {
        warp::sync();
        self.load(tile, rows);
        warp::sync();
        let exists = rows > 0;
        let (mut h, mut f) = if exists { self.top(tile) } else { ([0; LANE_COLUMNS], [0; LANE_COLUMNS]) };
        let codes = if exists { self.target_codes(tile) } else { [0; LANE_COLUMNS] };
        let lane = self.pair.lane;
        let corner = warp::shuffle_up(h[LANE_COLUMNS - 1] as u32, 1, TRACEBACK_LANES) as i32;
        let mut columns = Columns { h: &mut h, f: &mut f, corner, e: LOWEST };
        let mut scores = self.scores(&codes, 0u32.wrapping_sub(lane), rows);
        // As many steps as the group with the most rows takes.
        let steps = if warp::ballot(exists) == 0 { 0 } else { !warp::reduce_min(!rows) + TRACEBACK_LANES - 1 };
        let mut step = 0;
        while step < steps {
            let left = columns.of_lane_before();
            let row = step.wrapping_sub(lane);
            let next_scores = self.scores(&codes, row.wrapping_add(1), rows);
            if row < rows {
                self.compute_row(&mut columns, row, left, &scores);
                see(row, &{ *columns.h });
            }
            scores = next_scores;
            step += 1;
        }
        warp::sync();
    }

    /// Computes one row of this lane's columns. H and E to its left come from the lane before or, in the first lane,
    /// from shared memory.
    #[inline(always)]
    fn compute_row(&self, columns: &mut Columns, row: u32, left: (i32, i32), scores: &[i32; LANE_COLUMNS]) {
        let Columns { h, f, corner, e: e_out } = columns;
        let (mut left, mut e) = left;
        if self.pair.lane == 0 {
            left = self.shared.h.read(row + 1) as i32;
            e = self.shared.e.read(row + 1) as i32;
            *corner = self.shared.h.read(row) as i32;
        }
        let next_corner = left;
        let mut moves = 0;
        let mut k = 0;
        while k < LANE_COLUMNS {
            let before = Before { corner: *corner, h_up: h[k], f_up: f[k], h_left: left, e_left: e };
            let cell = Cell::after(&before, scores[k], &self.args.rules, self.args.stop_at_zero != 0);
            *corner = h[k];
            (h[k], f[k], e) = (cell.h, cell.f, cell.e);
            left = cell.h;
            moves |= cell.moves << (4 * k);
            k += 1;
        }
        *corner = next_corner;
        *e_out = e;
        self.shared.moves.write(row * TRACEBACK_LANES + self.pair.lane, moves as u8);
    }

    /// The scores of a row's residue in this lane's columns. They are loaded a step before they are used, since little
    /// else hides the loads here.
    #[inline(always)]
    fn scores(&self, codes: &[u32; LANE_COLUMNS], row: u32, rows: u32) -> [i32; LANE_COLUMNS] {
        let mut scores = [0; LANE_COLUMNS];
        if row < rows {
            let code = self.shared.codes.read(row);
            let mut k = 0;
            while k < LANE_COLUMNS {
                scores[k] = i32::from(self.shared.scores.read(codes[k] * ALPHABET_MAX + code) as i8);
                k += 1;
            }
        }
        scores
    }
}

impl Columns<'_> {
    /// H and E of the last column of the lane before. All lanes of the warp call this.
    #[inline(always)]
    fn of_lane_before(&self) -> (i32, i32) {
        let h = warp::shuffle_up(self.h[LANE_COLUMNS - 1] as u32, 1, TRACEBACK_LANES) as i32;
        let e = warp::shuffle_up(self.e as u32, 1, TRACEBACK_LANES) as i32;
        (h, e)
    }
}
