//! The way back through the matrix of one pair, by a group of eight lanes.
//!
//! ```text
//! tile: 32 rows x 16 columns        lane 0 lane 1 ... lane 7, two columns each, row t - lane in step t
//! above: row checkpoint             H and E left of the tile: column checkpoint, through shared memory
//! ```
//!
//! A tile is one forward lane's columns between two of its row checkpoints, so its rows start at 32 k minus that lane's
//! number. The group computes it from its first row down to the row in which the path enters, and keeps four bits a cell:
//! where H comes from (0 nowhere, 1 diagonal, 2 up, 3 left), whether F extends (4), whether E extends (8). Then lane 0
//! follows the path until it leaves the tile. All in 32 bits, whatever the forward pass used.

use super::cell::Best;
use super::forward::first_of_group;
use crate::abi::{Rules, WalkArgs, mode};
use crate::tuning::{CHECKPOINT, COLUMNS, LETTERS, WALK_TILE, WALKERS};
use cuda_std::{Shared, U32x4, warp};

/// Columns of a tile that a lane computes.
const PART: usize = (COLUMNS / WALKERS) as usize;
const LOWEST: i32 = -0x3000_0000;

/// Where a path is: the matrix that its last cell belongs to.
const IN_H: u32 = 0;
const IN_F: u32 = 1;
const IN_E: u32 = 2;

/// The moves of a path.
const DIAGONAL: u32 = 1;
const UP: u32 = 2;
const LEFT: u32 = 3;

/// The shared memory of a group.
struct Board {
    scores: Shared<u8>,
    moves: Shared<u8>,
    codes: Shared<u32>,
    /// Entry r + 1 is left of the tile's row r; entry 0 is above the first row's.
    h: Shared<u32>,
    e: Shared<u32>,
}

/// A pair, as its group sees it.
struct Pair {
    rows: u32,
    columns: u32,
    query: u32,
    target: u32,
    couple: [u32; 4],
    /// Which of the couple's pairs.
    half: u32,
    lane: u32,
}

/// Columns of one forward lane, some of its rows.
#[derive(Clone, Copy)]
struct Tile {
    strip: u32,
    lane: u32,
    first_row: u32,
    first_column: u32,
}

/// A row after it was computed.
struct Row {
    h: [i32; PART],
}

/// A path being followed: the next cell, counted from 1, and what was written.
struct Path {
    row: u32,
    column: u32,
    state: u32,
    moves: u32,
    word: u32,
    done: bool,
}

pub struct Group<'a> {
    args: &'a WalkArgs,
    board: Board,
    pair: Pair,
}

/// Finds the end of a pair's alignment and walks back. All lanes of the warp call; `index` names the group's pair.
#[inline(always)]
pub fn walk(args: &WalkArgs, index: u32) {
    let group = Group::new(args, index.min(args.pairs.places.len() as u32 - 1));
    let exists = u64::from(index) < args.pairs.places.len();
    let best = group.end();
    let mut path = Path {
        row: best.row,
        column: best.column,
        state: IN_H,
        moves: 0,
        word: 0,
        done: !exists || args.want_path == 0 || args.rules.mode == mode::LOCAL && best.score == 0,
    };
    let first_word = args.path_starts.read(index.min(args.path_starts.len() as u32 - 1));
    while warp::ballot(!path.done) != 0 {
        group.follow(&mut path, first_word);
    }
    if group.pair.lane == 0 && exists {
        if !path.moves.is_multiple_of(16) {
            args.paths.write(first_word + path.moves / 16, path.word);
        }
        args.results.write(2 * index, U32x4([best.score as u32, best.row, best.column, path.moves]));
        args.results.write(2 * index + 1, U32x4([path.row, path.column, 0, 0]));
    }
}

impl<'a> Group<'a> {
    #[inline(always)]
    fn new(args: &'a WalkArgs, index: u32) -> Self {
        let lane = warp::lane_id();
        let scores = Shared::at(0, LETTERS * LETTERS);
        let words = Shared::<u32>::at(0, LETTERS * LETTERS / 4);
        let mut word = lane;
        while word < LETTERS * LETTERS / 4 {
            words.write(word, args.pairs.scores.read(word));
            word += 32;
        }
        warp::sync();
        let base = LETTERS * LETTERS + lane / WALKERS * WALK_TILE;
        let moves = CHECKPOINT * COLUMNS / 2;
        let borders = base + moves + CHECKPOINT * 4;
        let board = Board {
            scores,
            moves: Shared::at(base, moves),
            codes: Shared::at(base + moves, CHECKPOINT),
            h: Shared::at(borders, CHECKPOINT + 4),
            e: Shared::at(borders + (CHECKPOINT + 4) * 4, CHECKPOINT + 4),
        };
        let [query, rows, target, columns] = args.pairs.places.read(index).0;
        let couple = args.couples.read(index >> (args.packed - 1)).0;
        let pair = Pair { rows, columns, query, target, couple, half: index & (args.packed - 1), lane: lane % WALKERS };
        Self { args, board, pair }
    }

    /// A score from a word of a checkpoint.
    #[inline(always)]
    fn score(&self, word: u32) -> i32 {
        match (self.args.packed, self.pair.half) {
            (1, _) => word as i32,
            (_, 0) => i32::from(word as i16),
            _ => word as i32 >> 16,
        }
    }

    /// The tile of a cell, counted from 1.
    #[inline(always)]
    fn tile(&self, row: u32, column: u32) -> Tile {
        let width = self.args.rules.width;
        let at = (column - 1) / COLUMNS;
        let lane = at & (width - 1);
        let first_step = (row - 1 + lane) / CHECKPOINT * CHECKPOINT;
        Tile {
            strip: at >> width.trailing_zeros(),
            lane,
            first_row: first_step.saturating_sub(lane),
            first_column: at * COLUMNS,
        }
    }

    /// H and E (scores) in the last column of the lane left of a tile, in row `row` counted from 0.
    #[inline(always)]
    fn beside_tile(&self, tile: &Tile, row: u32) -> (i32, i32) {
        if tile.first_column == 0 {
            return (self.args.rules.beside(row + 1), LOWEST);
        }
        let [_, columns, steps, _] = self.pair.couple;
        let width = self.args.rules.width;
        let (strip, lane) = if tile.lane == 0 { (tile.strip - 1, width - 1) } else { (tile.strip, tile.lane - 1) };
        let step = row + lane;
        let element = columns + (strip * (steps / 4) + step / 4) * width + lane;
        let h = self.score(self.args.columns_h.read(element * 4 + step % 4));
        let linear = self.args.columns_e.is_empty();
        let e = if linear { LOWEST } else { self.score(self.args.columns_e.read(element * 4 + step % 4)) };
        (h, e)
    }

    /// Puts what the rows of a tile need into shared memory.
    #[inline(always)]
    fn lay_out(&self, tile: &Tile, rows: u32) {
        let Tile { first_row, first_column, .. } = *tile;
        let mut k = self.pair.lane;
        while k < rows {
            let letter = self.args.pairs.queries.read(self.pair.query + first_row + k);
            self.board.codes.write(k, u32::from(self.args.pairs.codes.read(u32::from(letter))));
            let (h, e) = self.beside_tile(tile, first_row + k);
            self.board.h.write(k + 1, h as u32);
            self.board.e.write(k + 1, e as u32);
            k += WALKERS;
        }
        if self.pair.lane == 0 && rows > 0 {
            let corner = if first_row == 0 {
                self.args.rules.above(first_column)
            } else {
                self.beside_tile(tile, first_row - 1).0
            };
            self.board.h.write(0, corner as u32);
        }
    }

    /// H and F above this lane's columns of a tile.
    #[inline(always)]
    fn top(&self, tile: &Tile) -> ([i32; PART], [i32; PART]) {
        let (mut h, mut f) = ([0; PART], [LOWEST; PART]);
        let [rows, _, steps, _] = self.pair.couple;
        let width = self.args.rules.width;
        let checkpoint = (tile.first_row + tile.lane) / CHECKPOINT;
        let mut k = 0;
        while k < PART {
            let column = self.pair.lane * PART as u32 + k as u32;
            if tile.first_row == 0 {
                h[k] = self.args.rules.above(tile.first_column + column + 1);
            } else {
                let checkpoints = tile.strip * (steps / CHECKPOINT + 1) + checkpoint;
                let element = rows + (checkpoints * (COLUMNS / 4) + column / 4) * width + tile.lane;
                h[k] = self.score(self.args.rows_h.read(element * 4 + column % 4));
                if !self.args.rows_f.is_empty() {
                    f[k] = self.score(self.args.rows_f.read(element * 4 + column % 4));
                }
            }
            k += 1;
        }
        (h, f)
    }

    /// The codes of this lane's target letters; padding past the end.
    #[inline(always)]
    fn target_codes(&self, tile: &Tile) -> [u32; PART] {
        let mut codes = [LETTERS - 1; PART];
        let mut k = 0;
        while k < PART {
            let column = tile.first_column + self.pair.lane * PART as u32 + k as u32;
            if column < self.pair.columns {
                let letter = self.args.pairs.targets.read(self.pair.target + column);
                codes[k] = u32::from(self.args.pairs.codes.read(u32::from(letter)));
            }
            k += 1;
        }
        codes
    }

    /// Computes the first `rows` rows of a tile; none when that is 0. `see` gets each row of this lane's columns. All lanes
    /// of the warp call.
    #[inline(always)]
    fn compute(&self, tile: &Tile, rows: u32, mut see: impl FnMut(u32, &Row)) {
        warp::sync();
        self.lay_out(tile, rows);
        warp::sync();
        let exists = rows > 0;
        let (mut h, mut f) = if exists { self.top(tile) } else { ([0; PART], [0; PART]) };
        let codes = if exists { self.target_codes(tile) } else { [0; PART] };
        let lane = self.pair.lane;
        let mut corner = warp::shuffle_up(h[PART - 1] as u32, 1, WALKERS) as i32;
        let mut e_out = LOWEST;
        let mut scores = self.scores(&codes, 0u32.wrapping_sub(lane), rows);
        // As many steps as the group with the most rows takes.
        let steps = if warp::ballot(exists) == 0 { 0 } else { !warp::reduce_min(!rows) + WALKERS - 1 };
        let mut step = 0;
        while step < steps {
            let mut left = warp::shuffle_up(h[PART - 1] as u32, 1, WALKERS) as i32;
            let mut e = warp::shuffle_up(e_out as u32, 1, WALKERS) as i32;
            let row = step.wrapping_sub(lane);
            let next_scores = self.scores(&codes, row.wrapping_add(1), rows);
            if row < rows {
                if lane == 0 {
                    left = self.board.h.read(row + 1) as i32;
                    e = self.board.e.read(row + 1) as i32;
                    corner = self.board.h.read(row) as i32;
                }
                let next_corner = left;
                let mut moves = 0;
                let mut k = 0;
                while k < PART {
                    let cell = self.cell([corner, h[k], f[k], left, e], scores[k]);
                    corner = h[k];
                    (h[k], f[k], e) = (cell.h, cell.f, cell.e);
                    left = cell.h;
                    moves |= cell.moves << (4 * k);
                    k += 1;
                }
                corner = next_corner;
                e_out = e;
                self.board.moves.write(row * WALKERS + lane, moves as u8);
                see(row, &Row { h });
            }
            scores = next_scores;
            step += 1;
        }
        warp::sync();
    }

    /// The scores of a row's letter over this lane's columns; loaded a step before they are used, since little else hides
    /// the loads here.
    #[inline(always)]
    fn scores(&self, codes: &[u32; PART], row: u32, rows: u32) -> [i32; PART] {
        let mut scores = [0; PART];
        if row < rows {
            let code = self.board.codes.read(row);
            let mut k = 0;
            while k < PART {
                scores[k] = i32::from(self.board.scores.read(codes[k] * LETTERS + code) as i8);
                k += 1;
            }
        }
        scores
    }

    /// One cell, by the rules: candidates in the order diagonal, up, left; opening before extending.
    #[inline(always)]
    fn cell(&self, [corner, h_up, f_up, h_left, e_left]: [i32; 5], score: i32) -> Cell {
        let rules = &self.args.rules;
        let (f_open, f_extend) = (h_up - rules.open, f_up - rules.extend);
        let (e_open, e_extend) = (h_left - rules.open, e_left - rules.extend);
        let (f, e) = (f_open.max(f_extend), e_open.max(e_extend));
        let diagonal = corner + score;
        let local = rules.mode == mode::LOCAL;
        let h = diagonal.max(f).max(e).max(if local { 0 } else { i32::MIN });
        let mut moves = if h == e { LEFT } else { 0 };
        moves = if h == f { UP } else { moves };
        moves = if h == diagonal { DIAGONAL } else { moves };
        moves = if local && self.args.stop_at_zero != 0 && h == 0 { 0 } else { moves };
        moves |= u32::from(f_open < f_extend) << 2 | u32::from(e_open < e_extend) << 3;
        Cell { h, f, e, moves }
    }

    /// Follows a path through one tile; a border ends it. All lanes of the warp call.
    #[inline(always)]
    fn follow(&self, path: &mut Path, first_word: u32) {
        let inside = !path.done && path.row > 0 && path.column > 0;
        let tile = self.tile(if inside { path.row } else { 1 }, if inside { path.column } else { 1 });
        self.compute(&tile, if inside { path.row - tile.first_row } else { 0 }, |_, _| {});
        if self.pair.lane == 0 {
            if inside {
                self.follow_inside(path, &tile, first_word);
            }
            if !path.done && (path.row == 0 || path.column == 0) {
                self.follow_border(path, first_word);
            }
        }
        path.row = warp::shuffle(path.row, 0, WALKERS);
        path.column = warp::shuffle(path.column, 0, WALKERS);
        path.done = warp::shuffle(u32::from(path.done), 0, WALKERS) != 0;
    }

    #[inline(always)]
    fn follow_inside(&self, path: &mut Path, tile: &Tile, first_word: u32) {
        while !path.done && path.row > tile.first_row && path.column > tile.first_column {
            let (row, column) = (path.row - 1 - tile.first_row, path.column - 1 - tile.first_column);
            let byte = self.board.moves.read(row * WALKERS + column / PART as u32);
            let moves = u32::from(byte) >> (4 * (column % PART as u32));
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
                UP if moves & 4 != 0 => IN_F,
                LEFT if moves & 8 != 0 => IN_E,
                _ => IN_H,
            };
            path.row -= u32::from(step != LEFT);
            path.column -= u32::from(step != UP);
            self.note(path, step, first_word);
        }
    }

    /// On the border a path goes on to the corner where that end is not free.
    #[inline(always)]
    fn follow_border(&self, path: &mut Path, first_word: u32) {
        let rules = self.args.rules.mode;
        while rules == mode::GLOBAL && path.column > 0 {
            path.column -= 1;
            self.note(path, LEFT, first_word);
        }
        while (rules == mode::GLOBAL || rules == mode::FIT) && path.row > 0 && path.column == 0 {
            path.row -= 1;
            self.note(path, UP, first_word);
        }
        path.done = true;
    }

    #[inline(always)]
    fn note(&self, path: &mut Path, step: u32, first_word: u32) {
        path.word |= step << (path.moves % 16 * 2);
        path.moves += 1;
        if path.moves.is_multiple_of(16) {
            self.args.paths.write(first_word + path.moves / 16 - 1, path.word);
            path.word = 0;
        }
    }

    /// The end of the alignment: rows and columns counted from 1. All lanes of the warp call.
    #[inline(always)]
    fn end(&self) -> Best {
        match self.args.rules.mode {
            mode::LOCAL => self.local_end(),
            mode::OVERLAP => self.overlap_end(self.last_row_end()),
            _ => self.last_row_end(),
        }
    }

    /// The best of the forward pass's records; its column by computing the tile again.
    #[inline(always)]
    fn local_end(&self) -> Best {
        let [_, _, steps, first] = self.pair.couple;
        let Rules { width, .. } = self.args.rules;
        let strips = (((self.pair.columns - 1) / COLUMNS) >> width.trailing_zeros()) + 1;
        let records = strips * self.args.rules.chunks(steps);
        let mut best = Best { score: 0, row: u32::MAX, column: u32::MAX };
        let mut k = self.pair.lane;
        while k < records {
            let [score, row, column, _] = self.args.records.read((first + k) * self.args.packed + self.pair.half).0;
            let record = Best { score: score as i32, row, column };
            if record.before(&best) {
                best = record;
            }
            k += WALKERS;
        }
        let best = first_of_group(best, WALKERS);
        let found = best.score > 0;
        let (row, column) = if found { (best.row + 1, best.column + 1) } else { (1, 1) };
        let tile = self.tile(row, column);
        let mut first = u32::MAX;
        self.compute(&tile, if found { row - tile.first_row } else { 0 }, |at, computed| {
            let mut k = PART;
            while at + tile.first_row + 1 == row && k > 0 {
                k -= 1;
                if computed.h[k] == best.score {
                    first = tile.first_column + self.pair.lane * PART as u32 + k as u32 + 1;
                }
            }
        });
        let end = first_of_group(Best { score: best.score, row, column: first }, WALKERS);
        if found { end } else { Best { score: 0, row: 0, column: 0 } }
    }

    /// The best cell of the last row: of all its cells, or of its last one in global mode.
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
            column += WALKERS;
        }
        first_of_group(best, WALKERS)
    }

    /// H of the last row in a column counted from 0.
    #[inline(always)]
    fn last(&self, column: u32) -> i32 {
        let width = self.args.rules.width;
        let (at, inside) = (column / COLUMNS, column % COLUMNS);
        let strip = self.pair.couple[3] + (at >> width.trailing_zeros());
        let quad = (strip * self.args.packed + self.pair.half) * (COLUMNS / 4) + inside / 4;
        self.score(self.args.last.read((quad * width + (at & (width - 1))) * 4 + inside % 4))
    }

    /// The better of `best`, an end in the last row, and the ends in the last column, which is computed again.
    #[inline(always)]
    fn overlap_end(&self, mut best: Best) -> Best {
        let Pair { rows, columns, lane, .. } = self.pair;
        let above = Best { score: self.args.rules.above(columns), row: 0, column: columns };
        if above.before(&best) {
            best = above;
        }
        let mut row = 1;
        while warp::ballot(row <= rows) != 0 {
            let tile = self.tile(row.min(rows), columns);
            let next = rows.min((tile.first_row + tile.lane) / CHECKPOINT * CHECKPOINT + CHECKPOINT - tile.lane);
            let mine = (columns - 1 - tile.first_column) / PART as u32 == lane;
            let at = (columns - 1 - tile.first_column) as usize % PART;
            self.compute(&tile, if row <= rows { next - tile.first_row } else { 0 }, |computed_row, computed| {
                let mut score = computed.h[0];
                let mut k = 1;
                while k < PART {
                    score = if at == k { computed.h[k] } else { score };
                    k += 1;
                }
                let found = Best { score, row: tile.first_row + computed_row + 1, column: columns };
                if mine && found.before(&best) {
                    best = found;
                }
            });
            row = if row <= rows { next + 1 } else { row };
        }
        first_of_group(best, WALKERS)
    }
}

struct Cell {
    h: i32,
    f: i32,
    e: i32,
    moves: u32,
}
