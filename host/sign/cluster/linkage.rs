//! Single linkage: points within a distance are in one cluster, and so are those that a chain of such points connects.
//!
//! Pairs are compared in blocks and each is forgotten when its two clusters are one, so that memory grows with the points, not with
//! their pairs. Which pairs come first does not matter: a cluster is numbered by its first point.

use super::{Clusters, ones, own_distances};
use crate::{Comparer, Limits, Neighbour, Points};
use warpseq_engine::error::Result;

/// The fewest points of a block.
const LEAST_BLOCK: usize = 64;

/// The clusters of points that are linked by distances of at most `distance` bits. Takes about `memory` bytes, besides the clusters.
///
/// # Errors
/// When there are too many windows; those of the device.
pub fn link(points: Points, distance: u32, memory: usize, comparer: &mut Comparer) -> Result<Clusters> {
    super::check_count(points)?;
    let limits = Limits { top: None, distance: distance.min(points.bits()) };
    // All pairs of two blocks may be neighbours, and an executor may hold them twice.
    let block = (memory / 4 / size_of::<Neighbour>()).isqrt().max(LEAST_BLOCK);
    let starts = || (0..points.len()).step_by(block);
    let part = |start: usize| points.part(start..points.len().min(start + block));
    let mut links = Links { parents: (0..points.len() as u32).collect() };
    for queries in starts() {
        for targets in starts().take_while(|&targets| targets <= queries) {
            for near in crate::nearest(comparer, part(queries), part(targets), limits)? {
                links.join(queries as u32 + near.query, targets as u32 + near.target);
            }
        }
    }
    let (of, clusters) = links.numbered();
    let centroids = ones::majorities(points, &of, clusters);
    let distances = own_distances(points, &of, Points::new(points.bits(), &centroids));
    Ok(Clusters { of, distances, centroids, rounds: 0, settled: true })
}

/// Points and the clusters that they are in so far.
struct Links {
    /// A point of the same cluster that comes before; a cluster's first point leads to itself.
    parents: Vec<u32>,
}

impl Links {
    /// The first point of the cluster of a point. Makes the ways that it goes half as long.
    fn first(&mut self, mut point: u32) -> u32 {
        while self.parents[point as usize] != point {
            let parent = self.parents[point as usize];
            self.parents[point as usize] = self.parents[parent as usize];
            point = parent;
        }
        point
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// The cluster of each point, numbered by first points, and how many there are.
    fn numbered(mut self) -> (Vec<u32>, usize) {
        let (mut of, mut clusters) = (vec![0; self.parents.len()], 0);
        for point in 0..of.len() {
            let first = self.first(point as u32) as usize;
            of[point] = if first == point { clusters } else { of[first] };
            clusters += u32::from(first == point);
        }
        (of, clusters as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::families;
    use super::*;
    use crate::hamming::Cpu;
    use crate::reference::NaiveHamming;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Clusters grow from their first points until nothing is near any member: bits are compared one by one.
    fn naive(points: Points, distance: u32) -> Vec<u32> {
        let bit = |point: usize, bit: usize| points.get(point)[bit / 8] >> (bit % 8) & 1;
        let far = |a: usize, b: usize| (0..points.bits() as usize).filter(|&k| bit(a, k) != bit(b, k)).count() as u32;
        let (mut of, mut clusters) = (vec![u32::MAX; points.len()], 0);
        for first in 0..points.len() {
            if of[first] != u32::MAX {
                continue;
            }
            let mut members = vec![first];
            while let Some(member) = members.pop() {
                of[member] = clusters;
                members.extend((0..points.len()).filter(|&one| of[one] == u32::MAX && far(member, one) <= distance));
            }
            clusters += 1;
        }
        of
    }

    #[test]
    fn chains_are_those_of_the_definition() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let mut counts = Vec::new();
        for round in 0..12 {
            let bits = [64, 128, 320][round % 3];
            let (kinds, rate) = (random.random_range(1..12), [0.02, 0.1, 0.3][round % 3]);
            let mut bytes = families(&mut random, bits, kinds, 1 + round * 2, rate);
            bytes.extend_from_within(..bits as usize / 8);
            let points = Points::new(bits, &bytes);
            for distance in [0, 1, 3, 8, bits / 8, bits / 3, bits, u32::MAX] {
                let expected = naive(points, distance);
                for memory in [1, 1 << 20] {
                    let found = link(points, distance, memory, &mut Cpu::new()).unwrap();
                    assert_eq!(found.of, expected, "round {round}, distance {distance}");
                    counts.push(found.centroids.len() / points.width());
                }
                let found = link(points, distance, 1 << 20, &mut NaiveHamming).unwrap();
                assert_eq!(found.of, expected, "round {round}, distance {distance}");
            }
        }
        assert!(counts.contains(&1) && counts.iter().any(|&count| count > 5));
    }

    #[test]
    fn centroids_and_distances_are_those_of_the_members() {
        let bytes = [[0; 8], [0xFF; 8], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 3]].concat();
        let found = link(Points::new(64, &bytes), 1, 1 << 20, &mut Cpu::new()).unwrap();
        assert_eq!((&found.of[..], &found.distances[..]), (&[0, 1, 0, 0][..], &[1, 0, 0, 1][..]));
        assert_eq!(found.centroids, [[0, 0, 0, 0, 0, 0, 0, 1], [0xFF; 8]].concat());
    }
}
