//! The definition in plain loops: bits one by one, every distance afresh.

use super::super::{Clusters, Group, ROUNDS, Recipe};
use crate::Points;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn bits(signature: &[u8]) -> Vec<bool> {
    (0..signature.len() * 8).map(|e| signature[e / 8] >> (7 - e % 8) & 1 == 1).collect()
}

fn distance(a: &[bool], b: &[bool]) -> u32 {
    a.iter().zip(b).filter(|(a, b)| a != b).count() as u32
}

pub fn cluster(points: Points, recipe: Recipe) -> Clusters {
    let all: Vec<Vec<bool>> = (0..points.len()).map(|point| bits(points.get(point))).collect();
    let k = recipe.k as usize;
    let mut centroids: Vec<Vec<bool>> = seeds(&all, k, recipe.seed).into_iter().map(|seed| all[seed].clone()).collect();
    let mut of = vec![usize::MAX; all.len()];
    let (mut rounds, mut settled) = (0, false);
    for round in 1..=ROUNDS {
        rounds = round;
        let new = assign(&all, &centroids);
        settled = new == of;
        if settled {
            break;
        }
        of = new;
        centroids = (0..k).map(|cluster| majority(&all, &of, cluster)).collect();
    }
    let distances = all.iter().zip(&of).map(|(point, &cluster)| distance(point, &centroids[cluster])).collect();
    let byte = |bits: &[bool]| (0..8).map(|e| u8::from(bits[e]) << (7 - e)).sum();
    let centroids = centroids.iter().flat_map(|bits| bits.chunks(8).map(byte)).collect();
    Clusters { of: of.into_iter().map(|cluster| cluster as u32).collect(), distances, centroids, rounds, settled }
}

fn seeds(all: &[Vec<bool>], k: usize, seed: u64) -> Vec<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |end: u64| ((u128::from(random.next_u64()) * u128::from(end)) >> 64) as u64;
    let mut seeds = vec![below(all.len() as u64) as usize];
    let square = |point: usize, seeds: &[usize]| {
        seeds.iter().map(|&seed| u64::from(distance(&all[point], &all[seed])).pow(2)).min().unwrap()
    };
    while seeds.len() < k {
        let total = |seeds: &[usize]| (0..all.len()).map(|point| square(point, seeds)).sum::<u64>();
        if total(&seeds) == 0 {
            seeds.push((0..all.len()).find(|point| !seeds.contains(point)).unwrap());
            continue;
        }
        let mut best = (u64::MAX, 0);
        for _ in 0..2 + (k as f64).log2().floor() as usize {
            let mut number = below(total(&seeds));
            let mut drawn = 0;
            while number >= square(drawn, &seeds) {
                number -= square(drawn, &seeds);
                drawn += 1;
            }
            let left = total(&[&seeds[..], &[drawn]].concat());
            if left < best.0 {
                best = (left, drawn);
            }
        }
        seeds.push(best.1);
    }
    seeds
}

fn assign(all: &[Vec<bool>], centroids: &[Vec<bool>]) -> Vec<usize> {
    let nearest = |point: &Vec<bool>| (0..centroids.len()).min_by_key(|&c| distance(point, &centroids[c])).unwrap();
    let mut of: Vec<usize> = all.iter().map(nearest).collect();
    let mut far: Vec<u32> = all.iter().zip(&of).map(|(point, &c)| distance(point, &centroids[c])).collect();
    for cluster in 0..centroids.len() {
        let size = |wanted: usize| of.iter().filter(|&&cluster| cluster == wanted).count();
        if size(cluster) == 0 {
            let mut farthest = None;
            for point in (0..all.len()).filter(|&point| size(of[point]) > 1) {
                if farthest.is_none_or(|best: usize| far[point] > far[best]) {
                    farthest = Some(point);
                }
            }
            of[farthest.unwrap()] = cluster;
            far[farthest.unwrap()] = 0;
        }
    }
    of
}

fn majority(all: &[Vec<bool>], of: &[usize], cluster: usize) -> Vec<bool> {
    let members: Vec<_> = (0..all.len()).filter(|&point| of[point] == cluster).collect();
    (0..all[0].len()).map(|e| 2 * members.iter().filter(|&&m| all[m][e]).count() > members.len()).collect()
}

/// Sizes, distances and medoids of `k` clusters, by all pairs.
pub fn groups(points: Points, clusters: &Clusters, k: u32) -> Vec<Group> {
    let far = |a: usize, b: usize| distance(&bits(points.get(a)), &bits(points.get(b)));
    let group = |cluster| {
        let members: Vec<usize> = (0..points.len()).filter(|&point| clusters.of[point] == cluster).collect();
        let distances: Vec<u32> = members.iter().map(|&member| clusters.distances[member]).collect();
        let sum = |&&a: &&usize| members.iter().map(|&b| far(a, b)).sum::<u32>();
        Group {
            size: members.len(),
            mean: f64::from(distances.iter().sum::<u32>()) / members.len() as f64,
            max: *distances.iter().max().unwrap(),
            medoid: *members.iter().min_by_key(sum).unwrap(),
        }
    };
    (0..k).map(group).collect()
}
