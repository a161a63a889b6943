//! What a group works on: its packed pair, strip and steps, and where its state is kept.

use super::Kind;
use crate::abi::ForwardArgs;
use crate::align::cell::Scores;
use crate::tuning::CHECKPOINT;
use cuda_std::warp;

/// The item of a group: a packed pair, a strip of its targets, and a range of steps.
pub struct Place {
    pub rows: u32,
    pub columns: u32,
    pub results: u32,
    pub strip: u32,
    pub first: u32,
    pub end: u32,
    /// Steps of the whole packed pair, a multiple of `CHECKPOINT`.
    pub steps: u32,
    /// Lanes of the group, and this lane's number in it.
    pub width: u32,
    pub lane: u32,
    /// The length of each pair's query, and its first residue.
    pub lengths: [u32; 2],
    pub starts: [u32; 2],
}

impl Place {
    /// The place of item `item`.
    #[inline(always)]
    pub fn new<K: Kind>(args: &ForwardArgs, item: u32) -> Self {
        let [packed_pair, strip, first, _] = args.items.read(item).0;
        let [rows, columns, steps, results] = args.packed_pairs.read(packed_pair).0;
        let width = args.rules.width;
        let pairs = K::Scores::PAIRS;
        let [start, length, ..] = args.pairs.places.read(packed_pair * pairs).0;
        let [other_start, other_length, ..] = args.pairs.places.read(packed_pair * pairs + pairs - 1).0;
        Self {
            rows,
            columns,
            results,
            strip,
            first,
            end: steps.min(first + args.rules.chunk),
            steps,
            width,
            lane: warp::lane_id() & (width - 1),
            lengths: [length, other_length],
            starts: [start, other_start],
        }
    }

    /// The first target column of this lane, for lanes of `columns` columns.
    #[inline(always)]
    pub fn first_column(&self, columns: usize) -> u32 {
        (self.strip * self.width + self.lane) * columns as u32
    }

    /// The element of the column checkpoints for lane `lane` of strip `strip` after step `step`.
    #[inline(always)]
    pub fn column_checkpoint(&self, strip: u32, step: u32, lane: u32) -> u32 {
        self.columns + (strip * (self.steps / 4) + step / 4) * self.width + lane
    }

    /// The element of the row checkpoints for the first of this lane's `quads` groups of four columns, before step
    /// `step`.
    #[inline(always)]
    pub fn row_checkpoint(&self, step: u32, quads: u32) -> u32 {
        let checkpoints = self.steps / CHECKPOINT + 1;
        self.rows + (self.strip * checkpoints + step / CHECKPOINT) * quads * self.width + self.lane
    }
}
