//! The memory of a run, divided: how many batches exist at a time, and how large they are.
//!
//! ```text
//! batches   program | three fifths: batches | a fifth: their matches | a fifth: their rows
//! pairs     program | two fifths: held targets | two fifths: work in flight | a fifth: rows
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
const BATCHES_FOR_GPU: usize = 24;
/// With GPUs, of which there may be eight: one aligned and one read for each.
const PAIRS_FOR_GPU: usize = 16;
/// The fewest with which reading and computing overlap.
const FEWEST: usize = 2;
/// The most workers that compute at a time: eight GPUs and the CPU.
const WORKERS: usize = 9;

/// The memory of a run, in bytes where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The most batches that exist at a time.
    pub in_flight: usize,
    /// What completes a batch.
    pub batch: usize,
    /// What all batches in flight may take together, the longest record apart.
    pub room: usize,
    /// What the matches of a batch may take while they are chosen from.
    pub matches: usize,
    /// What the rows of a batch may take; more wait in a file.
    pub rows: usize,
    /// What may be held through the whole run: targets.
    pub held: usize,
}

impl Memory {
    /// For batches of sequences, in a process of `memory` bytes. A batch takes half as much again as what is counted of it
    /// (bases, qualities, names, places), for what vectors keep in reserve.
    pub fn for_batches(memory: usize, for_gpu: bool) -> Self {
        let fifth = for_work(memory) / 5;
        let counted = 2 * fifth;
        let (most, engines) = if for_gpu { (BATCHES_FOR_GPU, WORKERS) } else { (FOR_CPU, 1) };
        let (in_flight, batch) = divided(counted, FEWEST..=most, LEAST_BATCH..=BATCH);
        let room = counted.max(in_flight * batch);
        Self { in_flight, batch, room, matches: fifth / engines, rows: fifth / in_flight, held: 0 }
    }

    /// For pairs of sequences, in a process of `memory` bytes. Work is counted in a unit that takes `unit` bytes.
    pub fn for_pairs(memory: usize, for_gpu: bool, unit: usize) -> Self {
        let fifth = for_work(memory) / 5;
        let (held, room) = (2 * fifth, 2 * fifth / unit);
        let most = if for_gpu { PAIRS_FOR_GPU } else { FOR_CPU };
        let (in_flight, batch) = divided(room, FEWEST..=most, LEAST_BATCH..=BATCH);
        Self { in_flight, batch, room: room.max(in_flight * batch), matches: 0, rows: fifth / in_flight, held }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_gigabyte_holds_all_that_is_wanted() {
        for (for_gpu, most) in [(true, BATCHES_FOR_GPU), (false, FOR_CPU)] {
            let Memory { in_flight, batch, .. } = Memory::for_batches(1 << 30, for_gpu);
            assert_eq!((in_flight, batch), (most, BATCH));
        }
        for (for_gpu, most) in [(false, FOR_CPU), (true, PAIRS_FOR_GPU)] {
            let memory = Memory::for_pairs(1 << 30, for_gpu, 2);
            assert!(memory.in_flight >= most.min(12) && memory.batch == BATCH, "{memory:?}");
        }
    }

    #[test]
    fn less_memory_means_fewer_batches_then_smaller_ones() {
        for bytes in [600 << 20, 200 << 20, 64 << 20, 2 * PROGRAM] {
            for for_gpu in [true, false] {
                let Memory { in_flight, batch, room, matches, rows, .. } = Memory::for_batches(bytes, for_gpu);
                assert!(in_flight * batch <= room && batch >= LEAST_BATCH);
                let all = PROGRAM + room * 3 / 2 + matches + in_flight * rows;
                assert!(all <= bytes, "{bytes}: {all}");
                assert!(batch == BATCH || in_flight == FEWEST);
            }
            let Memory { in_flight, batch, room, held, rows, .. } = Memory::for_pairs(bytes, true, 4);
            assert!(room * 4 + held + in_flight * rows + PROGRAM <= bytes, "{bytes}: {in_flight}");
            assert!(in_flight * batch <= room && (batch == BATCH || in_flight == FEWEST));
        }
        let Memory { in_flight, batch, room, .. } = Memory::for_batches(1, true);
        assert_eq!((in_flight, batch, room), (FEWEST, LEAST_BATCH, FEWEST * LEAST_BATCH));
        let least = Memory::for_pairs(1, true, 4);
        assert_eq!((least.in_flight, least.batch, least.held), (FEWEST, LEAST_BATCH, 0));
    }
}
