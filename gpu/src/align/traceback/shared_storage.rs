//! The shared memory of a group: the scores, which are the warp's, and of its tile the moves, query codes and left border.

use crate::abi::TracebackArgs;
use crate::tuning::{ALPHABET_MAX, CHECKPOINT, COLUMNS, TRACEBACK_LANES, TRACEBACK_PAIR_SHARED};
use cuda_std::{Shared, warp};

/// The parts of a group's shared memory.
pub struct SharedStorage {
    /// Signed: of target code t and query code q at `ALPHABET_MAX` t + q.
    pub scores: Shared<u8>,
    /// For each row, a byte of each lane.
    pub moves: Shared<u8>,
    pub codes: Shared<u32>,
    /// Entry r + 1 is left of the tile's row r; entry 0 is above the first row's.
    pub h: Shared<u32>,
    pub e: Shared<u32>,
}

impl SharedStorage {
    /// The board of the group of lane `lane` of the warp, with the scores on it. All lanes of the warp call.
    #[inline(always)]
    pub fn new(args: &TracebackArgs, lane: u32) -> Self {
        copy_scores(args, lane);
        let base = ALPHABET_MAX * ALPHABET_MAX + lane / TRACEBACK_LANES * TRACEBACK_PAIR_SHARED;
        let moves = CHECKPOINT * COLUMNS / 2;
        let borders = base + moves + CHECKPOINT * 4;
        Self {
            scores: Shared::at(0, ALPHABET_MAX * ALPHABET_MAX),
            moves: Shared::at(base, moves),
            codes: Shared::at(base + moves, CHECKPOINT),
            h: Shared::at(borders, CHECKPOINT + 4),
            e: Shared::at(borders + (CHECKPOINT + 4) * 4, CHECKPOINT + 4),
        }
    }
}

/// Copies the scores, a word a lane at a time.
#[inline(always)]
fn copy_scores(args: &TracebackArgs, lane: u32) {
    let words = Shared::<u32>::at(0, ALPHABET_MAX * ALPHABET_MAX / 4);
    let mut word = lane;
    while word < ALPHABET_MAX * ALPHABET_MAX / 4 {
        words.write(word, args.pairs.scores.read(word));
        word += 32;
    }
    warp::sync();
}
