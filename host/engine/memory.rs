//! The memory of a run, divided: how many batches exist at a time, and how large they are.
//!
//! ```text
//! batches   program | three fifths: batches, read ahead and in flight | a fifth: their matches | a fifth: their rows
//! pairs     program | two fifths: held targets | a fifth: read ahead | a fifth: work in flight | a fifth: rows
//! ```
//!
//! A block that is read ahead takes its text and its records, so it counts twice.

use crate::devices::cpu_workers;
use crate::options::Processor;
use std::ops::RangeInclusive;
use warpseq_io::fastx::Sizes;

/// What the program takes before it reads anything: itself, buffers of files, and what its threads work in.
pub const PROGRAM: usize = 16 << 20;
/// Bytes of a block of text, and of the batch that is read from it: so many that what is read in order at its ends costs little,
/// so few that a file makes work for all threads.
const BLOCK: usize = 2 << 20;
/// What completes a piece of pairs: enough for all cores and for a GPU, little against memory.
const BATCH: usize = 8 << 20;
/// The least batch, however little memory there is.
const LEAST_BATCH: usize = 64 << 10;
/// Batches in flight on the CPU besides those that are computed: one read, one written, one to spare.
const BESIDES: usize = 3;
/// With a GPU, what can be read while its driver starts.
const BATCHES_FOR_GPU: usize = 96;
/// With GPUs, of which there may be eight: one aligned and one read for each.
const PAIRS_FOR_GPU: usize = 16;
/// The fewest with which reading and computing overlap.
const FEWEST: usize = 2;
/// The most GPUs that compute at a time.
const GPUS: usize = 8;

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
    /// How each input is read ahead.
    pub reading: Sizes,
}

/// Batches in flight where the CPU alone computes on `threads` threads.
pub fn for_cpu(threads: usize) -> usize {
    cpu_workers(threads) + BESIDES
}

/// Blocks that `threads` threads read ahead of what takes them: one each, and as many again for half of them.
fn blocks_ahead(threads: usize) -> usize {
    threads + threads.div_ceil(2)
}

impl Memory {
    /// For batches of sequences, in a process of `memory` bytes and `threads` threads. A batch takes half as much again as what is
    /// counted of it (bases, qualities, names, places), for what vectors keep in reserve. A batch may take
    /// `fold` bytes for each byte of text that is read at a time.
    pub fn for_batches(memory: usize, threads: usize, processor: Processor, fold: usize) -> Self {
        let fifth = for_work(memory) / 5;
        let counted = 2 * fifth;
        let computed = cpu_workers(threads);
        let (most, engines) = match processor {
            _ if !processor.expects_gpu() => (for_cpu(threads), computed),
            // Beside a GPU, not all of those on the CPU compute.
            _ => (BATCHES_FOR_GPU, computed.max(GPUS)),
        };
        let ahead = blocks_ahead(threads);
        let of_ahead = |block: usize| 2 * ahead * block;
        let block = (counted / (2 * ahead + FEWEST * fold)).clamp(LEAST_BATCH, BLOCK);
        let batch = block * fold;
        let in_flight = (counted.saturating_sub(of_ahead(block)) / batch).clamp(FEWEST, most);
        let room = counted.saturating_sub(of_ahead(block)).max(in_flight * batch);
        let reading = Sizes { block, ahead };
        Self { in_flight, batch, room, matches: fifth / engines, rows: fifth / in_flight, held: 0, reading }
    }

    /// For batches of sequences that each cost much however small they are, in a process of `memory` bytes: one is searched at a time, and one is
    /// read.
    pub fn for_large_batches(memory: usize, fold: usize) -> Self {
        const AHEAD: usize = 1;
        let fifth = for_work(memory) / 5;
        let block = (2 * fifth / (2 * AHEAD + FEWEST * fold)).max(LEAST_BATCH);
        let batch = block * fold;
        let reading = Sizes { block, ahead: AHEAD };
        Self { in_flight: FEWEST, batch, room: FEWEST * batch, matches: fifth, rows: fifth / FEWEST, held: 0, reading }
    }

    /// For pairs of sequences of two files, in a process of `memory` bytes and `threads` threads. Work is counted in a unit that
    /// takes `unit` bytes.
    pub fn for_pairs(memory: usize, threads: usize, for_gpu: bool, unit: usize) -> Self {
        const FILES: usize = 2;
        let fifth = for_work(memory) / 5;
        let (held, room) = (2 * fifth, fifth / unit);
        let most = if for_gpu { PAIRS_FOR_GPU } else { for_cpu(threads) };
        let (in_flight, batch) = divided(room, FEWEST..=most, LEAST_BATCH..=BATCH);
        let ahead = blocks_ahead(threads);
        let block = (fifth / (FILES * 2 * ahead)).clamp(LEAST_BATCH, BLOCK);
        let (room, reading) = (room.max(in_flight * batch), Sizes { block, ahead });
        Self { in_flight, batch, room, matches: 0, rows: fifth / in_flight, held, reading }
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

    /// What batches take that are read ahead and in flight, as they are counted.
    fn counted(Memory { in_flight, batch, reading: Sizes { block, ahead }, .. }: Memory) -> usize {
        2 * ahead * block + in_flight * batch
    }

    #[test]
    fn the_default_gigabyte_holds_all_that_is_wanted() {
        for (processor, least) in [(Processor::Cuda(None), 32), (Processor::Cpu, 11)] {
            let Memory { in_flight, batch, reading, .. } = Memory::for_batches(1 << 30, 16, processor, 1);
            assert!(in_flight >= least && (batch, reading.ahead) == (BLOCK, 24), "{in_flight}");
        }
        for (for_gpu, least) in [(false, 3), (true, 6)] {
            let memory = Memory::for_pairs(1 << 30, 16, for_gpu, 2);
            assert!(memory.in_flight >= least && memory.batch == BATCH, "{memory:?}");
        }
    }

    #[test]
    fn less_memory_means_fewer_batches_then_smaller_ones() {
        for bytes in [4 << 30, 600 << 20, 200 << 20, 64 << 20, 2 * PROGRAM] {
            let (cuda, cpu) = (Processor::Cuda(None), Processor::Cpu);
            for (processor, threads, fold) in [(cuda, 16, 1), (cpu, 2, 4), (cuda, 64, 4), (cpu, 256, 1)] {
                let memory = Memory::for_batches(bytes, threads, processor, fold);
                let Memory { in_flight, batch, room, matches, rows, reading, .. } = memory;
                assert!(in_flight >= FEWEST && in_flight * batch <= room && reading.block >= LEAST_BATCH);
                let all = PROGRAM + (2 * reading.ahead * reading.block + room) * 3 / 2 + matches + in_flight * rows;
                assert!(all <= bytes || reading.block == LEAST_BATCH, "{bytes}, {threads} threads: {all}");
                assert!(counted(memory) <= bytes || reading.block == LEAST_BATCH);
            }
            let memory = Memory::for_pairs(bytes, 16, true, 4);
            let Memory { in_flight, batch, room, held, rows, reading: Sizes { block, ahead }, .. } = memory;
            let all = room * 4 + held + in_flight * rows + 4 * ahead * block + PROGRAM;
            assert!(all <= bytes || block == LEAST_BATCH || batch == LEAST_BATCH, "{bytes}: {all}");
            assert!(in_flight * batch <= room && (batch == BATCH || in_flight == FEWEST));
        }
        let Memory { in_flight, batch, room, .. } = Memory::for_batches(1, 2, Processor::Cuda(None), 1);
        assert_eq!((in_flight, batch, room), (FEWEST, LEAST_BATCH, FEWEST * LEAST_BATCH));
        let least = Memory::for_pairs(1, 2, true, 4);
        assert_eq!((least.in_flight, least.batch, least.held), (FEWEST, LEAST_BATCH, 0));
    }
}
