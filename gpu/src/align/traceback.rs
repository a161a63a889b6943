//! The traceback through the matrix of one pair, by a group of eight lanes.
//!
//! ```text
//! tile: 32 rows x 16 columns        lane 0, lane 1, ... lane 7: two columns each; row t - lane in step t
//! above it: a row checkpoint        to its left: H and E of a column checkpoint, through shared memory
//! ```
//!
//! A tile is the columns of one forward lane between two of its row checkpoints, so its rows start at 32 k minus that
//! lane's number. The group computes the tile from its first row down to the row in which the path enters it, and keeps
//! four bits per cell: where H comes from (0 nowhere, 1 diagonal, 2 up, 3 left), whether F extends (4), and whether E
//! extends (8). Lane 0 then follows the path until it leaves the tile. All scores are 32 bits here, whatever the
//! forward pass used.

mod cell;
mod edge;
mod end;
mod path;
mod rows;
mod shared_storage;
mod tile;

use super::cell::Best;
use crate::abi::{TracebackArgs, mode};
use crate::tuning::{COLUMNS, TRACEBACK_LANES};
use cuda_std::{SharedMemory, U32x4, warp};
use path::Path;
use shared_storage::SharedStorage;
use tile::Tile;

/// Columns of a tile that each lane computes.
const LANE_COLUMNS: usize = (COLUMNS / TRACEBACK_LANES) as usize;
const LOWEST: i32 = -0x3000_0000;

/// A pair, as its group sees it.
struct Pair {
    rows: u32,
    columns: u32,
    query: u32,
    target: u32,
    packed_pair: [u32; 4],
    /// Which half of the packed pair it is.
    half: u32,
    lane: u32,
}

pub struct Group<'a> {
    args: &'a TracebackArgs<'a>,
    shared: SharedStorage,
    pair: Pair,
}

/// Finds the end of a pair's alignment and traces it back. All lanes of the warp call this; `index` is the group's
/// pair.
#[inline(always)]
pub fn trace(args: &TracebackArgs, index: u32, shared: SharedMemory) {
    let group = Group::new(args, index.min(args.pairs.places.len() as u32 - 1), shared);
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
    /// The group of this lane, with its shared memory set up. All lanes of the warp call this.
    #[inline(always)]
    fn new(args: &'a TracebackArgs, index: u32, shared: SharedMemory) -> Self {
        let lane = warp::lane_id();
        let shared = SharedStorage::new(args, lane, shared);
        let [query, rows, target, columns] = args.pairs.places.read(index).0;
        let packed_pair = args.packed_pairs.read(index >> (args.packed - 1)).0;
        let pair = Pair {
            rows,
            columns,
            query,
            target,
            packed_pair,
            half: index & (args.packed - 1),
            lane: lane % TRACEBACK_LANES,
        };
        Self { args, shared, pair }
    }

    /// This pair's score in a word of a checkpoint.
    #[inline(always)]
    fn score(&self, word: u32) -> i32 {
        match (self.args.packed, self.pair.half) {
            (1, _) => word as i32,
            (_, 0) => i32::from(word as i16),
            _ => word as i32 >> 16,
        }
    }

    /// Writes the rest of the path, and the pair's result.
    #[inline(always)]
    fn write(&self, index: u32, best: &Best, path: &Path) {
        self.write_rest(path);
        self.args.results.write(2 * index, U32x4([best.score as u32, best.row, best.column, path.moves]));
        self.args.results.write(2 * index + 1, U32x4([path.row, path.column, 0, 0]));
    }
}
