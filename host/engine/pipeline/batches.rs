//! How many batches exist at a time, and how large they are, from the memory that a run may take.
//!
//! ```text
//! memory     program | three fifths: batches | a fifth: their matches | a fifth: their results
//! ```

use std::ops::RangeInclusive;

/// What the program takes before it reads anything: itself, buffers of files, and what its threads work in.
pub const PROGRAM: usize = 16 << 20;
/// Bytes of a batch: enough for all cores and for a GPU, little against memory.
const BATCH: usize = 16 << 20;
/// The least batch, however little memory there is.
const LEAST_BATCH: usize = 64 << 10;
/// Batches in flight on the CPU: one computed, one read, one written, one to spare.
const FOR_CPU: usize = 4;
/// With a GPU, what can be read while its driver starts.
const FOR_GPU: usize = 24;
/// The fewest with which reading and computing overlap.
const FEWEST: usize = 2;
/// The most GPUs that search at a time.
const GPUS: usize = 8;

/// What is left of `memory` bytes for work: at least half, so that a run with less than the program takes is slow and no error.
pub fn for_work(memory: usize) -> usize {
    memory.saturating_sub(PROGRAM).max(memory / 2)
}

/// How many pieces `room` is divided into, and how large they are: as large as they may be before there are more of them. A piece
/// ends with the record that passes its size, for which there is a thirty-second more.
pub fn divided(room: usize, pieces: RangeInclusive<usize>, size: RangeInclusive<usize>) -> (usize, usize) {
    let pieces = (room / (size.end() + size.end() / 32)).clamp(*pieces.start(), *pieces.end());
    (pieces, (room / pieces / 33 * 32).clamp(*size.start(), *size.end()))
}

/// The batches of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batches {
    /// The most that exist at a time.
    pub in_flight: usize,
    /// Bytes that complete one.
    pub bytes: usize,
    /// Bytes that all in flight may take together, the longest record apart.
    pub room: usize,
    /// Bytes that the matches of one may take while they are chosen from.
    pub matches: usize,
    /// Bytes that the results of one may take in memory.
    pub results: usize,
}

impl Batches {
    /// Batches that fit a process of `memory` bytes. Three fifths of it are for batches, and each takes half as much again as
    /// what is counted of it (letters, qualities, names, places), for what vectors keep in reserve.
    pub fn new(memory: usize, for_gpu: bool) -> Self {
        let fifth = for_work(memory) / 5;
        let counted = 2 * fifth;
        let (most, engines) = if for_gpu { (FOR_GPU, GPUS) } else { (FOR_CPU, 1) };
        let (in_flight, bytes) = divided(counted, FEWEST..=most, LEAST_BATCH..=BATCH);
        Self {
            in_flight,
            bytes,
            room: counted.max(in_flight * bytes),
            matches: fifth / engines,
            results: fifth / in_flight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_gigabyte_holds_all_that_is_wanted() {
        for (for_gpu, most) in [(true, FOR_GPU), (false, FOR_CPU)] {
            let Batches { in_flight, bytes, .. } = Batches::new(1 << 30, for_gpu);
            assert_eq!((in_flight, bytes), (most, BATCH));
        }
    }

    #[test]
    fn less_memory_means_fewer_batches_then_smaller_ones() {
        for memory in [600 << 20, 200 << 20, 64 << 20, 2 * PROGRAM] {
            for for_gpu in [true, false] {
                let Batches { in_flight, bytes, room, matches, results } = Batches::new(memory, for_gpu);
                assert!(in_flight * bytes <= room && bytes >= LEAST_BATCH);
                let all = PROGRAM + room * 3 / 2 + matches + in_flight * results;
                assert!(all <= memory, "{memory}: {all}");
                assert!(bytes == BATCH || in_flight == FEWEST);
            }
        }
        let Batches { in_flight, bytes, room, .. } = Batches::new(1, true);
        assert_eq!((in_flight, bytes, room), (FEWEST, LEAST_BATCH, FEWEST * LEAST_BATCH));
    }
}
