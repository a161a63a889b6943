//! Summaries of clusters: the size, the distances of the members to the centroid, and the medoid.
//!
//! The *medoid* is the member with the least sum of distances to all members, the first of equals (Kaufman and Rousseeuw
//! 1990, Finding Groups in Data). The sum needs no pairs: where n of N members have a bit, the distance at that bit is 1 to
//! the other N - n members, or to the n, whichever the member is not.

use super::super::Points;
use super::{Clusters, ones};
use crate::ratio::Ratio;
use rayon::prelude::*;

/// The summary of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number of members.
    pub size: usize,
    /// The sum of the members' distances to the centroid, in bits.
    pub sum: u64,
    /// The largest of these distances.
    pub max: u32,
    /// The medoid, by the number of its point.
    pub medoid: usize,
}

impl Group {
    /// The mean of the members' distances to the centroid, in bits.
    pub fn mean(&self) -> Ratio {
        Ratio::new(self.sum.into(), self.size as u128)
    }
}

/// All clusters, none of them empty.
pub fn groups(points: Points, clusters: &Clusters) -> Vec<Group> {
    let count = clusters.centroids.len() / points.width();
    let group = |members: Vec<u32>| {
        let distances = || members.iter().map(|&member| clusters.distances[member as usize]);
        Group {
            size: members.len(),
            sum: distances().map(u64::from).sum(),
            max: distances().max().expect("no cluster is empty"),
            medoid: medoid(points, &members),
        }
    };
    ones::members(&clusters.of, count).into_par_iter().map(group).collect()
}

fn medoid(points: Points, members: &[u32]) -> usize {
    let ones = ones::ones(points, members);
    let all = members.len() as u64;
    let sum = |member: u32| -> u64 {
        let signature = points.get(member as usize);
        let has = |bit: usize| signature[bit / 8] >> (7 - bit % 8) & 1 == 1;
        ones.iter().enumerate().map(|(bit, &ones)| if has(bit) { all - ones } else { ones }).sum()
    };
    let least = members.par_iter().map(|&member| (sum(member), member)).min();
    least.expect("no cluster is empty").1 as usize
}
