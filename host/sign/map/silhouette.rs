//! Silhouettes: how well records lie in their groups (Rousseeuw 1987, J. Comput. Appl. Math. 20:53).
//!
//! # Definition
//!
//! For a record, a is the mean of its distances to the others of its group, and b the least, over the other groups, of the
//! mean of its distances to that group's records:
//!
//! ```text
//! s = (b - a) / max(a, b)        1: far from all other groups, 0: between two groups, below 0: nearer to another group
//! ```
//!
//! 0 for a record alone in its group, and where a = b = 0. The silhouette of a group is the mean of its records', that of a
//! map the mean of all records'. Records without a group do not take part. With fewer than two groups there is none.
//!
//! The distances are those of the signatures, not of the plane. They are taken a few rows at a time, so that the memory grows
//! with the records, not with their pairs. Sums run in the order of the records, so the result does not depend on threads.

use super::groups::Groups;
use super::{BLOCK, Distances};
use rayon::prelude::*;
use warpseq_engine::error::Result;

/// The mean silhouettes of each group and of all records.
#[derive(Clone, Debug, PartialEq)]
pub struct Silhouettes {
    /// In the order of the groups' names.
    pub of_groups: Vec<f64>,
    /// Of all records.
    pub mean: f64,
}

/// The silhouettes of the records in their groups; `None` with fewer than two groups.
///
/// # Errors
/// Those of `distances`.
pub fn silhouettes(distances: &mut dyn Distances, groups: &Groups) -> Result<Option<Silhouettes>> {
    let sizes = groups.sizes();
    if sizes.len() < 2 {
        return Ok(None);
    }
    let grouped: Vec<(usize, usize)> =
        groups.of.iter().enumerate().filter_map(|(record, group)| group.map(|group| (record, group))).collect();
    let (records, of): (Vec<usize>, Vec<usize>) = grouped.into_iter().unzip();
    let mut each = Vec::with_capacity(records.len());
    for rows in (0..records.len()).collect::<Vec<_>>().chunks((BLOCK / records.len()).max(1)) {
        let block = distances.block(&records[rows[0]..=rows[rows.len() - 1]], &records)?;
        let one = |(&row, distances): (&usize, &[f64])| silhouette(of[row], distances, &of, &sizes);
        each.par_extend(rows.par_iter().zip(block.par_chunks(records.len())).map(one));
    }
    let mut sums = vec![0.0; sizes.len()];
    of.iter().zip(&each).for_each(|(&group, silhouette)| sums[group] += silhouette);
    let of_groups = sums.iter().zip(&sizes).map(|(sum, &size)| sum / size as f64).collect();
    Ok(Some(Silhouettes { of_groups, mean: sums.iter().sum::<f64>() / records.len() as f64 }))
}

/// Of a record of group `own`, by its distances to all records.
fn silhouette(own: usize, distances: &[f64], of: &[usize], sizes: &[usize]) -> f64 {
    if sizes[own] == 1 {
        return 0.0;
    }
    let mut sums = vec![0.0; sizes.len()];
    distances.iter().zip(of).for_each(|(distance, &group)| sums[group] += distance);
    // The record's distance to itself is 0 and in the sum.
    let a = sums[own] / (sizes[own] - 1) as f64;
    let others = (0..sizes.len()).filter(|&group| group != own).map(|group| sums[group] / sizes[group] as f64);
    let b = others.fold(f64::INFINITY, f64::min);
    if a == b { 0.0 } else { (b - a) / a.max(b) }
}
