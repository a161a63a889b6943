//! Clusters against the definition in plain loops ([`naive`]), and families that are known.

mod naive;

use super::*;
use crate::hamming::Cpu;
use crate::reference::{NaiveHamming, Reference};
use crate::{Parameters, Records, Signatures};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq_engine::executor::Executor;

/// The points of `families` random ancestors: copies in which each bit is turned with a probability, family after family.
fn families(random: &mut impl Rng, bits: u32, families: usize, copies: usize, rate: f64) -> Vec<u8> {
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

/// Asserts that each run of `copies` points is a cluster, and no two runs are one.
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
