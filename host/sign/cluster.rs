//! `sign cluster`: k-means on signatures in Hamming space, and single linkage (`linkage`).
//!
//! # Definition
//!
//! The *centroid* of a cluster is the majority of its members, bit by bit: 1 where more than half of them have 1. No other
//! signature has a smaller sum of distances to the members, so this is Lloyd's method (1982, IEEE Trans. Inf. Theory 28:129)
//! for Hamming distances:
//!
//! ```text
//! centroids = K points            by k-means++, see `seeding`
//! at most 100 rounds:
//!     each point goes to its nearest centroid, of equals the first
//!     each empty cluster, in order, takes the point that is farthest from its centroid, of equals the first
//!         (a point that is alone in its cluster is not taken; a point that is taken has distance 0 to its centroid)
//!     stop when no point has moved since the last round
//!     centroids = majorities of their members
//! ```
//!
//! At the end each centroid is the majority of its members, and the distance of a point is that to the centroid of its cluster.
//! Clusters are numbered from 0 in the order in which seeding chose their first centroids.
//!
//! # Who does what
//!
//! Distances come from an executor of [`Comparing`](crate::Comparing), in slices of points; counting ones, in `ones`, is
//! shared among threads by pieces of clusters. All sums are of integers, and all random numbers are drawn by one thread, so
//! the result depends neither on threads nor on the device.
//!
//! # At the edges
//!
//! If there are as many clusters as points, each point has its own. Equal points share a cluster unless another one would stay
//! empty. No round ends with an empty cluster, because there are at least K points.

mod choosing;
mod linkage;
mod ones;
pub mod run;
mod seeding;
mod summary;
pub mod table;
#[cfg(test)]
mod tests;

pub use choosing::{Chosen, MOST, SAMPLE, choose};
pub use linkage::link;
pub use summary::{Group, groups};

use super::{Comparer, Limits, Points};
use rayon::prelude::*;
use std::cmp::Reverse;
use warpseq_engine::error::{Error, Result};

/// The most rounds.
pub const ROUNDS: u32 = 100;

/// Points that are compared at once: few enough that their neighbours take little memory.
const SLICE: usize = 1 << 20;

/// How clusters are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Number of clusters.
    pub k: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Which clusters are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A number of them around centroids: [`cluster`].
    Means(Recipe),
    /// As many around centroids as have the largest silhouette: [`choose`].
    Best {
        /// Seed of the random numbers.
        seed: u64,
    },
    /// Those that distances link: [`link`].
    Linked {
        /// The most bits of a link.
        distance: u32,
    },
}

/// Points in clusters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// The cluster of each point.
    pub of: Vec<u32>,
    /// The bits in which each point differs from the centroid of its cluster.
    pub distances: Vec<u32>,
    /// `bits / 8` bytes per cluster.
    pub centroids: Vec<u8>,
    /// Number of rounds; 0 of clusters that are not made in rounds.
    pub rounds: u32,
    /// Whether nothing moved in the last round.
    pub settled: bool,
}

/// Groups points around `recipe.k` centroids.
///
/// # Errors
/// [`Error::Usage`] for no clusters, or more than points; those of the device.
pub fn cluster(points: Points, recipe: Recipe, comparer: &mut Comparer) -> Result<Clusters> {
    check(points, recipe)?;
    let clusters = recipe.k as usize;
    let seeds = seeding::seeds(points, recipe, comparer)?;
    let mut centroids: Vec<u8> = seeds.iter().flat_map(|&seed| points.get(seed)).copied().collect();
    let (mut of, mut rounds, mut settled) = (Vec::new(), 0, false);
    while rounds < ROUNDS && !settled {
        rounds += 1;
        let (mut nearest, mut distances) = assign(points, Points::new(points.bits(), &centroids), comparer)?;
        fill_empty(&mut nearest, &mut distances, clusters);
        settled = nearest == of;
        of = nearest;
        if !settled {
            centroids = ones::majorities(points, &of, clusters);
        }
    }
    let distances = own_distances(points, &of, Points::new(points.bits(), &centroids));
    Ok(Clusters { of, distances, centroids, rounds, settled })
}

fn check(points: Points, Recipe { k, .. }: Recipe) -> Result<()> {
    let count = points.len();
    match k {
        0 => Err(Error::Usage("--clusters 0: ask for at least one cluster".into())),
        _ if k as usize > count => Err(Error::Usage(format!(
            "--clusters {k} is more than the {count} windows with a signature: ask for at most {count} clusters"
        ))),
        _ => check_count(points),
    }
}

/// Refuses points that numbers of 32 bits cannot count.
fn check_count(points: Points) -> Result<()> {
    let count = points.len();
    if u32::try_from(count).is_ok() {
        return Ok(());
    }
    let most = u32::MAX;
    Err(Error::Usage(format!(
        "{count} windows are more than the {most} that can be clustered: sign them with a longer --window"
    )))
}

/// The nearest centroid of each point, of equals the first, and the distance to it.
fn assign(points: Points, centroids: Points, comparer: &mut Comparer) -> Result<(Vec<u32>, Vec<u32>)> {
    let limits = Limits { top: Some(1), distance: points.bits() };
    let (mut nearest, mut distances) = (Vec::with_capacity(points.len()), Vec::with_capacity(points.len()));
    for bytes in points.bytes().chunks(SLICE * points.width()) {
        let slice = super::nearest(comparer, Points::new(points.bits(), bytes), centroids, limits)?;
        nearest.extend(slice.iter().map(|neighbour| neighbour.target));
        distances.extend(slice.iter().map(|neighbour| neighbour.distance));
    }
    Ok((nearest, distances))
}

/// Gives each empty cluster a point: see the definition in the module. `of` and `distances` hold a cluster and a distance for
/// each point; there are at least as many points as clusters.
fn fill_empty(of: &mut [u32], distances: &mut [u32], clusters: usize) {
    let mut sizes = vec![0u64; clusters];
    of.iter().for_each(|&cluster| sizes[cluster as usize] += 1);
    let empty: Vec<usize> = (0..clusters).filter(|&cluster| sizes[cluster] == 0).collect();
    if empty.is_empty() {
        return;
    }
    // Taking a point never makes another one available, so one pass over the points in order is enough.
    let mut waiting: Vec<usize> = (0..of.len()).collect();
    waiting.sort_by_key(|&point| Reverse(distances[point]));
    let mut waiting = waiting.into_iter();
    for cluster in empty {
        let farthest = waiting.find(|&point| sizes[of[point] as usize] > 1);
        let point = farthest.expect("fewer clusters with members than points, so one has two members");
        sizes[of[point] as usize] -= 1;
        sizes[cluster] = 1;
        of[point] = cluster as u32;
        distances[point] = 0;
    }
}

/// The distance of each point to the centroid of its cluster.
fn own_distances(points: Points, of: &[u32], centroids: Points) -> Vec<u32> {
    let own = |(point, &cluster): (&[u8], &u32)| differing(point, centroids.get(cluster as usize));
    points.bytes().par_chunks(points.width()).zip(of).map(own).collect()
}

/// How many bits differ.
fn differing(a: &[u8], b: &[u8]) -> u32 {
    words(a).zip(words(b)).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// The bits of a signature as numbers, its first bit the highest of the first number.
fn words(signature: &[u8]) -> impl Iterator<Item = u64> + '_ {
    signature.chunks_exact(8).map(|bytes| u64::from_be_bytes(bytes.try_into().expect("8 bytes a word")))
}
