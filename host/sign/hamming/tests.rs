use super::*;
use crate::{Limits, NO_TARGET, Neighbour, Points, least, nearest};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Signatures with many equal distances, because few of their bits vary.
fn signatures(random: &mut ChaCha8Rng, bits: u32, count: usize) -> Vec<u8> {
    let free = random.random_range(1..=bits as usize / 8);
    let mut bytes = vec![0; count * bits as usize / 8];
    for signature in bytes.chunks_exact_mut(bits as usize / 8) {
        signature[..free].iter_mut().for_each(|byte| *byte = random.random());
    }
    bytes
}

fn distance(a: &[u8], b: &[u8]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (0..8).filter(|bit| (a ^ b) >> bit & 1 == 1).count() as u32).sum()
}

fn naive_nearest(queries: Points, targets: Points, limits: Limits) -> Vec<Neighbour> {
    let mut all = Vec::new();
    for query in 0..queries.len() {
        let far = |target| distance(queries.get(query), targets.get(target));
        let near = |target| Neighbour { query: query as u32, distance: far(target), target: target as u32 };
        let mut list: Vec<_> = (0..targets.len()).map(near).collect();
        list.sort();
        list.retain(|near| near.distance <= limits.distance);
        list.truncate(limits.top.map_or(list.len(), |top| top as usize));
        all.extend(list);
    }
    all
}

fn naive_least(queries: Points, targets: Points, groups: &[u32]) -> Vec<u32> {
    let least = |query, group: &[u32]| {
        let distances = (group[0]..group[1]).map(|k| distance(queries.get(query), targets.get(k as usize)));
        distances.min().unwrap_or(NO_TARGET)
    };
    (0..queries.len()).flat_map(|query| groups.windows(2).map(move |group| least(query, group))).collect()
}

/// On every set of instructions, with one thread and with three.
fn engines() -> Vec<(Cpu, rayon::ThreadPool)> {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    InstructionSet::all().into_iter().flat_map(|set| [1, 3].map(|threads| (Cpu { set }, pool(threads)))).collect()
}

/// Bits, queries and targets: single words, any number of words, tiles of few, tasks of some and of many.
const SHAPES: [(u32, usize, usize); 11] = [
    (64, 0, 5),
    (64, 5, 0),
    (64, 1, 70_001),
    (64, 300, 13),
    (128, 70, 2500),
    (320, 9, 1001),
    (1024, 1, 9),
    (1024, 67, 2000),
    (4096, 3, 77),
    (8192, 2, 19),
    (65_536, 2, 11),
];

#[test]
fn nearest_is_a_full_sort_of_naive_distances() {
    let random = &mut ChaCha8Rng::seed_from_u64(3);
    for (bits, queries, targets) in SHAPES {
        let (queries, targets) = (signatures(random, bits, queries), signatures(random, bits, targets));
        let (queries, targets) = (Points::new(bits, &queries), Points::new(bits, &targets));
        for top in [Some(1), Some(2), Some(10), Some(2000), None] {
            for distance in [0, 3, bits / 2, bits] {
                let limits = Limits { top, distance };
                let expected = naive_nearest(queries, targets, limits);
                for (mut cpu, pool) in engines() {
                    let found = pool.install(|| nearest(&mut cpu, queries, targets, limits).unwrap());
                    assert!(found == expected, "{bits} bits, {limits:?}, {:?}", cpu.set);
                }
            }
        }
    }
}

#[test]
fn least_is_the_least_of_naive_distances() {
    let random = &mut ChaCha8Rng::seed_from_u64(4);
    for (bits, queries, targets) in SHAPES {
        let (queries, targets) = (signatures(random, bits, queries), signatures(random, bits, targets));
        let (queries, targets) = (Points::new(bits, &queries), Points::new(bits, &targets));
        let count = targets.len() as u32;
        let mut some: Vec<u32> = (0..20).map(|_| random.random_range(0..=count)).collect();
        some.sort();
        let single: Vec<u32> = (0..=count).collect();
        let twice: Vec<u32> = (0..=count).flat_map(|k| [k; 2]).collect();
        for groups in [vec![], vec![0], vec![0, count], some, single, twice] {
            let expected = naive_least(queries, targets, &groups);
            for (mut cpu, pool) in engines() {
                let found = pool.install(|| least(&mut cpu, queries, targets, &groups).unwrap());
                assert!(found == expected, "{bits} bits, {} groups, {:?}", groups.len(), cpu.set);
            }
        }
    }
}

#[test]
fn planted_near_duplicates_are_found_exactly() {
    let random = &mut ChaCha8Rng::seed_from_u64(5);
    for bits in [64, 1024] {
        let width = bits as usize / 8;
        let mut targets: Vec<u8> = (0..5000 * width).map(|_| random.random()).collect();
        let query: Vec<u8> = (0..width).map(|_| random.random()).collect();
        for flipped in 0..5 {
            let place = (4000 - 700 * flipped) * width;
            targets[place..][..width].copy_from_slice(&query);
            (0..flipped).for_each(|bit| targets[place + bit] ^= 1 << bit);
        }
        let (queries, targets) = (Points::new(bits, &query), Points::new(bits, &targets));
        let found = nearest(&mut Cpu::new(), queries, targets, Limits { top: None, distance: 4 }).unwrap();
        let planted = (0..5).map(|distance| Neighbour { query: 0, distance, target: 4000 - 700 * distance });
        assert!(found.into_iter().eq(planted));
    }
}
