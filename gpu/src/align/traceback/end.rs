//! The end of a pair's alignment, from what the forward pass recorded. Its row and column count from 1.

use super::{Group, LANE_COLUMNS, Pair, Tile};
use crate::abi::mode;
use crate::align::cell::Best;
use crate::align::forward::first_of_group;
use crate::tuning::{COLUMNS, TRACEBACK_LANES};
use cuda_std::warp;

impl Group<'_> {
    /// The end of the alignment. All lanes of the warp call this.
    #[inline(always)]
    pub(super) fn end(&self) -> Best {
        match self.args.rules.mode {
            mode::LOCAL => self.local_end(),
            mode::OVERLAP => self.overlap_end(self.last_row_end()),
            _ => self.last_row_end(),
        }
    }

    /// The best of the forward pass's records. Recomputing its tile gives the column.
    #[inline(always)]
    fn local_end(&self) -> Best {
        let best = self.best_record();
        let found = best.score > 0;
        let (row, column) = if found { (best.row + 1, best.column + 1) } else { (1, 1) };
        let tile = Tile::of(row, column, &self.args.rules);
        let mut first = u32::MAX;
        self.compute(&tile, if found { row - tile.first_row } else { 0 }, |at, h| {
            let mut k = LANE_COLUMNS;
            while at + tile.first_row + 1 == row && k > 0 {
                k -= 1;
                if h[k] == best.score {
                    first = tile.first_column + self.pair.lane * LANE_COLUMNS as u32 + k as u32 + 1;
                }
            }
        });
        let end = first_of_group(Best { score: best.score, row, column: first }, TRACEBACK_LANES);
        if found { end } else { Best { score: 0, row: 0, column: 0 } }
    }

    /// The best record of the pair, with its row and its lane's first column counted from 0.
    #[inline(always)]
    fn best_record(&self) -> Best {
        let [_, _, steps, first] = self.pair.packed_pair;
        let rules = &self.args.rules;
        let strips = (((self.pair.columns - 1) / COLUMNS) >> rules.width.trailing_zeros()) + 1;
        let records = strips * rules.chunks(steps);
        let mut best = Best { score: 0, row: u32::MAX, column: u32::MAX };
        let mut k = self.pair.lane;
        while k < records {
            let [score, row, column, _] = self.args.records.read((first + k) * self.args.packed + self.pair.half).0;
            let record = Best { score: score as i32, row, column };
            if record.before(&best) {
                best = record;
            }
            k += TRACEBACK_LANES;
        }
        first_of_group(best, TRACEBACK_LANES)
    }

    /// The best cell of the last row; in global mode, the last cell of that row.
    #[inline(always)]
    fn last_row_end(&self) -> Best {
        let Pair { rows, columns, lane, .. } = self.pair;
        let global = self.args.rules.mode == mode::GLOBAL;
        let mut best = Best { score: self.args.rules.beside(rows), row: rows, column: 0 };
        let mut column = if global { columns } else { lane + 1 };
        if global || lane != 0 {
            best.score = i32::MIN;
        }
        while column <= columns {
            let found = Best { score: self.last(column - 1), row: rows, column };
            if found.before(&best) {
                best = found;
            }
            column += TRACEBACK_LANES;
        }
        first_of_group(best, TRACEBACK_LANES)
    }

    /// H of the last row, in a column counted from 0.
    #[inline(always)]
    fn last(&self, column: u32) -> i32 {
        let width = self.args.rules.width;
        let (at, inside) = (column / COLUMNS, column % COLUMNS);
        let strip = self.pair.packed_pair[3] + (at >> width.trailing_zeros());
        let quad = (strip * self.args.packed + self.pair.half) * (COLUMNS / 4) + inside / 4;
        self.score(self.args.last.read((quad * width + (at & (width - 1))) * 4 + inside % 4))
    }

    /// The best of `best`, an end in the last row, and of the ends in the last column, which is recomputed.
    #[inline(always)]
    fn overlap_end(&self, mut best: Best) -> Best {
        let Pair { rows, columns, .. } = self.pair;
        let above = Best { score: self.args.rules.above(columns), row: 0, column: columns };
        if above.before(&best) {
            best = above;
        }
        let mut row = 1;
        while warp::ballot(row <= rows) != 0 {
            let tile = Tile::of(row.min(rows), columns, &self.args.rules);
            let next = rows.min(tile.end_row());
            self.last_column_end(&tile, if row <= rows { next - tile.first_row } else { 0 }, &mut best);
            row = if row <= rows { next + 1 } else { row };
        }
        first_of_group(best, TRACEBACK_LANES)
    }

    /// Updates `best` with the last column's cells in the first `rows` rows of a tile.
    #[inline(always)]
    fn last_column_end(&self, tile: &Tile, rows: u32, best: &mut Best) {
        let columns = self.pair.columns;
        let mine = (columns - 1 - tile.first_column) / LANE_COLUMNS as u32 == self.pair.lane;
        let at = (columns - 1 - tile.first_column) as usize % LANE_COLUMNS;
        self.compute(tile, rows, |row, h| {
            let mut score = h[0];
            let mut k = 1;
            while k < LANE_COLUMNS {
                score = if at == k { h[k] } else { score };
                k += 1;
            }
            let found = Best { score, row: tile.first_row + row + 1, column: columns };
            if mine && found.before(best) {
                *best = found;
            }
        });
    }
}
