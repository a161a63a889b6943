//! How many batches exist at a time, and how large they are, from the memory that a run may take.

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

/// The batches of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batches {
    /// The most that exist at a time.
    pub in_flight: usize,
    /// Bytes that complete one.
    pub bytes: usize,
}

impl Batches {
    /// Batches that fit a process of `memory` bytes. Three fifths of it are for batches, and each takes half as much again as
    /// what is counted of it (letters, qualities), for names and places of short reads and for what comes out.
    pub fn new(memory: usize, for_gpu: bool) -> Self {
        let counted = memory / 5 * 2;
        let most = if for_gpu { FOR_GPU } else { FOR_CPU };
        let in_flight = (counted / BATCH).clamp(FEWEST, most);
        Self { in_flight, bytes: (counted / in_flight).clamp(LEAST_BATCH, BATCH) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_gigabyte_holds_all_that_is_wanted() {
        assert_eq!(Batches::new(1 << 30, true), Batches { in_flight: FOR_GPU, bytes: BATCH });
        assert_eq!(Batches::new(1 << 30, false), Batches { in_flight: FOR_CPU, bytes: BATCH });
    }

    #[test]
    fn less_memory_means_fewer_batches_then_smaller_ones() {
        for memory in [600 << 20, 200 << 20, 64 << 20, 16 << 20, 1 << 20] {
            let Batches { in_flight, bytes } = Batches::new(memory, true);
            assert!(in_flight * bytes * 3 / 2 <= memory * 3 / 5, "{memory}: {in_flight} x {bytes}");
            assert!(bytes == BATCH || in_flight == FEWEST);
        }
        assert_eq!(Batches::new(1, true), Batches { in_flight: FEWEST, bytes: LEAST_BATCH });
    }
}
