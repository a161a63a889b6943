//! The shared memory of a group: the scores, which are the warp's, and of its tile the moves, query codes and left border.

use crate::abi::TracebackArgs;
use crate::tuning::{ALPHABET_MAX, CHECKPOINT, COLUMNS, TRACEBACK_LANES, TRACEBACK_PAIR_SHARED};
use cuda_std::{Shared, SharedMemory, warp};

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
    pub fn new(args: &TracebackArgs, lane: u32, mut shared: SharedMemory) -> Self {
        let words = shared.array(ALPHABET_MAX * ALPHABET_MAX / 4);
        copy_scores(args, lane, &words);
        let mut own = shared.part(lane / TRACEBACK_LANES, TRACEBACK_PAIR_SHARED);
        Self {
            scores: words.cast(),
            moves: own.array(CHECKPOINT * COLUMNS / 2),
            codes: own.array(CHECKPOINT),
            h: own.array(CHECKPOINT + 4),
            e: own.array(CHECKPOINT + 4),
        }
    }
}

/// Copies the scores, a word a lane at a time.
#[inline(always)]
fn copy_scores(args: &TracebackArgs, lane: u32, words: &Shared<u32>) {
    let mut word = lane;
    while word < words.len() {
        words.write(word, args.pairs.scores.read(word));
        word += 32;
    }
    warp::sync();
}
