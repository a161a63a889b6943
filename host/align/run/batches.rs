//! How many pieces of work exist at a time, and how large they are, from the memory that a run may take.

use crate::Want;
use crate::pairing::RECORD_BYTES;
use warpseq_engine::pipeline::batches::{divided, for_work};

/// The weight of a piece of work: enough for all cores and for a GPU, little against memory.
const WEIGHT: usize = 16 << 20;
/// The least, however little memory there is.
const LEAST_WEIGHT: usize = 64 << 10;
/// Pieces in flight on the CPU: one aligned, one read, one written, one to spare.
const FOR_CPU: usize = 4;
/// With GPUs, of which there may be eight: one aligned and one read for each.
const FOR_GPU: usize = 16;
/// The fewest with which reading and aligning overlap.
const FEWEST: usize = 2;
/// Bytes per unit of weight: letters, and text of a path that is longer than what it aligns.
const BYTES_WITHOUT_PATH: usize = 2;
/// With paths: columns that share an 8-byte run with others, in related sequences with very many.
const BYTES_WITH_PATH: usize = 4;
/// Indices of records have 32 bits.
const RECORDS_MAX: usize = u32::MAX as usize;

/// The pieces of work of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batches {
    /// The most that exist at a time.
    pub in_flight: usize,
    /// The weight that completes one.
    pub weight: usize,
    /// The weight that all may have together, the heaviest pair apart.
    pub room: usize,
    /// Bytes of targets that may be held.
    pub held: usize,
    /// Bytes that the rows of one may take in memory.
    pub rows: usize,
}

impl Batches {
    /// Work that fits a process of `memory` bytes, less what the program takes itself: two fifths of it are for held targets,
    /// two fifths for work, and one for rows.
    pub fn new(memory: usize, for_gpu: bool, want: Want) -> Self {
        let bytes = match want {
            Want::Score => BYTES_WITHOUT_PATH,
            Want::Path => BYTES_WITH_PATH,
        };
        let fifth = for_work(memory) / 5;
        let (held, room) = (2 * fifth, 2 * fifth / bytes);
        let most = if for_gpu { FOR_GPU } else { FOR_CPU };
        let (in_flight, weight) = divided(room, FEWEST..=most, LEAST_WEIGHT..=WEIGHT);
        let (room, held) = (room.max(in_flight * weight), held.min(RECORDS_MAX * RECORD_BYTES));
        Self { in_flight, weight, room, held, rows: fifth / in_flight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpseq_engine::pipeline::batches::PROGRAM;

    #[test]
    fn the_default_gigabyte_holds_all_that_is_wanted_of_scores() {
        for (for_gpu, most) in [(false, FOR_CPU), (true, FOR_GPU)] {
            let batches = Batches::new(1 << 30, for_gpu, Want::Score);
            assert!(batches.in_flight >= most.min(12) && batches.weight == WEIGHT, "{batches:?}");
        }
    }

    #[test]
    fn less_memory_means_fewer_batches_then_smaller_ones() {
        for memory in [600 << 20, 200 << 20, 64 << 20, 2 * PROGRAM] {
            let Batches { in_flight, weight, room, held, rows } = Batches::new(memory, true, Want::Path);
            assert!(room * BYTES_WITH_PATH + held + in_flight * rows + PROGRAM <= memory, "{memory}: {in_flight}");
            assert!(in_flight * weight <= room && (weight == WEIGHT || in_flight == FEWEST));
        }
        let least = Batches::new(1, true, Want::Path);
        assert_eq!((least.in_flight, least.weight, least.held), (FEWEST, LEAST_WEIGHT, 0));
    }
}
