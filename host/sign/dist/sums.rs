//! Sums of least distances.

use super::Sequences;
use crate::{Comparer, least};
use rayon::prelude::*;
use warpseq_engine::error::Result;

/// For each sequence of `from` and each of `to`, the sum over windows of the one of the least distance to a window of the
/// other; any number where the other has none. Takes about `memory` bytes, and 8 for each sum.
pub fn least_sums(comparer: &mut Comparer, from: &Sequences, to: &Sequences, memory: usize) -> Result<Vec<u64>> {
    let (columns, points) = (to.len(), from.points());
    let mut sums = vec![0; from.len() * columns];
    if sums.is_empty() {
        return Ok(sums);
    }
    let slice = (memory / (columns * size_of::<u16>())).max(1);
    for start in (0..points.len()).step_by(slice) {
        let end = points.len().min(start + slice);
        let least = least(comparer, points.part(start..end), to.points(), to.groups())?;
        sums.par_chunks_mut(columns).enumerate().for_each(|(sequence, sums)| {
            let windows = from.windows(sequence);
            let own = (windows.start as usize).max(start)..(windows.end as usize).min(end);
            for window in own {
                let least = &least[(window - start) * columns..][..columns];
                sums.iter_mut().zip(least).for_each(|(sum, &least)| *sum += u64::from(least));
            }
        });
    }
    Ok(sums)
}
