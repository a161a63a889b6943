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

mod board;
mod cell;
mod edge;
mod end;
mod path;
mod rows;
mod tile;

use super::cell::Best;
use crate::abi::{WalkArgs, mode};
use crate::tuning::{COLUMNS, WALKERS};
use board::Board;
use cuda_std::{U32x4, warp};
use path::Path;
use tile::Tile;

/// Columns of a tile that a lane computes.
const PART: usize = (COLUMNS / WALKERS) as usize;
const LOWEST: i32 = -0x3000_0000;

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

pub struct Group<'a> {
    args: &'a WalkArgs<'a>,
    board: Board,
    pair: Pair,
}

/// Finds the end of a pair's alignment and walks back. All lanes of the warp call; `index` names the group's pair.
#[inline(always)]
pub fn walk(args: &WalkArgs, index: u32) {
    let group = Group::new(args, index.min(args.pairs.places.len() as u32 - 1));
    let exists = u64::from(index) < args.pairs.places.len();
    let best = group.end();
    let first_word = args.path_starts.read(index.min(args.path_starts.len() as u32 - 1));
    let mut path = Path::from(&best, first_word);
    path.done = !exists || args.want_path == 0 || args.rules.mode == mode::LOCAL && best.score == 0;
    while warp::ballot(!path.done) != 0 {
        group.follow(&mut path);
    }
    if group.pair.lane == 0 && exists {
        group.write(index, &best, &path);
    }
}

impl<'a> Group<'a> {
    /// The group of this lane, with its board laid out. All lanes of the warp call.
    #[inline(always)]
    fn new(args: &'a WalkArgs, index: u32) -> Self {
        let lane = warp::lane_id();
        let board = Board::new(args, lane);
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

    /// Writes what is left of the path, and the pair's result.
    #[inline(always)]
    fn write(&self, index: u32, best: &Best, path: &Path) {
        self.write_rest(path);
        self.args.results.write(2 * index, U32x4([best.score as u32, best.row, best.column, path.moves]));
        self.args.results.write(2 * index + 1, U32x4([path.row, path.column, 0, 0]));
    }
}
