//! Distances of sequences, and `sign dist`, which writes them.
//!
//! # Definition
//!
//! ```text
//! there(A, B) = mean over A's windows of the least distance to a window of B
//! d(A, B)     = (there(A, B) + there(B, A)) / 2
//! ```
//!
//! in bits; `sign dist` divides by the bits of a signature. Windows without a k-mer do not count. A sequence
//! that has no other window has no distance: `None` here, `NA` in the output. This is the modified Hausdorff distance of
//! Dubuisson and Jain (1994), ICPR, p. 566, with the mean of both directions in place of the larger one.
//!
//! # Who does what
//!
//! ```text
//! Collection -> Sequences: windows that have a k-mer, and the first one of each sequence
//! Sequences x Sequences -> least of Hamming -> sums of integers -> distances
//! table: a block of rows at a time -> text, in order
//! ```
//!
//! # Why it is right at the edges
//!
//! Least distances are summed as integers, so a distance depends neither on the order of windows nor on how they are cut into
//! parts. A [`Distance`] keeps both sums, and nothing is rounded before it is written. If every sequence has at most one window,
//! both directions are the same number, and only one is computed.

mod distance;
pub mod run;
mod sequences;
pub mod table;

pub use distance::Distance;
pub use sequences::{Sequences, blocks};

use super::{Comparer, NO_TARGET, least};
use rayon::prelude::*;
use warpseq_engine::error::Result;

/// Bytes that a distance takes while it is computed: both sums, and what becomes of them.
pub const CELL: usize = 2 * size_of::<u64>() + size_of::<Option<Distance>>();

/// The distance of each sequence of `a` to each of `b`, row after row; `None` where either has no signature. Takes about
/// `memory` bytes, and [`CELL`] for each distance.
///
/// # Errors
/// Those of the device.
pub fn distances(
    comparer: &mut Comparer,
    a: &Sequences,
    b: &Sequences,
    memory: usize,
) -> Result<Vec<Option<Distance>>> {
    if a.are_single() && b.are_single() {
        return of_single(comparer, a, b);
    }
    let there = least_sums(comparer, a, b, memory)?;
    let back = least_sums(comparer, b, a, memory)?;
    let distance = |k: usize| {
        let (i, j) = (k / b.len(), k % b.len());
        Distance::new([there[k], back[j * a.len() + i]], [a.windows(i).len(), b.windows(j).len()])
    };
    Ok((0..there.len()).into_par_iter().map(distance).collect())
}

/// [`distances`] of sequences with at most one window each.
fn of_single(comparer: &mut Comparer, a: &Sequences, b: &Sequences) -> Result<Vec<Option<Distance>>> {
    let least = least(comparer, a.points(), b.points(), b.groups())?;
    let row = |i: usize| {
        let distances = a.windows(i).next().map(|window| &least[window as usize * b.len()..][..b.len()]);
        let of = move |j: usize| distances.map_or(NO_TARGET, |distances| distances[j]);
        let distance = |least: u32| Distance::new([least.into(); 2], [1; 2]);
        (0..b.len()).map(move |j| if of(j) == NO_TARGET { None } else { distance(of(j)) })
    };
    Ok((0..a.len()).into_par_iter().flat_map_iter(row).collect())
}

/// For each sequence of `from` and each of `to`, the sum over windows of the one of the least distance to a window of the
/// other; any number where the other has none. Takes about `memory` bytes, and 8 for each sum.
fn least_sums(comparer: &mut Comparer, from: &Sequences, to: &Sequences, memory: usize) -> Result<Vec<u64>> {
    let (columns, points) = (to.len(), from.points());
    let mut sums = vec![0; from.len() * columns];
    if sums.is_empty() {
        return Ok(sums);
    }
    let slice = (memory / (columns * size_of::<u32>())).max(1);
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

#[cfg(test)]
pub(crate) mod tests;
