//! Clusters against the definition in plain loops ([`naive`]), and families that are known.

use super::*;
use crate::hamming::Cpu;
use crate::reference::{NaiveHamming, Reference};
use crate::{Parameters, Records, Signatures};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq_engine::executor::Executor;

/// Copies of `families` random ancestors, family after family. Each bit of a copy is flipped with probability `rate`.
pub(super) fn families(random: &mut impl Rng, bits: u32, families: usize, copies: usize, rate: f64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..families {
        let ancestor: Vec<u8> = (0..bits / 8).map(|_| random.random()).collect();
        for _ in 0..copies {
            let turned = |byte: &u8, random: &mut dyn Rng| {
                (0..8).fold(*byte, |byte, bit| byte ^ u8::from(random.random_bool(rate)) << bit)
            };
            bytes.extend(ancestor.iter().map(|byte| turned(byte, &mut *random)));
        }
    }
    bytes
}

#[test]
fn clusters_are_those_of_the_definition() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..20 {
        let bits = [64, 128, 320][round % 3];
        let kinds = random.random_range(1..6);
        let bytes = families(&mut random, bits, kinds, 1 + round % 9, [0.02, 0.2, 0.5][round % 3]);
        let points = Points::new(bits, &bytes);
        for k in (1..=points.len() as u32).step_by(1 + round % 4) {
            let recipe = Recipe { k, seed: round as u64 };
            let wanted = naive::cluster(points, recipe);
            assert_eq!(cluster(points, recipe, &mut Cpu::new()).unwrap(), wanted, "round {round}, k {k}");
            assert_eq!(cluster(points, recipe, &mut NaiveHamming).unwrap(), wanted, "round {round}, k {k}");
        }
    }
}

#[test]
fn groups_are_those_of_all_pairs() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let bytes = families(&mut random, 128, 3, 11, 0.3);
    let points = Points::new(128, &bytes);
    let clusters = cluster(points, Recipe { k: 4, seed: 5 }, &mut Cpu::new()).unwrap();
    assert_eq!(groups(points, &clusters), naive::groups(points, &clusters, 4));
}

/// Asserts that each run of `copies` points is a cluster of its own.
fn assert_families(clusters: &Clusters, copies: usize) {
    assert!(clusters.settled);
    let firsts: Vec<u32> = clusters.of.iter().copied().step_by(copies).collect();
    assert_eq!(clusters.of, firsts.iter().flat_map(|&first| vec![first; copies]).collect::<Vec<_>>());
    let mut numbers = firsts.clone();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..firsts.len() as u32).collect::<Vec<_>>());
}

#[test]
fn known_families_are_recovered() {
    for seed in 0..20 {
        let bytes = families(&mut ChaCha8Rng::seed_from_u64(seed), 256, 5, 30, 0.08);
        let points = Points::new(256, &bytes);
        assert_families(&cluster(points, Recipe { k: 5, seed }, &mut Cpu::new()).unwrap(), 30);
    }
}

/// Copies of five random sequences, one residue in `every` replaced.
fn relatives(random: &mut impl Rng, residues: &[u8], length: usize, copies: usize, every: usize) -> Records {
    let mut batch = Records::default();
    for _ in 0..5 {
        let ancestor: Vec<u8> = (0..length).map(|_| residues[random.random_range(0..residues.len())]).collect();
        for _ in 0..copies {
            let mut copy = ancestor.clone();
            (0..length / every)
                .for_each(|_| copy[random.random_range(0..length)] = residues[random.random_range(0..residues.len())]);
            batch.push(b"copy", &copy);
        }
    }
    batch
}

#[test]
fn families_of_sequences_are_recovered() {
    let dna = (Parameters::DNA, &b"ACGT"[..], 500, 50);
    let protein = (Parameters::PROTEIN, &b"ACDEFGHIKLMNPQRSTVWY"[..], 250, 10);
    for (parameters, residues, length, every) in [dna, protein] {
        let batch = relatives(&mut ChaCha8Rng::seed_from_u64(6), residues, length, 12, every);
        let mut signatures = Signatures::default();
        Reference::new(parameters).compute(&batch, &mut signatures).unwrap();
        let points = Points::new(parameters.bits, &signatures.bytes);
        for seed in 0..5 {
            assert_families(&cluster(points, Recipe { k: 5, seed }, &mut Cpu::new()).unwrap(), 12);
        }
    }
}

#[test]
fn equal_points_fill_all_clusters() {
    let bytes = [0xA5; 5 * 8];
    let points = Points::new(64, &bytes);
    let clusters = cluster(points, Recipe { k: 3, seed: 0 }, &mut Cpu::new()).unwrap();
    assert_eq!((clusters.of, clusters.distances), (vec![1, 2, 0, 0, 0], vec![0; 5]));
}

#[test]
fn as_many_clusters_as_points_give_each_its_own() {
    let bytes = families(&mut ChaCha8Rng::seed_from_u64(4), 64, 2, 6, 0.2);
    let clusters = cluster(Points::new(64, &bytes), Recipe { k: 12, seed: 9 }, &mut Cpu::new()).unwrap();
    let mut of = clusters.of;
    of.sort_unstable();
    assert_eq!((of, clusters.distances), ((0..12).collect(), vec![0; 12]));
}

#[test]
fn no_clusters_and_too_many_are_refused() {
    let points = Points::new(64, &[0; 24]);
    for (k, words) in [(0, "at least one"), (4, "at most 3")] {
        let refused = cluster(points, Recipe { k, seed: 0 }, &mut Cpu::new());
        let Err(Error::Usage(message)) = refused else { panic!("{k} clusters must be refused") };
        assert!(message.contains(words), "{message}");
    }
}

fn filled(of: &[u32], distances: &[u32], clusters: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut of, mut distances) = (of.to_vec(), distances.to_vec());
    fill_empty(&mut of, &mut distances, clusters);
    (of, distances)
}

#[test]
fn nothing_moves_without_an_empty_cluster() {
    assert_eq!(filled(&[1, 0, 1], &[5, 6, 7], 2), (vec![1, 0, 1], vec![5, 6, 7]));
}

#[test]
fn the_farthest_point_goes_and_of_equals_the_first() {
    assert_eq!(filled(&[0, 0, 0, 0], &[3, 9, 1, 9], 2), (vec![0, 1, 0, 0], vec![3, 0, 1, 9]));
    assert_eq!(filled(&[1, 1, 1, 1], &[3, 9, 1, 9], 4), (vec![3, 0, 1, 2], vec![0, 0, 1, 0]));
}

#[test]
fn a_point_alone_in_its_cluster_stays() {
    assert_eq!(filled(&[2, 0, 0], &[9, 1, 0], 3), (vec![2, 1, 0], vec![9, 0, 0]));
    assert_eq!(filled(&[0, 0, 0], &[0, 0, 0], 3), (vec![1, 2, 0], vec![0, 0, 0]));
}

/// The definition in plain loops: bits one by one, every distance afresh.
mod naive {
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
        let mut centroids: Vec<Vec<bool>> =
            seeds(&all, k, recipe.seed).into_iter().map(|seed| all[seed].clone()).collect();
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
                sum: distances.iter().map(|&distance| u64::from(distance)).sum(),
                max: *distances.iter().max().unwrap(),
                medoid: *members.iter().min_by_key(sum).unwrap(),
            }
        };
        (0..k).map(group).collect()
    }
}
