//! `--clusters auto`: the number of clusters whose silhouette is largest (Rousseeuw 1987).
//!
//! The clusters of k-means are made for each number from 2 to [`MOST`], and fewer than there are points. The silhouette is that of
//! all points, or of [`SAMPLE`] of them drawn by the seed, the same ones for each number. Of equal silhouettes the fewest clusters
//! are taken. One or two points are one cluster.

use super::{Clusters, Recipe, cluster};
use crate::map::groups::Groups;
use crate::map::silhouette::silhouettes;
use crate::map::{self, sample};
use crate::{Comparer, Points};
use warpseq_engine::error::Result;

/// The most clusters.
pub const MOST: u32 = 20;
/// The most points of which all distances are taken.
pub const SAMPLE: usize = 2000;

/// Clusters, how many there are, and their silhouette, unless there is one cluster.
#[derive(Debug)]
pub struct Chosen {
    /// The clusters.
    pub clusters: Clusters,
    /// How many they are.
    pub k: u32,
    /// Their mean silhouette.
    pub silhouette: Option<f64>,
}

/// The clusters of points whose silhouette is largest. There is at least one point.
///
/// # Errors
/// Those of [`cluster`].
pub fn choose(points: Points, seed: u64, comparer: &mut Comparer) -> Result<Chosen> {
    let most = MOST.min(u32::try_from(points.len()).unwrap_or(u32::MAX).saturating_sub(1));
    let sample = sample(points.len(), SAMPLE, seed);
    let sampled: Vec<u8> = sample.iter().flat_map(|&point| points.get(point)).copied().collect();
    let mut best: Option<Chosen> = None;
    for k in 2..=most {
        let clusters = cluster(points, Recipe { k, seed }, comparer)?;
        let numbers: Vec<[u8; 4]> = sample.iter().map(|&point| clusters.of[point].to_be_bytes()).collect();
        let groups = Groups::new(numbers.iter().map(|number| Some(&number[..])));
        let mut distances = Sampled { points: Points::new(points.bits(), &sampled), comparer };
        let silhouette = silhouettes(&mut distances, &groups)?.map(|found| found.mean);
        if best.as_ref().is_none_or(|best| silhouette > best.silhouette) {
            best = Some(Chosen { clusters, k, silhouette });
        }
    }
    match best {
        Some(best) => Ok(best),
        None => Ok(Chosen { clusters: cluster(points, Recipe { k: 1, seed }, comparer)?, k: 1, silhouette: None }),
    }
}

/// Points as records of a map.
struct Sampled<'p, 'c, 'e> {
    points: Points<'p>,
    comparer: &'c mut Comparer<'e>,
}

impl map::Distances for Sampled<'_, '_, '_> {
    fn len(&self) -> usize {
        self.points.len()
    }

    fn block(&mut self, rows: &[usize], columns: &[usize]) -> Result<Vec<f64>> {
        let of =
            |list: &[usize]| -> Vec<u8> { list.iter().flat_map(|&point| self.points.get(point)).copied().collect() };
        let ([rows, columns], groups) = ([of(rows), of(columns)], (0..=columns.len() as u32).collect::<Vec<_>>());
        let [rows, columns] = [&rows, &columns].map(|bytes| Points::new(self.points.bits(), bytes));
        let bits = crate::least(self.comparer, rows, columns, &groups)?;
        Ok(bits.into_iter().map(f64::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::families;
    use super::*;
    use crate::hamming::Cpu;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn families_are_found_without_their_number() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        for kinds in [2, 3, 7, 20] {
            for copies in [5, 150] {
                let bytes = families(&mut random, 256, kinds, copies, 0.05);
                let points = Points::new(256, &bytes);
                let Chosen { clusters, k, silhouette } = choose(points, 3, &mut Cpu::new()).unwrap();
                assert_eq!((k as usize, clusters.centroids.len()), (kinds, kinds * 32), "{copies} copies");
                assert!(silhouette.unwrap() > 0.5, "{silhouette:?}");
                let firsts: Vec<u32> = clusters.of.iter().copied().step_by(copies).collect();
                assert_eq!(clusters.of, firsts.iter().flat_map(|&first| vec![first; copies]).collect::<Vec<_>>());
            }
        }
    }

    /// The silhouettes by their definition, on all pairs.
    fn naive(points: Points, of: &[u32], k: u32) -> f64 {
        let far = |a: usize, b: usize| {
            points.get(a).iter().zip(points.get(b)).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() as f64
        };
        let mean = |point: usize, cluster: u32| {
            let others: Vec<usize> = (0..of.len()).filter(|&one| one != point && of[one] == cluster).collect();
            others.iter().map(|&one| far(point, one)).sum::<f64>() / others.len() as f64
        };
        let one = |point: usize| {
            let a = mean(point, of[point]);
            let b = (0..k).filter(|&other| other != of[point]).map(|other| mean(point, other)).fold(f64::MAX, f64::min);
            if a.is_nan() || a == b { 0.0 } else { (b - a) / a.max(b) }
        };
        (0..of.len()).map(one).sum::<f64>() / of.len() as f64
    }

    #[test]
    fn no_other_number_has_a_larger_silhouette() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        for copies in 3..8 {
            let bytes = families(&mut random, 64, 5, copies, 0.2);
            let points = Points::new(64, &bytes);
            let chosen = choose(points, 1, &mut Cpu::new()).unwrap();
            let found = chosen.silhouette.unwrap();
            assert!((found - naive(points, &chosen.clusters.of, chosen.k)).abs() < 1e-9);
            for k in 2..=MOST.min(points.len() as u32 - 1) {
                let other = cluster(points, Recipe { k, seed: 1 }, &mut Cpu::new()).unwrap();
                assert!(naive(points, &other.of, k) < found + 1e-9, "{k} instead of {}", chosen.k);
            }
        }
    }

    #[test]
    fn one_point_and_two_are_one_cluster() {
        for count in [1, 2] {
            let bytes = [0, 0xFF].repeat(4 * count);
            let chosen = choose(Points::new(64, &bytes), 1, &mut Cpu::new()).unwrap();
            assert_eq!((chosen.k, chosen.silhouette, chosen.clusters.of), (1, None, vec![0; count]));
        }
    }
}
