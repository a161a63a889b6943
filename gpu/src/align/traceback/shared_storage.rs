//! Shared memory: the scores for the whole warp, and for each group the moves, query codes and left border of its tile.

use crate::abi::TracebackArgs;
use crate::tuning::{ALPHABET_MAX, CHECKPOINT, COLUMNS, TRACEBACK_LANES, TRACEBACK_PAIR_SHARED};
use cuda_std::{Shared, SharedMemory, warp};

/// The arrays of a group.
pub struct SharedStorage {
    /// Signed bytes: target code t against query code q is at `ALPHABET_MAX` t + q.
    pub scores: Shared<u8>,
    /// A byte for each row and lane: the moves of its two cells.
    pub moves: Shared<u8>,
    pub codes: Shared<u32>,
    /// Entry r + 1 is to the left of the tile's row r. Entry 0 is above the first row's.
    pub h: Shared<u32>,
    pub e: Shared<u32>,
}

impl SharedStorage {
    /// The arrays of lane `lane`'s group, with the scores copied. All lanes of the warp call this.
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

/// Copies the scores, a word per lane at a time.
#[inline(always)]
fn copy_scores(args: &TracebackArgs, lane: u32, words: &Shared<u32>) {
    let mut word = lane;
    while word < words.len() {
        words.write(word, args.pairs.scores.read(word));
        word += 32;
    }
    warp::sync();
}
